package investigate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// TestOwnWords: what a process's own log says of why its requests failed is quoted, whether or not there is an audit log; only a
// timeout is no answer in time.
func TestOwnWords(t *testing.T) {
	const get = `Error retrieving lease lock: Get "https://10.96.0.1:443/apis/coordination.k8s.io/v1/namespaces/shop/leases/manager?timeout=5s": `
	const quote = `"Error retrieving lease lock: Get \"https://10.96.0.1:443/apis/coordination.k8s.io/v1/namespaces/shop/leases/manager\": `
	const failed = "its own log says that requests failed, and the server has logged no write of it meanwhile: " + quote
	const answered = `its own log says what the server answered, and the server has logged no write of it meanwhile: "Error retrieving lease lock: `
	for text, test := range map[string]struct {
		want Cause
		says string
	}{
		get + "context deadline exceeded":                                  {Unreachable, "its own log says that requests had no answer in time, and the server has logged no write of it meanwhile"},
		get + "tls: failed to verify certificate: x509: expired":           {Unreachable, failed + `tls: failed to verify certificate: x509: expired"`},
		get + "dial tcp: lookup kubernetes on 10.96.0.10:53: no such host": {Unreachable, failed + `dial tcp: lookup kubernetes on 10.96.0.10:53: no such host"`},
		get + "dial tcp 10.96.0.1:443: connect: connection refused":        {Unreachable, failed + `dial tcp 10.96.0.1:443: connect: connection refused"`},
		get + "EOF": {Unreachable, failed + `EOF"`},
		"Error retrieving lease lock: Unauthorized":                         {Rejected, answered + `Unauthorized"`},
		"Error retrieving lease lock: etcdserver: request timed out":        {Failing, answered + `etcdserver: request timed out"`},
		"Error retrieving lease lock: Too Many Requests":                    {Throttled, answered + `Too Many Requests"`},
		`Error retrieving lease lock: leases "manager" is forbidden: no`:    {Forbidden, answered + `leases \"manager\" is forbidden: no"`},
		"Error retrieving lease lock: the moon is full":                     {Unknown, `its own log says that it gave up at its deadline, and that requests had failed before: "Error retrieving lease lock: the moon is full"; the server logged no write of it meanwhile`},
		"Error retrieving lease lock: client rate limiter Wait: no, no, no": {Unknown, "its own log says that it gave up at its deadline, and nothing logged shows why it could not renew: the server logged no write of it meanwhile"},
	} {
		l := frozen(0, "")
		l.say("a", 13, evidence.Failed, text)
		l.say("a", 15, evidence.Failed, text)
		l.say("a", 20, evidence.Lost, deadline)
		s, err := Tell(&l.addressed().e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses)
		assert.Equal(t, test.want, s.Losses[0].Cause, text)
		assert.Equal(t, test.says, s.Losses[0].Chain[2].Text, text)
	}
}

// TestFailedAtOnce: a line that an attempt failed, stamped after the last record, is about that attempt or a later one, though the server's
// clock does not show that it is later than the write. It counts if the process then gives up at its deadline. A line about the first of the
// attempt's writes does not, since the second one can have had its answer.
func TestFailedAtOnce(t *testing.T) {
	for name, test := range map[string]struct {
		at   float64
		text string
		ends string
		want Cause
	}{
		"an attempt failed":            {8.991, "Failed to update lease: EOF", deadline, Unreachable},
		"reading failed":               {8.991, "Error retrieving lease lock: context deadline exceeded", deadline, Unreachable},
		"an attempt before":            {8.989, "Failed to update lease: EOF", deadline, Unknown},
		"its first write failed":       {8.991, "Failed to update lease optimistically, falling back to slow path: EOF", deadline, Unknown},
		"it does not say why it ended": {8.991, "Failed to update lease: EOF", "failed to renew lease shop/manager: timed out waiting for the condition", Unknown},
	} {
		l := frozen(0, "")
		l.say("a", test.at, evidence.Failed, test.text)
		l.say("a", 20, evidence.Lost, test.ends)
		s, err := Tell(&l.addressed().e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses)
		assert.Equal(t, test.want, s.Losses[0].Cause, name)
	}
}
