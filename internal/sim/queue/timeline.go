package queue

import "interregnum/internal/sim/clock"

// Timeline is the true time of a run, and what is due in it before its horizon.
type Timeline struct {
	Queue
	Now, Horizon clock.Instant
}

// Reset empties the timeline, and sets its time to 0 and its horizon to the given one.
func (t *Timeline) Reset(horizon clock.Instant) {
	t.Queue.Reset()
	t.Now, t.Horizon = 0, horizon
}

// Next removes and returns the first entry, and moves the time to its instant.
func (t *Timeline) Next() Entry {
	e := t.Pop()
	t.Now = e.At
	return e
}

// Schedule adds an entry of kind k about ref, and returns its sequence number. An entry at or after the horizon only gets
// a number: it is never due.
func (t *Timeline) Schedule(at clock.Instant, k Kind, ref int32) uint64 {
	seq := t.Number()
	t.ScheduleAs(seq, at, k, ref)
	return seq
}

// ScheduleAs adds an entry of kind k about ref, with the sequence number seq, taken before. It adds none at or after the horizon,
// and then returns false; otherwise it returns true.
func (t *Timeline) ScheduleAs(seq uint64, at clock.Instant, k Kind, ref int32) bool {
	if at < t.Horizon {
		t.Push(Entry{At: at, Seq: seq, Kind: k, Ref: ref})
	}
	return at < t.Horizon
}
