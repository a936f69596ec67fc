package stage

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// crowd is leaders that have lost the lock and not seen it. Each of them yet releases it, and so blanks the lease of whoever
// holds it by then. While nobody writes for a lease another joins them by taking over. Whose time has come releases, and a
// new candidate that takes the lock then joins in its place. So there can be as many of them as one likes.
type crowd struct {
	*stage
	members []*actor
	// last is when the record was last written.
	last time.Duration
	// closes: members release as late as the closing of their connection lets them, where they cannot do so otherwise.
	closes bool
}

func newCrowd(c *bound.Config, e *bound.Environment) *crowd {
	s := &crowd{stage: newStage(c, e)}
	s.s.Name = "crowd"
	first := &actor{stage: s.stage, id: s.next()}
	s.candidate(first.id, 0, 0, scenarios.Clock{})
	first.acquire()
	first.pass((s.gets() - 1) * first.trip())
	s.lose(first)
	s.members = append(s.members, first)
	return s
}

// next is what the next candidate is called.
func (s *crowd) next() string { return fmt.Sprintf("c%d", len(s.s.Candidates)) }

// lose has a leader renew for the last time, hear of that as late as it may, and be left as its last poll begins.
func (s *crowd) lose(a *actor) {
	s.last = s.renew(a, a.direct())
	a.wait(s.cfg.RetryPeriod)
}

// renew is a renewal whose last answer takes so long. It returns when its last write is applied.
func (s *crowd) renew(a *actor, took time.Duration) (applied time.Duration) {
	a.pass((s.updates() - 1) * a.trip())
	return a.request(machine.Update, answered, took)
}

// take is a new candidate that takes a lock that was released. It is returned as it is about to renew.
func (s *crowd) take(released time.Duration) *actor {
	a := &actor{stage: s.stage, id: s.next()}
	a.pass(released + 1)
	s.candidate(a.id, a.now, 0, scenarios.Clock{})
	a.pass((s.gets() + s.updates()) * a.trip())
	return a
}

// blank has the first member release the lock, just after the last write. It hears nothing before, and is cancelled where its
// poll would go on.
func (s *crowd) blank(t require.TestingT) (applied time.Duration) {
	m := s.members[0]
	s.members = s.members[1:]
	polled, at := m.now, s.last+1
	m.wait(s.cfg.RenewDeadline)
	s.drains(m, at-3*s.leg)
	if s.closes && at-m.now > 2*m.direct() {
		return s.blankClosed(m, polled, at)
	}
	again, read, takes := time.Duration(0), time.Duration(0), s.leg
	if s.env.MaxRetryAfter > 0 {
		again, read, takes = s.asked(m, at-m.now)
	}
	if begins := at - takes; begins < m.now {
		s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: begins, On: []string{m.id}})
		m.pass(begins - m.now)
	}
	if until := m.now - s.near - 3; until > polled {
		s.cutOff(m.id, polled, until)
	}
	switch {
	case again > 0:
		at = s.readAsked(m, at, again, read)
	case s.cfg.Client.Limits() && at-m.now > m.direct():
		at = s.readWaiting(m, at)
	default:
		require.Equal(t, at, s.readLate(m, at), "%s releases too soon", m.id)
	}
	s.last = at + 2*(s.gets()+s.updates()-1)*s.leg
	return s.last
}

// drains has the work of a member whose poll is over go on until an instant, or for as long as it may. If that instant has passed the work ends
// at once. It does nothing unless the release comes after the work.
func (s *crowd) drains(m *actor, until time.Duration) {
	if !s.cfg.ReleasesLater() {
		return
	}
	i := slices.IndexFunc(s.s.Candidates, func(c scenarios.Candidate) bool { return c.ID == m.id })
	s.s.Candidates[i].Drain = max(0, min(s.env.Drain, until-m.now))
	m.pass(s.s.Candidates[i].Drain)
}

// pass has the first members release, and new ones join for them.
func (s *crowd) pass(t require.TestingT, members int) {
	for range members {
		a := s.take(s.blank(t))
		s.lose(a)
		s.members = append(s.members, a)
	}
}

// grow waits for a lease, and has one more join.
func (s *crowd) grow(t require.TestingT) {
	old := len(s.members)
	b := s.observe(s.next(), s.last, 0)
	b.pass((s.gets() + s.updates()) * b.trip())
	s.lose(b)
	s.members = append(s.members, b)
	s.pass(t, old)
}

// pair are two leaders that work beside each other for as long as there are members: at the end of the work of the one that
// has lost the lock a member releases it, and that one takes it back.
func (s *crowd) pair(t require.TestingT) {
	s.pass(t, len(s.members)-2)
	leader := s.take(s.blank(t))
	s.lose(leader)
	holder := s.take(s.blank(t))
	for len(s.members) > 0 {
		s.takenBack(t, holder, leader)
		holder, leader = leader, holder
	}
	s.cutOff(leader.id, leader.now, plan.MaxDuration-s.near)
	s.s.Horizon = (leader.now + 3*s.cfg.RenewDeadline + 5*time.Second).Truncate(time.Second)
}

// rounds is a crowd that grows so many times, and its pair.
func (s *crowd) rounds(t require.TestingT, n int) {
	for range n {
		s.grow(t)
	}
	s.pair(t)
}

// takenBack has a leader take the lock back as late as it can. All members but one have others join for them before.
func (s *crowd) takenBack(t require.TestingT, holder, leader *actor) {
	sends := leader.now + (s.cfg.RenewDeadline-1)/s.cfg.RetryPeriod*s.cfg.RetryPeriod
	latest := min(leader.now+s.cfg.RenewDeadline, sends+s.env.MaxRoundTrip)
	begins := latest - time.Duration(20*(len(s.members)+1))*s.gets()*s.updates()*s.leg
	each := s.cfg.RetryPeriod + s.updates()*holder.trip()
	for rest := (begins - 3*s.leg - holder.now) % each; holder.now+each < begins; {
		late := min(rest, holder.direct()-holder.trip())
		s.renew(holder, holder.trip()+late)
		holder.wait(s.cfg.RetryPeriod)
		rest -= late
	}
	if holder.now <= begins { // else what it won the lock by is its last write
		s.lose(holder)
	}
	s.last = max(s.last, begins)
	s.pass(t, len(s.members)-1)
	blank := s.blank(t)
	leader.pass(sends - leader.now)
	if arrives := blank + 1 - leader.now; arrives > s.leg {
		leader.slowOut(arrives)
	}
	leader.pass(blank + 1 + (2*(s.gets()+s.updates())-1)*s.leg - leader.now)
	leader.wait(s.cfg.RetryPeriod)
}

// TestGathering: where the bound says that leaders gather, each that is waited for makes an overlap longer, by as much as the one
// before. The plans are within the environment.
func TestGathering(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	timings := func(lease, deadline, period time.Duration) machine.Timings {
		return machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: period}
	}
	recommended := timings(15*s, 10*s, 2*s)
	for name, row := range map[string]struct {
		machine.Timings
		timeout time.Duration
		e       bound.Environment
		lock    plan.Lock
	}{
		"two seconds":      {recommended, 0, bound.Environment{MaxRoundTrip: 2 * s}, ""},
		"after a conflict": {recommended, 0, bound.Environment{MaxRoundTrip: 1010 * ms}, ""},
		"frozen":           {recommended, 0, bound.Environment{MaxRoundTrip: 500 * ms, MaxPause: 2 * s}, ""},
		"a timeout":        {recommended, 5 * s, bound.Environment{MaxRoundTrip: 2 * s}, ""},
		"cert-manager":     {timings(60*s, 40*s, 15*s), 0, bound.Environment{MaxRoundTrip: 2500 * ms}, ""},
		"short":            {timings(5*s, 4*s, s), 0, bound.Environment{MaxRoundTrip: 200 * ms, Drain: s}, ""},
		"a deadline longer than the lease": {
			timings(2900*ms, 2800*ms, s), 0, bound.Environment{MaxRoundTrip: 10 * ms}, "",
		},
		"two objects": {timings(15*s, 10*s, 8*s), 0, bound.Environment{MaxRoundTrip: 100 * ms}, plan.ConfigMapsLeases},
		"two objects, and a timeout": {
			timings(20*s, 19*s, 12*s), 5 * s, bound.Environment{MaxRoundTrip: 100 * ms, Drain: s}, plan.EndpointsLeases,
		},
	} {
		for _, p := range []machine.Profile{machine.ClientGo, machine.ClientGoNext} {
			t.Run(p.Name+", "+name, func(t *testing.T) {
				c := &bound.Config{
					Timings: row.Timings, Profile: p, ReleaseOnCancel: true, RequestTimeout: row.timeout, Lock: cmp.Or(row.lock, plan.Lease),
				}
				r, err := bound.Of(c, &row.e)
				require.NoError(t, err)
				require.True(t, r.Unbounded)
				require.Equal(t, bound.Gathering, r.Plan.Endless)
				gathers(t, &attacked{c, &row.e}, r, 3, 5, 7, 9)
			})
		}
	}
}

// lenient lets a plan be made that an environment does not allow.
type lenient struct{}

func (lenient) Errorf(string, ...any) {}
func (lenient) FailNow()              {}

var crowdCases = flag.Int("crowd.cases", few.Of(12), "in how many environments in which leaders do not gather a crowd is tried")

// climbs counts what was attacked, each time from a plan that was pressed into an environment.
type climbs struct {
	tried, runs int
	// above is by how much the longest overlap was above its bound, and share the largest part of a bound that was shown.
	above time.Duration
	share float64
	// beyond is how many overlaps were longer than the bound shows.
	beyond int
}

// from has an adversary climb from a plan for a, the case of a seed, whose overlap may not get above the bound r.
func (k *climbs) from(t *testing.T, m mutator, start *genome, seed int, a attacked, r *bound.Result) {
	x := found{best: -start.horizon, limit: limit(a.c, r)}
	m.climb(t, start, &x)
	over, share := x.best-x.limit+time.Millisecond, float64(x.best)/float64(x.limit)
	if k.tried == 0 {
		k.above = over
	}
	k.tried, k.runs, k.above, k.share = k.tried+1, k.runs+x.runs, max(k.above, over), max(k.share, share)
	if x.best > r.Overlap {
		k.beyond++
	}
	if x.best > x.limit {
		x.report(t, seed, a, r)
	}
}

// fromCrowd is from with a plan of a crowd that is pressed into the environment of a. The draws of two streams differ.
func (k *climbs) fromCrowd(t *testing.T, s *scenarios.Scenario, stream uint64, seed int, a attacked, r *bound.Result) {
	m := mutator{rand.New(rand.NewPCG(uint64(seed), stream))}
	start := m.pressed(t, s, a.c, a.e)
	start.crowd = len(start.people) + 2
	k.from(t, m, start, seed, a, r)
}

// TestNoGathering: where leaders do not gather, but only just, a crowd that is pressed into the environment stays below the bound, and
// so does what an adversary makes of it.
func TestNoGathering(t *testing.T) {
	var k climbs
	for seed := 1; k.tried < *crowdCases; seed++ {
		a := nearlyGathering.Example(seed)
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if _, known := r.AtMost(); !known || r.Plan.Kind != bound.Wiped {
			continue
		}
		worse := *a.e
		worse.MaxRoundTrip = 2 * a.e.MaxRoundTrip
		if gathers, err := bound.Of(a.c, &worse); err != nil || !gathers.Unbounded {
			continue // its timeout is shorter
		}
		p := newCrowd(a.c, &worse)
		p.rounds(lenient{}, 1+seed%3)
		k.fromCrowd(t, p.s, 2, seed, a, r)
	}
	t.Logf("%d attacked, by %d scenarios: at most %v above the bound", k.tried, k.runs, k.above)
}

// nearlyGathering is an environment whose round trips, or freezes, are just too short for leaders to gather.
var nearlyGathering = rapid.Custom(func(t *rapid.T) attacked {
	c := gatetest.DrawConfig(t, machine.ClientGo)
	c.LeaseDuration = (c.RenewDeadline*13/10 + c.RetryPeriod*2 + time.Second).Truncate(time.Second)
	c.Lock, c.ReleaseOnCancel = plan.Lease, true
	e := &bound.Environment{MaxDriftPPM: rapid.SampledFrom([]int64{0, 0, 1000}).Draw(t, "drift")}
	left := bound.True(c.LeaseDuration, e.MaxDriftPPM) - bound.True(c.RetryPeriod+c.RenewDeadline, -e.MaxDriftPPM)
	if rapid.Bool().Draw(t, "frozen") {
		e.MaxPause = left * time.Duration(rapid.IntRange(1, 99).Draw(t, "pause")) / 100
	}
	e.MaxRoundTrip = (left - e.MaxPause) / 3 * time.Duration(rapid.IntRange(80, 100).Draw(t, "part")) / 100
	return attacked{c, e}
})

// updates is how many requests, one after the other, an Update takes.
func (s *stage) updates() time.Duration { return 2*s.gets() - 1 }
