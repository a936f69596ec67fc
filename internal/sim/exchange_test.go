package sim

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/fate"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

var (
	shortcutRuns  = flag.Int("shortcut.runs", 3000, "how many random plans to run with the short cut and without")
	shortcutFirst = flag.Uint64("shortcut.first", 1, "the seed of the first of them")
)

// TestShortcutAligned: plans in which much happens at once give the same events where each request waits in the queue.
func TestShortcutAligned(t *testing.T) {
	var direct Runner
	plain := Runner{NoShortcut: true}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.OneOf(anyPlan(), clientPlan()).Draw(t, "plan")
		one, other := tape{plan: p}, tape{plan: p}
		stats, err := direct.Run(p, &one)
		require.NoError(t, err)
		same, err := plain.Run(p, &other)
		require.NoError(t, err)
		require.Equal(t, other.events, one.events)
		require.Equal(t, same, stats)
	})
}

// TestShortcut: random plans of all sorts give the same hash, and as many events and requests, where each request waits in
// the queue. In most of them something happens at the very instants at which requests leave, arrive and are answered.
func TestShortcut(t *testing.T) {
	var taken atomic.Int64
	t.Run("plans", func(t *testing.T) {
		workers := uint64(runtime.GOMAXPROCS(0))
		for first := range workers {
			t.Run(fmt.Sprint(first), func(t *testing.T) {
				t.Parallel()
				var runs comparison
				for i := first; i < uint64(*shortcutRuns); i += workers {
					require.NoError(t, runs.differ(*shortcutFirst+i))
				}
				taken.Add(int64(runs.taken))
			})
		}
	})
	t.Logf("%d plans, %d of them with the short cut", *shortcutRuns, taken.Load())
	assert.Greater(t, int(taken.Load()), *shortcutRuns/4, "plans in which the short cut is taken")
}

// comparison runs plans with the short cut and without. taken counts those in which it was taken.
type comparison struct {
	scout, direct, plain Runner
	suite                check.Suite
	coverage             check.Coverage
	// director directs the runs; nil: none does.
	director Director
	taken    int
}

// differ returns an error if the plan of that seed shows something else with the short cut. A plan may make no progress in
// time; then it makes none with the short cut either.
func (c *comparison) differ(seed uint64) error {
	c.plain.NoShortcut = true
	b := borders{Rand: rand.New(rand.NewPCG(seed, 0x73686f7274)), scout: &c.scout, clients: seed%6 == 0, rollouts: seed%5 == 4}
	p := b.plan()
	p.Seed = seed
	c.director = nil
	if seed%32 == 31 {
		c.director = hasty{}
	}
	want, wrong := c.judge(&c.plain, p)
	got, err := c.judge(&c.direct, p)
	if !assert.ObjectsAreEqual(want, got) || fmt.Sprint(err) != fmt.Sprint(wrong) {
		return fmt.Errorf("seed %d: want %+v and error %v, got %+v and error %w", seed, want, wrong, got, err)
	}
	if c.direct.world.exchanged.Request > 0 {
		c.taken++
	}
	return nil
}

// judged is what a run shows: statistics, properties and witnesses.
type judged struct {
	stats      Stats
	properties []check.Property
	witnesses  []string
}

// judge runs a plan. If it stands still, nothing is judged.
func (c *comparison) judge(r *Runner, p *plan.Plan) (judged, error) {
	header := check.Header(p)
	c.suite.Reset(header)
	c.coverage.Reset(header)
	stats, err := r.RunDirected(p, c.director, &c.suite, &c.coverage)
	if err != nil {
		return judged{}, err
	}
	return judged{stats, c.suite.Properties(int64(p.Horizon)), c.coverage.Seen()}, nil
}

// hasty has messages take 3 ms, and no wait a jitter. No Run follows another.
type hasty struct{}

func (hasty) Called(int, uint64, *simlock.Op, time.Duration) (hold time.Duration, faults []plan.Fault) {
	return 0, nil
}
func (hasty) Sent(int, uint64, time.Duration) fate.Way                   { return fate.Way{Delay: 3 * ms} }
func (hasty) Arrived(int, uint64, time.Duration) (fate.Refusal, []Start) { return fate.Refusal{}, nil }
func (hasty) Answered(int, uint64, time.Duration) fate.Way               { return fate.Way{Delay: 3 * ms} }
func (hasty) Jitter(int) float64                                         { return 0 }
func (hasty) Returned(int) (later time.Duration, again bool)             { return 0, false }

// borders draws plans in which things happen at the instants at which requests leave, arrive and are answered.
type borders struct {
	*rand.Rand
	scout *Runner
	// clients: candidates may have clients, and there are faults about these. rollouts: there may be a rollout.
	clients, rollouts bool
}

// plan draws a plan, runs it to learn its instants, and puts some changes there.
func (b borders) plan() *plan.Plan {
	s := b.space()
	p := s.Plan(b.Rand)
	if b.one(3) { // so that instants can be hit
		b.steady(p, []time.Duration{0, ms, sec, ms + time.Duration(b.IntN(1e9))}[b.IntN(4)])
	}
	switch b.IntN(8) {
	case 0:
		b.leaveAttempts(p)
	case 1:
		b.shareName(p)
	case 2:
		b.tieTimeouts(p)
	case 3, 4, 5:
		for i := range p.Candidates {
			b.varyCandidate(p, i)
		}
	}
	switch b.IntN(32) {
	case 0:
		b.outlast(p)
	case 1, 2:
		b.coordinate(p)
	case 3:
		b.hide(p)
	}
	if err := p.Validate(); err != nil {
		p = s.Plan(b.Rand)
	}
	for range b.IntN(4) {
		b.scout.NoShortcut = true
		instants := &instants{}
		if _, err := b.scout.Run(p, instants); err != nil {
			break
		}
		if len(instants.at) > 0 {
			b.change(p, instants.at)
		}
	}
	return p
}

// one is true in one of n cases.
func (b borders) one(n int) bool { return b.IntN(n) == 0 }

// beside returns d, or a nanosecond more or less.
func (b borders) beside(d time.Duration) time.Duration { return d + time.Duration(b.IntN(3)-1) }

// space draws a space with any profile, lock and limits.
func (b borders) space() *draw.Space {
	some := func(most time.Duration) time.Duration { return time.Duration(b.IntN(2)) * most }
	s := &draw.Space{
		Profile: machine.Profiles()[b.IntN(len(machine.Profiles()))], Candidates: b.IntN(5), Restless: b.one(2),
		Locking: draw.Locking{Lock: plan.Lease, Elections: []int{0, 0, 0, 2}[b.IntN(4)]},
		Limits: draw.Limits{
			MaxDriftPPM: 200_000 * b.Int64N(2), MaxPause: some(time.Minute), MaxDrain: some(20 * time.Second),
			Shared: b.one(2), Deleted: b.one(2), Clients: b.clients, Rollouts: b.rollouts,
		},
	}
	if b.one(4) {
		s.Lock = []plan.Lock{plan.ConfigMap, plan.Endpoints, plan.ConfigMapsLeases, plan.KVTTL}[b.IntN(4)]
		if !s.Lock.TakenBy(&s.Profile) {
			s.Profile = machine.ClientGo
		}
	}
	return s
}

// leaveAttempts has all candidates run again at once, with the same elector, while attempts of the Runs before go on.
func (b borders) leaveAttempts(p *plan.Plan) {
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Profile, c.SameElector, c.OnLoss, c.RequestTimeout = machine.ClientGoV017, true, plan.LossRejoin, 0
		c.Rejoin = new(time.Duration(1 + b.IntN(1e9)))
	}
}

// subsecond are timings whose lease lasts no second in the record.
var subsecond = machine.Timings{LeaseDuration: 900 * ms, RenewDeadline: 600 * ms, RetryPeriod: 250 * ms}

// steady has all messages take that long.
func (b borders) steady(p *plan.Plan, d time.Duration) {
	p.Network = plan.Network{Request: fixed(d), Response: fixed(d)}
}

// shareName has all candidates but one use one name, on an annotation, with leases that last no whole second, or longer
// ones. Messages take no time, so that a lease of no second has run out as it is read.
func (b borders) shareName(p *plan.Plan) {
	b.steady(p, time.Duration(b.IntN(2))*ms)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Lock, c.Profile = plan.ConfigMap, machine.ClientGo
		if i > 0 {
			c.Identity = "x"
		}
		if b.one(2) {
			c.Timings = subsecond
		}
	}
}

// tieTimeouts has requests time out just as their answers come, or a nanosecond earlier or later.
func (b borders) tieTimeouts(p *plan.Plan) {
	d := time.Duration(1+b.IntN(400)) * ms
	b.steady(p, d)
	for i := range p.Candidates {
		p.Candidates[i].RequestTimeout = b.beside(2 * d)
		p.Candidates[i].Clock.DriftPPM = 0
	}
}

// outlast has answers take longer than the deadline of a poll now and then, and not as long as a request timeout, on strict electors, which have a deadline
// while they wait for the lock, too.
func (b borders) outlast(p *plan.Plan) {
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Profile, c.Lock = machine.Strict, plan.Lease
		c.RequestTimeout = 2 * c.RenewDeadline
		p.Network.Request = plan.Delay{Max: c.RenewDeadline / 2}
		p.Network.Response = plan.Delay{Max: 3 * c.RenewDeadline / 4}
	}
}

// hide has strict electors find no lock for a while, and fail to make one, although it is there. Some lead no longer by then, and run
// again with the same elector.
func (b borders) hide(p *plan.Plan) {
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if c.Profile, c.Lock = machine.Strict, plan.Lease; b.one(2) {
			c.SameElector, c.OnLoss, c.Rejoin = true, plan.LossRejoin, new(time.Duration(1+b.IntN(1e9)))
		}
	}
	at := time.Duration(b.Int64N(int64(p.Horizon)))
	p.Faults = append(p.Faults, plan.Fault{
		Kind: plan.FaultError, At: at, Until: new(at + 1 + time.Duration(b.Int64N(int64(20*time.Second)))), Status: 404,
	})
}

// coordinate has a coordinator decide who leads, of those that ask it.
func (b borders) coordinate(p *plan.Plan) {
	p.Coordinator = &plan.Coordinator{StartAt: time.Duration(b.IntN(5e9))}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if c.Profile, c.Lock = machine.ClientGo, plan.Lease; b.one(2) {
			c.Coordinated, c.BinaryVersion = true, "1.36"
		}
	}
}

// varyCandidate draws what a space has the same for all candidates, and a timeout that is just as long as a round trip.
func (b borders) varyCandidate(p *plan.Plan, i int) {
	c := &p.Candidates[i]
	if i > 0 && p.Candidates[i-1].ID == c.ID {
		return
	}
	if q := machine.Profiles()[b.IntN(len(machine.Profiles()))]; mayHave(p, c, q) {
		c.Profile = q
	}
	if i > 0 && b.one(3) {
		c.StartAt, c.Jitter, c.Clock = p.Candidates[i-1].StartAt, new(0.5), p.Candidates[i-1].Clock
	}
	trip := p.Network.Request.Max + p.Network.Response.Max
	if b.one(3) && c.Profile.TimesOut() {
		c.RequestTimeout = max(1, b.beside(trip))
	}
	if b.one(4) && c.Lock != plan.Lease {
		c.Timings = subsecond
	}
	if b.one(8) {
		c.RetryPeriod = max(50*ms, min(c.RetryPeriod, b.beside(trip)))
	}
}

// instants are when messages leave, arrive and are handled.
type instants struct{ at []time.Duration }

func (i *instants) Wants() trace.KindSet { return trace.ExchangeKinds }

func (i *instants) Observe(e *trace.Event) { i.at = append(i.at, time.Duration(e.At)) }

// change puts a fault, a start, a rollout or the end of the run at one of these instants, or a nanosecond beside it.
func (b borders) change(p *plan.Plan, at []time.Duration) {
	q := *p
	q.Faults, q.Candidates = slices.Clone(p.Faults), slices.Clone(p.Candidates)
	then := max(0, b.beside(at[b.IntN(len(at))]))
	switch b.IntN(8) {
	case 0:
		q.Horizon = then
	case 1:
		q.Candidates[len(q.Candidates)-1].StartAt = then
	case 2:
		if i := slices.IndexFunc(q.Faults, func(f plan.Fault) bool { return f.Kind == plan.FaultRollout }); i >= 0 {
			q.Faults[i].At = then
			break
		}
		fallthrough
	default:
		q.Faults = append(q.Faults, b.fault(p, then))
	}
	if q.Validate() == nil {
		*p = q
	}
}

// fault draws a fault that begins then.
func (b borders) fault(p *plan.Plan, then time.Duration) plan.Fault {
	kinds := []plan.FaultKind{
		plan.FaultDelay, plan.FaultPartition, plan.FaultLose, plan.FaultOutage, plan.FaultError, plan.FaultPause, plan.FaultCrash,
		plan.FaultRestart, plan.FaultCancel, plan.FaultClock, plan.FaultDelete, plan.FaultEdit,
	}
	if b.clients {
		kinds = append(kinds, plan.FaultThrottle, plan.FaultBrownout, plan.FaultReset, plan.FaultStall)
	}
	f := plan.Fault{Kind: kinds[b.IntN(len(kinds))], At: then}
	if f.Kind.Window() {
		f.Until = new(then + 1 + time.Duration(b.Int64N(int64(20*time.Second))))
	}
	switch f.Kind {
	case plan.FaultDelay:
		f.Limiter = time.Duration(b.IntN(2)) * time.Second
		f.Request = &plan.Delay{Min: 1, Max: 1 + time.Duration(b.IntN(1e9))}
	case plan.FaultError:
		f.Status, f.Applied = 500, b.one(2)
		if b.clients && b.one(2) {
			f.RetryAfter = new(time.Duration(b.IntN(5)) * time.Second)
		}
	case plan.FaultBrownout:
		f.Factor, f.Seats, f.Takes = new(float64(1+b.IntN(100))), 1, time.Duration(1+b.IntN(1e9))
	case plan.FaultClock:
		f.DriftPPM, f.Jump = new(b.Int64N(200_000)-100_000), time.Duration(b.IntN(3)-1)*time.Second
	case plan.FaultEdit:
		f.Holder = new([]string{"", "a", "b", "z"}[b.IntN(4)])
		if len(p.Elections) > 0 {
			f.Election = p.Elections[0]
		}
	}
	if f.Kind != plan.FaultOutage && f.Kind != plan.FaultDelete && f.Kind != plan.FaultEdit && !b.one(4) {
		f.On = []string{p.Candidates[b.IntN(len(p.Candidates))].ID}
	}
	return f
}

// TestShortcutMovesOn: a leader that renews as soon as it is answered makes a million attempts with nothing between them, each
// at the instant of the last answer. Time passes all the same.
func TestShortcutMovesOn(t *testing.T) {
	p := aPlan(3*sec, who("a", 0, timings(15*sec, 10*sec, 2*time.Microsecond), func(c *plan.Candidate) { c.Profile = machine.Strict }))
	p.Network = plan.Network{Request: fixed(time.Microsecond), Response: fixed(time.Microsecond)}
	want, err := (&Runner{NoShortcut: true}).Run(p)
	require.NoError(t, err)
	got, err := Run(p)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}
