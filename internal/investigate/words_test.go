package investigate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// TestLacksAnswer: the timeout in a request's address is no error.
func TestLacksAnswer(t *testing.T) {
	const put = `Failed to update lock: Put "https://10.0.0.1/apis/coordination.k8s.io/v1/namespaces/a/leases/b?timeout=5s": `
	for text, want := range map[string]bool{
		put + "context deadline exceeded": true, put + "dial tcp 10.0.0.1:443: i/o timeout": true,
		put + "net/http: request canceled (Client.Timeout exceeded while awaiting headers)": true,
		put + "tls: failed to verify certificate: x509: certificate has expired":            true, put + "EOF": true, put + "dial tcp 10.0.0.1:443: connect: connection refused": true,
		put + "context canceled": false, put + "client rate limiter Wait returned an error: context deadline exceeded": false,
		"Failed to update lock: etcdserver: request timed out": false, "Error retrieving lease lock: Unauthorized": false,
	} {
		assert.Equal(t, want, lacksAnswer(text), text)
	}
}

// TestAtDeadline: what client-go says when it gives up may be said of a process that is told to stop, too.
func TestAtDeadline(t *testing.T) {
	for text, want := range map[string]bool{
		"Failed to renew lease: context deadline exceeded":               true,
		"Failed to renew lease: context canceled":                        false,
		"failed to renew lease a/b: timed out waiting for the condition": false,
	} {
		assert.Equal(t, want, atDeadline(&evidence.Saying{Step: evidence.Lost, Text: text}), text)
	}
}

// TestNobodys: that a log is of no holder is said.
func TestNobodys(t *testing.T) {
	for process, said := range map[string]bool{"a": false, "kube-scheduler-x": true} {
		l := frozen(0, "")
		for i := range l.e.Sources {
			if l.e.Sources[i].Process == "a" {
				l.e.Sources[i].Process = process
			}
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, said, strings.Contains(strings.Join(s.Notes, " "), "no holder has that name"), "%s: %q", process, s.Notes)
	}
}

// TestLogsAlone: what processes say is told where no audit log shows a write.
func TestLogsAlone(t *testing.T) {
	l := frozen(0, "")
	l.e.Requests = nil
	l.say("a", 21, evidence.Lost, deadline)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	var signs []Sign
	for i := range s.Sightings {
		signs = append(signs, s.Sightings[i].Sign)
	}
	assert.Contains(t, signs, Acquired)
	assert.Contains(t, signs, GaveUp)
	l = frozen(0, "")
	s, err = Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Empty(t, s.Sightings, "writes tell more")
}
