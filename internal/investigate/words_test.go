package investigate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/evidence"
)

// TestLacksAnswer: the timeout in a request's address is no error.
func TestLacksAnswer(t *testing.T) {
	const put = `Failed to update lock: Put "https://10.0.0.1/apis/coordination.k8s.io/v1/namespaces/a/leases/b?timeout=5s": `
	for text, want := range map[string]bool{
		put + "context deadline exceeded": true, put + "dial tcp 10.0.0.1:443: i/o timeout": true,
		put + "net/http: request canceled (Client.Timeout exceeded while awaiting headers)": true,
		put + "x509: certificate has expired or is not yet valid":                           false,
		put + "context canceled": false, put + "EOF": false,
	} {
		assert.Equal(t, want, lacksAnswer(text), text)
	}
}

// TestAtDeadline: what client-go says when it gives up may be said of a process that is told to stop, too.
func TestAtDeadline(t *testing.T) {
	at := time.Date(2026, 1, 24, 4, 20, 1, 0, time.UTC)
	failed := func(text string, before time.Duration) *evidence.Saying {
		return &evidence.Saying{Step: evidence.Failed, At: at.Add(-before), Text: "error retrieving resource lock a/b: " + text}
	}
	for name, test := range map[string]struct {
		before *evidence.Saying
		text   string
		want   bool
	}{
		"new":                  {nil, "Failed to renew lease: context deadline exceeded", true},
		"new, told to stop":    {nil, "Failed to renew lease: context canceled", false},
		"old":                  {nil, "failed to renew lease a/b: timed out waiting for the condition", false},
		"old, by its request":  {failed("Get x: context deadline exceeded", time.Millisecond), "failed to renew lease a/b: timed out waiting for the condition", true},
		"old, told to stop":    {failed("Get x: context canceled", time.Millisecond), "failed to renew lease a/b: timed out waiting for the condition", false},
		"old, long after that": {failed("Get x: context deadline exceeded", 3*time.Second), "failed to renew lease a/b: timed out waiting for the condition", false},
		"old, by its client's timeout": {failed("Get x: context deadline exceeded (Client.Timeout exceeded while awaiting headers)", time.Millisecond),
			"failed to renew lease a/b: timed out waiting for the condition", false},
	} {
		s := &evidence.Saying{Step: evidence.Lost, At: at, Text: test.text}
		p := &pod{sayings: []*evidence.Saying{s}}
		if test.before != nil {
			p.sayings = []*evidence.Saying{test.before, s}
		}
		assert.Equal(t, test.want, p.atDeadline(s), name)
	}
}
