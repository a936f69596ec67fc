// Package queue holds what is due in a run, in order.
package queue

import "interregnum/internal/sim/clock"

// Entry is something that is due at an instant. Entries that are due at the same instant come in the order of Seq.
type Entry struct {
	At  clock.Instant
	Seq uint64
	// Ref is what the entry is about, as its kind says.
	Ref  int32
	Kind Kind
}

// Kind is what is due. It takes four bytes, so that an entry is copied in three moves.
type Kind uint32

// Before tells whether e is due before o, by instant and then by number.
func (e Entry) Before(o Entry) bool {
	return e.At < o.At || e.At == o.At && e.Seq < o.Seq
}

// Queue holds what is due. What it held when Settle was called is in the agenda, a sorted list. Of the other entries
// the few that come first are kept in order, latest first, before a four-way heap of the rest: most messages are the
// next thing to happen when they are sent, and never enter the heap. Use Reset.
type Queue struct {
	near [nearest]Entry
	// first is how many entries near holds; all of them come before those of the heap.
	first int
	heap  []Entry
	seq   uint64
	// agenda holds, in order, what was there when Settle was called. In the heap it would only make that deeper. planned is when its
	// first entry is due, clock.Never if there is none.
	agenda  []Entry
	planned clock.Instant
	// room is the memory of the agenda.
	room []Entry
}

// Reset makes q an empty queue.
func (q *Queue) Reset() {
	q.first, q.heap, q.seq = 0, q.heap[:0], 0
	q.plan(nil)
}

// plan makes the sorted list all the agenda.
func (q *Queue) plan(all []Entry) {
	q.agenda, q.planned = all, clock.Never
	if len(all) > 0 {
		q.planned = all[0].At
	}
}

// Settle moves all entries into the agenda, a sorted list. It is called once, before the run begins.
func (q *Queue) Settle() {
	q.room = q.room[:0]
	for q.first > 0 || len(q.heap) > 0 {
		q.room = append(q.room, q.popDue())
	}
	q.plan(q.room)
}

// nearest is how many entries are kept in order before the heap.
const nearest = 12

// Empty tells whether nothing is due any more.
func (q *Queue) Empty() bool { return q.first == 0 && len(q.heap) == 0 && len(q.agenda) == 0 }

// NextAt returns when the first entry is due, clock.Never if there is none.
func (q *Queue) NextAt() clock.Instant {
	at := clock.Never
	switch {
	case q.first > 0:
		at = q.near[q.first-1].At
	case len(q.heap) > 0:
		at = q.heap[0].At
	}
	return min(at, q.planned)
}

// First returns the first entry, which stays in the queue; there must be one. It is good until the queue changes.
func (q *Queue) First() *Entry {
	switch {
	case len(q.agenda) > 0 && q.agendaFirst():
		return &q.agenda[0]
	case q.first > 0:
		return &q.near[q.first-1]
	}
	return &q.heap[0]
}

// Number takes and returns the next sequence number of an entry.
func (q *Queue) Number() uint64 {
	q.seq++
	return q.seq
}

// Push adds an entry: in its place among the nearest, or to the heap. e.Seq must be set, to what Number has returned.
func (q *Queue) Push(e Entry) {
	if len(q.heap) > 0 && (q.first == 0 || q.near[0].Before(e)) && !e.Before(q.heap[0]) {
		q.pushFar(e)
		return
	}
	if q.first == nearest {
		last := q.near[0]
		if last.Before(e) {
			q.pushFar(e)
			return
		}
		q.pushFar(last)
		copy(q.near[:], q.near[1:])
		q.first--
	}
	q.first++
	near := q.near[:q.first]
	i := len(near) - 1
	for ; i > 0 && near[i-1].Before(e); i-- {
		near[i] = near[i-1]
	}
	near[i] = e
}

// pushFar adds an entry to the heap. It is a call of its own: few entries go there, and Push is called for each.
//
//go:noinline
func (q *Queue) pushFar(e Entry) {
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.Before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

// Pop removes and returns the first entry; there must be one.
func (q *Queue) Pop() Entry {
	if q.first > 0 && q.near[q.first-1].At < q.planned { // so it is for most
		q.first--
		return q.near[q.first]
	}
	if len(q.agenda) > 0 && q.agendaFirst() {
		e := q.agenda[0]
		q.plan(q.agenda[1:])
		return e
	}
	return q.popDue()
}

// agendaFirst tells whether the first entry of the agenda, which must not be empty, is due before all entries outside the
// agenda.
func (q *Queue) agendaFirst() bool {
	switch {
	case q.first > 0:
		return q.agenda[0].Before(q.near[q.first-1])
	case len(q.heap) > 0:
		return q.agenda[0].Before(q.heap[0])
	}
	return true
}

// popDue removes and returns the first entry outside the agenda; there must be one.
func (q *Queue) popDue() Entry {
	if q.first > 0 {
		q.first--
		return q.near[q.first]
	}
	return q.popFar()
}

// popFar removes and returns the first entry of the heap; there must be one.
func (q *Queue) popFar() Entry {
	h := q.heap
	first := h[0]
	last := h[len(h)-1]
	h = h[:len(h)-1]
	q.heap = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(h)); c++ {
			if h[c].Before(h[least]) {
				least = c
			}
		}
		if !h[least].Before(last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return first
}
