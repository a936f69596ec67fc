package investigate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// TestNoRemedy: where no timings are known that would have carried a term over, the report says why, and what helps; a process that
// went on after it stood still has timings.
func TestNoRemedy(t *testing.T) {
	back := frozen(42, deadline).addressed()
	back.read("10.0.0.1", 40.99, 200)
	back.read("10.0.0.1", 43, 200) // so that it had the answer
	refused := func(status int) *logs {
		l := frozen(20, deadline)
		q := l.e.Requests[4]
		q.Received, q.Answered, q.Status = after(11), after(11), status
		l.e.Requests = append(l.e.Requests, q)
		return l.addressed()
	}
	limited := frozen(0, "")
	limited.say("a", 15, evidence.Failed, "error retrieving resource lock shop/manager: client rate limiter Wait returned an error: rate: Wait(n=1) would exceed context deadline")
	limited.say("a", 21, evidence.Lost, deadline)
	for name, test := range map[string]struct {
		logs  *logs
		cause Cause
		ends  string // how the chain ends
	}{
		"limiter":   {limited, Limited, "a limiter with more tokens (QPS and Burst), or a client of its own for the lock, would have helped; longer timings only delay that"},
		"conflicts": {refused(409), Conflicts, "longer timings do not help while somebody else writes the object: see who does"},
		"forbidden": {refused(403), Forbidden, "which timings would have carried it over is not known: no later request of its client is known to have had a normal answer"},
		"gone":      {frozen(0, "").addressed(), Silent, "which timings would have carried it over is not known: nothing shows that the process went on"},
		"back": {back, Silent, "32.01s after its last renewal the server answered its client again: a request timeout of 2s, a RenewDeadline of 37s and a LeaseDuration of 41s would have carried it " +
			"over, if a write had been answered then as that read was, and nothing else had failed"},
	} {
		s, err := Tell(&test.logs.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		l := s.Losses[0]
		assert.Equal(t, test.cause, l.Cause, name)
		assert.Equal(t, test.ends, l.Chain[len(l.Chain)-1].Text, name)
		assert.Equal(t, name == "back", l.Remedy != nil, name)
	}
}

// TestRemedyOfLostAnswers: a write that the server took after a read of the holder did not begin the poll that failed, and reads beside
// writes whose answers are lost do not show that answers come again: only a later write does.
func TestRemedyOfLostAnswers(t *testing.T) {
	lost := func(again ...float64) *logs {
		l := newLogs()
		l.renew("a", 1, 9)
		for _, at := range []float64{11, 13} {
			l.read("10.0.0.1", at, 200)
			l.write("a", at+0.1)
		}
		l.renew("b", 30, 60)
		for _, at := range append(again, 62, 64) {
			l.read("10.0.0.1", at, 200)
		}
		l.say("a", 1.02, evidence.Acquired, acquires)
		l.say("a", 15.2, evidence.Failed, "Failed to update lock: context deadline exceeded")
		l.say("a", 19.1, evidence.Lost, deadline)
		l.say("a", 19.2, evidence.Tries, tries)
		return l.addressed()
	}
	returned := lost()
	returned.write("a", 80)
	returned.write("a", 82)
	for name, test := range map[string]struct {
		logs *logs
		ends string
	}{
		"reads": {lost(32, 34), "which timings would have carried it over is not known: no later request of its client is known to have had a normal answer"},

		"write": {returned.addressed(), "1m11.01s after the attempt with which its last poll had begun, or an earlier one, the server answered"},
	} {
		s, err := Tell(&test.logs.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		assert.Contains(t, s.Losses[0].Chain[len(s.Losses[0].Chain)-1].Text, test.ends, name)
	}
}
