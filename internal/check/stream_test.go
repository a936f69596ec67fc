package check

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
)

const ms = int64(time.Millisecond)

// soundStream is all that can happen to a candidate, in 20 s.
func soundStream() []trace.Event {
	of := func(at int64, kind trace.Kind, request uint64) trace.Event {
		return trace.Event{At: at * ms, Kind: kind, Request: request, Incarnation: 1, Status: 200}
	}
	sent := func(at int64, request uint64) trace.Event {
		e := of(at, trace.RequestSent, request)
		e.Amount, e.Status = 1000*ms, 0
		return e
	}
	answer := func(at int64, kind trace.Kind, request uint64, status int16) trace.Event {
		e := of(at, kind, request)
		e.Status = status
		return e
	}
	work := func(at int64, kind trace.Kind) trace.Event {
		return trace.Event{At: at * ms, Kind: kind, Incarnation: 1, Term: 1, Version: 7}
	}
	events := []trace.Event{
		of(0, trace.RunStarted, 0),
		sent(0, 1), of(1000, trace.Written, 1), of(2000, trace.ResponseHandled, 1),
		work(2000, trace.WorkStarted), work(2000, trace.ResourceWritten), of(2000, trace.BeliefBegan, 0),
		sent(4000, 2), of(4000, trace.RequestLost, 2),
		of(5000, trace.Paused, 0), of(6000, trace.Resumed, 0),
		of(7000, trace.GaveUp, 2),
		sent(7000, 3), of(8000, trace.Written, 3), answer(8000, trace.RequestRefused, 3, 504),
		answer(9000, trace.ResponseHandled, 3, 504),
		sent(9000, 4), of(10000, trace.RequestApplied, 4), of(10000, trace.ResponseLost, 4), of(11000, trace.GaveUp, 4),
		sent(11000, 5), of(11500, trace.GaveUp, 5), of(12000, trace.RequestApplied, 5), of(13000, trace.ResponseLate, 5),
		of(14000, trace.CancelAsked, 0), work(14000, trace.WorkCancelled), of(14000, trace.BeliefEnded, 0),
		work(15000, trace.WorkEnded), of(15000, trace.Stopped, 0), of(15000, trace.RunReturned, 0),
		of(16000, trace.RunStarted, 0), of(17000, trace.Crashed, 0),
		{At: 18000 * ms, Kind: trace.RunStarted, Incarnation: 2},
	}
	return numbered(events)
}

func numbered(events []trace.Event) []trace.Event {
	for i := range events {
		events[i].Seq = uint64(i + 1)
	}
	return events
}

func brokenStream(events []trace.Event) string {
	s := NewStream((&script{}).header())
	for i := range events {
		e := events[i]
		s.Observe(&e)
	}
	return s.Broken()
}

func TestStreamIsSound(t *testing.T) {
	assert.Empty(t, brokenStream(soundStream()))
	assert.Empty(t, brokenStream(nil))
}

// TestStreamNotices spoils a stream in one place, at each in turn. Listed is what it cannot notice.
func TestStreamNotices(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(events []trace.Event, i int) []trace.Event
		blind []trace.Kind
	}{
		"gap": {
			func(events []trace.Event, i int) []trace.Event { return slices.Delete(events, i, i+1) },
			[]trace.Kind{trace.RunStarted}, // the last of all
		},
		"dropped": {
			func(events []trace.Event, i int) []trace.Event { return numbered(slices.Delete(events, i, i+1)) },
			[]trace.Kind{
				// What the guarded work writes and when it ends is up to the work.
				trace.ResourceWritten, trace.WorkEnded,
				// A request or an answer may be on its way for ever; one that is refused need not have been applied.
				trace.RequestLost, trace.Written, trace.ResponseLost, trace.ResponseLate,
				// A process may crash between two Runs.
				trace.CancelAsked, trace.RunStarted, trace.RunStarted,
			},
		},
		"twice": {
			func(events []trace.Event, i int) []trace.Event { return numbered(slices.Insert(events, i, events[i])) },
			[]trace.Kind{trace.ResourceWritten, trace.RequestRefused, trace.CancelAsked, trace.Crashed},
		},
		"somebody else's": {
			func(events []trace.Event, i int) []trace.Event {
				events[i].Candidate = 1
				return events
			},
			[]trace.Kind{trace.RunStarted, trace.RunStarted},
		},
		"another request's": {
			func(events []trace.Event, i int) []trace.Event {
				events[i].Request += 100
				return events
			},
			nil,
		},
		"early": {
			func(events []trace.Event, i int) []trace.Event {
				events[i].At -= 20000 * ms
				return events
			},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var blind []trace.Kind
			for i, e := range soundStream() {
				if name == "another request's" && e.Request == 0 {
					continue
				}
				if brokenStream(c.spoil(soundStream(), i)) == "" {
					blind = append(blind, e.Kind)
				}
			}
			assert.ElementsMatch(t, c.blind, blind, "%v", blind)
		})
	}
}

func TestStreamSaysWhere(t *testing.T) {
	assert.Equal(t, "event 5: candidate 0, workCancelled, does not follow", brokenStream(numbered(slices.Concat(
		soundStream()[:4], []trace.Event{{At: 2000 * ms, Kind: trace.WorkCancelled, Incarnation: 1, Term: 1}}))))
	assert.Equal(t, "event 7, runStarted: out of order", brokenStream([]trace.Event{{Seq: 7, Kind: trace.RunStarted}}))
}
