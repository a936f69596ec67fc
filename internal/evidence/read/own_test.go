package read_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
)

// TestRecordedEvents: the lines with which a process's recorder logs its events name the lock and the process.
func TestRecordedEvents(t *testing.T) {
	endpoints := evidence.Lock{Resource: "endpoints", Namespace: "kube-system", Name: "kcm"}
	lease := evidence.Lock{Resource: "leases", Namespace: "shop", Name: "manager"}
	for line, want := range map[string]evidence.Notice{
		`I0713 13:23:04.892467   20514 event.go:218] Event(v1.ObjectReference{Kind:"Endpoints", Namespace:"kube-system", Name:"kcm", UID:"d1", APIVersion:"v1", ResourceVersion:"113", FieldPath:""}): type: 'Normal' reason: 'LeaderElection' m4_d1be became leader`: {
			Lock: endpoints, Identity: "m4_d1be", Leads: true},
		`I0713 13:23:04.892467 1 event.go:376] "Event occurred" object="shop/manager" fieldPath="" kind="Lease" apiVersion="coordination.k8s.io/v1" type="Normal" reason="LeaderElection" message="m4_d1be stopped leading"`: {
			Lock: lease, Identity: "m4_d1be"},
		`{"level":"debug","ts":"2026-07-13T13:23:04.892467Z","logger":"events","msg":"m4_d1be became leader","type":"Normal","object":{"kind":"Lease","namespace":"shop","name":"manager","uid":"x","apiVersion":"coordination.k8s.io/v1"},"reason":"LeaderElection"}`: {
			Lock: lease, Identity: "m4_d1be", Leads: true},
		"2026-07-13T13:23:04.892467Z\tDEBUG\tcontroller-runtime.manager.events\tNormal\t" + `{"object": {"kind":"Lease","namespace":"shop","name":"manager"}, "reason": "LeaderElection", "message": "m4_d1be became leader"}`: {
			Lock: lease, Identity: "m4_d1be", Leads: true},
	} {
		e := readAll(t, read.Options{Year: 2026}, "f.log", line+"\n")
		if !assert.Len(t, e.Notices, 1, line) {
			continue
		}
		at := time.Date(2026, 7, 13, 13, 23, 4, 892467000, time.UTC)
		want.First, want.At, want.Count, want.Unit = at, at, 1, time.Microsecond
		e.Notices[0].Place = evidence.Place{}
		assert.Equal(t, want, e.Notices[0], line)
		assert.Equal(t, "m4", e.Sources[0].Process, line)
		assert.False(t, e.Sources[0].Assumed)
	}
	for _, line := range []string{
		`I0713 13:23:04.892467 1 event.go:218] Event(v1.ObjectReference{Kind:"Node", Namespace:"", Name:"n"}): type: 'Normal' reason: 'LeaderElection' a became leader`,
		`I0713 13:23:04.892467 1 event.go:218] Event(v1.ObjectReference{Kind:"Lease", Namespace:"a", Name:"n"}): type: 'Normal' reason: 'LeaderElection' a says that b became leader`,
		`{"level":"info","ts":"2026-07-13T13:23:04.892467Z","logger":"watcher","msg":"m4_d1be became leader","object":{"kind":"Lease","namespace":"shop","name":"manager"},"reason":"LeaderElection"}`,
	} {
		assert.Empty(t, readAll(t, read.Options{}, "f.log", line+"\n").Notices, line)
	}
}

// TestIntroductions: programs say their own name; a log in which several do is named after its file.
func TestIntroductions(t *testing.T) {
	const argo = `time="2024-01-13T03:28:16Z" level=info msg="Leaderelection get id argo-574_1e3bf8a2"` + "\n"
	const vip = "2025/11/06 18:02:05 INFO cluster membership namespace=kube-system lock=plndr-cp-lock id=legolas\n"
	assert.Equal(t, "argo-574", readAll(t, read.Options{}, "f.log", argo).Sources[0].Process)
	assert.Equal(t, "legolas", readAll(t, read.Options{}, "f.log", vip).Sources[0].Process)
	assert.Equal(t, "f", readAll(t, read.Options{}, "f.log", argo+vip).Sources[0].Process)
}

// TestResource: the errors of a log name the resource in which the record is kept, and an address without quotes ends at its colon.
func TestResource(t *testing.T) {
	for text, want := range map[string]string{
		`Failed to update lock: Put "https://10.0.0.1/api/v1/namespaces/a/configmaps/b": EOF`:                              "configmaps a/b",
		`Failed to update lock: Put https://10.0.0.1/apis/coordination.k8s.io/v1/namespaces/a/leases/b: EOF`:               "leases a/b",
		`error retrieving resource lock a/b: Get https://10.0.0.1/api/v1/namespaces/a/endpoints/b?timeout=10s: EOF`:        "endpoints a/b",
		`error retrieving resource lock a/b: the server has asked for the client to provide credentials (get endpoints b)`: "endpoints a/b",
		`error retrieving resource lock a/b: configmaps "b" is forbidden: User "u" cannot get resource`:                    "configmaps a/b",
	} {
		e := readAll(t, read.Options{}, "f.log", "E0124 04:20:05.000000 1 leaderelection.go:367] "+text+"\n")
		if assert.Len(t, e.Sayings, 1, text) {
			s := &e.Sayings[0]
			assert.Equal(t, want, s.Resource+" "+s.Lock.Namespace+"/"+s.Lock.Name, text)
		}
	}
}

// TestAuditAround: audit events as collectors keep them, in a list, and behind a journal.
func TestAuditAround(t *testing.T) {
	const event = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"1","stage":"ResponseComplete","verb":"update","objectRef":{"resource":"leases","namespace":"a","name":"b","apiGroup":"coordination.k8s.io"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-24T04:20:01.000000Z","stageTimestamp":"2026-01-24T04:20:01.010000Z"}`
	escaped, err := json.Marshal(event)
	require.NoError(t, err)
	bare := strings.Replace(event, `"kind":"Event","apiVersion":"audit.k8s.io/v1",`, "", 1)
	for name, line := range map[string]string{
		"Loki": `{"labels":{"host":"m1"},"line":` + string(escaped) + "}", "Elastic": `{"_index":"x","_source":` + event + "}", "nested": `{"@timestamp":"x","audit":` + event + "}",
		"Elastic text": `{"_source":{"message":` + string(escaped) + "}}", "journal": "Mar 01 12:00:00 m1 kube-apiserver[1]: " + event, "iso": "2026-03-01T12:00:00+0100 m1 kube-apiserver[1]: " + event,
		"journald": `{"_HOSTNAME":"m1","MESSAGE":` + string(escaped) + "}", "list": `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[` + event + "]}",
		"bare list": `{"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "metadata": {}, "items": [` + bare + "]}",
	} {
		e := readAll(t, read.Options{}, "a.log", line+"\n")
		if assert.Len(t, e.Requests, 1, name) {
			assert.Equal(t, evidence.Lock{Resource: "leases", Namespace: "a", Name: "b"}, e.Requests[0].Lock, name)
		}
	}
}

// TestNotRead: what is of another form is called that.
func TestNotRead(t *testing.T) {
	for text, want := range map[string]string{
		`Nov 16 15:01:02 k8s kube-scheduler: Operation cannot be fulfilled on endpoints "kube-scheduler": the object`: "",
		`said "x": y`: "text of another kind",
	} {
		err := read.New(read.Options{}).Read(read.File{Name: "f", Reader: strings.NewReader(text + "\n")})
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, "got "+want)
		}
	}
}

// TestPodFolders: the folder of a kubelet names the pod, wherever it was copied to.
func TestPodFolders(t *testing.T) {
	e := readAll(t, read.Options{}, "logs/shop_manager-b_0c5f1b2e-61/manager/0.log", "I0124 04:20:01.123456 1 x.go:1] successfully acquired lease kube-system/my-lock\n")
	assert.Equal(t, "manager-b", e.Sources[0].Process)
	assert.False(t, e.Sources[0].Assumed)
}

// TestLongPrefixes: of a long line only the beginning is searched, and none takes long.
func TestLongPrefixes(t *testing.T) {
	for _, part := range []string{`I0124 04:20:01.123456 `, `{"log":"`, `[pod/`, `""`, `a_`, "x: ", `{"message":"{\"message\":\"`, "2024-07-15T09:16:20Z "} {
		began := time.Now()
		_ = read.New(read.Options{}).Read(read.File{Name: "f", Reader: strings.NewReader(strings.Repeat(part, 4<<20/len(part)) + "leader election\n")})
		assert.Less(t, time.Since(began), 20*time.Second, fmt.Sprintf("%q", part))
	}
}
