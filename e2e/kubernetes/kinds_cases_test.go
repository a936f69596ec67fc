package kubernetes_test

import "strings"

// kindsBodies are parts of requests.
var kindsBodies = strings.NewReplacer(
	"$POD", `"spec":{"containers":[{"name":"c","image":"i"}]}`,
	"$WORK", `"spec":{"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}`,
	"$JOB", `"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}`,
	"$CRON", `"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}`,
	"$BUDGET", `"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"x"}}}`,
	"$52", strings.Repeat("a", 52),
	"$63", strings.Repeat("a", 63),
)

// kindsCase is a sequence of requests, and the paths of what is compared of the last answer.
type kindsCase struct {
	name, shown string
	requests    []string
}

var kindsCases = []kindsCase{
	{"stringData is merged into data", "data stringData", []string{
		`POST v1/secrets {"metadata":{"name":"s"},"data":{"a":"eA==","k":"eA=="},"stringData":{"a":"b"}}`,
		`GET v1/secrets/s`,
	}},
	{"stringData in a patch", "data stringData", []string{
		`POST v1/secrets {"metadata":{"name":"s"},"data":{"a":"eA=="}}`,
		`MERGE v1/secrets/s {"stringData":{"c":"d"}}`,
		`APPLY v1/secrets/s {"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"e":"f"}}`,
		`GET v1/secrets/s`,
	}},
	{"stringData in an update", "data stringData", []string{
		`POST v1/secrets {"metadata":{"name":"s"},"stringData":{"a":"b"}}`,
		`PUT v1/secrets/s {"metadata":{"name":"s"},"stringData":{"c":"d"}}`,
	}},
	{"metadata in a write of the status", "metadata.labels metadata.annotations metadata.finalizers metadata.generation", []string{
		`POST apps/v1/replicasets {"metadata":{"name":"r","finalizers":["a.b/c"]},$WORK}`,
		`MERGE apps/v1/replicasets/r/status {"metadata":{"labels":{"l":"1"},"annotations":{"a":"1"},"finalizers":null},"status":{"replicas":2}}`,
		`GET apps/v1/replicasets/r`,
	}},
	{"a finalizer that goes with the status ends a deletion", "message", []string{
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b","finalizers":["a.b/c"]},$BUDGET}`,
		`DELETE policy/v1/poddisruptionbudgets/b`,
		`MERGE policy/v1/poddisruptionbudgets/b/status {"metadata":{"finalizers":null}}`,
		`GET policy/v1/poddisruptionbudgets/b`,
	}},
	{"the labels of a Deployment are none of its status", "metadata.labels metadata.annotations metadata.generation", []string{
		`POST apps/v1/deployments {"metadata":{"name":"d","labels":{"l":"1"}},$WORK}`,
		`MERGE apps/v1/deployments/d/status {"metadata":{"labels":{"l":"2"},"annotations":{"a":"1"}},"status":{"replicas":2}}`,
	}},
	{"the owners of a Pod are none of its status", "metadata.labels metadata.ownerReferences metadata.generation", []string{
		`POST v1/pods {"metadata":{"name":"p"},$POD}`,
		`MERGE v1/pods/p/status {"metadata":{"labels":{"l":"2"},"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"u"}]},"status":{"phase":"Running"}}`,
	}},
	{"the status of a VolumeAttachment alone", "metadata.labels metadata.annotations status", []string{
		`POST /apis/storage.k8s.io/v1/volumeattachments {"metadata":{"name":"$NS"},"spec":{"attacher":"a.b","nodeName":"n","source":{"persistentVolumeName":"pv"}}}`,
		`MERGE /apis/storage.k8s.io/v1/volumeattachments/$NS/status {"metadata":{"labels":{"l":"2"},"annotations":{"a":"1"}},"status":{"attached":true}}`,
	}},
	{"the status of a FlowSchema alone", "metadata.labels metadata.generation", []string{
		`POST /apis/flowcontrol.apiserver.k8s.io/v1/flowschemas {"metadata":{"name":"$NS"},"spec":{"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":9000}}`,
		`MERGE /apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/$NS/status {"metadata":{"labels":{"l":"2"}}}`,
	}},
	{"the generation of a Deployment counts annotations", "metadata.generation", []string{
		`POST apps/v1/deployments {"metadata":{"name":"d"},$WORK}`,
		`MERGE apps/v1/deployments/d {"metadata":{"annotations":{"a":"1"}}}`,
		`MERGE apps/v1/deployments/d {"metadata":{"labels":{"a":"1"}}}`,
	}},
	{"the generation of an EndpointSlice counts labels", "metadata.generation", []string{
		`POST discovery.k8s.io/v1/endpointslices {"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[]}`,
		`MERGE discovery.k8s.io/v1/endpointslices/e {"metadata":{"labels":{"a":"1"}}}`,
		`MERGE discovery.k8s.io/v1/endpointslices/e {"metadata":{"annotations":{"a":"1"}}}`,
	}},
	{"the generation of a budget", "metadata.generation", []string{
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`MERGE policy/v1/poddisruptionbudgets/b {"spec":{"minAvailable":2}}`,
	}},
	{"the generation of a ReplicationController", "metadata.generation", []string{
		`POST v1/replicationcontrollers {"metadata":{"name":"r"},"spec":{"replicas":1,"selector":{"app":"x"},"template":{"metadata":{"labels":{"app":"x"}},$POD}}}`,
		`MERGE v1/replicationcontrollers/r {"spec":{"replicas":2}}`,
	}},
	{"the generation of an IngressClass", "metadata.generation", []string{
		`POST /apis/networking.k8s.io/v1/ingressclasses {"metadata":{"name":"$NS"},"spec":{"controller":"a.b/c"}}`,
		`MERGE /apis/networking.k8s.io/v1/ingressclasses/$NS {"spec":{"parameters":{"kind":"K","name":"n","scope":"Cluster"}}}`,
	}},
	{"the generation of a PriorityClass", "metadata.generation", []string{
		`POST /apis/scheduling.k8s.io/v1/priorityclasses {"metadata":{"name":"$NS"},"value":5}`,
		`MERGE /apis/scheduling.k8s.io/v1/priorityclasses/$NS {"description":"x"}`,
	}},
	{"the generation of a PodTemplate", "metadata.generation", []string{
		`POST v1/podtemplates {"metadata":{"name":"t"},"template":{"metadata":{"labels":{"app":"x"}},$POD}}`,
		`MERGE v1/podtemplates/t {"template":{"metadata":{"labels":{"app":"y"}}}}`,
	}},
	{"the generation of a webhook's configuration", "metadata.generation", []string{
		`POST /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations {"metadata":{"name":"$NS"}}`,
		`MERGE /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/$NS {"metadata":{"labels":{"a":"1"}}}`,
	}},
	{"the generation of a FlowSchema", "metadata.generation", []string{
		`POST /apis/flowcontrol.apiserver.k8s.io/v1/flowschemas {"metadata":{"name":"$NS"},"spec":{"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":9000}}`,
		`MERGE /apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/$NS {"spec":{"matchingPrecedence":9001}}`,
	}},
	{"a budget is updated by its version", "message", []string{
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`PUT policy/v1/poddisruptionbudgets/b {"metadata":{"name":"b"},$BUDGET}`,
	}},
	{"the status of a budget is updated by its version", "message", []string{
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`PUT policy/v1/poddisruptionbudgets/b/status {"metadata":{"name":"b"},$BUDGET}`,
	}},
	{"a VolumeAttachment is updated by its version", "message", []string{
		`POST /apis/storage.k8s.io/v1/volumeattachments {"metadata":{"name":"$NS"},"spec":{"attacher":"a.b","nodeName":"n","source":{"persistentVolumeName":"pv"}}}`,
		`PUT /apis/storage.k8s.io/v1/volumeattachments/$NS/status {"metadata":{"name":"$NS"},"spec":{"attacher":"a.b","nodeName":"n","source":{"persistentVolumeName":"pv"}},"status":{"attached":true}}`,
	}},
	{"a CSIStorageCapacity is updated by its version", "message", []string{
		`POST storage.k8s.io/v1/csistoragecapacities {"metadata":{"name":"k"},"storageClassName":"x","capacity":"1Gi"}`,
		`PUT storage.k8s.io/v1/csistoragecapacities/k {"metadata":{"name":"k"},"storageClassName":"x","capacity":"2Gi"}`,
	}},
	{"a CSINode is updated by its version", "message", []string{
		`POST /apis/storage.k8s.io/v1/csinodes {"metadata":{"name":"$NS"},"spec":{"drivers":[]}}`,
		`PUT /apis/storage.k8s.io/v1/csinodes/$NS {"metadata":{"name":"$NS"},"spec":{"drivers":[]}}`,
	}},
	{"a CSIDriver is updated by its version", "message", []string{
		`POST /apis/storage.k8s.io/v1/csidrivers {"metadata":{"name":"$NS"},"spec":{}}`,
		`PUT /apis/storage.k8s.io/v1/csidrivers/$NS {"metadata":{"name":"$NS"},"spec":{}}`,
	}},
	{"a webhook's configuration is updated by its version", "message", []string{
		`POST /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations {"metadata":{"name":"$NS"}}`,
		`PUT /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/$NS {"metadata":{"name":"$NS"}}`,
	}},
	{"an update creates a RuntimeClass", "metadata.name", []string{
		`PUT /apis/node.k8s.io/v1/runtimeclasses/$NS {"metadata":{"name":"$NS"},"handler":"x"}`,
		`GET /apis/node.k8s.io/v1/runtimeclasses/$NS`,
		`PUT /apis/node.k8s.io/v1/runtimeclasses/$NS {"metadata":{"name":"$NS"},"handler":"x"}`,
	}},
	{"a subresource cannot be deleted", "message", []string{
		`POST v1/pods {"metadata":{"name":"p"},$POD}`,
		`DELETE v1/pods/p/status`,
	}},
	{"eviction: the budget is not observed yet", "message details", []string{
		`POST v1/pods {"metadata":{"name":"p","labels":{"app":"x"}},$POD}`,
		`MERGE v1/pods/p/status {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`,
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`MERGE policy/v1/poddisruptionbudgets/b/status {"status":{"disruptionsAllowed":1}}`,
		`POST v1/pods/p/eviction {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`,
	}},
	{"eviction: an unready pod of a healthy budget", "status", []string{
		`POST v1/pods {"metadata":{"name":"p","labels":{"app":"x"}},$POD}`,
		`MERGE v1/pods/p/status {"status":{"phase":"Running","conditions":[]}}`,
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`MERGE policy/v1/poddisruptionbudgets/b/status {"status":{"observedGeneration":1,"currentHealthy":2,"desiredHealthy":1}}`,
		`POST v1/pods/p/eviction {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`,
		`GET policy/v1/poddisruptionbudgets/b`,
	}},
	{"eviction: an unready pod of a budget that has too few", "message details", []string{
		`POST v1/pods {"metadata":{"name":"p","labels":{"app":"x"}},$POD}`,
		`MERGE v1/pods/p/status {"status":{"phase":"Running","conditions":[]}}`,
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`MERGE policy/v1/poddisruptionbudgets/b/status {"status":{"observedGeneration":1,"currentHealthy":1,"desiredHealthy":2}}`,
		`POST v1/pods/p/eviction {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`,
	}},
	{"eviction: unready pods are always allowed", "status", []string{
		`POST v1/pods {"metadata":{"name":"p","labels":{"app":"x"}},$POD}`,
		`MERGE v1/pods/p/status {"status":{"phase":"Running","conditions":[]}}`,
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`MERGE policy/v1/poddisruptionbudgets/b {"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}}`,
		`MERGE policy/v1/poddisruptionbudgets/b/status {"status":{"observedGeneration":2,"currentHealthy":1,"desiredHealthy":2}}`,
		`POST v1/pods/p/eviction {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`,
	}},
	{"eviction: a new pod is pending", "status", []string{
		`POST v1/pods {"metadata":{"name":"p","labels":{"app":"x"}},$POD}`,
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`MERGE policy/v1/poddisruptionbudgets/b/status {"status":{"observedGeneration":1,"currentHealthy":1,"desiredHealthy":2}}`,
		`POST v1/pods/p/eviction {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`,
	}},
	{"eviction: the condition of the budget", "status.disruptionsAllowed status.conditions.0.status status.conditions.0.reason", []string{
		`POST v1/pods {"metadata":{"name":"p","labels":{"app":"x"}},$POD}`,
		`MERGE v1/pods/p/status {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`,
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`MERGE policy/v1/poddisruptionbudgets/b/status {"status":{"observedGeneration":1,"disruptionsAllowed":1,"currentHealthy":2,"desiredHealthy":1}}`,
		`POST v1/pods/p/eviction {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`,
		`GET policy/v1/poddisruptionbudgets/b`,
	}},
	{"eviction: no disruption is left", "message details", []string{
		`POST v1/pods {"metadata":{"name":"p","labels":{"app":"x"}},$POD}`,
		`MERGE v1/pods/p/status {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`,
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"b"},$BUDGET}`,
		`MERGE policy/v1/poddisruptionbudgets/b/status {"status":{"observedGeneration":1,"disruptionsAllowed":0,"currentHealthy":2,"desiredHealthy":1}}`,
		`POST v1/pods/p/eviction {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`,
	}},
	{"eviction of another version, as a dry run", "metadata.name", []string{
		`POST v1/pods {"metadata":{"name":"p"},$POD}`,
		`POST v1/pods/p/eviction {"apiVersion":"policy/v1beta1","kind":"Eviction","metadata":{"name":"p"},"deleteOptions":{"dryRun":["All"]}}`,
		`GET v1/pods/p`,
	}},
	{"an eviction is a condition of the pod", "status.conditions.1.type status.conditions.1.reason status.conditions.1.message metadata.finalizers", []string{
		`POST v1/pods {"metadata":{"name":"p","finalizers":["a.b/c"]},$POD}`,
		`MERGE v1/pods/p/status {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`,
		`POST v1/pods/p/eviction {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`,
		`GET v1/pods/p`,
	}},
	{"a finalizer without a domain in deployments", "message", []string{
		`POST apps/v1/deployments {"metadata":{"name":"$NS","finalizers":["cleanup"]},$WORK}`,
	}},
	{"a finalizer without a domain, later, in deployments", "message", []string{
		`POST apps/v1/deployments {"metadata":{"name":"$NS-2","finalizers":[]},$WORK}`,
		`MERGE apps/v1/deployments/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in jobs", "message", []string{
		`POST batch/v1/jobs {"metadata":{"name":"$NS","finalizers":["cleanup"]},$JOB}`,
	}},
	{"a finalizer without a domain, later, in jobs", "message", []string{
		`POST batch/v1/jobs {"metadata":{"name":"$NS-2","finalizers":[]},$JOB}`,
		`MERGE batch/v1/jobs/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in cronjobs", "message", []string{
		`POST batch/v1/cronjobs {"metadata":{"name":"$NS","finalizers":["cleanup"]},$CRON}`,
	}},
	{"a finalizer without a domain, later, in cronjobs", "message", []string{
		`POST batch/v1/cronjobs {"metadata":{"name":"$NS-2","finalizers":[]},$CRON}`,
		`MERGE batch/v1/cronjobs/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in poddisruptionbudgets", "message", []string{
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"$NS","finalizers":["cleanup"]},$BUDGET}`,
	}},
	{"a finalizer without a domain, later, in poddisruptionbudgets", "message", []string{
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"$NS-2","finalizers":[]},$BUDGET}`,
		`MERGE policy/v1/poddisruptionbudgets/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in endpointslices", "message", []string{
		`POST discovery.k8s.io/v1/endpointslices {"metadata":{"name":"$NS","finalizers":["cleanup"]},"addressType":"IPv4","endpoints":[]}`,
	}},
	{"a finalizer without a domain, later, in endpointslices", "message", []string{
		`POST discovery.k8s.io/v1/endpointslices {"metadata":{"name":"$NS-2","finalizers":[]},"addressType":"IPv4","endpoints":[]}`,
		`MERGE discovery.k8s.io/v1/endpointslices/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in networkpolicies", "message", []string{
		`POST networking.k8s.io/v1/networkpolicies {"metadata":{"name":"$NS","finalizers":["cleanup"]},"spec":{"podSelector":{}}}`,
	}},
	{"a finalizer without a domain, later, in networkpolicies", "message", []string{
		`POST networking.k8s.io/v1/networkpolicies {"metadata":{"name":"$NS-2","finalizers":[]},"spec":{"podSelector":{}}}`,
		`MERGE networking.k8s.io/v1/networkpolicies/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in roles", "message", []string{
		`POST rbac.authorization.k8s.io/v1/roles {"metadata":{"name":"$NS","finalizers":["cleanup"]},"rules":[]}`,
	}},
	{"a finalizer without a domain, later, in roles", "message", []string{
		`POST rbac.authorization.k8s.io/v1/roles {"metadata":{"name":"$NS-2","finalizers":[]},"rules":[]}`,
		`MERGE rbac.authorization.k8s.io/v1/roles/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in leases", "message", []string{
		`POST coordination.k8s.io/v1/leases {"metadata":{"name":"$NS","finalizers":["cleanup"]},"spec":{}}`,
	}},
	{"a finalizer without a domain, later, in leases", "message", []string{
		`POST coordination.k8s.io/v1/leases {"metadata":{"name":"$NS-2","finalizers":[]},"spec":{}}`,
		`MERGE coordination.k8s.io/v1/leases/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in configmaps", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"$NS","finalizers":["cleanup"]},"data":{}}`,
	}},
	{"a finalizer without a domain, later, in configmaps", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"$NS-2","finalizers":[]},"data":{}}`,
		`MERGE v1/configmaps/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in events", "message", []string{
		`POST v1/events {"metadata":{"name":"$NS","finalizers":["cleanup"]},"involvedObject":{"kind":"Pod","namespace":"$NS","name":"p"},"reason":"R"}`,
	}},
	{"a finalizer without a domain, later, in events", "message", []string{
		`POST v1/events {"metadata":{"name":"$NS-2","finalizers":[]},"involvedObject":{"kind":"Pod","namespace":"$NS","name":"p"},"reason":"R"}`,
		`MERGE v1/events/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in limitranges", "message", []string{
		`POST v1/limitranges {"metadata":{"name":"$NS","finalizers":["cleanup"]},"spec":{"limits":[]}}`,
	}},
	{"a finalizer without a domain, later, in limitranges", "message", []string{
		`POST v1/limitranges {"metadata":{"name":"$NS-2","finalizers":[]},"spec":{"limits":[]}}`,
		`MERGE v1/limitranges/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in validatingwebhookconfigurations", "message", []string{
		`POST /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations {"metadata":{"name":"$NS","finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain, later, in validatingwebhookconfigurations", "message", []string{
		`POST /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations {"metadata":{"name":"$NS-2","finalizers":[]}}`,
		`MERGE /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in runtimeclasses", "message", []string{
		`POST /apis/node.k8s.io/v1/runtimeclasses {"metadata":{"name":"$NS","finalizers":["cleanup"]},"handler":"x"}`,
	}},
	{"a finalizer without a domain, later, in runtimeclasses", "message", []string{
		`POST /apis/node.k8s.io/v1/runtimeclasses {"metadata":{"name":"$NS-2","finalizers":[]},"handler":"x"}`,
		`MERGE /apis/node.k8s.io/v1/runtimeclasses/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in storageclasses", "message", []string{
		`POST /apis/storage.k8s.io/v1/storageclasses {"metadata":{"name":"$NS","finalizers":["cleanup"]},"provisioner":"a.b/c"}`,
	}},
	{"a finalizer without a domain, later, in storageclasses", "message", []string{
		`POST /apis/storage.k8s.io/v1/storageclasses {"metadata":{"name":"$NS-2","finalizers":[]},"provisioner":"a.b/c"}`,
		`MERGE /apis/storage.k8s.io/v1/storageclasses/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in csidrivers", "message", []string{
		`POST /apis/storage.k8s.io/v1/csidrivers {"metadata":{"name":"$NS","finalizers":["cleanup"]},"spec":{}}`,
	}},
	{"a finalizer without a domain, later, in csidrivers", "message", []string{
		`POST /apis/storage.k8s.io/v1/csidrivers {"metadata":{"name":"$NS-2","finalizers":[]},"spec":{}}`,
		`MERGE /apis/storage.k8s.io/v1/csidrivers/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in flowschemas", "message", []string{
		`POST /apis/flowcontrol.apiserver.k8s.io/v1/flowschemas {"metadata":{"name":"$NS","finalizers":["cleanup"]},"spec":{"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":9000}}`,
	}},
	{"a finalizer without a domain, later, in flowschemas", "message", []string{
		`POST /apis/flowcontrol.apiserver.k8s.io/v1/flowschemas {"metadata":{"name":"$NS-2","finalizers":[]},"spec":{"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":9000}}`,
		`MERGE /apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in ingressclasses", "message", []string{
		`POST /apis/networking.k8s.io/v1/ingressclasses {"metadata":{"name":"$NS","finalizers":["cleanup"]},"spec":{"controller":"a.b/c"}}`,
	}},
	{"a finalizer without a domain, later, in ingressclasses", "message", []string{
		`POST /apis/networking.k8s.io/v1/ingressclasses {"metadata":{"name":"$NS-2","finalizers":[]},"spec":{"controller":"a.b/c"}}`,
		`MERGE /apis/networking.k8s.io/v1/ingressclasses/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in priorityclasses", "message", []string{
		`POST /apis/scheduling.k8s.io/v1/priorityclasses {"metadata":{"name":"$NS","finalizers":["cleanup"]},"value":5}`,
	}},
	{"a finalizer without a domain, later, in priorityclasses", "message", []string{
		`POST /apis/scheduling.k8s.io/v1/priorityclasses {"metadata":{"name":"$NS-2","finalizers":[]},"value":5}`,
		`MERGE /apis/scheduling.k8s.io/v1/priorityclasses/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in mutatingwebhookconfigurations", "message", []string{
		`POST /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations {"metadata":{"name":"$NS","finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain, later, in mutatingwebhookconfigurations", "message", []string{
		`POST /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations {"metadata":{"name":"$NS-2","finalizers":[]}}`,
		`MERGE /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in csistoragecapacities", "message", []string{
		`POST storage.k8s.io/v1/csistoragecapacities {"metadata":{"name":"$NS","finalizers":["cleanup"]},"storageClassName":"x","capacity":"1Gi"}`,
	}},
	{"a finalizer without a domain, later, in csistoragecapacities", "message", []string{
		`POST storage.k8s.io/v1/csistoragecapacities {"metadata":{"name":"$NS-2","finalizers":[]},"storageClassName":"x","capacity":"1Gi"}`,
		`MERGE storage.k8s.io/v1/csistoragecapacities/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"a finalizer without a domain in horizontalpodautoscalers", "message", []string{
		`POST autoscaling/v2/horizontalpodautoscalers {"metadata":{"name":"$NS","finalizers":["cleanup"]},"spec":{"maxReplicas":3,"scaleTargetRef":{"kind":"Deployment","name":"d","apiVersion":"apps/v1"}}}`,
	}},
	{"a finalizer without a domain, later, in horizontalpodautoscalers", "message", []string{
		`POST autoscaling/v2/horizontalpodautoscalers {"metadata":{"name":"$NS-2","finalizers":[]},"spec":{"maxReplicas":3,"scaleTargetRef":{"kind":"Deployment","name":"d","apiVersion":"apps/v1"}}}`,
		`MERGE autoscaling/v2/horizontalpodautoscalers/$NS-2 {"metadata":{"finalizers":["cleanup"]}}`,
	}},
	{"the name of a service: a.b", "message", []string{
		`POST v1/services {"metadata":{"name":"a.b"},"spec":{"clusterIP":"None"}}`,
	}},
	{"the name of a service: $63a", "message", []string{
		`POST v1/services {"metadata":{"name":"$63a"},"spec":{"clusterIP":"None"}}`,
	}},
	{"the name of a service: 1a", "message", []string{
		`POST v1/services {"metadata":{"name":"1a"},"spec":{"clusterIP":"None"}}`,
	}},
	{"the name of a StatefulSet: a.b", "message", []string{
		`POST apps/v1/statefulsets {"metadata":{"name":"a.b"},$WORK}`,
	}},
	{"the name of a StatefulSet: $63a", "message", []string{
		`POST apps/v1/statefulsets {"metadata":{"name":"$63a"},$WORK}`,
	}},
	{"the name of a CronJob: $52", "message", []string{
		`POST batch/v1/cronjobs {"metadata":{"name":"$52"},$CRON}`,
	}},
	{"the name of a CronJob: $52a", "message", []string{
		`POST batch/v1/cronjobs {"metadata":{"name":"$52a"},$CRON}`,
	}},
	{"the name of a budget: A_", "message", []string{
		`POST policy/v1/poddisruptionbudgets {"metadata":{"name":"A_"},$BUDGET}`,
	}},
	{"the name of a Event: A_", "message", []string{
		`POST v1/events {"metadata":{"name":"A_"},"involvedObject":{"kind":"Pod","namespace":"$NS","name":"p"},"reason":"R"}`,
	}},
	{"the name of a Event: a:b", "message", []string{
		`POST v1/events {"metadata":{"name":"a:b"},"involvedObject":{"kind":"Pod","namespace":"$NS","name":"p"},"reason":"R"}`,
	}},
	{"the name of a ReplicaSet: a.b", "message", []string{
		`POST apps/v1/replicasets {"metadata":{"name":"a.b"},$WORK}`,
	}},
	{"the name of a ReplicaSet: $63a", "message", []string{
		`POST apps/v1/replicasets {"metadata":{"name":"$63a"},$WORK}`,
	}},
	{"the name of a ReplicaSet: A_", "message", []string{
		`POST apps/v1/replicasets {"metadata":{"name":"A_"},$WORK}`,
	}},
	{"the name of a namespace: a.b", "message", []string{
		`POST /api/v1/namespaces {"metadata":{"name":"a.b"},"spec":{}}`,
	}},
	{"the name of an Event of events.k8s.io", "message", []string{
		`POST events.k8s.io/v1/events {"metadata":{"name":"A_"},"eventTime":"2026-01-02T03:04:05.000000Z","reportingController":"a.b/c","reportingInstance":"i","action":"A","reason":"R","type":"Normal","regarding":{"kind":"Pod","namespace":"$NS","name":"p"}}`,
	}},
	{"a LimitRange without a name", "kind", []string{
		`POST v1/limitranges {"spec":{"limits":[]}}`,
	}},
	{"a long generateName", "metadata.generateName", []string{
		`POST v1/configmaps {"metadata":{"generateName":"$63$63"}}`,
	}},
	{"a namespace in what is in none", "metadata.namespace", []string{
		`POST /apis/rbac.authorization.k8s.io/v1/clusterroles {"metadata":{"name":"$NS","namespace":"other"},"rules":[]}`,
		`PUT /apis/rbac.authorization.k8s.io/v1/clusterroles/$NS {"metadata":{"name":"$NS","namespace":"other"},"rules":[]}`,
	}},
	{"options: an odd dry run", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`MERGE v1/configmaps/m?dryRun=Some {}`,
	}},
	{"options: an odd field validation", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`MERGE v1/configmaps/m?fieldValidation=Odd {}`,
	}},
	{"options: a forced merge", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`MERGE v1/configmaps/m?force=true {}`,
	}},
	{"options: an odd propagation", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`DELETE v1/configmaps/m {"propagationPolicy":"Odd"}`,
	}},
	{"options: two propagations", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`DELETE v1/configmaps/m {"propagationPolicy":"Background","orphanDependents":true}`,
	}},
	{"options: a match without a version", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`GET v1/configmaps?resourceVersionMatch=Exact`,
	}},
	{"options: initial events without a match", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`GET v1/configmaps?watch=1&sendInitialEvents=true`,
	}},
	{"options: an unknown field", "reason", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`MERGE v1/configmaps/m?fieldValidation=Strict {"x":1}`,
	}},
	{"an Event of the core group by the other API", "note regarding.name reason type deprecatedCount deprecatedSource.component", []string{
		`POST v1/events {"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","namespace":"$NS","name":"p"},"reason":"R","message":"m","type":"Normal","count":3,"source":{"component":"c"}}`,
		`GET events.k8s.io/v1/events/e`,
	}},
	{"an Event of events.k8s.io by the core API", "items.0.message items.0.involvedObject.name items.0.reportingComponent items.0.eventTime", []string{
		`POST events.k8s.io/v1/events {"metadata":{"name":"e"},"eventTime":"2026-01-02T03:04:05.000000Z","reportingController":"a.b/c","reportingInstance":"i","action":"A","reason":"R","note":"m","type":"Normal","regarding":{"kind":"Pod","namespace":"$NS","name":"p"}}`,
		`GET v1/events?fieldSelector=involvedObject.name%3Dp,reportingComponent%3Da.b/c`,
	}},
	{"an Event is updated by either API", "series.count message", []string{
		`POST events.k8s.io/v1/events {"metadata":{"name":"e"},"eventTime":"2026-01-02T03:04:05.000000Z","reportingController":"a.b/c","reportingInstance":"i","action":"A","reason":"R","note":"m","type":"Normal","regarding":{"kind":"Pod","namespace":"$NS","name":"p"}}`,
		`MERGE events.k8s.io/v1/events/e {"series":{"count":2,"lastObservedTime":"2026-01-02T03:04:06.000000Z"}}`,
		`MERGE v1/events/e {"message":"n"}`,
		`GET v1/events/e`,
	}},
	{"fields of Events", "items.0.metadata.name", []string{
		`POST v1/events {"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","namespace":"$NS","name":"p"},"reason":"R"}`,
		`GET events.k8s.io/v1/events?fieldSelector=regarding.name%3Dp,regarding.kind%3DPod,reason%3DR`,
	}},
	{"fields of Secrets", "items.0.metadata.name", []string{
		`POST v1/secrets {"metadata":{"name":"s"}}`,
		`GET v1/secrets?fieldSelector=type%3DOpaque`,
	}},
	{"fields of Pods", "items.0.metadata.name", []string{
		`POST v1/pods {"metadata":{"name":"p"},$POD}`,
		`GET v1/pods?fieldSelector=status.phase%3DPending,spec.hostNetwork%3Dfalse,spec.restartPolicy%3DAlways`,
	}},
	{"fields of Nodes", "items.0.metadata.name", []string{
		`POST /api/v1/nodes {"metadata":{"name":"$NS"},"spec":{"unschedulable":true}}`,
		`GET /api/v1/nodes?fieldSelector=spec.unschedulable%3Dtrue`,
	}},
	{"fields of Services", "items.0.metadata.name", []string{
		`POST v1/services {"metadata":{"name":"s"},"spec":{"clusterIP":"None"}}`,
		`GET v1/services?fieldSelector=spec.clusterIP%3DNone,spec.type%3DClusterIP`,
	}},
	{"a namespace that is active", "items.0.metadata.name", []string{
		`POST /api/v1/namespaces {"metadata":{"name":"$NS-a"}}`,
		`GET /api/v1/namespaces?fieldSelector=status.phase%3DActive,metadata.name%3D$NS-a`,
	}},
	{"fields that no Pod has", "message", []string{`GET v1/pods?fieldSelector=spec.x%3D1`}},
	{"fields that no ConfigMap has", "message", []string{`GET v1/configmaps?fieldSelector=spec.x%3D1`}},
	{"what a delete of pods answers", "kind metadata.name metadata.uid metadata.resourceVersion details", []string{
		`POST v1/pods {"metadata":{"name":"$NS"},$POD}`,
		`DELETE v1/pods/$NS`,
	}},
	{"what a delete of services answers", "kind metadata.name metadata.uid metadata.resourceVersion details", []string{
		`POST v1/services {"metadata":{"name":"$NS"},"spec":{"clusterIP":"None"}}`,
		`DELETE v1/services/$NS`,
	}},
	{"what a delete of configmaps answers", "kind metadata.name metadata.uid metadata.resourceVersion details", []string{
		`POST v1/configmaps {"metadata":{"name":"$NS"},"data":{}}`,
		`DELETE v1/configmaps/$NS`,
	}},
	{"what a delete of resourcequotas answers", "kind metadata.name metadata.uid metadata.resourceVersion details", []string{
		`POST v1/resourcequotas {"metadata":{"name":"$NS"},"spec":{}}`,
		`DELETE v1/resourcequotas/$NS`,
	}},
	{"what a delete of deployments answers", "kind metadata.name metadata.uid metadata.resourceVersion details", []string{
		`POST apps/v1/deployments {"metadata":{"name":"$NS"},$WORK}`,
		`DELETE apps/v1/deployments/$NS`,
	}},
	{"what a delete of serviceaccounts answers", "kind metadata.name metadata.uid metadata.resourceVersion details", []string{
		`POST v1/serviceaccounts {"metadata":{"name":"$NS"},"secrets":[]}`,
		`DELETE v1/serviceaccounts/$NS`,
	}},
	{"what a delete of storageclasses answers", "kind metadata.name metadata.uid metadata.resourceVersion details", []string{
		`POST /apis/storage.k8s.io/v1/storageclasses {"metadata":{"name":"$NS"},"provisioner":"a.b/c"}`,
		`DELETE /apis/storage.k8s.io/v1/storageclasses/$NS`,
	}},
	{"what a delete of podtemplates answers", "kind metadata.name metadata.uid metadata.resourceVersion details", []string{
		`POST v1/podtemplates {"metadata":{"name":"$NS"},"template":{"metadata":{"labels":{"app":"x"}},$POD}}`,
		`DELETE v1/podtemplates/$NS`,
	}},
	{"what a delete of csinodes answers", "kind metadata.name metadata.uid metadata.resourceVersion details", []string{
		`POST /apis/storage.k8s.io/v1/csinodes {"metadata":{"name":"$NS"},"spec":{"drivers":[]}}`,
		`DELETE /apis/storage.k8s.io/v1/csinodes/$NS`,
	}},
	{"the metadata of an object", "kind apiVersion metadata data", []string{
		`POST v1/configmaps {"metadata":{"name":"m"},"data":{"a":"1"}}`,
		`META v1/configmaps/m`,
	}},
	{"the metadata of a list", "kind apiVersion items.0.metadata items.0.kind items.0.data", []string{
		`POST v1/secrets {"metadata":{"name":"m"},"data":{"a":"MQ=="}}`,
		`META v1/secrets`,
	}},
	{"the metadata in a watch", "0.type 0.object.kind 0.object.apiVersion 0.object.metadata.name 0.object.data", []string{
		`POST v1/secrets {"metadata":{"name":"m"},"data":{"a":"MQ=="}}`,
		`META v1/secrets?watch=1&timeoutSeconds=1`,
	}},
	{"a TokenReview", "kind status.authenticated status.user", []string{
		`POST /apis/authentication.k8s.io/v1/tokenreviews {"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"x"}}`,
	}},
	{"a TokenReview without a token", "message", []string{
		`POST /apis/authentication.k8s.io/v1/tokenreviews {"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","metadata":{"name":"x"}}`,
	}},
	{"a review is not stored", "message", []string{`GET /apis/authentication.k8s.io/v1/tokenreviews/x`}},
	{"reviews are not listed", "message", []string{`GET /apis/authentication.k8s.io/v1/tokenreviews`}},
	{"a review of an older version", "message", []string{`POST /apis/authorization.k8s.io/v1beta1/subjectaccessreviews {}`}},
	{"a review about nobody", "reason details.causes", []string{
		`POST /apis/authorization.k8s.io/v1/subjectaccessreviews {"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}}`,
	}},
	{"a review of the rules in no namespace", "message", []string{
		`POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews {"spec":{}}`,
	}},
	{"apply with a version of what is gone", "metadata.name", []string{
		`APPLY v1/configmaps/m {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","resourceVersion":"7"},"data":{"a":"1"}}`,
	}},
	{"apply with a wrong version", "reason message", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`APPLY v1/configmaps/m {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","resourceVersion":"7"},"data":{"a":"1"}}`,
	}},
	{"apply with a wrong uid", "message", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`APPLY v1/configmaps/m {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","uid":"11111111-1111-1111-1111-111111111111"}}`,
	}},
	{"apply with the uid of what is gone", "kind metadata.name", []string{
		`APPLY v1/configmaps/m {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","uid":"11111111-1111-1111-1111-111111111111"}}`,
	}},
	{"apply with a value of a wrong type", "message", []string{
		`APPLY v1/configmaps/m {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"a":1}}`,
	}},
	{"apply with an unknown field", "message", []string{
		`APPLY v1/configmaps/m {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"x":{"a":1}}`,
	}},
	{"apply of another kind", "message", []string{
		`APPLY v1/configmaps/m {"apiVersion":"v1","kind":"Secret","metadata":{"name":"m"}}`,
	}},
	{"apply of another version", "message", []string{
		`APPLY apps/v1/deployments/m {"apiVersion":"apps/v9","kind":"Deployment","metadata":{"name":"m"}}`,
	}},
	{"apply without a kind", "message", []string{
		`APPLY v1/configmaps/m {"metadata":{"name":"m"}}`,
	}},
	{"apply that owns nothing", "metadata.resourceVersion", []string{
		`POST v1/configmaps {"metadata":{"name":"m"},"data":{"a":"1"}}`,
		`APPLY v1/configmaps/m {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"}}`,
		`GET v1/configmaps/m`,
	}},
	{"a list from the cache has no pages", "metadata.continue", []string{
		`POST v1/configmaps {"metadata":{"name":"m"}}`,
		`POST v1/configmaps {"metadata":{"name":"n"}}`,
		`GET v1/configmaps?limit=1&resourceVersion=0`,
	}},
	{"your own kind: a create drops the status", "kind apiVersion metadata.name metadata.generation spec status", []string{
		`POST example.com/v1/backups {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b"},"spec":{"replicas":3},"status":{"phase":"x"}}`,
	}},
	{"your own kind: a list", "kind items.0.kind items.0.apiVersion items.0.spec", []string{
		`POST example.com/v1/backups {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b"},"spec":{"replicas":3}}`,
		`GET example.com/v1/backups`,
	}},
	{"your own kind: no kind", "reason", []string{
		`POST example.com/v1/backups {"metadata":{"name":"b"},"spec":{"replicas":3}}`,
	}},
	{"your own kind: the metadata in a write of the status", "metadata.labels metadata.generation status", []string{
		`POST example.com/v1/backups {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b"},"spec":{"replicas":3}}`,
		`MERGE example.com/v1/backups/b/status {"metadata":{"labels":{"a":"b"}},"status":{"phase":"x"}}`,
	}},
	{"your own kind: a finalizer without a domain", "metadata.finalizers", []string{
		`POST example.com/v1/backups {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b","finalizers":["cleanup"]},"spec":{"replicas":3}}`,
	}},
	{"your own kind: an update without a version", "message", []string{
		`POST example.com/v1/backups {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b"},"spec":{"replicas":3}}`,
		`PUT example.com/v1/backups/b {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b"},"spec":{"replicas":4}}`,
	}},
	{"your own kind: apply", "spec metadata.generation metadata.labels", []string{
		`APPLY example.com/v1/backups/b {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b","labels":{"a":"b"}},"spec":{"replicas":3}}`,
		`APPLY example.com/v1/backups/b {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b"},"spec":{"replicas":4}}`,
	}},
	{"your own kind: apply of an unknown field", "message", []string{
		`APPLY example.com/v1/backups/b {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b"},"spec":{"x":3}}`,
	}},
	{"your own kind: the status is not deleted", "message", []string{
		`POST example.com/v1/backups {"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"b"},"spec":{"replicas":3}}`,
		`DELETE example.com/v1/backups/b/status`,
	}},
}
