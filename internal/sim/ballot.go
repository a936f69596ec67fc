package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/service"
)

// ballotUp handles a due entry of a ballot. A cut watch is tried again at once; anything else waits until a frozen process wakes.
func (w *world) ballotUp(e *queue.Entry) {
	n := w.balloted(e)
	switch {
	case e.Kind == watchRetried:
		w.retryWatch(n)
	case n.parks(e):
	default:
		w.ballotDo(n, e)
	}
}

// balloted returns the node that an entry of a ballot is for.
func (w *world) balloted(e *queue.Entry) *node {
	switch e.Kind {
	case postAnswered:
		return &w.nodes[w.posts.At(e.Ref).node]
	case newsDue:
		return &w.nodes[w.news.At(e.Ref).node]
	}
	return &w.nodes[e.Ref]
}

// ballotDo carries out an entry of n's ballot, unless the process that it was made for has ended or a newer entry has taken its place.
func (w *world) ballotDo(n *node, e *queue.Entry) {
	if e.Kind == newsDue {
		t := w.news.Take(e.Ref)
		if n.alive() && t.incarnation == n.incarnation {
			w.learn(n, &t)
		}
		return
	}
	b, alive := n.ballot, n.alive() && n.ballot.incarnation == n.incarnation
	if e.Kind == postAnswered {
		p := w.posts.Take(e.Ref)
		if alive && p.incarnation == n.incarnation {
			w.posted(n, &p)
		}
		return
	}
	if !alive {
		return
	}
	switch e.Kind {
	case relistDue:
		if !b.watching {
			w.mail(n, post{verb: machine.Get})
		}
	case openDue:
		if b.opening == e.Seq {
			b.open = true
			w.workOn(n)
		}
	case wakeDue:
		if b.work.wake == e.Seq {
			b.work.wake = 0
			w.enqueue(n)
		}
	case resyncDue:
		if b.resyncing == e.Seq {
			w.resync(n)
		}
	case patienceEnds:
		if b.patience == e.Seq {
			b.patience = 0
			b.sent++ // an answer that still comes is late
			w.gaveUpPost(n)
		}
	case collectDue:
		if b.collecting == e.Seq {
			w.collect(n)
		}
	}
}

// alive tells whether the node has a process that is in a Run or between two.
func (n *node) alive() bool { return n.life == running || n.life == resting }

// openBallot begins what a process has beside its elector, and asks for the list that fills its caches.
func (w *world) openBallot(n *node) {
	*n.ballot = ballot{incarnation: n.incarnation, since: w.Now, sent: n.ballot.sent}
	if n.coordinates() {
		w.scheduleCollect(n)
	}
	w.mail(n, post{verb: machine.Get})
}

// gaveUpPost is called where the node has waited long enough for an answer about LeaseCandidates, or the coordinator for one about the Lease.
func (w *world) gaveUpPost(n *node) {
	if n.coordinates() {
		w.coordinatorGaveUp(n)
	} else {
		w.settle(n, false)
	}
}

// waitAtMost has the node give up the wait that begins now after d on its clock; 0 has it wait for ever.
func (w *world) waitAtMost(n *node, d time.Duration) {
	n.ballot.patience = 0
	if d > 0 {
		n.ballot.patience = w.Schedule(n.clock.When(n.clock.Mono(w.Now).Add(d)), patienceEnds, n.index)
	}
}

// posted handles the answer to a post that has arrived at the node.
func (w *world) posted(n *node, p *post) {
	b := n.ballot
	switch {
	case p.verb != machine.Get && n.coordinates():
		w.pinged(n, p)
	case p.verb != machine.Get:
		w.nominated(n, p)
	case p.status != service.StatusOK:
		// A reflector lists again; how long it waits grows from 0.8 s, by random factors. Here it is a second.
		b.watching = false
		w.Schedule(w.Now+reconnect, relistDue, n.index)
	default:
		b.filled, b.cache = true, p.list
		w.listed(n, p)
		w.scheduleOpen(n)
	}
}

// syncPoll is how often a component looks whether its caches are filled (syncedPollPeriod in client-go's tools/cache).
const syncPoll = 100 * time.Millisecond

// scheduleOpen has the worker begin at the next look at whether the caches are filled, which they are now.
func (w *world) scheduleOpen(n *node) {
	at, step := n.ballot.since, clock.Instant(syncPoll)
	if at < w.Now {
		at += (w.Now - at + step - 1) / step * step
	}
	n.ballot.work.dirty = !n.coordinates() || n.ballot.work.dirty
	n.ballot.opening = w.Schedule(at, openDue, n.index)
	w.scheduleResync(n)
}

// scheduleResync schedules the next resync: after five minutes, for the coordinator after ten.
func (w *world) scheduleResync(n *node) {
	period := 5 * time.Minute
	if n.coordinates() {
		period = 10 * time.Minute
	}
	n.ballot.resyncing = w.Schedule(w.Now+clock.Instant(period), resyncDue, n.index)
}

// enqueue marks the one key of the node's work queue as to be worked on, and has the worker take it if it is free.
func (w *world) enqueue(n *node) {
	n.ballot.work.dirty = true
	w.workOn(n)
}

// workOn has the worker take the key, if the key is marked and the worker is open and free.
func (w *world) workOn(n *node) {
	b := n.ballot
	for b.open && b.work.dirty && !b.work.busy {
		b.work.dirty, b.work.busy = false, true
		if n.coordinates() {
			w.reconcile(n)
		} else {
			w.nominate(n)
		}
	}
}

// done ends the work on the key. If the key was marked meanwhile, the worker takes it again.
func (w *world) done(n *node) {
	n.ballot.work.busy = false
	w.workOn(n)
}

// addAfter marks the key after d on the node's clock, unless it is to be marked by then anyway.
func (w *world) addAfter(n *node, d time.Duration) {
	q := &n.ballot.work
	due := n.clock.Mono(w.Now).Add(d)
	if q.wake != 0 && q.due <= due {
		return
	}
	q.due = due
	q.wake = w.Schedule(max(n.clock.When(due), w.Now), wakeDue, n.index)
}

// rearmBallot moves the entry of addAfter, after a change of the node's clock, to where the new rate puts it.
func (w *world) rearmBallot(n *node) {
	if n.ballot != nil && n.ballot.work.wake != 0 {
		n.ballot.work.wake = w.Schedule(max(n.clock.When(n.ballot.work.due), w.Now), wakeDue, n.index)
	}
}

// resync hands the cached objects to their handlers once more, which may mark the key.
func (w *world) resync(n *node) {
	b := n.ballot
	for i := range b.cache {
		if b.cache[i].Ignored() != n.coordinates() {
			w.enqueue(n)
		}
	}
	if n.coordinates() && n.ballot.lease != nil {
		w.enqueue(n)
	}
	w.scheduleResync(n)
}
