package investigate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// TestStandsAgain: what a process writes as a candidate, since the record still names it, is not of the term that it has given up, unless its
// log may leave out that it acquired the lock by that.
func TestStandsAgain(t *testing.T) {
	for name, test := range map[string]struct {
		writes   int  // how often it writes as a candidate
		acquires bool // it says that it acquired the lock by the first of them
		goesOn   bool // its log goes on until another has written
		last     int  // the line of the last write of its term
		want     Cause
	}{
		"once":                      {1, false, false, 5, Unreachable},
		"its log goes on":           {3, false, true, 5, Unreachable},
		"its log has ended":         {3, false, false, 8, Silent},
		"it acquired the lock":      {1, true, false, 6, Unknown},
		"it acquired, its log, too": {3, true, true, 8, Silent},
	} {
		l := newLogs()
		l.renew("a", 1, 9)
		l.say("a", 1.02, evidence.Acquired, acquires)
		l.say("a", 14, evidence.Failed, "Failed to update lease: context deadline exceeded")
		l.say("a", 19, evidence.Lost, deadline)
		l.say("a", 19.1, evidence.Tries, tries)
		for i := range test.writes {
			l.write("a", 19.2+2*float64(i))
		}
		if test.acquires {
			l.say("a", 19.22, evidence.Acquired, acquires)
		}
		if test.goesOn {
			l.say("a", 60, evidence.Observed, "new leader elected: b")
		}
		l.renew("b", 45, 55)
		s, err := Tell(&l.addressed().e, lock, nil)
		require.NoError(t, err)
		require.Len(t, s.Losses, 1, name)
		assert.Equal(t, test.want, s.Losses[0].Cause, "%s: %v", name, s.Losses[0].Chain)
		assert.Equal(t, test.last, s.Losses[0].Chain[0].Places[0].Line, name)
		if test.want == Unreachable {
			assert.Equal(t, "10.2s later the next write was received, by which it stood for election again; its log does not say that it acquired the lock by that",
				s.Losses[0].Chain[1].Text, name)
		}
	}
}
