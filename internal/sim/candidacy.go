package sim

import (
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/coordinator"
	"interregnum/internal/trace"
	"interregnum/simlock"
)

// CoordinatorID is what faults call the coordinator of coordinated elections.
const CoordinatorID = "coordinator"

// Coordinator is the API server's part of a coordinated election.
type Coordinator struct {
	// StartAt is when, in true time, it starts.
	StartAt time.Duration
	Clock   Clock
	// Request and Response are its way to the store and back; nil is the network's.
	Request, Response *Delay
}

// reconnect is how long a watch whose connection was cut stands still before it is tried again. It then goes on from the
// version it had come to.
const reconnect = instant(time.Second)

// candidacy is a LeaseCandidate in the store. There is none where version is 0.
type candidacy struct {
	coordinator.Candidate
	version uint64
}

// post is a request about LeaseCandidates, or its answer. List asks for all of them, and where the coordinator asks for
// the Lease too.
type post struct {
	node, incarnation int32
	id                uint64
	verb              machine.Verb
	object            candidacy
	status            int
	list              []candidacy
	lease             simlock.Result
}

// news is a watch event on its way. Without found the object is gone.
type news struct {
	node, incarnation int32
	found, isLease    bool
	object            candidacy
	lease             machine.Record
}

// ballot is what a process of a coordinated election has beside its elector: the coordinator all, a candidate its own.
type ballot struct {
	work workqueue
	// sent is the number of the last post.
	sent uint64
	// incarnation is which process it is of, since when it began. watching: the service tells it of changes. filled: its
	// caches are. open: its worker works.
	incarnation            int32
	since                  instant
	watching, filled, open bool
	cache                  []candidacy
	// opening, resyncing and patience are the entries that open the worker, hand the caches out once more, and end the
	// wait for an answer; 0 for none.
	opening, resyncing, patience uint64
	// told is when the last watch event is due; cut are those that wait for the connection.
	told instant
	cut  []news

	coordinating
}

// workqueue is a rate limited queue of one key and its one worker (k8s.io/client-go/util/workqueue).
type workqueue struct {
	// dirty: to be worked on; busy: being worked on.
	dirty, busy bool
	// wake is the entry that adds the key once more, 0 for none.
	wake     uint64
	due      machine.Mono
	failures int
}

// candidacyOf looks up, or adds, the LeaseCandidate of that name.
func (w *world) candidacyOf(name string) *candidacy {
	i, found := slices.BinarySearchFunc(w.candidacies, name, func(c candidacy, s string) int {
		return strings.Compare(c.Name, s)
	})
	if !found {
		w.candidacies = slices.Insert(w.candidacies, i, candidacy{Candidate: coordinator.Candidate{Name: name}})
	}
	return &w.candidacies[i]
}

// mail sends a post.
func (w *world) mail(n *node, p post) {
	n.ballot.sent++
	p.node, p.incarnation, p.id = n.index, n.incarnation, n.ballot.sent
	if w.loses(n, RequestLeg, simlock.Lease) {
		w.lostPost(n, &p)
		return
	}
	w.posts = append(w.posts, p)
	w.schedule(w.now+w.delay(n, RequestLeg, simlock.Lease), postDue, int32(len(w.posts)-1))
}

// deliver is a post's arrival at the service.
func (w *world) deliver(ref int32) {
	p := &w.posts[ref]
	n := &w.nodes[p.node]
	op := simlock.Op{Verb: p.verb, Object: simlock.Lease}
	status, applied := w.refuses(n, &op)
	if status == 0 || applied {
		w.stats.StoreOps++
		w.answerPost(n, p)
	}
	if status != 0 {
		p.status = status
	}
	if w.loses(n, ResponseLeg, simlock.Lease) {
		w.lostPost(n, p)
		return
	}
	at := w.now + w.delay(n, ResponseLeg, simlock.Lease)
	if p.verb == machine.Get {
		n.ballot.told = max(n.ballot.told, at)
	}
	w.schedule(at, postAnswered, ref)
}

// lostPost has a list sent again. All else is for whoever waits to give up.
func (w *world) lostPost(n *node, p *post) {
	if p.verb == machine.Get && p.incarnation == n.incarnation {
		n.ballot.watching = false
		w.schedule(w.now+reconnect, relistDue, n.index)
	}
}

func (w *world) answerPost(n *node, p *post) {
	p.status = 200
	if p.verb == machine.Get {
		p.list = nil
		for i := range w.candidacies {
			if c := &w.candidacies[i]; c.version != 0 && (n.coordinates() || c.Name == n.identity) {
				p.list = append(p.list, *c)
			}
		}
		p.lease = w.store.Apply(&simlock.Op{Verb: machine.Get, Object: simlock.Lease, Key: simlock.Lease.String()})
		n.ballot.watching = true
		return
	}
	c := w.candidacyOf(p.object.Name)
	switch exists := c.version != 0; {
	case p.verb == machine.Create && exists, p.verb != machine.Create && (!exists || c.version != p.object.version):
		p.status = 409
		return
	case p.verb == machine.Resign:
		c.version = 0
		w.store.Bump()
		w.tellCandidacy(n, p.verb, c)
		return
	case p.verb == machine.Create:
		p.object.Created = (epoch + machine.Wall(w.now)).Truncate(time.Second)
	default:
		p.object.Created = c.Created
	}
	p.object.Ping, p.object.Renew = p.object.Ping.Truncate(time.Microsecond), p.object.Renew.Truncate(time.Microsecond)
	if p.object.Candidate != c.Candidate || c.version == 0 {
		c.Candidate, c.version = p.object.Candidate, w.store.Bump()
		w.tellCandidacy(n, p.verb, c)
	}
	p.object = *c
}

// tellCandidacy tells all who watch a LeaseCandidate that it has changed.
func (w *world) tellCandidacy(by *node, verb machine.Verb, c *candidacy) {
	e := w.event(trace.CandidacyWritten, by)
	e.Holder, e.Version = c.Name, c.version
	w.emit(e)
	for i := range w.nodes {
		if n := &w.nodes[i]; n.ballot != nil && (n.coordinates() || n.identity == c.Name) {
			w.tellOf(n, news{found: c.version != 0, object: *c})
		}
	}
}

// tellLease tells the coordinator that the Lease has changed.
func (w *world) tellLease(found bool, r *machine.Record) {
	if len(w.nodes) == 0 {
		return
	}
	if n := &w.nodes[len(w.nodes)-1]; n.coordinates() {
		e := news{isLease: true, found: found}
		if found {
			e.lease.Set(r)
		}
		w.tellOf(n, e)
	}
}

// tellOf sends a watch event. A stream keeps its order, and loses nothing but time.
func (w *world) tellOf(n *node, e news) {
	if !n.ballot.watching || n.ballot.incarnation != n.incarnation || !n.alive() {
		return
	}
	e.node, e.incarnation = n.index, n.incarnation
	b := n.ballot
	if len(b.cut) > 0 || w.loses(n, ResponseLeg, simlock.Lease) {
		if b.cut = append(b.cut, e); len(b.cut) == 1 {
			w.schedule(w.now+reconnect, watchRetried, n.index)
		}
		return
	}
	w.putNews(n, 0, &e)
}

// putNews has a watch event arrive after all those before it, once its connection is made.
func (w *world) putNews(n *node, connected instant, e *news) {
	b := n.ballot
	b.told = max(b.told, w.now+connected+w.delay(n, ResponseLeg, simlock.Lease))
	ref := int32(len(w.news))
	if last := len(w.freeNews) - 1; last >= 0 {
		ref = w.freeNews[last]
		w.freeNews = w.freeNews[:last]
		w.news[ref] = *e
	} else {
		w.news = append(w.news, *e)
	}
	w.schedule(b.told, newsDue, ref)
}

// retryWatch is the end of a watch's wait for its connection.
func (w *world) retryWatch(n *node) {
	b := n.ballot
	if len(b.cut) == 0 {
		return
	}
	if w.loses(n, RequestLeg, simlock.Lease) || w.loses(n, ResponseLeg, simlock.Lease) {
		w.schedule(w.now+reconnect, watchRetried, n.index)
		return
	}
	cut := b.cut
	b.cut = nil
	way := w.delay(n, RequestLeg, simlock.Lease)
	for i := range cut {
		w.putNews(n, way, &cut[i])
	}
}

// ballotUp hands a due entry of a ballot to whom it is for, unless that one is frozen or gone.
func (w *world) ballotUp(e *entry) {
	n := w.balloted(e)
	switch {
	case e.kind == watchRetried:
		w.retryWatch(n)
	case n.paused > 0:
		n.pending = append(n.pending, *e)
	default:
		w.ballotDo(n, e)
	}
}

func (w *world) balloted(e *entry) *node {
	switch e.kind {
	case postAnswered:
		return &w.nodes[w.posts[e.ref].node]
	case newsDue:
		return &w.nodes[w.news[e.ref].node]
	}
	return &w.nodes[e.ref]
}

func (w *world) ballotDo(n *node, e *entry) {
	if e.kind == newsDue {
		t := w.news[e.ref]
		w.freeNews = append(w.freeNews, e.ref)
		if n.alive() && t.incarnation == n.incarnation {
			w.learn(n, &t)
		}
		return
	}
	b := n.ballot
	if !n.alive() || b.incarnation != n.incarnation {
		return
	}
	switch e.kind {
	case postAnswered:
		if p := &w.posts[e.ref]; p.incarnation == n.incarnation {
			w.posted(n, p)
		}
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

// learn takes in a watch event.
func (w *world) learn(n *node, t *news) {
	b := n.ballot
	if t.isLease {
		w.leaseNews(n, t)
		return
	}
	i := slices.IndexFunc(b.cache, func(c candidacy) bool { return c.Name == t.object.Name })
	known := i >= 0
	switch {
	case !t.found && known:
		b.cache = slices.Delete(b.cache, i, i+1)
	case t.found && known:
		b.cache[i] = t.object
	case t.found:
		b.cache = append(b.cache, t.object)
	}
	switch {
	case n.coordinates():
		if !t.object.Ignored() {
			w.enqueue(n)
		}
	case t.found && known && t.object.Ignored():
		w.enqueue(n)
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
