package read_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
)

// googleEntries are entries of an audit log of Google Cloud. The fields are those of published ones: a write of the Endpoints vpa-recommender with both
// objects (dynatrace-oss/dynatrace-gcp-monitor, tests/unit/extraction_rules/test_audit_activity.py), one of the Lease kube-scheduler without them
// (SEKOIA.IO's documentation of Google Cloud's audit logs), and one that was refused, whose answer is a Status (binauthz-samples.js, a test of entries of binary authorization).
// That Leases have no objects follows from the policy in cluster/gce/gci/configure-helper.sh of Kubernetes: coordination.k8s.io is none of its known groups.
var googleEntries = []string{
	`{"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","authenticationInfo":{"principalEmail":"system:vpa-recommender"},` +
		`"authorizationInfo":[{"granted":true,"permission":"io.k8s.core.v1.endpoints.update","resource":"core/v1/namespaces/kube-system/endpoints/vpa-recommender"}],` +
		`"methodName":"io.k8s.core.v1.endpoints.update","request":{"@type":"core.k8s.io/v1.Endpoints","apiVersion":"v1","kind":"Endpoints","metadata":{"annotations":{"token":"hunter2",` +
		`"control-plane.alpha.kubernetes.io/leader":"{\"holderIdentity\":\"vm-1\",\"leaseDurationSeconds\":30,\"acquireTime\":\"2021-05-24T20:53:16Z\",\"renewTime\":\"2021-06-01T13:46:22Z\",\"leaderTransitions\":5}"},` +
		`"name":"vpa-recommender","namespace":"kube-system","resourceVersion":"13396222","uid":"61da1c87"},"subsets":"hunter2"},` +
		`"requestMetadata":{"callerIp":"::1","callerSuppliedUserAgent":"vpa-recommender/v0.0.0 (linux/amd64) kubernetes/$Format"},"resourceName":"core/v1/namespaces/kube-system/endpoints/vpa-recommender",` +
		`"response":{"@type":"core.k8s.io/v1.Endpoints","apiVersion":"v1","kind":"Endpoints","metadata":{"annotations":{` +
		`"control-plane.alpha.kubernetes.io/leader":"{\"holderIdentity\":\"vm-1\",\"leaseDurationSeconds\":30,\"acquireTime\":\"2021-05-24T20:53:16Z\",\"renewTime\":\"2021-06-01T13:46:22Z\",\"leaderTransitions\":5}"},` +
		`"name":"vpa-recommender","namespace":"kube-system","resourceVersion":"13396246","uid":"61da1c87"}},"serviceName":"k8s.io","status":{"code":0}},"insertId":"1eba2903",` +
		`"resource":{"type":"k8s_cluster","labels":{"project_id":"p","location":"us-central1-c","cluster_name":"one"}},"timestamp":"2021-06-01T13:46:22.100123Z",` +
		`"labels":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":"RBAC"},"logName":"projects/p/logs/cloudaudit.googleapis.com%2Factivity",` +
		`"operation":{"id":"1eba2903","producer":"k8s.io","first":true,"last":true},"receiveTimestamp":"2021-06-01T13:46:24.606609316Z"}`,
	`{"insertId":"2f93b0a6","logName":"projects/p/logs/cloudaudit.googleapis.com%2Factivity","operation":{"first":true,"id":"2f93b0a6","last":true,"producer":"k8s.io"},` +
		`"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","authenticationInfo":{"principalEmail":"system:kube-scheduler"},"methodName":"io.k8s.coordination.v1.leases.update",` +
		`"requestMetadata":{"callerIp":"10.186.0.146","callerSuppliedUserAgent":"kube-scheduler/v1.22.8 (linux/amd64) kubernetes/2dca91e/leader-election"},` +
		`"resourceName":"coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler","serviceName":"k8s.io","status":{}},"receiveTimestamp":"2022-06-14T14:32:10.838967694Z",` +
		`"resource":{"labels":{"cluster_name":"one","location":"europe-central2-a","project_id":"p"},"type":"k8s_cluster"},"timestamp":"2022-06-14T14:32:09.910723Z"}`,
	`{"insertId":"dac513c6","logName":"projects/p/logs/cloudaudit.googleapis.com%2Factivity","operation":{"first":true,"id":"dac513c6","last":true,"producer":"k8s.io"},` +
		`"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","authenticationInfo":{"principalEmail":"u"},"methodName":"io.k8s.coordination.v1.leases.update",` +
		`"resourceName":"coordination.k8s.io/v1/namespaces/n/leases/l","response":{"@type":"core.k8s.io/v1.Status","apiVersion":"v1","code":403,"kind":"Status","message":"forbidden","metadata":{},"reason":"Forbidden","status":"Failure"},` +
		`"serviceName":"k8s.io","status":{"code":7,"message":"Forbidden"}},"receiveTimestamp":"2022-06-14T14:32:11Z","resource":{"labels":{"cluster_name":"two","location":"us","project_id":"p"},"type":"k8s_cluster"},"timestamp":"2022-06-14T14:32:10Z"}`,
}

// googleForms are the forms in which people have entries: lines, a list as `gcloud logging read --format=json` prints it, pages of the API, and
// YAML as gcloud prints it by default.
func googleForms(t testing.TB, entries []string) map[string]string {
	forms := map[string]string{"lines": strings.Join(entries, "\n"), "list": "[\n  " + strings.Join(entries, ",\n  ") + "\n]\n", "page": `{"entries": [` + strings.Join(entries, ",") + `], "nextPageToken": "x"}`}
	var documents, long []string
	for _, entry := range entries {
		var value any
		require.NoError(t, json.Unmarshal([]byte(entry), &value))
		text, err := yaml.Marshal(value)
		require.NoError(t, err)
		documents = append(documents, "---\n"+string(text))
		pretty, err := json.MarshalIndent(value, "", "  ")
		require.NoError(t, err)
		long = append(long, string(pretty))
	}
	forms["YAML"], forms["documents"] = strings.Join(documents, ""), strings.Join(long, "\n")
	return forms
}

// TestGoogle: entries of Google Cloud's audit log are read as requests, in each form. Nothing but records is kept of their objects.
func TestGoogle(t *testing.T) {
	for form, text := range googleForms(t, googleEntries) {
		e := readAll(t, read.Options{}, "gke", text)
		require.Len(t, e.Requests, 3, form)
		at := time.Date(2021, 6, 1, 13, 46, 22, 100123000, time.UTC)
		record := &evidence.Record{Holder: "vm-1", Duration: 30 * time.Second, Acquire: time.Date(2021, 5, 24, 20, 53, 16, 0, time.UTC), Renew: time.Date(2021, 6, 1, 13, 46, 22, 0, time.UTC), Transitions: 5}
		got := e.Requests[0]
		got.Place = evidence.Place{}
		assert.Equal(t, evidence.Request{
			Lock: evidence.Lock{Resource: "endpoints", Namespace: "kube-system", Name: "vpa-recommender"}, Verb: "update", User: "system:vpa-recommender",
			Agent: "vpa-recommender/v0.0.0 (linux/amd64) kubernetes/$Format", From: "::1", Received: at, Answered: at, Status: 200, Wrote: record, Saw: record,
			Decision: "allow", Sent: "13396222", Got: "13396246", UID: "61da1c87",
		}, got, form)
		assert.Equal(t, evidence.Lock{Resource: "leases", Namespace: "kube-system", Name: "kube-scheduler"}, e.Requests[1].Lock, form)
		assert.Nil(t, e.Requests[1].Wrote, form)
		assert.Equal(t, 200, e.Requests[1].Status, form)
		assert.Equal(t, 403, e.Requests[2].Status, form)
		require.Len(t, e.Sources, 2, form)
		for i, cluster := range []string{"one", "two"} {
			assert.Equal(t, cluster, e.Sources[i].Process, form)
			assert.Contains(t, e.Sources[i].Unsure, "one time", form)
			assert.True(t, e.Sources[i].OneTime, form)
		}
		assert.NotContains(t, fmt.Sprintf("%+v %+v", e, *e.Requests[0].Wrote), "hunter2", form)
	}
}

// TestGoogleOthers: what is no request about a lock, or not whole, is skipped with the reason.
func TestGoogleOthers(t *testing.T) {
	const entry = `{"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","serviceName":"k8s.io","methodName":"METHOD","resourceName":"NAME","status":{"code":CODE}},"insertId":"x","timestamp":"2021-06-01T13:46:22Z"}`
	for _, c := range []struct {
		method, name, code string
		kept               int
		status             int
		why                string
	}{
		{"io.k8s.coordination.v1.leases.patch", "coordination.k8s.io/v1/namespaces/a/leases/b", "10", 1, 409, ""},
		{"io.k8s.coordination.v1.leases.get", "coordination.k8s.io/v1/namespaces/a/leases/b", "5", 1, 404, ""},
		{"io.k8s.coordination.v1.leases.update", "coordination.k8s.io/v1/namespaces/a/leases/b", "-3", 1, 500, ""},
		{"io.k8s.coordination.v1.leases.update", "coordination.k8s.io/v1/namespaces/a/leases/b", "99", 1, 500, ""},
		{"io.k8s.coordination.v1.leases.update", "coordination.k8s.io/v1/namespaces/kube-node-lease/leases/b", "0", 0, 0, "requests about other things than locks"},
		{"io.k8s.coordination.v1.leases.list", "coordination.k8s.io/v1/namespaces/a/leases", "0", 0, 0, "requests about other things than locks"},
		{"io.k8s.core.v1.configmaps.update", "core/v1/namespaces/a/configmaps/b", "0", 0, 0, "requests about other things than locks"},
		{"io.k8s.core.v1.pods.create", "core/v1/namespaces/a/pods", "0", 0, 0, "requests about other things than locks"},
		{"", "", "0", 0, 0, "requests about other things than locks"},
		{"io.k8s.coordination.v1.leases.update", "coordination.k8s.io/v1/namespaces/a/leases/b", `"zero"`, 0, 0, "broken lines"},
	} {
		r := read.New(read.Options{})
		_ = r.Read(read.File{Name: "gke", Reader: strings.NewReader(strings.NewReplacer("METHOD", c.method, "NAME", c.name, "CODE", c.code).Replace(entry))})
		e := r.Evidence()
		require.Len(t, e.Requests, c.kept, c)
		if c.kept > 0 {
			assert.Equal(t, c.status, e.Requests[0].Status, c)
			continue
		}
		require.Len(t, e.Sources, 1, c)
		assert.Equal(t, []evidence.Skipped{{Why: c.why, Count: 1}}, e.Sources[0].Skipped, c)
	}
}

// TestGoogleContainers: a line of a container in an entry of Google Cloud is that container's. A stamp of the process's own counts, in the line or in the
// payload; otherwise the entry's is later than the line. The fields are those of an entry in dynatrace-oss/dynatrace-gcp-monitor
// (tests/unit/extraction_rules/test_k8s_container.py). That the fields of a line in JSON are those of jsonPayload, and some become those of the entry, is in Google's
// page about structured logging; that klog's lines become message, pid and source is in the configuration that google-fluentd has for Kubernetes.
func TestGoogleContainers(t *testing.T) {
	at := time.Date(2026, 1, 24, 4, 20, 1, 123456000, time.UTC)
	lock := evidence.Lock{Namespace: "kube-system", Name: "my-lock"}
	const around = `"insertId":"1a2b3c4d","labels":{"k8s-pod/app":"a"},"logName":"projects/p/logs/stderr","receiveTimestamp":"2026-01-24T04:20:09Z","severity":"INFO","timestamp":"2026-01-24T04:20:02.5Z",` +
		`"resource":{"type":"k8s_container","labels":{"cluster_name":"c","container_name":"manager","location":"us-central1","namespace_name":"n","pod_name":"a-1","project_id":"p"}}}`
	relayed := at.Truncate(time.Second).Add(1500 * time.Millisecond)
	for name, c := range map[string]struct {
		payload string
		want    evidence.Saying
	}{
		"klog in textPayload": {`"textPayload":"I0124 04:20:01.123456       1 leaderelection.go:258] successfully acquired lease kube-system/my-lock\n"`,
			evidence.Saying{At: at, Unit: time.Microsecond, Lock: lock, Step: evidence.Acquired, Text: "successfully acquired lease kube-system/my-lock"}},
		"klog taken apart": {`"jsonPayload":{"message":"\"Successfully acquired lease\" lock=\"kube-system/my-lock\"","pid":"1"},"sourceLocation":{"file":"leaderelection.go","line":"272"}`,
			evidence.Saying{At: relayed, Unit: 100 * time.Millisecond, Relayed: true, Lock: lock, Step: evidence.Acquired, Text: "Successfully acquired lease"}},
		"a word that only one file says": {`"jsonPayload":{"message":"attempting to acquire leader lease kube-system/my-lock...","pid":"1","source":"x/leaderelection.go:250"}`,
			evidence.Saying{At: relayed, Unit: 100 * time.Millisecond, Relayed: true, Lock: lock, Step: evidence.Tries, Text: "attempting to acquire leader lease kube-system/my-lock..."}},
		"the same of the entry": {`"jsonPayload":{"message":"stopped leading"},"sourceLocation":{"file":"leader_election.go","line":"209"}`,
			evidence.Saying{At: relayed, Unit: 100 * time.Millisecond, Relayed: true, Step: evidence.Ends, Text: "stopped leading"}},
		"the same of another file": {`"jsonPayload":{"message":"stopped leading"},"sourceLocation":{"file":"raft.go","line":"209"}`, evidence.Saying{}},
		"zap with its own time": {`"jsonPayload":{"level":"info","ts":"2026-01-24T04:20:01.123456Z","msg":"Successfully acquired lease","lock":"kube-system/my-lock"}`,
			evidence.Saying{At: at, Unit: time.Microsecond, Lock: lock, Step: evidence.Acquired, Text: "Successfully acquired lease"}},
		"zap without a time": {`"jsonPayload":{"level":"info","msg":"Failed to renew lease","lock":"kube-system/my-lock","err":"context deadline exceeded"}`,
			evidence.Saying{At: relayed, Unit: 100 * time.Millisecond, Relayed: true, Lock: lock, Step: evidence.Lost, Text: "Failed to renew lease: context deadline exceeded"}},
		"slog, whose message the agent knows": {`"jsonPayload":{"message":"Failed to renew lease","lock":"kube-system/my-lock","error":"timed out"}`,
			evidence.Saying{At: relayed, Unit: 100 * time.Millisecond, Relayed: true, Lock: lock, Step: evidence.Lost, Text: "Failed to renew lease: timed out"}},
		"a payload in which klog's line is": {`"jsonPayload":{"stream":"stderr","message":"I0124 04:20:01.123456       1 leaderelection.go:258] successfully acquired lease kube-system/my-lock"}`,
			evidence.Saying{At: at, Unit: time.Microsecond, Lock: lock, Step: evidence.Acquired, Text: "successfully acquired lease kube-system/my-lock"}},
	} {
		for form, text := range googleForms(t, []string{"{" + c.payload + "," + around}) {
			e := readAll(t, read.Options{}, "gke", text)
			if c.want.Step == "" {
				require.Empty(t, e.Sayings, name+", "+form)
				continue
			}
			require.Len(t, e.Sayings, 1, name+", "+form)
			got := e.Sayings[0]
			source := e.Sources[got.Source]
			assert.Equal(t, "a-1/manager", source.Process+"/"+source.Container, name+", "+form)
			got.Place = evidence.Place{}
			assert.Equal(t, c.want, got, name+", "+form)
		}
	}
}
