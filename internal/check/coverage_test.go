package check

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
)

// coverageKinds are the words of the traces below.
var coverageKinds = map[string]trace.Kind{
	"sent": trace.RequestSent, "lost": trace.RequestLost, "refused": trace.RequestRefused,
	"applied": trace.RequestApplied, "written": trace.Written, "answerLost": trace.ResponseLost,
	"handled": trace.ResponseHandled, "late": trace.ResponseLate, "gaveUp": trace.GaveUp,
	"localError": trace.LocalError, "works": trace.WorkStarted, "cancelled": trace.WorkCancelled,
	"crashes": trace.Crashed, "paused": trace.Paused, "resumed": trace.Resumed, "clock": trace.ClockChanged,
	"returns": trace.RunReturned, "deletes": trace.Deleted, "queued": trace.RequestQueued,
}

var coverageCauses = map[string]trace.Cause{"throttled": trace.Throttled, "connectionLost": trace.ConnectionLost, "timedOut": trace.TimedOut}

var coverageVerbs = map[string]trace.Verb{"get": trace.Get, "create": trace.Create, "update": trace.Update}

// aLeads is how a comes to lead: its lease lasts from 0s to 15s.
const aLeads = `
	0s a sent r=1 verb=create holder=a
	0s a written r=1 verb=create holder=a
	0s a handled r=1
	0s a works`

// coverageOf plays a trace: a line an event, `time candidate what [key=value]…`; a, b and c have 15 s and 10 s, and
// aPPM and otherPPM are what the clocks of a and of the others are ahead.
func coverageOf(t *testing.T, aPPM, otherPPM int64, text string) *Coverage {
	h := (&script{}).header()
	for i := range h.Candidates {
		h.Candidates[i].DriftPPM = otherPPM
	}
	h.Candidates[0].DriftPPM = aPPM
	c, selected := NewCoverage(h), NewCoverage(h)
	last := int64(0)
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		e := coverageEvent(t, fields)
		require.LessOrEqual(t, last, e.At, line)
		last = e.At
		c.Observe(&e)
		if selected.Wants().Has(e.Kind) {
			selected.Observe(&e)
		}
	}
	assert.Equal(t, c.Seen(), selected.Seen(), "it misses what it does not want")
	return c
}

func coverageEvent(t *testing.T, fields []string) trace.Event {
	at, err := time.ParseDuration(fields[0])
	require.NoError(t, err)
	kind, known := coverageKinds[fields[2]]
	require.True(t, known, fields[2])
	e := trace.Event{At: int64(at), Kind: kind, Candidate: int32(strings.Index("abc", fields[1])), Amount: 15}
	for _, f := range fields[3:] {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "r":
			e.Request = uint64(number(t, value))
		case "verb":
			e.Verb = coverageVerbs[value]
		case "holder":
			e.Holder = value
		case "status":
			e.Status = int16(number(t, value))
		case "cause":
			e.Cause = coverageCauses[value]
		case "ppm":
			e.Rate = int32(number(t, value))
		default:
			require.Fail(t, "no such field", f)
		}
	}
	return e
}

// TestWitnesses has for each witness a trace that shows it and nothing else, and one that nearly does, and shows nothing.
func TestWitnesses(t *testing.T) {
	assert.Len(t, witnessTraces, len(Witnesses()))
	for _, name := range Witnesses() {
		traces, ok := witnessTraces[name]
		require.True(t, ok, name)
		require.NotEmpty(t, traces.shows)
		require.NotEmpty(t, traces.nearly)
		for _, text := range traces.shows {
			assert.Equal(t, []string{name}, coverageOf(t, traces.aPPM, traces.otherPPM, text).Seen(), text)
		}
		for _, text := range traces.nearly {
			assert.Empty(t, coverageOf(t, traces.aPPM, traces.otherPPM, text).Seen(), "%s: %s", name, text)
		}
	}
}

func TestTally(t *testing.T) {
	lost := coverageOf(t, 0, 0, witnessTraces[AnswerLostAfterApply].shows[0])
	local := coverageOf(t, 0, 0, witnessTraces[LocalFailure].shows[0])
	var one, other Tally
	assert.Equal(t, Witnesses(), one.Missing(Witnesses()), "no run shows nothing")
	one.Add(lost)
	one.Add(NewCoverage((&script{}).header()))
	other.Add(lost)
	other.Add(local)
	one.Merge(&other)
	assert.Equal(t, 4, one.Runs())
	assert.Equal(t, 2, one.Count(AnswerLostAfterApply))
	assert.Equal(t, 1, one.Count(LocalFailure))
	assert.Equal(t, 0, one.Count(LateAnswer))
	assert.Equal(t, []string{TakeoverWhileRenewing, LateAnswer},
		one.Missing([]string{LateAnswer, LocalFailure, TakeoverWhileRenewing, AnswerLostAfterApply}))
	assert.True(t, strings.HasPrefix(one.String(), "4 runs, answer-lost-after-apply 2, takeover-while-renewing 0, "))
}
