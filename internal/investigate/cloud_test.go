package investigate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence/read"
	"interregnum/internal/investigate"
)

// inGoogle returns an audit log as Google Cloud has it: each event that is complete as an entry, with the time at which the server received the request.
func inGoogle(t testing.TB, audit string) string {
	var b strings.Builder
	for line := range strings.Lines(audit) {
		var e struct {
			AuditID, Stage, Verb, UserAgent, RequestReceivedTimestamp string
			User                                                      struct{ Username string }
			SourceIPs                                                 []string
			ObjectRef                                                 struct{ Namespace, Name string }
			ResponseStatus                                            struct{ Code int }
			RequestObject, ResponseObject                             json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		payload := map[string]any{
			"@type": "type.googleapis.com/google.cloud.audit.AuditLog", "serviceName": "k8s.io", "methodName": "io.k8s.coordination.v1.leases." + e.Verb, "authenticationInfo": map[string]string{"principalEmail": e.User.Username},
			"resourceName": fmt.Sprintf("coordination.k8s.io/v1/namespaces/%s/leases/%s", e.ObjectRef.Namespace, e.ObjectRef.Name), "requestMetadata": map[string]string{"callerIp": e.SourceIPs[0], "callerSuppliedUserAgent": e.UserAgent},
			"status": map[string]int{"code": map[bool]int{true: 0, false: 10}[e.ResponseStatus.Code < 300]},
		}
		for name, object := range map[string]json.RawMessage{"request": e.RequestObject, "response": e.ResponseObject} {
			if len(object) > 0 {
				payload[name] = object
			}
		}
		entry, err := json.Marshal(map[string]any{
			"insertId": e.AuditID, "operation": map[string]any{"id": e.AuditID, "producer": "k8s.io", "first": true, "last": e.Stage == "ResponseComplete"},
			"timestamp": e.RequestReceivedTimestamp, "protoPayload": payload, "resource": map[string]any{"type": "k8s_cluster", "labels": map[string]string{"cluster_name": "c"}},
		})
		require.NoError(t, err)
		fmt.Fprintf(&b, "%s\n", entry)
	}
	return b.String()
}

// TestGoogleTold: the same audit log tells the same terms and changes of the holder in Google Cloud's form, and nothing is certain of it.
func TestGoogleTold(t *testing.T) {
	logs := leaders(t)
	tell := func(audit string) []*investigate.Story {
		r := read.New(read.Options{})
		for name, text := range map[string]string{"audit.log": audit, "manager-a.log": logs[1], "manager-b.log": logs[2]} {
			require.NoError(t, r.Read(read.File{Name: name, Reader: strings.NewReader(text)}))
		}
		var all []*investigate.Story
		for _, p := range investigate.Parts(r.Evidence()) {
			s, err := investigate.Tell(p.Evidence, p.Lock, nil)
			require.NoError(t, err)
			all = append(all, s)
		}
		return all
	}
	want, got := tell(logs[0]), tell(inGoogle(t, logs[0]))
	require.Len(t, got, 1)
	require.Equal(t, investigate.Certain, want[0].Verdict())
	assert.Equal(t, investigate.Possible, got[0].Verdict())
	require.Len(t, got[0].Terms, len(want[0].Terms))
	for i := range got[0].Terms {
		assert.Equal(t, want[0].Terms[i].Holder, got[0].Terms[i].Holder)
		assert.Equal(t, want[0].Terms[i].Last, got[0].Terms[i].Last)
	}
	for _, l := range got[0].Losses {
		assert.NotContains(t, []investigate.Cause{investigate.StoodStill, investigate.Unreachable}, l.Cause)
	}
	assert.Contains(t, strings.Join(got[0].Notes, " "), "one time")
}
