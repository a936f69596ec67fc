// Package apirecord plays the requests of testdata/apiserver, whose answers by a real kube-apiserver were recorded. It
// compares the recorded answers with those of fakekube or of another real server.
package apirecord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Request is one request, and its recorded answer.
type Request struct {
	Name        string            `json:"name"`
	Method      string            `json:"method"`
	Path        string            `json:"path"`
	User        string            `json:"user"`
	ContentType string            `json:"contentType,omitempty"`
	Request     json.RawMessage   `json:"request,omitempty"`
	Text        string            `json:"text,omitempty"` // a body that is no JSON
	Status      int               `json:"status"`
	Headers     map[string]string `json:"headers,omitempty"`
	Response    json.RawMessage   `json:"response,omitempty"`
}

// file is the form of a recording.
type file struct {
	Operations []Request `json:"operations"`
}

// bodyLimit is the limit of k8s.io/apiserver for a body: 3 MiB.
const bodyLimit = 3 << 20

// special has, by the names of requests, the bodies that the recording leaves out, or that are no JSON.
var special = map[string]string{
	"create holderIdentity 4096 chars": leaseText("gholderlong", "", strings.Repeat("x", 4096)),
	"malformed json":                   "{",
	"empty body":                       "",
	"wrong media type":                 "hello",
	"body over 3 MiB":                  leaseText("big", annotation(bodyLimit), "a"),
	"annotations over 256 KiB":         leaseText("big2", annotation(1<<18), "a"),
}

// annotation returns the JSON of a field annotations, with a comma before it. The one annotation in it has a value of size
// bytes.
func annotation(size int) string {
	return fmt.Sprintf(`,"annotations":{"a":%q}`, strings.Repeat("a", size))
}

// leaseText returns the JSON of a Lease with that name and holder. annotations is JSON as the function annotation
// returns it, or "".
func leaseText(name, annotations, holder string) string {
	return fmt.Sprintf(`{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":%q,`+
		`"namespace":"default"%s},"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,`+
		`"leaseTransitions":0,"acquireTime":"2026-01-02T03:04:05.123456Z",`+
		`"renewTime":"2026-01-02T03:04:05.123456Z"}}`, name, annotations, holder)
}

// Read returns the requests of the recording in that file, with the bodies of special filled in. The user "" is an anonymous
// one. If the file cannot be read, it ends the test as failed.
func Read(t testing.TB, name string) []Request {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var content file
	require.NoError(t, json.Unmarshal(text, &content))
	for i := range content.Operations {
		o := &content.Operations[i]
		if body, ok := special[o.Name]; ok {
			o.Text = body
		}
		if o.Text != "" {
			o.Request = json.RawMessage(o.Text)
		}
	}
	return content.Operations
}

// Write writes a recording to that file, each request on a line, without managed fields. It returns an error if an answer is no
// JSON or the file cannot be written.
func Write(name string, requests []Request) error {
	var b bytes.Buffer
	b.WriteString("{\"operations\": [\n")
	for i, r := range requests {
		var answer any
		if err := json.Unmarshal(r.Response, &answer); err != nil {
			return fmt.Errorf("%s: the answer is no JSON: %w", r.Name, err)
		}
		dropManagedFields(answer)
		text, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		r.Response = text
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		b.Write(line)
		if i < len(requests)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]}\n")
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// dropManagedFields removes metadata's managedFields from a JSON value, at any depth.
func dropManagedFields(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "managedFields")
		for _, x := range v {
			dropManagedFields(x)
		}
	case []any:
		for _, x := range v {
			dropManagedFields(x)
		}
	}
}

// Send sends the request to the server at that URL, and returns the answer's status, headers and body. The body is nil for a
// watch. It does not send the user: the client must be that user's. If there is no answer, it ends the test as failed.
func (o *Request) Send(t testing.TB, client http.RoundTripper, server string) (int, http.Header, []byte) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), o.Method, server+o.Path, bytes.NewReader(o.Request))
	require.NoError(t, err)
	q.Header.Set("User-Agent", "ground") // the recorded client's, which is in the managed fields it sends
	q.Header.Set("Content-Type", "application/json")
	if o.ContentType != "" {
		q.Header.Set("Content-Type", o.ContentType)
	}
	answer, err := client.RoundTrip(q)
	require.NoError(t, err)
	defer answer.Body.Close()
	if strings.Contains(o.Path, "watch=1") {
		return answer.StatusCode, answer.Header, nil // the events of a watch are not recorded
	}
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, text
}
