package fakekube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded is one request to a real kube-apiserver, and what it answered.
type recorded struct {
	Name, Method, Path, User, ContentType string
	Request, Response                     json.RawMessage
	Status                                int
	Headers                               map[string]string
}

// special are the bodies that the recording leaves out, or that are no JSON.
var special = map[string]string{
	"create holderIdentity 4096 chars": leaseText("gholderlong", "", strings.Repeat("x", 4096)),
	"malformed json":                   "{",
	"empty body":                       "",
	"wrong media type":                 "hello",
	"body over 3 MiB":                  leaseText("big", strings.Repeat("a", bodyLimit), "a"),
	"annotations over 256 KiB":         leaseText("big2", strings.Repeat("a", 1<<18), "a"),
}

func leaseText(name, annotation, holder string) string {
	return fmt.Sprintf(`{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":%q,`+
		`"namespace":"default","annotations":{"a":%q}},"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,`+
		`"leaseTransitions":0,"acquireTime":"2026-01-02T03:04:05.123456Z",`+
		`"renewTime":"2026-01-02T03:04:05.123456Z"}}`, name, annotation, holder)
}

func readRecorded(t *testing.T) []recorded {
	text, err := os.ReadFile("../../testdata/apiserver/ground-truth.json")
	require.NoError(t, err)
	var file struct{ Operations []recorded }
	require.NoError(t, json.Unmarshal(text, &file))
	require.Len(t, file.Operations, 110)
	for i := range file.Operations {
		o := &file.Operations[i]
		if body, ok := special[o.Name]; ok {
			o.Request = json.RawMessage(body)
		}
		if o.User == "" {
			o.User = "system:anonymous"
		}
	}
	// Our own annotation, which the recorded request has not got.
	for i := range file.Operations {
		if o := &file.Operations[i]; o.Name == "create holderIdentity 4096 chars" {
			o.Request = bytes.Replace(o.Request, []byte(`,"annotations":{"a":""}`), nil, 1)
		}
	}
	return file.Operations
}

// recordedServer has the rights and the counter of the recorded one, which began at 212.
func recordedServer() *Server {
	s := &Server{version: 211}
	for _, f := range []Fault{
		{User: "cand", Verb: "patch", Status: 403}, {User: "cand", Verb: "list", Status: 403},
		{User: "cand", Namespace: "kube-system", Verb: "get", Status: 403},
		{User: "nobody", Status: 403}, {User: "system:anonymous", Status: 403},
		{User: "wrong", Status: 401},
	} {
		s.Inject(f)
	}
	return s
}

// notReplayed are the requests whose answers are not compared, with the reason.
var notReplayed = map[string]string{
	"version":                     "the fake names itself",
	"create in missing namespace": "namespaces need not exist",
	"apply create":                "no server-side apply",
}

// replay sends each recorded request, in order, and compares the whole answer. Uids are mapped; versions are the
// same numbers.
func replay(t *testing.T, send func(s *Server, o *recorded) (int, []byte)) (compared int) {
	s := recordedServer()
	ours, theirs := []string{}, []string{}
	operations := readRecorded(t)
	for i := range operations {
		o := &operations[i]
		if o.Name == "create in missing namespace" {
			continue // it would be created
		}
		if o.Name == "get future resourceVersion" {
			s.version += 2 // writes of the recorded server's own
		}
		if o.Name == "apply create" {
			o.Method, o.ContentType = "POST", ""
			o.Path, _, _ = strings.Cut(o.Path, "/ssa")
		}
		o.Request = []byte(strings.NewReplacer(zip(theirs, ours)...).Replace(string(o.Request)))
		code, body := send(s, o)
		if notReplayed[o.Name] != "" {
			continue
		}
		var before, after struct{ Metadata struct{ UID string } }
		if json.Unmarshal(o.Response, &before) == nil && json.Unmarshal(body, &after) == nil {
			if u := before.Metadata.UID; u != "" && !strings.Contains(strings.Join(theirs, " "), u) {
				ours, theirs = append(ours, after.Metadata.UID), append(theirs, u)
			}
		}
		if code != 0 {
			assert.Equal(t, o.Status, code, "%s: %s", o.Name, body)
		}
		if o.Response != nil {
			text := strings.NewReplacer(zip(ours, theirs)...).Replace(string(body))
			assert.Equal(t, plain(t, o.Response), plain(t, []byte(text)), o.Name)
		}
		compared++
	}
	return compared
}

func zip(from, to []string) (pairs []string) {
	for i := range from {
		pairs = append(pairs, from[i], to[i])
	}
	return pairs
}

// plain is a JSON text without times of creation and without nulls, which a client cannot tell from nothing.
func plain(t *testing.T, text []byte) any {
	var v any
	require.NoError(t, json.Unmarshal(text, &v), "%s", text)
	var strip func(v any)
	strip = func(v any) {
		if m, ok := v.(map[string]any); ok {
			for k, x := range m {
				if k == "creationTimestamp" || x == nil {
					delete(m, k)
				}
				strip(x)
			}
		}
		if items, ok := v.([]any); ok {
			for _, x := range items {
				strip(x)
			}
		}
	}
	strip(v)
	return v
}

func sendHTTP(t *testing.T) func(s *Server, o *recorded) (int, []byte) {
	return func(s *Server, o *recorded) (int, []byte) {
		q, err := http.NewRequest(o.Method, "http://fakekube"+o.Path, bytes.NewReader(o.Request))
		require.NoError(t, err)
		q.Header.Set("Content-Type", "application/json")
		if o.ContentType != "" {
			q.Header.Set("Content-Type", o.ContentType)
		}
		answer, err := (&transport{s, o.User}).RoundTrip(q)
		require.NoError(t, err)
		defer answer.Body.Close()
		if strings.Contains(o.Path, "watch=1") {
			return answer.StatusCode, nil // what it sends is not recorded
		}
		for name, value := range o.Headers {
			assert.Equal(t, value, answer.Header.Get(name), o.Name)
		}
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, text
	}
}

// TestRecordedHTTP replays all that was sent to a real kube-apiserver.
func TestRecordedHTTP(t *testing.T) {
	assert.Equal(t, 110-len(notReplayed), replay(t, sendHTTP(t)))
}
