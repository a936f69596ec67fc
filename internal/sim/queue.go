package sim

// entry is something that is due at an instant. Equal instants are taken in the order of their numbers.
type entry struct {
	at   instant
	seq  uint64
	ref  int32
	kind entryKind
}

type entryKind uint8

const (
	// timerDue: ref is node*slots+slot.
	timerDue entryKind = iota
	// requestDue and responseDue: ref is a message.
	requestDue
	responseDue
	// startDue and drainDue: ref is a node.
	startDue
	drainDue
	// faultBegins and faultEnds: ref is a fault.
	faultBegins
	faultEnds
	// cancelDue is a cancel that a paused process has yet to see: ref is a node. It is never in the queue.
	cancelDue
)

func (e *entry) before(o *entry) bool {
	return e.at < o.at || e.at == o.at && e.seq < o.seq
}

// queue is a four-way heap of what is due. Its first entry may wait in front of the heap: most messages are the
// next thing to happen when they are sent, and never enter it.
type queue struct {
	heap     []entry
	front    entry
	hasFront bool
	seq      uint64
}

func (q *queue) empty() bool { return !q.hasFront && len(q.heap) == 0 }

// number returns the next number of an entry.
func (q *queue) number() uint64 {
	q.seq++
	return q.seq
}

func (q *queue) push(e entry) {
	if q.hasFront {
		if e.before(&q.front) {
			e, q.front = q.front, e
		}
	} else if len(q.heap) == 0 || e.before(&q.heap[0]) {
		q.front, q.hasFront = e, true
		return
	}
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

// pop takes the first entry; there must be one.
func (q *queue) pop() entry {
	if q.hasFront {
		q.hasFront = false
		return q.front
	}
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
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return first
}
