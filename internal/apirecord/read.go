// Package apirecord plays the requests of testdata/apiserver, which a real kube-apiserver was recorded to answer, and
// compares answers with the recorded ones: those of fakekube, and those of another real server.
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
	Name, Method, Path, User, ContentType string
	Request, Response                     json.RawMessage
	Status                                int
	Headers                               map[string]string
}

// bodyLimit is that of k8s.io/apiserver: 3 MiB.
const bodyLimit = 3 << 20

// special are the bodies that the recording leaves out, or that are no JSON.
var special = map[string]string{
	"create holderIdentity 4096 chars": leaseText("gholderlong", "", strings.Repeat("x", 4096)),
	"malformed json":                   "{",
	"empty body":                       "",
	"wrong media type":                 "hello",
	"body over 3 MiB":                  leaseText("big", annotation(bodyLimit), "a"),
	"annotations over 256 KiB":         leaseText("big2", annotation(1<<18), "a"),
}

func annotation(size int) string {
	return fmt.Sprintf(`,"annotations":{"a":%q}`, strings.Repeat("a", size))
}

func leaseText(name, annotations, holder string) string {
	return fmt.Sprintf(`{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":%q,`+
		`"namespace":"default"%s},"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,`+
		`"leaseTransitions":0,"acquireTime":"2026-01-02T03:04:05.123456Z",`+
		`"renewTime":"2026-01-02T03:04:05.123456Z"}}`, name, annotations, holder)
}

// Read reads testdata/apiserver/ground-truth.json. The user "" is an anonymous one.
func Read(t testing.TB, file string) []Request {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var content struct{ Operations []Request }
	require.NoError(t, json.Unmarshal(text, &content))
	require.Len(t, content.Operations, 110)
	for i := range content.Operations {
		o := &content.Operations[i]
		if body, ok := special[o.Name]; ok {
			o.Request = json.RawMessage(body)
		}
	}
	return content.Operations
}

// Send sends a request to a server whose client is given.
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
		return answer.StatusCode, answer.Header, nil // what it sends is not recorded
	}
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, text
}
