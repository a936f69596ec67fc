package investigate

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// addressed gives the requests of each holder an address.
func (l *logs) addressed() *logs {
	for i := range l.e.Requests {
		if q := &l.e.Requests[i]; q.Wrote != nil {
			q.From = map[string]string{"a": "10.0.0.1", "b": "10.0.0.2"}[q.Wrote.Holder]
		}
	}
	return l
}

// TestQuiet: where nothing came from a holder until another one wrote, the report says so, and what that looks like.
func TestQuiet(t *testing.T) {
	const (
		looks = "nothing more came from it, no request and no line of its log: so a process looks that was killed, has crashed, stands still or is cut off"
		back  = "nothing came from it for 31.99s, no request and no line of its log, where it had asked every 2s: it stood still, or what it asked or was answered was under way for so long"
	)
	asks := func(l *logs) *logs { l.read("10.0.0.1", 40.99, 200); return l }
	stands := frozen(0, "").addressed()
	stands.say("a", 45, evidence.Tries, tries)
	nameless := frozen(40, deadline).addressed() // nobody knows whether a read meanwhile was its own
	for i := range nameless.e.Requests {
		nameless.e.Requests[i].From = ""
	}
	failed, reads := frozen(0, "").addressed(), frozen(0, "").addressed()
	failed.say("a", 15, evidence.Failed, "Failed to update lock: EOF")
	reads.read("10.0.0.1", 15, 500)
	alone := frozen(0, "").addressed()
	alone.e.Sayings, alone.e.Silences, alone.e.Sources = nil, nil, alone.e.Sources[:1]
	for name, test := range map[string]struct {
		logs *logs
		says string // "": the cause is another one, or not known
	}{
		"gone":                {frozen(0, "").addressed(), looks},
		"gone, without a log": {alone, "nothing more came from it, no request, and no log of it was given: so a process looks that was killed, has crashed, stands still or is cut off"},
		"back":                {asks(frozen(42, deadline).addressed()), back},
		"back, started again": {asks(stands), "nothing came from it for 31.99s, no request and no line of its log, where it had asked every 2s; then it, or another process of its pod, stands for election again: it was killed or has crashed, or stood still"},
		"whose request":       {nameless, ""},
		"a line":              {failed, ""},
		"a read":              {reads, ""},
	} {
		s, err := Tell(&test.logs.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		l := s.Losses[0]
		assert.Equal(t, test.says != "", l.Cause == Silent, name)
		if test.says != "" && assert.GreaterOrEqual(t, len(l.Chain), 3, name) {
			assert.Equal(t, test.says, l.Chain[2].Text, name)
		}
	}
}

// TestQuietUntilItGaveUp: with a silence of its log that a process which runs may have, the report says with which RenewDeadline it
// certainly stood still; that is so with the option.
func TestQuietUntilItGaveUp(t *testing.T) {
	l := frozen(40, deadline).addressed()
	l.e.Silences = []evidence.Silence{{Place: evidence.Place{Source: 1, Line: 2}, From: after(4.02), Until: after(43)}} // a's clock is 3 s ahead
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, Silent, s.Losses[0].Cause)
	require.Len(t, s.Losses[0].Chain, 5)
	assert.Equal(t, "it certainly stood still if its RenewDeadline is 14.505s or shorter (--renew-deadline)", s.Losses[0].Chain[3].Text)
	for given, want := range map[time.Duration]Cause{14505 * time.Millisecond: StoodStill, 14506 * time.Millisecond: Silent} {
		s, err = Tell(&l.e, lock, &Options{RenewDeadline: given})
		require.NoError(t, err)
		assert.Equal(t, want, s.Losses[0].Cause, given)
	}
}

// TestFellSilent: a log that writes all the time, and has nothing for as long as no request came, shows that its process stood still,
// or was cut off together with what collects the log. One that has pauses of its own, or few lines, does not.
func TestFellSilent(t *testing.T) {
	const shows = ". Its log, which otherwise has a line every 46.026ms on average, has none about anything for 33s: it stood still, or was cut off together with what collects its log"
	for name, test := range map[string]struct {
		lines int64
		other float64 // how long another silence lasts
		want  bool
	}{"writes all the time": {1000, 0, true}, "pauses now and then": {1000, 4, false}, "few lines": {40, 0, false}} {
		l := frozen(50, deadline).addressed()
		l.read("10.0.0.1", 42.5, 200)
		l.e.Silences = []evidence.Silence{{Place: evidence.Place{Source: 1, Line: 2}, From: after(12.5), Until: after(45.5)}} // a's clock is 3 s ahead
		if test.other > 0 {
			l.e.Silences = append(l.e.Silences, evidence.Silence{Place: evidence.Place{Source: 1, Line: 3}, From: after(60), Until: after(60 + test.other)})
		}
		x := &l.e.Sources[1]
		x.Lines, x.First, x.Last = test.lines, after(4.02), after(83)
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.Equal(t, Silent, s.Losses[0].Cause, name)
		assert.Equal(t, test.want, strings.HasSuffix(s.Losses[0].Chain[2].Text, shows), "%s: %s", name, s.Losses[0].Chain[2].Text)
	}
}

// TestQuietElection: lines about other things than the election are told apart from no line at all. Where the log goes on with them,
// nothing looks as if the process had been killed; without a word of the election for so long there is no cause.
func TestQuietElection(t *testing.T) {
	for name, test := range map[string]struct {
		silences [][2]float64 // by the server's clock
		last     float64
		next     float64
		cause    Cause
		says     string
	}{
		"its log ends before": {nil, 8, 30, Silent, "nothing more came from it, no request and no line of its log: so a process looks that was killed, has crashed, stands still or is cut off"},
		"its log ends later": {nil, 14, 30, Silent,
			"nothing more came from it, no request and no line of its log about the election, and for 15.988s or longer none about anything: so a process looks that was killed, has crashed, stands still or is cut off"},
		"its log goes on later": {[][2]float64{{14, 40}}, 50, 30, Silent,
			"nothing more came from it, no request and no line of its log about the election, and for 25.948s or longer none about anything: it stood still, was cut off, or was started again, since its log goes on about other things"},
		"its log goes on": {[][2]float64{{14, 16}, {20, 22}}, 50, 30, Unknown,
			"no request of it came meanwhile, and no line of its log about the election; its log perhaps goes on about other things, and nothing logged shows why it did not renew"},
		"for less than its lease": {nil, 11, 24.5, Unknown,
			"nothing came from it meanwhile, no request and no line of its log about the election, and for 13.489s or longer none about anything; that is shorter than its lease of 15s, and nothing logged shows why"},
	} {
		l := newLogs()
		l.renew("a", 1, 7)
		l.write("a", 9.05)
		l.write("a", 9.95) // in the second of the one before, so that for others the lease runs from that one
		l.say("a", 1.02, evidence.Acquired, acquires)
		l.renew("b", test.next, 60)
		x := &l.e.Sources[1]
		x.Last = after(test.last + 3) // a's clock is 3 s ahead
		for _, q := range test.silences {
			l.e.Silences = append(l.e.Silences, evidence.Silence{Place: evidence.Place{Source: 1, Line: 2}, From: after(q[0] + 3), Until: after(q[1] + 3)})
		}
		l.addressed()
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		require.NotEmpty(t, s.Losses, name)
		assert.Equal(t, test.cause, s.Losses[0].Cause, name)
		if assert.GreaterOrEqual(t, len(s.Losses[0].Chain), 3, name) {
			assert.Equal(t, test.says, s.Losses[0].Chain[2].Text, name)
		}
	}
}
