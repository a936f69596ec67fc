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
	// startDue, drainDue and strayDue: ref is a node.
	startDue
	drainDue
	strayDue
	// faultBegins and faultEnds: ref is a fault.
	faultBegins
	faultEnds
	// expiryDue is when a key's entry may have run out.
	expiryDue
	// postDue and postAnswered: ref is a post. newsDue: ref is a watch event. All that follow: ref is a node.
	postDue
	postAnswered
	newsDue
	watchRetried
	relistDue
	openDue
	wakeDue
	resyncDue
	patienceEnds
	collectDue
	// probeDue: ref is the first node of a process.
	probeDue
	// cancelDue is a cancel that a paused process has yet to see: ref is a node. It is never in the queue.
	cancelDue
)

// before tells whether e is due before o, by instant and then by number.
func (e *entry) before(o *entry) bool {
	return e.at < o.at || e.at == o.at && e.seq < o.seq
}

// queue holds what is due. The few entries that come first are kept in order, latest first, before a four-way heap
// of all others: most messages are the next thing to happen when they are sent, and never enter the heap.
type queue struct {
	near [nearest]entry
	// first is how many entries near holds; all of them come before those of the heap.
	first int
	heap  []entry
	seq   uint64
	// agenda holds, in order, what was known from the start: it would only make the heap deeper.
	agenda []entry
}

// settle moves all entries into the agenda, in order. It is called once, before the run begins.
func (q *queue) settle() {
	q.agenda = make([]entry, 0, q.first+len(q.heap))
	for q.first > 0 || len(q.heap) > 0 {
		q.agenda = append(q.agenda, q.popDue())
	}
}

const nearest = 12

func (q *queue) empty() bool { return q.first == 0 && len(q.heap) == 0 && len(q.agenda) == 0 }

// number returns the next number of an entry.
func (q *queue) number() uint64 {
	q.seq++
	return q.seq
}

// push adds an entry: in its place among the nearest, or to the heap.
func (q *queue) push(e entry) {
	if len(q.heap) > 0 && (q.first == 0 || q.near[0].before(&e)) && !e.before(&q.heap[0]) {
		q.pushFar(e)
		return
	}
	if q.first == nearest {
		last := q.near[0]
		if last.before(&e) {
			q.pushFar(e)
			return
		}
		q.pushFar(last)
		copy(q.near[:], q.near[1:])
		q.first--
	}
	i := q.first
	for i > 0 && q.near[i-1].before(&e) {
		q.near[i] = q.near[i-1]
		i--
	}
	q.near[i] = e
	q.first++
}

// pushFar adds an entry to the heap.
func (q *queue) pushFar(e entry) {
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
	if len(q.agenda) > 0 && q.agendaFirst() {
		e := q.agenda[0]
		q.agenda = q.agenda[1:]
		return e
	}
	return q.popDue()
}

// agendaFirst tells whether the first entry of the agenda is due before all others.
func (q *queue) agendaFirst() bool {
	switch {
	case q.first > 0:
		return q.agenda[0].before(&q.near[q.first-1])
	case len(q.heap) > 0:
		return q.agenda[0].before(&q.heap[0])
	}
	return true
}

// popDue takes the first entry of those outside the agenda; there must be one.
func (q *queue) popDue() entry {
	if q.first > 0 {
		q.first--
		return q.near[q.first]
	}
	return q.popFar()
}

// popFar takes the first entry of the heap; there must be one.
func (q *queue) popFar() entry {
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
