package kubernetes_test

import "strings"

// scripted are requests that random ones hardly ever are, in the words of fakekube, whose first object has version 2.
var scripted = []struct{ method, path, body string }{
	// An update that creates keeps the time of a deletion, and the next one deletes.
	{"PUT", "leases/z", `{"metadata":{"name":"z","deletionTimestamp":"2026-01-02T03:04:05Z"}}`},
	{"GET", "leases/z", ``},
	{"POST", "leases", `{"metadata":{"name":"z"}}`},
	{"POST", "leases", `{"metadata":{"name":"z","generateName":"z-"}}`},
	{"PUT", "leases/z", `{"metadata":{"name":"z","resourceVersion":"2"}}`},
	{"GET", "leases/z", ``},
	// Finalizers.
	{"POST", "leases", `{"metadata":{"name":"f","finalizers":["example.com/f"],"generation":7}}`},
	{"DELETE", "leases/f?dryRun=All", ``},
	{"DELETE", "leases/f", ``},
	{"DELETE", "leases/f", ``},
	{"POST", "leases", `{"metadata":{"name":"f"}}`},
	{"PATCH", "leases/f", `{"metadata":{"finalizers":null}}`},
	{"GET", "leases/f", ``},
	// What was deleted, with and without its uid.
	{"POST", "configmaps", `{"metadata":{"name":"c"}}`},
	{"DELETE", "configmaps/c", ``},
	{"PUT", "configmaps/c", `{"metadata":{"name":"c","uid":"00000000-0000-4000-8000-000000000004"}}`},
	{"PUT", "configmaps/c", `{"metadata":{"name":"c"}}`},
	{"PUT", "endpoints/e", `{"metadata":{"name":"e","uid":"00000000-0000-4000-8000-000000000004"}}`},
	{"PUT", "endpoints/e?dryRun=All", `{"metadata":{"name":"e","uid":"00000000-0000-4000-8000-000000000004"}}`},
	{"PUT", "endpoints/e", `{"metadata":{"name":"e"}}`},
	{"PUT", "endpoints/e", `{"metadata":{"name":"e"}}`},
	// Odd numbers, unknown fields, dry runs.
	{"POST", "leases", `{"metadata":{"name":"n"},"spec":{"leaseTransitions":1,"unknown":1}}`},
	{"PATCH", "leases/n", `{"spec":{"leaseTransitions":-2147483649}}`},
	{"PATCH", "leases/n?fieldValidation=Strict", `{"spec":{"holderIdentity":"x"}}`},
	{"POST", "leases?dryRun=All", `{"metadata":{"name":"d","resourceVersion":"5"}}`},
	{"POST", "leases", `{"metadata":{"name":"d","resourceVersion":"5"}}`},
	{"PUT", "leases/n", `{"metadata":{"name":"n","resourceVersion":"12","labels":{"Bad Key!":"x"}},"spec":{"leaseDurationSeconds":0}}`},
	// Pages, and states of the past.
	{"POST", "leases", `{"metadata":{"name":"p","labels":{"l":"1"}}}`},
	{"POST", "leases", `{"metadata":{"name":"q","labels":{"l":"2"}}}`},
	{"GET", "leases?limit=1&labelSelector=l%3D2", ``},
	{"GET", "leases?limit=1&labelSelector=l%3D1", ``},
	{"GET", "leases?limit=2", ``},
	{"GET", "leases?limit=2&fieldSelector=metadata.name%3Dp", ``},
	{"GET", "leases/p?resourceVersion=x", ``},
	{"GET", "leases?resourceVersion=x", ``},
	{"GET", "leases?resourceVersionMatch=Exact", ``},
	{"DELETE", "leases?labelSelector=l%3D1", ``},
	{"DELETE", "leases", ``},
	{"GET", "leases", ``},
	// What a watch from the beginning tells, also of what a selection leaves and enters.
	{"POST", "leases", `{"metadata":{"name":"w","labels":{"l":"1"}}}`},
	{"PATCH", "leases/w", `{"metadata":{"labels":{"l":"2"}}}`},
	{"PATCH", "leases/w", `{"metadata":{"labels":{"l":"1"}}}`},
	{"GET", "leases?watch=1&timeoutSeconds=1&resourceVersion=2", ``},
	{"GET", "leases?watch=1&timeoutSeconds=1&resourceVersion=2&labelSelector=l%3D1", ``},
	{"GET", "leases?watch=1&timeoutSeconds=1&resourceVersion=2&fieldSelector=metadata.name%3Df", ``},
	{"GET", "configmaps?watch=1&timeoutSeconds=1&resourceVersion=2", ``},
	{"GET", "leases?watch=1&timeoutSeconds=1", ``},
	{"GET", "leases?watch=1&timeoutSeconds=1&resourceVersion=x", ``},
	{"GET", "leases?watch=1&timeoutSeconds=1&resourceVersionMatch=NotOlderThan", ``},
}

// scriptedCall is the call of that number.
func scriptedCall(i int, namespace string) call {
	s := scripted[i]
	c := call{method: s.method, contentType: "application/json", agent: "one", body: s.body}
	if s.method == "PATCH" {
		c.contentType = "application/strategic-merge-patch+json"
	}
	for _, r := range resources {
		if strings.HasPrefix(s.path, r.plural) {
			c.path = r.prefix + "/namespaces/" + namespace + "/" + s.path
		}
	}
	return c
}
