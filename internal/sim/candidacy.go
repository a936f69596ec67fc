package sim

import (
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/coordinator"
	"interregnum/internal/sim/clock"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// reconnect is how long a watch whose connection was cut stands still before it is tried again. It then goes on from the
// version it had come to.
const reconnect = clock.Instant(time.Second)

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
	since                  clock.Instant
	watching, filled, open bool
	cache                  []candidacy
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

// candidacyOf returns the LeaseCandidate of that name in the store. Where there is none it adds an entry with version 0.
func (w *world) candidacyOf(name string) *candidacy {
	i, found := slices.BinarySearchFunc(w.candidacies, name, func(c candidacy, s string) int {
		return strings.Compare(c.Name, s)
	})
	if !found {
		w.candidacies = slices.Insert(w.candidacies, i, candidacy{Candidate: coordinator.Candidate{Name: name}})
	}
	return &w.candidacies[i]
}

// mail numbers a post and sends it to the service, unless it is lost.
func (w *world) mail(n *node, p post) {
	n.ballot.sent++
	p.node, p.incarnation, p.id = n.index, n.incarnation, n.ballot.sent
	if w.loses(n, plan.RequestLeg, simlock.Lease) {
		w.lostPost(n, &p)
		return
	}
	w.Schedule(w.Now+w.delay(n, plan.RequestLeg, simlock.Lease), postDue, w.posts.Put(p))
}

// deliver handles a post that arrives at the service: it is executed or refused, and its answer sent back.
func (w *world) deliver(ref int32) {
	p := w.posts.At(ref)
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
	if w.loses(n, plan.ResponseLeg, simlock.Lease) {
		w.lostPost(n, p)
		w.posts.Free(ref)
		return
	}
	at := w.Now + w.delay(n, plan.ResponseLeg, simlock.Lease)
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

// answerPost executes a post in the store and fills in its answer. A create of what is there, or a write of another
// version than the current one, is answered 409.
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
		p.object.Created = (clock.Epoch + machine.Wall(w.Now)).Truncate(time.Second)
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
