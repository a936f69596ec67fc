package explain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
)

func fold(events ...trace.Event) []Explanation {
	h := &trace.Header{Horizon: 60 * time.Second, Candidates: []trace.Candidate{{ID: "a"}, {ID: "b"}}}
	f := NewFold(h)
	for i := range events {
		f.Observe(&events[i])
	}
	return f.Explanations(int64(h.Horizon))
}

func event(at int64, kind trace.Kind, candidate, term int32) trace.Event {
	return trace.Event{At: at, Kind: kind, Candidate: candidate, Incarnation: 1, Term: term}
}

func TestNothingToExplain(t *testing.T) {
	assert.Empty(t, fold())
	assert.Empty(t, fold(
		event(1, trace.WorkStarted, 0, 1), event(5, trace.WorkEnded, 0, 1), event(5, trace.WorkStarted, 1, 1),
	), "one after the other")
	assert.Empty(t, fold(
		event(1, trace.WorkStarted, 0, 1), event(5, trace.WorkStarted, 1, 1), event(5, trace.WorkEnded, 0, 1),
	), "an overlap of no length")
	assert.Empty(t, fold(
		event(1, trace.WorkStarted, 0, 1), event(5, trace.WorkStarted, 0, 2), event(9, trace.WorkEnded, 0, 1),
	), "work of one candidate alone")
}

// TestUnknown: where the events do not show why, no reason is given, and no sum.
func TestUnknown(t *testing.T) {
	got := fold(event(1, trace.WorkStarted, 0, 1), event(5, trace.WorkStarted, 1, 1), event(9, trace.WorkEnded, 1, 1))
	require.Len(t, got, 1)
	assert.Equal(t, int64(5), got[0].FromNs)
	assert.Equal(t, int64(9), got[0].ToNs)
	assert.Equal(t, "a", got[0].First)
	assert.Equal(t, "b", got[0].Second)
	assert.Equal(t, "b started at 0.000000005s; a still worked", got[0].Summary)
	assert.Nil(t, got[0].Sum)
}

// TestPairs: three candidates that work at once make three overlaps, ordered by when they began.
func TestPairs(t *testing.T) {
	got := fold(
		event(1, trace.WorkStarted, 0, 1), event(2, trace.WorkCancelled, 0, 1), event(3, trace.WorkStarted, 1, 1),
		event(4, trace.WorkStarted, 0, 2), event(5, trace.WorkEnded, 0, 1), event(7, trace.WorkEnded, 1, 1),
	)
	require.Len(t, got, 2)
	assert.Equal(t, []int64{3, 5, 4, 7}, []int64{got[0].FromNs, got[0].ToNs, got[1].FromNs, got[1].ToNs})
	assert.Equal(t, []string{"a", "b", "b", "a"}, []string{got[0].First, got[0].Second, got[1].First, got[1].Second})
	assert.Equal(t, "told to end 0.000000002s + drain 0.000000003s = 0.000000005s > started 0.000000003s", got[0].Sum.Text)
}

func TestSeconds(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0s", 1: "0.000000001s", 29_925_000_000: "29.925s", 60_000_000_000: "60s", -1_500_000_000: "-1.5s",
	} {
		assert.Equal(t, want, seconds(ns))
	}
}

func TestSecond(t *testing.T) {
	assert.Equal(t, []int64{-2, -1, 0, 0, 1}, []int64{second(-1_000_000_001), second(-1), second(0), second(999_999_999),
		second(1_000_000_000)})
}

// TestHeldSteps: the steps tell of requests that the client of the first candidate keeps back for long, or does not send.
func TestHeldSteps(t *testing.T) {
	h := &trace.Header{Horizon: time.Minute, Candidates: []trace.Candidate{{ID: "a", RenewDeadline: 10 * time.Second}, {ID: "b"}}}
	f := NewFold(h)
	s := func(n int64) int64 { return n * int64(time.Second) }
	held := func(at, wait int64, status int16) trace.Event {
		return trace.Event{At: s(at), Kind: trace.RequestHeld, Amount: wait, Status: status}
	}
	for _, e := range []trace.Event{
		{Kind: trace.RunStarted, Holder: "a"}, {Kind: trace.RequestSent, Request: 1, Verb: trace.Create, Holder: "a"},
		{Kind: trace.Written, Request: 1, Verb: trace.Create, Holder: "a", Status: 201},
		{Kind: trace.ResponseHandled, Request: 1, Verb: trace.Create, Status: 201},
		event(0, trace.WorkStarted, 0, 1),
		held(2, s(1), 0), held(3, s(1)-1, 0), held(4, s(5), 429), {At: s(5), Kind: trace.LocalError, Cause: trace.Throttled},
		event(s(6), trace.WorkStarted, 1, 1), event(s(9), trace.WorkEnded, 0, 1),
	} {
		f.Observe(&e)
	}
	var said []string
	for _, step := range f.Explanations(int64(h.Horizon))[0].Steps {
		if step.Event == trace.RequestHeld.String() || step.Event == trace.LocalError.String() && step.AtNs == s(5) {
			said = append(said, step.Text)
		}
	}
	assert.Equal(t, []string{
		"a's client keeps a request back for 1s, in its limiter",
		"a's client keeps a request back for 5s, as the Retry-After of an answer 429 says",
		"a begins to renew again, for 10s, but a's client does not send a request, which would wait in its limiter beyond the end of its context",
	}, said)
}
