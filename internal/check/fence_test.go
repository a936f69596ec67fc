package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
)

// fenced plays claims of the lock, starts of work and its writes: candidate, token.
func fenced(events ...trace.Event) *fenceFold {
	f, r := new(fenceFold), new(trace.Roster)
	r.Reset()
	f.reset(&trace.Header{Candidates: []trace.Candidate{{ID: "a"}, {ID: "b"}, {ID: "c"}}}, r)
	for i := range events {
		events[i].At = int64(i + 1)
		f.observe(&events[i])
		r.Observe(&events[i])
	}
	return f
}

func claims(candidate int32, token uint64) trace.Event {
	return trace.Event{Kind: trace.Written, Candidate: candidate, Holder: string(rune('a' + candidate)), Version: token}
}

func starts(candidate int32) trace.Event {
	return trace.Event{Kind: trace.WorkStarted, Candidate: candidate}
}

func writes(candidate int32, token uint64) trace.Event {
	return trace.Event{Kind: trace.ResourceWritten, Candidate: candidate, Version: token}
}

func TestFencedWritesHeld(t *testing.T) {
	f := fenced(starts(0), writes(0, 1), writes(0, 1), starts(1), writes(0, 1), writes(1, 5), writes(0, 1), writes(1, 5))
	assert.Empty(t, f.violations)
	assert.Equal(t, Resource{Writes: 6, Conflicting: 1, Refused: 1}, f.resource,
		"a write of the old leader before the first of its successor harms nobody")
}

// TestFencedWritesLateStart: a hears of its lock after b has taken it, and is the old leader although its work starts later.
func TestFencedWritesLateStart(t *testing.T) {
	f := fenced(claims(0, 1), claims(1, 2), claims(1, 3), starts(1), writes(1, 2), starts(0), writes(0, 1), writes(1, 2), writes(1, 2))
	assert.Empty(t, f.violations)
	assert.Equal(t, Resource{Writes: 4, Conflicting: 1, Refused: 1}, f.resource)

	f = fenced(claims(0, 1), claims(1, 2), starts(1), starts(0), writes(0, 1), writes(1, 2), writes(0, 1))
	assert.Empty(t, f.violations, "b's first write comes after a's")
	assert.Equal(t, Resource{Writes: 3, Conflicting: 1, Refused: 1}, f.resource)

	f = fenced(claims(0, 5), claims(1, 4), starts(1), starts(0), writes(1, 4), writes(0, 5))
	assert.Len(t, f.violations, 1, "the resource takes the old leader's write after its successor's")
}

func TestFencedWritesViolated(t *testing.T) {
	// The token did not grow: the resource cannot tell the two apart.
	f := fenced(starts(0), writes(0, 5), starts(1), writes(1, 5), writes(0, 5))
	assert.Equal(t, []Violation{{FromNs: 5, ToNs: 5, Candidates: []string{"a", "b"}}}, f.violations)
	assert.Equal(t, Resource{Writes: 3, Conflicting: 1}, f.resource)
}

func TestFencedWritesSmallerToken(t *testing.T) {
	// A token that shrinks shuts the successor out, which is no violation but shows in the count.
	f := fenced(starts(0), writes(0, 5), starts(1), writes(1, 4), writes(0, 5))
	assert.Empty(t, f.violations)
	assert.Equal(t, Resource{Writes: 3, Conflicting: 1, Refused: 1}, f.resource)
}

func TestFencedWritesAgain(t *testing.T) {
	// The same candidate in a later term is its own successor.
	f := fenced(starts(0), writes(0, 1), starts(1), writes(1, 2), starts(0), writes(0, 3), writes(1, 2))
	assert.Empty(t, f.violations)
	assert.Equal(t, Resource{Writes: 4, Conflicting: 1, Refused: 1}, f.resource)
}

func TestFencedWritesOfItsEarlierTerm(t *testing.T) {
	// One that leads again is its own successor: work of its earlier term is an old leader's.
	again := func(e trace.Event) trace.Event { e.Term = 1; return e }
	f := fenced(starts(0), writes(0, 1), starts(1), writes(1, 2), again(starts(0)), again(writes(0, 3)), writes(0, 1))
	assert.Empty(t, f.violations)
	assert.Equal(t, Resource{Writes: 4, Conflicting: 1, Refused: 1}, f.resource)
	f = fenced(starts(0), writes(0, 5), again(starts(0)), again(writes(0, 5)), writes(0, 5))
	assert.Equal(t, []Violation{{FromNs: 5, ToNs: 5, Candidates: []string{"a", "a"}}}, f.violations, "one token for both")
}
