package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/service"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// reconnect is how long a watch whose connection was cut stands still before it is tried again. It then goes on from the
// version it had come to.
const reconnect = clock.Instant(time.Second)

// post is a request about LeaseCandidates, or its answer. List asks for all of them, and where the coordinator asks for
// the Lease too.
type post struct {
	node, incarnation int32
	id                uint64
	verb              machine.Verb
	object            service.Candidacy
	status            int
	list              []service.Candidacy
	lease             simlock.Result
}

// news is a watch event on its way. Without found the object is gone.
type news struct {
	node, incarnation int32
	found, isLease    bool
	object            service.Candidacy
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
	since                  clock.Instant
	watching, filled, open bool
	cache                  []service.Candidacy
	// opening, resyncing and patience are the entries that open the worker, hand the caches out once more, and end the
	// wait for an answer; 0 for none.
	opening, resyncing, patience uint64
	// told is when the last watch event is due; cut are those that wait for the connection.
	told clock.Instant
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

// mail numbers a post and sends it to the service, unless it is lost.
func (w *world) mail(n *node, p post) {
	n.ballot.sent++
	p.node, p.incarnation, p.id = n.index, n.incarnation, n.ballot.sent
	lost, takes := w.network.Carry(&n.line, plan.RequestLeg, simlock.Lease)
	if lost {
		w.lostPost(n, &p)
		return
	}
	w.Schedule(w.Now+takes, postDue, w.posts.Put(p))
}

// deliver handles a post that arrives at the service: it is executed or refused, and its answer sent back.
func (w *world) deliver(ref int32) {
	p := w.posts.At(ref)
	n := &w.nodes[p.node]
	op := simlock.Op{Verb: p.verb, Object: simlock.Lease}
	status, applied := w.network.Refuses(&n.line, &op)
	if status == 0 || applied {
		w.stats.StoreOps++
		w.answerPost(n, p)
	}
	if status != 0 {
		p.status = status
	}
	lost, takes := w.network.Carry(&n.line, plan.ResponseLeg, simlock.Lease)
	if lost {
		w.lostPost(n, p)
		w.posts.Free(ref)
		return
	}
	at := w.Now + takes
	if p.verb == machine.Get {
		n.ballot.told = max(n.ballot.told, at)
	}
	w.Schedule(at, postAnswered, ref)
}

// lostPost is called where a post or its answer is lost: a list is sent again later, for all else whoever waits gives up.
func (w *world) lostPost(n *node, p *post) {
	if p.verb == machine.Get && p.incarnation == n.incarnation {
		n.ballot.watching = false
		w.Schedule(w.Now+reconnect, relistDue, n.index)
	}
}

// answerPost executes a post in the service and fills in its answer.
func (w *world) answerPost(n *node, p *post) {
	if p.verb != machine.Get {
		var changed bool
		if p.status, changed = w.service.Nominate(w.Now, p.verb, &p.object); changed {
			w.tellCandidacy(n, &p.object)
		}
		return
	}
	name := n.identity
	if n.coordinates() {
		name, p.lease = "", w.service.Lease()
	}
	p.status, p.list = service.StatusOK, w.service.Candidacies(name)
	n.ballot.watching = true
}
