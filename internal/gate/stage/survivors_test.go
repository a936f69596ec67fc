package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// survivors is a crowd whose members outlive a lease in their releases alone: each meets a conflict with the last of the holder's
// writes that look the same, and goes on.
type survivors struct {
	*crowd
	// firstSame is the first of the holder's writes that look the same, and lastSame the last.
	firstSame, lastSame time.Duration
}

func newSurvivors(c *bound.Config, e *bound.Environment) *survivors {
	s := &survivors{crowd: &crowd{stage: newStage(c, e)}}
	s.s.Name = "survivors"
	a := &actor{stage: s.stage, id: s.next()}
	s.hold(a, machine.Create, 0, 1)
	return s
}

// margin is what is kept for so many members that release one after the other.
func (s *survivors) margin(members int) time.Duration { return time.Duration(60*(members+2)) * s.leg }

// takesOver is how long after the first of the holder's writes that look the same its successor takes over.
func (s *survivors) takesOver() time.Duration {
	return bound.True(max(s.cfg.Lease(), s.cfg.RetryPeriod), s.env.MaxDriftPPM)
}

// hold has a new candidate take a lock that is free from an instant on. Its last write looks like its first one, and comes as late as
// the members need.
func (s *survivors) hold(a *actor, v machine.Verb, free time.Duration, members int) {
	if free > 0 {
		a.pass(free + 1)
	}
	s.candidate(a.id, a.now, 0, scenarios.Clock{})
	me := &s.s.Candidates[len(s.s.Candidates)-1]
	conflicts := min(4*a.longest(), s.cfg.RenewDeadline) - s.margin(members)
	me.Clock.Offset = a.newSecond()
	begun := a.local
	a.pass(a.trip())
	s.firstSame = a.now + a.leg
	each := s.cfg.RetryPeriod + a.trip()
	late := time.Second - 8*slack - 2*a.trip() // until the last attempt of the second begins
	renewals := late / each
	late -= renewals * each
	a.request(v, answered, min(a.direct(), late+a.trip()))
	for range renewals {
		late = begun + time.Second - 8*slack - a.local - renewals*each
		a.request(machine.Update, answered, min(a.direct(), late+a.trip()))
		a.wait(s.cfg.RetryPeriod)
		renewals--
	}
	s.lastSame = s.firstSame + s.takesOver() - conflicts
	s.last = s.lastSame
	s.alike(a)
	a.wait(s.cfg.RetryPeriod)
	s.members = append(s.members, a)
}

// alike is the second attempt of a second. Only its last write is applied, when it has to be.
func (s *survivors) alike(a *actor) {
	rest := s.lastSame - a.now
	if s.cfg.RequestTimeout > a.longest() && rest > 3*a.longest()-4*a.leg {
		a.request(machine.Update, lost, 0)
	} else {
		a.request(machine.Update, refused, max(a.trip(), min(a.longest(), rest-4*a.leg)))
	}
	a.request(machine.Get, answered, max(a.trip(), min(a.longest(), s.lastSame-a.now-2*a.leg)))
	s.arrive(a, s.lastSame)
}

// arrive has the next request arrive at an instant, and be answered at once.
func (s *survivors) arrive(a *actor, at time.Duration) {
	if out := at - a.now; out > s.leg {
		a.slowOut(out)
	}
	a.pass(max(at-a.now, s.leg) + s.leg)
}

// grow waits for a lease, and has one more join.
func (s *survivors) grow(t require.TestingT, goesOn bool) {
	old := s.members
	s.members = nil
	b := s.observe(s.next(), s.firstSame, s.lastSame+1)
	taken := b.now + b.trip() + s.leg
	b.pass(2 * b.trip())
	s.lose(b)
	s.members = append(s.members, b)
	for i, m := range old {
		var free time.Duration
		if i == len(old)-1 { // the holder
			rest := s.members
			s.members = []*actor{m}
			free = s.blank(t)
			s.members = rest
		} else {
			free = s.conflict(t, m, taken)
		}
		if i < len(old)-1 || !goesOn {
			a := s.take(free)
			s.lose(a)
			s.members = append(s.members, a)
			continue
		}
		s.hold(&actor{stage: s.stage, id: s.next()}, machine.Update, free, len(old)+2)
	}
}

// rounds is that crowd after it has grown so many times, and its pair. The last to join does not go on.
func (s *survivors) rounds(t require.TestingT, n int) {
	for i := range n {
		s.grow(t, i < n-1)
	}
	s.pair(t)
}

// conflict has a member release after the holder's last write but one, conflict with the last, and once more where that is not
// enough, and blank the lease that is there then.
func (s *survivors) conflict(t require.TestingT, m *actor, taken time.Duration) (applied time.Duration) {
	polled, at := m.now, s.last+1
	m.wait(s.cfg.RenewDeadline)
	s.drains(m, s.lastSame-3*s.leg)
	if begins := s.lastSame - 3*s.leg; begins < m.now {
		s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: begins, On: []string{m.id}})
		m.pass(begins - m.now)
	}
	if until := m.now - s.near - 3; until > polled {
		s.cutOff(m.id, polled, until)
	}
	most := m.longest()
	m.request(machine.Get, answered, min(most, max(m.trip(), at-m.now-6*s.leg)))
	if m.now+s.leg <= s.lastSame {
		s.arrive(m, s.lastSame+1)
	} else {
		m.request(machine.Update, answered, min(most, max(m.trip(), at-m.now-4*s.leg)))
	}
	if at-m.now > most-s.leg {
		m.request(machine.Get, answered, min(most, taken-m.now-s.leg))
		require.Less(t, taken+1-m.now, most, "%s is too early", m.id)
		s.arrive(m, taken+1)
	}
	require.Less(t, at-m.now, most, "%s is too early", m.id)
	s.arrive(m, at)
	s.last = m.now + s.leg
	m.pass(m.trip())
	return s.last
}

// nearlySurviving is an environment in which members outlive a lease by conflicts alone, or not quite.
var nearlySurviving = rapid.Custom(func(t *rapid.T) attacked {
	ms := millis(t)
	c := &bound.Config{Profile: machine.ClientGo, ReleaseOnCancel: true, Lock: plan.Lease}
	c.RetryPeriod = ms(200, 999, "retryPeriod")
	c.RenewDeadline = c.RetryPeriod*12/10 + ms(1000, 10000, "renewDeadline")
	trip := c.RenewDeadline * time.Duration(rapid.IntRange(15, 49).Draw(t, "trip")) / 100
	if rapid.Bool().Draw(t, "lost") {
		c.RetryPeriod += time.Second
		c.RenewDeadline += time.Second
		c.RequestTimeout = c.RenewDeadline * time.Duration(rapid.IntRange(50, 95).Draw(t, "timeout")) / 100
	}
	all := 3*trip + c.RetryPeriod + c.RenewDeadline
	c.LeaseDuration = all.Truncate(time.Second) + time.Second
	if rapid.Bool().Draw(t, "much") { // as long as round trips may be
		trip = min((c.LeaseDuration-c.RetryPeriod-c.RenewDeadline)/3, c.RenewDeadline/2)
	}
	return attacked{c, &bound.Environment{MaxRoundTrip: trip}}
})

// TestSurvivorsDrawn: where the bound says that leaders gather, and they do so by conflicts alone, they do.
func TestSurvivorsDrawn(t *testing.T) {
	shown := 0
	for seed := 1; seed <= few.Of(300); seed++ {
		a := nearlySurviving.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		less := *a.e // what a plan keeps from every edge
		less.MaxRoundTrip -= 20 * time.Millisecond
		if near, err := bound.Of(a.c, &less); err != nil || !near.Unbounded || r.Plan.Endless != bound.Gathering {
			continue
		}
		before := time.Duration(0)
		for _, rounds := range []int{2, 5} {
			p := newSurvivors(a.c, a.e)
			p.rounds(t, rounds)
			w := gatetest.Watched(t, p.s)
			require.Empty(t, w.Outside(p.s, a.e), "%+v in %+v", *a.c, *a.e)
			require.Greater(t, w.Score(), before+a.c.RenewDeadline, "%d rounds of %+v in %+v", rounds, *a.c, *a.e)
			before = w.Score()
		}
		shown++
	}
	t.Logf("%d shown", shown)
	assert.Greater(t, shown, few.Of(20))
}

// TestSurvivors: members that outlive a lease by conflicts alone gather as others do.
func TestSurvivors(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	timings := func(lease, deadline, period time.Duration) machine.Timings {
		return machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: period}
	}
	for name, row := range map[string]struct {
		machine.Timings
		timeout time.Duration
		e       bound.Environment
	}{
		"periods below a second": {timings(9*s, 4500*ms, 500*ms), 0, bound.Environment{MaxRoundTrip: 1200 * ms}},
		"a lost answer":          {timings(15*s, 10*s, 1500*ms), 8 * s, bound.Environment{MaxRoundTrip: 1100 * ms}},
		"to its deadline":        {timings(15*s, 10*s, 1500*ms), 9 * s, bound.Environment{MaxRoundTrip: 1050 * ms}},
		"four conflicts":         {timings(16*s, 10*s, 1600*ms), 9 * s, bound.Environment{MaxRoundTrip: 1300 * ms}},
	} {
		t.Run(name, func(t *testing.T) {
			c := &bound.Config{
				Timings: row.Timings, Profile: machine.ClientGo, ReleaseOnCancel: true, RequestTimeout: row.timeout, Lock: plan.Lease,
			}
			r, err := bound.Of(c, &row.e)
			require.NoError(t, err)
			require.Equal(t, bound.Gathering, r.Plan.Endless)
			before := time.Duration(0)
			for rounds := 2; rounds <= 8; rounds += 2 {
				p := newSurvivors(c, &row.e)
				p.rounds(t, rounds)
				w := gatetest.Watched(t, p.s)
				require.Empty(t, w.Outside(p.s, &row.e))
				t.Logf("%d rounds: %v, of %v computed", rounds, w.Score(), r.Overlap)
				assert.Greater(t, w.Score(), before, "%d rounds", rounds)
				before = w.Score()
			}
			assert.Greater(t, before, r.Overlap)
		})
	}
}

// TestNoSurvivors: where releases do not outlive a lease, but only just, a crowd of an environment in which they do, pressed into this one,
// stays below the bound, and so does what an adversary makes of it.
func TestNoSurvivors(t *testing.T) {
	var k climbs
	for seed := 1; k.tried < *crowdCases; seed++ {
		a := nearlySurviving.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if _, known := r.AtMost(); !known || r.Plan.Kind != bound.Wiped {
			continue
		}
		worse := *a.e
		worse.MaxRoundTrip += a.e.MaxRoundTrip * time.Duration(1+seed%5) / 10
		if gathers, err := bound.Of(a.c, &worse); err != nil || !gathers.Unbounded {
			continue
		}
		p := newSurvivors(a.c, &worse)
		p.rounds(lenient{}, 1+seed%4)
		k.fromCrowd(t, p.s, 3, seed, a, r)
	}
	t.Logf("%d attacked, by %d scenarios: at most %v above the bound", k.tried, k.runs, k.above)
}
