package read

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWatchEvents: what kubectl get -w --output-watch-events prints around a Lease is read, in each form.
func TestWatchEvents(t *testing.T) {
	const lease = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"namespace":"n","name":"l"},"spec":{"holderIdentity":"a","renewTime":"2026-03-01T12:00:08.000000Z"}}`
	for name, text := range map[string]string{
		"lines": `{"type":"ADDED","object":` + lease + "}\n" + `{"type":"MODIFIED","object":` + lease + "}\n",
		"json":  "{\n\"type\":\"ADDED\",\"object\":" + lease + "}\n{\n\"type\":\"MODIFIED\",\"object\":" + lease + "}\n",
		"yaml":  "object: " + lease + "\ntype: ADDED\n---\nobject: " + lease + "\ntype: MODIFIED\n",
	} {
		r := New(Options{})
		require.NoError(t, r.Read(File{Name: "w", Reader: strings.NewReader(text)}), name)
		assert.Len(t, r.Evidence().Snapshots, 2, name)
	}
}

// TestLongLine: a file of nothing but a line that is too long is no empty file.
func TestLongLine(t *testing.T) {
	line := io.MultiReader(bytes.NewReader(bytes.Repeat([]byte("x"), MaxLine+2)))
	assert.ErrorContains(t, New(Options{}).Read(File{Name: "w", Reader: line}), "got lines longer than")
}

// TestPodOfToken: the pod whose token a request had is read from what the server says of the user.
func TestPodOfToken(t *testing.T) {
	r := New(Options{})
	require.NoError(t, r.Read(File{Name: "audit.log", Reader: strings.NewReader(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a","stage":"ResponseComplete","verb":"get",` +
		`"user":{"username":"u","extra":{"authentication.kubernetes.io/pod-name":["manager-b"]}},"objectRef":{"resource":"leases","namespace":"n","name":"l"},"responseStatus":{"code":200},` +
		`"requestReceivedTimestamp":"2026-03-01T12:00:00.000000Z","stageTimestamp":"2026-03-01T12:00:00.010000Z"}` + "\n")}))
	e := r.Evidence()
	require.Len(t, e.Requests, 1)
	assert.Equal(t, "manager-b", e.Requests[0].Pod)
}
