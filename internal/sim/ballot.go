package sim

import (
	"time"

	"interregnum/elector/machine"
)

// ballotUp hands a due entry of a ballot to whom it is for, unless that one is frozen or gone.
func (w *world) ballotUp(e *entry) {
	n := w.balloted(e)
	switch {
	case e.kind == watchRetried:
		w.retryWatch(n)
	case n.parks(e):
	default:
		w.ballotDo(n, e)
	}
}

func (w *world) balloted(e *entry) *node {
	switch e.kind {
	case postAnswered:
		return &w.nodes[w.posts.at(e.ref).node]
	case newsDue:
		return &w.nodes[w.news.at(e.ref).node]
	}
	return &w.nodes[e.ref]
}

func (w *world) ballotDo(n *node, e *entry) {
	if e.kind == newsDue {
		t := w.news.take(e.ref)
		if n.alive() && t.incarnation == n.incarnation {
			w.learn(n, &t)
		}
		return
	}
	b, alive := n.ballot, n.alive() && n.ballot.incarnation == n.incarnation
	if e.kind == postAnswered {
		p := w.posts.take(e.ref)
		if alive && p.incarnation == n.incarnation {
			w.posted(n, &p)
		}
		return
	}
	if !alive {
		return
	}
	switch e.kind {
	case relistDue:
		if !b.watching {
			w.mail(n, post{verb: machine.Get})
		}
	case openDue:
		if b.opening == e.seq {
			b.open = true
			w.workOn(n)
		}
	case wakeDue:
		if b.work.wake == e.seq {
			b.work.wake = 0
			w.enqueue(n)
		}
	case resyncDue:
		if b.resyncing == e.seq {
			w.resync(n)
		}
	case patienceEnds:
		if b.patience == e.seq {
			b.patience = 0
			b.sent++ // an answer that still comes is late
			w.gaveUpPost(n)
		}
	case collectDue:
		if b.collecting == e.seq {
			w.collect(n)
		}
	}
}

// alive tells whether there is a process that goes on.
func (n *node) alive() bool { return n.life == running || n.life == resting }

// openBallot begins what a process has beside its elector: its caches are filled first.
func (w *world) openBallot(n *node) {
	*n.ballot = ballot{incarnation: n.incarnation, since: w.now, sent: n.ballot.sent}
	if n.coordinates() {
		w.scheduleCollect(n)
	}
	w.mail(n, post{verb: machine.Get})
}

// gaveUpPost is the end of a wait for answers about LeaseCandidates, or the coordinator's about the Lease.
func (w *world) gaveUpPost(n *node) {
	if n.coordinates() {
		w.coordinatorGaveUp(n)
	} else {
		w.settle(n, false)
	}
}

// waitAtMost has the wait that begins now end after d, on the node's clock; 0 is never.
func (w *world) waitAtMost(n *node, d time.Duration) {
	n.ballot.patience = 0
	if d > 0 {
		n.ballot.patience = w.schedule(n.clock.when(n.clock.mono(w.now).Add(d)), patienceEnds, n.index)
	}
}

// posted is the answer to a post.
func (w *world) posted(n *node, p *post) {
	b := n.ballot
	switch {
	case p.verb != machine.Get && n.coordinates():
		w.pinged(n, p)
	case p.verb != machine.Get:
		w.nominated(n, p)
	case p.status != 200:
		// A reflector lists again; how long it waits grows from 0.8 s, by random factors. Here it is a second.
		b.watching = false
		w.schedule(w.now+reconnect, relistDue, n.index)
	default:
		b.filled, b.cache = true, p.list
		w.listed(n, p)
		w.scheduleOpen(n)
	}
}

// syncPoll is how often a component looks whether its caches are filled (syncedPollPeriod in client-go's tools/cache).
const syncPoll = 100 * time.Millisecond

// scheduleOpen has the worker begin once it is seen that the caches are filled.
func (w *world) scheduleOpen(n *node) {
	at, step := n.ballot.since, instant(syncPoll)
	if at < w.now {
		at += (w.now - at + step - 1) / step * step
	}
	n.ballot.work.dirty = !n.coordinates() || n.ballot.work.dirty
	n.ballot.opening = w.schedule(at, openDue, n.index)
	w.scheduleResync(n)
}

func (w *world) scheduleResync(n *node) {
	period := 5 * time.Minute
	if n.coordinates() {
		period = 10 * time.Minute
	}
	n.ballot.resyncing = w.schedule(w.now+instant(period), resyncDue, n.index)
}

func (w *world) enqueue(n *node) {
	n.ballot.work.dirty = true
	w.workOn(n)
}

// workOn has the worker take the key, if there is one.
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

// done ends the work on the key.
func (w *world) done(n *node) {
	n.ballot.work.busy = false
	w.workOn(n)
}

// addAfter adds the key later, or earlier where that is due already.
func (w *world) addAfter(n *node, d time.Duration) {
	q := &n.ballot.work
	due := n.clock.mono(w.now).Add(d)
	if q.wake != 0 && q.due <= due {
		return
	}
	q.due = due
	q.wake = w.schedule(max(n.clock.when(due), w.now), wakeDue, n.index)
}

// rearmBallot moves the entry of addAfter to where the clock's new rate puts it.
func (w *world) rearmBallot(n *node) {
	if n.ballot != nil && n.ballot.work.wake != 0 {
		n.ballot.work.wake = w.schedule(max(n.clock.when(n.ballot.work.due), w.now), wakeDue, n.index)
	}
}

// resync hands the caches to their handlers once more.
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
