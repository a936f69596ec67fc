package investigate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// TestFailureThatNamesNoLock: in a log about several locks, a failure that names none can be about this one.
func TestFailureThatNamesNoLock(t *testing.T) {
	for nameless, want := range map[bool]Verdict{false: Certain, true: Possible} {
		l := newLogs()
		l.renew("a", 1, 9)
		l.say("a", 1.02, evidence.Acquired, acquires)
		l.say("b", 1.5, evidence.Tries, tries)
		l.write("b", 30.1)
		l.say("b", 30.105, evidence.Failed, "Failed to update lock: timed out")
		failure := &l.e.Sayings[len(l.e.Sayings)-1]
		failure.Lock = evidence.Lock{Namespace: "shop", Name: "another"}
		if nameless {
			failure.Lock = evidence.Lock{}
		}
		l.say("b", 30.11, evidence.Acquired, acquires)
		l.write("b", 30.13)
		l.say("a", 40, evidence.Lost, deadline)
		l.e.Requests[0].Verb, l.e.Requests[0].Sent = "create", ""
		s, err := Tell(&l.e, l.coarse(), nil)
		require.NoError(t, err)
		assert.Equal(t, want, s.Pairs[0].Worked.Verdict)
	}
}
