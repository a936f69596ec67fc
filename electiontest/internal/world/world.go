package world

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"interregnum/electiontest/internal/bubble"
	"interregnum/electiontest/internal/lockobject"
	"interregnum/electiontest/internal/order"
	"interregnum/electiontest/internal/post"
	"interregnum/internal/sim/network"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// world is one run. It lives in a bubble of testing/synctest.
type world struct {
	scenario *scenarios.Scenario
	header   *trace.Header
	// run is the function under test.
	run    func(context.Context, *Part)
	server *fakekube.Server
	bubble *bubble.Bubble
	start  time.Time
	// locks are the objects of the elections' locks: of one election where the scenario names none.
	locks []types.NamespacedName
	// mayKeep is Setup.MayKeep: perhaps the code never releases the lock, though the scenario says that it does.
	mayKeep bool
	// over is closed at the horizon.
	over chan struct{}
	// touched asks for a look at the beliefs.
	touched chan struct{}

	// mu guards all that follows, and all that is said of candidates below.
	mu sync.Mutex
	// events are those so far, each with the step that it happened in.
	events []order.Event
	step   int
	post   *post.Post
	nodes  []*node
	// seats are those of all nodes, in the order of the scenario's candidates.
	seats []*seat
	// functions has, for each goroutine that runs a candidate's function, the process.
	functions map[string]*process
	// askers has, for each goroutine, the seat whose lock it has last asked for; answered is the seat that was answered last.
	askers   map[string]*seat
	answered *seat
	// targets has, for each fault, the seats that it is on; those of a role once it has begun.
	targets []network.Scope
	// holders has, for each election and kind of object, the identity of the process that the record names; aliases are the
	// processes that call themselves otherwise in it.
	holders [][trace.Objects]string
	// stored has the record as the service's last answer about it had it, nil before the first.
	stored   [][trace.Objects]*lockobject.Record
	aliases  map[string]*process
	storeOps uint64
	// erred has, for each goroutine, how many errors it has had at its last instant with any.
	erred map[string]errorsAt
	signs
}

// signs are what a run has shown of itself. They tell whether its verdicts mean anything: see blind.
type signs struct {
	// problem is what makes the run worthless, "" for nothing.
	problem string
	// met: a fault has met something.
	met bool
	// asked tells of each election that somebody asked for its lock.
	asked []bool
	// tried: somebody has tried to write a lock.
	tried bool
	// guarded, observed and wrote: Guard, Observe and Wrote were called. unseen: a candidate has tried to take or
	// renew a lock without a call of Observe, so that it may have led without anybody's knowledge.
	guarded, observed, wrote, unseen bool
	// outlived are the candidates whose functions had returned while their guarded work went on.
	outlived []Outlived
	// forgotten tells of the first work of a goroutine that an OnStartedLeading had forgotten, "" for none.
	forgotten string
	// unknown is why the run shows nothing of a goroutine that perhaps did work for an OnStartedLeading, when another candidate led; "" for
	// none. See meetsForgotten, forgottenWorks and outlivedWorks.
	unknown string
	// unserved are the requests that the server in memory does not serve.
	unserved map[string]bool
	// free counts the answers that there was no lock yet.
	free int
	// clocked: somebody has taken a candidate's own clock.
	clocked bool
	// released: somebody has released a lock. doubted: work has gone on in such a way that whoever releases it may overlap.
	released, doubted bool
	// instead are other objects of the kinds of locks that were asked for, each once.
	instead []string
}

// node is one candidate of the scenario through all its incarnations, in all its elections.
type node struct {
	world *world
	// plan is the candidate in its first election; what is the process's is the same in all.
	plan     *scenarios.Candidate
	identity string
	// seats are its candidacies, one for each of its elections.
	seats []*seat
	// process is the current one, nil before the first.
	process *process
	// disturbed: something has been in its way, such as a fault.
	disturbed bool
	// hosts has, for each name that the server gets in place of one with the host's name, what the candidate calls itself.
	hosts map[string]string
	// burst counts the requests of the instant burstAt.
	burst   int
	burstAt time.Duration
	// spun: it has sent too many at one instant. Its requests have no answers any more, not even when the run is over.
	spun bool
}

// process is one incarnation of a candidate.
type process struct {
	node        *node
	incarnation int32
	identity    string
	// parts are in the order of the node's seats.
	parts []*Part
	// dead is closed by a crash.
	dead chan struct{}
	// ctx is the context that the function was given last, and cancel ends it.
	ctx    context.Context
	cancel context.CancelFunc
	// warm: no controller of it warms up any more.
	warm bool
	// began is when the present or last call of the function began; asks: it has asked for a lock.
	began time.Duration
	asks  bool
	// running: the function has not returned. left: it has returned, and will not be called again.
	running, left bool
}

// seat is one candidate in one of its elections, through all its incarnations.
type seat struct {
	node *node
	// index is its place among the scenario's candidates, election that of its election among the scenario's.
	index, election int
	plan            *scenarios.Candidate
	key             types.NamespacedName
	// part is that of the current process, nil before the first.
	part     *Part
	requests uint64
	// asked: somebody asked for its lock.
	asked bool
	// ledAt is when it had first taken the lock and renewed it, 0 if it never has.
	ledAt time.Duration
	// whole: the kit guards all that it does while it leads, around OnStartedLeading. early: that has returned while it led.
	whole, early bool
	// jitter, delays and losses are its random streams. jitters counts the draws for which the scenario has a number.
	jitter, delays, losses *rand.Rand
	jitters                int
	// drawn counts, for each text that other requests than those on the lock are known by, how many anything was drawn for.
	drawn map[string]int
}

// Part is what one process does in one election. A process has a Part for each seat of its node.
type Part struct {
	process *process
	seat    *seat
	// runs: it takes part now. releases: its OnStoppedLeading has returned, and a release may follow. flying is how many requests on
	// the lock are under way.
	runs, releases bool
	flying         int
	// terms counts its terms, termsBefore those before the present Run. stopped is the last one whose end OnStoppedLeading has
	// told. open are those that go on.
	terms, termsBefore, stopped int32
	open                        []*term
	// returned is the last return of OnStartedLeading, nil unless it was early.
	returned *earlyReturn
	// behind is the last return of OnStartedLeading that has left goroutines behind, nil for none, and began where the first of them was begun.
	behind *earlyReturn
	began  string
	// aides are the ids of goroutines of client-go that it has left behind.
	aides []string
	// returns are those of OnStartedLeading, in order. leads is the context that it was given last, nil for none.
	returns  []startedReturn
	leads    context.Context
	elector  Believer
	believes bool
	// version is that of the record as of its last write that was answered; renewed: that write named a holder. led: it has taken
	// the lock and renewed it.
	version      uint64
	renewed, led bool
}

// Believer is an elector, which says whether it leads.
type Believer interface{ IsLeader() bool }

// term is one stretch of guarded work: it begins with a call of Guard, and ends when every Guard called with its context is
// done.
type term struct {
	part   *Part
	number int32
	// guards counts the calls of Guard whose end has not come.
	guards    int
	ctx       context.Context
	cancelled bool
	// at is when it began, and late the place of the Guard that has begun it, if ctx had ended by then; otherwise "".
	at   time.Duration
	late string
	// unwatch ends the wait for the context's end.
	unwatch func() bool
}

// Outlived is a candidate whose function had returned while its guarded work went on. Seat is its index in the trace, At the
// time of the return.
type Outlived struct {
	Seat int32
	At   time.Duration
}
