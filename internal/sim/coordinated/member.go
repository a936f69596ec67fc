package coordinated

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/network"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/recorder"
	"interregnum/internal/sim/seat"
	"interregnum/internal/sim/service"
	"interregnum/simlock"
)

// World is what all members of the election share.
type World struct {
	*queue.Timeline
	Network  *network.Network
	Service  *service.Service
	Recorder *recorder.Recorder
	Seed     uint64

	// members has each member at the index of its seat, and nil for a seat that is in no coordinated election.
	// coordinator is the last member.
	members     []*member
	coordinator *member
	posts       queue.Pool[post]
	news        queue.Pool[news]
}

// post is a request about LeaseCandidates, or its answer. A candidate's Get lists its own; the coordinator's Get lists
// all, and the Lease too.
type post struct {
	from        *member
	incarnation int32
	id          uint64
	verb        machine.Verb
	object      service.Candidacy
	status      int
	list        []service.Candidacy
	lease       simlock.Result
}

// news is a watch event on its way. If found is false, the object was deleted.
type news struct {
	to             *member
	incarnation    int32
	found, isLease bool
	object         service.Candidacy
	lease          machine.Record
}

// member is a seat's component that watches LeaseCandidates and works on one key: a candidate's own, or the coordinator's.
type member struct {
	*seat.Seat
	*World
	worker
	// process is the incarnation that the member belongs to, and since is when that began.
	process int32
	since   clock.Instant
	// sent is the number of the last post.
	sent uint64

	// watching: the service tells it of changes. open: its worker works.
	watching, open bool
	cache          []service.Candidacy
	// lease is the coordinator's cache of the Lease, nil if there is none.
	lease *machine.Record
	key   workqueue
	// opening, resyncing and patience are the entries that open the worker, hand the caches out once more, and end the
	// wait for an answer; 0 for none. givesUp is when that wait ends, on the member's clock.
	opening, resyncing, patience uint64
	givesUp                      machine.Mono
	// told is when the last watch event is due; cut are the watch events that wait for the connection.
	told clock.Instant
	cut  []news
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

// worker is what a candidate's component and the coordinator do differently.
type worker interface {
	// begins tells whether there is anything to work on once the caches are filled.
	begins() bool
	// wants tells whether the LeaseCandidate c is a reason to work on the key. changed is false if c was not in the cache
	// before, or was deleted.
	wants(c *service.Candidacy, changed bool) bool
	// work makes one step on the key. The step ends when done is called, by work itself or later.
	work()
	// answered handles the answer p to a request that was not a list.
	answered(p *post)
	// gaveUp is called when the answer to a step's request has not come in time.
	gaveUp()
	// period returns how often the cached objects are handed out once more.
	period() time.Duration
}

// current tells whether the member belongs to the present process, and that process is in a Run or between two Runs.
func (m *member) current() bool { return m.Alive() && m.process == m.Incarnation }

// waitAtMost begins the worker's wait for an answer, in place of the one before. The member gives up after d on its own clock;
// with 0 it waits for ever.
func (m *member) waitAtMost(d time.Duration) {
	m.patience = 0
	if d > 0 {
		m.givesUp = m.Clock.Mono(m.Now).Add(d)
		m.rearmPatience()
	}
}

// rearmPatience schedules the end of the wait for an answer, by the present rate of the member's clock.
func (m *member) rearmPatience() {
	m.patience = m.Schedule(max(m.Clock.When(m.givesUp), m.Now), patienceEnds, m.Index)
}

// Underway returns how many requests and watch events there is room for, and how many are on their way.
func (w *World) Underway() (room, used int) {
	room, used = w.posts.Size()
	more, others := w.news.Size()
	return room + more, used + others
}
