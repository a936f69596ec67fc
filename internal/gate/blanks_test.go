package gate

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// blanks is two leaders that take the lock from each other by blanks: a third candidate takes over from the one, is stopped, and
// releases the lock as the other one looks. All times of a turn are on the leader's clock, at its slowest.
type blanks struct {
	*stage
	// turn is from one attempt that takes the lock to the next of the same leader. It has some renewals, each of which takes so long.
	// The process is frozen before the poll that follows, which fails once, for so long, and then at all of so many ticks but the last.
	turn, fails, frozen time.Duration
	took                []time.Duration
	ticks               time.Duration
	// late is how many renewals look new; the last of them begins a part of a second. A second and a turn are so many parts each.
	late   int
	part   time.Duration
	thirds int
}

// rounded is more than the waits of a follower are longer than they should be, since each of them is rounded.
const rounded = 500 * time.Nanosecond

// newBlanks is a turn without renewals, if that can be, or with one, or else of whole parts of a second.
func newBlanks(t require.TestingT, c *bound.Config, e *bound.Environment) *blanks {
	s := &blanks{stage: newStage(c, e), part: time.Second}
	apart, latest := s.apart(), c.RenewDeadline-s.clock(s.margin())
	answer := s.clock(s.slowest().longest())
	s.ticks, s.frozen = latest/c.RetryPeriod, s.pauses()/2
	s.fails = max(min(answer, latest-s.ticks*c.RetryPeriod), s.clock(3*s.leg))
	s.turn = s.lasts()
	if s.turn >= apart {
		return s
	}
	if c.RetryPeriod >= time.Second {
		s.frozen, s.late = s.pauses(), 1
		s.took = []time.Duration{min(s.clock(s.slowest().direct()+s.attempt()), latest)}
		s.turn = s.lasts()
		require.True(t, s.fits(), "no turn fits: %+v in %+v", *c, *e)
		return s
	}
	for parts := time.Duration(1); parts <= 64; parts++ {
		s.part = (time.Second + parts - 1) / parts
		if s.divide(apart, latest, answer) {
			return s
		}
	}
	require.Fail(t, "no turn fits", "%+v in %+v", *c, *e)
	return s
}

// divide makes a turn of a whole number of parts. It returns false where none fits.
func (s *blanks) divide(apart, latest, answer time.Duration) bool {
	c := s.cfg
	for s.turn = (apart + s.part - 1) / s.part * s.part; s.turn < apart+min(apart, 2*s.part); s.turn += s.part {
		for late := (s.turn - apart) / 2 / c.RetryPeriod; late >= 0; late-- {
			s.late = int(late)
			for renewals := max(1, late); (renewals-late)*c.RetryPeriod < s.part; renewals++ {
				most := min(latest/c.RetryPeriod, s.turn/c.RetryPeriod-renewals-1)
				for s.ticks = most; s.ticks >= max(1, most-1); s.ticks-- {
					if s.fill(int(renewals), min(answer, latest-s.ticks*c.RetryPeriod)) && s.fits() {
						return true
					}
				}
			}
		}
	}
	return false
}

// apart is how long a turn is at least.
func (s *blanks) apart() time.Duration {
	return s.clock(2 * (bound.True(max(s.cfg.Lease(), s.cfg.RetryPeriod), s.env.MaxDriftPPM) + s.margin()))
}

// pauses is how long a process can be frozen between two successes.
func (s *blanks) pauses() time.Duration { return s.clock(max(0, s.env.MaxPause-3*s.near)) }

// lasts is how long the parts of a turn take together.
func (s *blanks) lasts() time.Duration {
	all := s.clock(s.attempt()) + s.fails + s.frozen + (s.ticks+time.Duration(len(s.took))+1)*s.cfg.RetryPeriod
	for _, took := range s.took {
		all += took
	}
	return all
}

// fill makes up what is left of a turn by a freeze, by a poll that fails for no longer than so much, and by slow answers to renewals, of
// which the last are the slowest. It returns false where too little is left.
func (s *blanks) fill(renewals int, fails time.Duration) bool {
	least := s.clock(s.attempt())
	s.took, s.frozen, s.fails = make([]time.Duration, renewals), 0, s.clock(3*s.leg)
	for i := range s.took {
		s.took[i] = least
	}
	if s.lasts() > s.turn {
		return false
	}
	s.frozen = min(s.pauses(), s.turn-s.lasts())
	s.fails += max(0, min(fails-s.fails, s.turn-s.lasts()))
	for i := renewals - 1; i >= max(s.late-1, 0); i-- {
		s.took[i] += max(0, min(s.longest()-least, s.turn-s.lasts()))
	}
	return true
}

// fits is whether a turn is as long as its parts, its last renewals look the same, and the other one's turn comes neither too late
// nor before the last of their writes.
func (s *blanks) fits() bool {
	at, alike := s.clock(s.attempt()), time.Duration(0)
	waits, begins, requests := time.Duration(0), time.Duration(0), s.gets()+s.updates()
	for i, took := range s.took {
		at += s.cfg.RetryPeriod
		begins = at
		at += took
		if i+1 == s.late {
			alike = begins
			waits = at - min(took-(requests-1)*s.clock(2*s.leg), s.clock(s.slowest().direct())) + s.clock(s.margin())
		}
	}
	return s.lasts() == s.turn && begins-alike < s.part-4*slack && s.turn >= s.apart()+2*waits &&
		at <= s.turn/2+s.clock(s.slowest().direct())-s.clock(s.margin())
}

// clock is how much a leader's clock, at its slowest, shows in a true time.
func (s *blanks) clock(d time.Duration) time.Duration { return bound.Local(d, -s.env.MaxDriftPPM) }

// slowest is a leader whose clock runs as slowly as it may.
func (s *blanks) slowest() *actor { return &actor{stage: s.stage, driftPPM: -s.env.MaxDriftPPM} }

// longest is how long a renewal takes at most.
func (s *blanks) longest() time.Duration {
	return min(s.clock((s.gets()+s.updates())*s.slowest().longest()), s.cfg.RenewDeadline-s.clock(slack)-5)
}

// attempt is how long an attempt takes at least.
func (s *blanks) attempt() time.Duration { return 2 * (s.gets() + s.updates()) * s.leg }

// margin is how much before the one looks the third takes over from the other, and some more.
func (s *blanks) margin() time.Duration { return 5*s.attempt() + 2*rounded }

// acquired has a candidate, which has the lock, renew at once. That begins its first turn, and a second so that the last renewals of
// the turn are within one.
func (s *blanks) acquired(a *actor) (written time.Duration) {
	offset := a.newSecond()
	if s.late > 0 {
		offset -= s.clock(s.attempt())
		for _, took := range s.took[:s.late-1] {
			offset -= took
		}
		offset -= time.Duration(s.late) * s.cfg.RetryPeriod
	}
	s.s.Candidates[len(s.s.Candidates)-1].Clock.Offset = (offset%time.Second + time.Second) % time.Second
	return s.lead(a)
}

// lead is a turn of a leader whose attempt that writes first begins. It returns when the first of the writes that look the same as its
// last one is applied; the leader is then at the beginning of its next turn.
func (s *blanks) lead(a *actor) (written time.Duration) {
	began := a.local
	a.pass(s.attempt())
	written = a.now
	for i, took := range s.took {
		a.wait(s.cfg.RetryPeriod)
		applied := s.slow(a, took)
		if i+1 == s.late {
			written = applied
		}
	}
	a.wait(s.cfg.RetryPeriod)
	if s.frozen > 0 {
		a.pass(s.pause(a.id, a.now, bound.True(s.frozen, a.driftPPM)+s.near) - a.now)
	}
	s.fail(a, began+s.turn)
	return written
}

// slow is an attempt that succeeds and takes so long, most of it after its last write. It returns when that is applied.
func (s *blanks) slow(a *actor, took time.Duration) (applied time.Duration) {
	rest := bound.True(took, a.driftPPM)
	for n := s.gets() + s.updates(); n > 0; n-- {
		before := a.now
		applied = a.request(0, answered, max(a.trip(), rest-(n-1)*a.longest()))
		rest -= a.now - before
	}
	return applied
}

// fail is a poll of which no attempt succeeds before the one that begins at a tick, when the leader's clock shows so much.
func (s *blanks) fail(a *actor, begins time.Duration) {
	a.request(machine.Get, refused, bound.True(begins-s.ticks*s.cfg.RetryPeriod-a.local, a.driftPPM))
	from := a.now
	a.wait(begins - a.local)
	if s.ticks > 1 {
		s.fault(errorOn(machine.Get, false), a.id, from+2*s.near, a.now-2*s.near)
	}
}

// blank has a third candidate take the lock, which another one has written last, and release it just before an instant.
func (s *blanks) blank(t require.TestingT, written, before time.Duration) {
	id := fmt.Sprintf("c%d", s.thirds)
	s.thirds++
	c := s.observe(id, written, before-3*s.attempt()-rounded)
	c.pass(2 * s.attempt()) // it renews at once
	s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: c.now + 1, On: []string{id}})
	require.Less(t, c.now+s.attempt()/2, before+s.leg, "%s comes too late: %+v in %+v", id, *s.cfg, *s.env)
}

// takingBlanks is so many rounds of turns.
func takingBlanks(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := newBlanks(t, c, e)
	a := &actor{stage: s.stage, id: "a", driftPPM: -e.MaxDriftPPM}
	s.candidate("a", 0, 0, scenarios.Clock{DriftPPM: a.driftPPM})
	a.acquire()
	a.pass((s.gets() - 1) * a.trip())
	written := s.acquired(a)
	b := s.observe("b", written, a.now/2)
	b.pass(s.attempt())
	b.setRate(-e.MaxDriftPPM)
	written = s.acquired(b)
	for range rounds {
		s.blank(t, written, a.now)
		written = s.lead(a)
		a, b = b, a
	}
	s.s.Horizon = a.now
	return s.stage
}

// blanked is a configuration of v0.24 in which a leader can take blanks for long.
var blanked = rapid.Custom(func(t *rapid.T) attacked {
	c := &bound.Config{Profile: machine.ClientGoV024, ReleaseOnCancel: true}
	c.Lock = rapid.SampledFrom([]plan.Lock{plan.Lease, plan.Lease, plan.ConfigMap, plan.ConfigMapsLeases}).Draw(t, "lock")
	e := &bound.Environment{MaxDriftPPM: rapid.SampledFrom([]int64{0, 0, 200, 100_000, 400_000}).Draw(t, "drift")}
	if rapid.Bool().Draw(t, "frozen") {
		e.MaxPause = time.Duration(rapid.IntRange(1, 6000).Draw(t, "pause")) * time.Millisecond
	}
	ms := func(low, high int, what string) time.Duration {
		return time.Duration(rapid.IntRange(low, high).Draw(t, what)) * time.Millisecond
	}
	c.LeaseDuration = rapid.SampledFrom([]time.Duration{0, 500 * time.Millisecond, ms(0, 1000, "part")}).Draw(t, "parts") +
		time.Duration(rapid.IntRange(1, 4).Draw(t, "lease"))*time.Second
	c.RenewDeadline = c.LeaseDuration * time.Duration(rapid.IntRange(50, 99).Draw(t, "deadline")) / 100
	c.RetryPeriod = min(rapid.SampledFrom([]time.Duration{ms(50, 1200, "retryPeriod"), ms(1000, 3000, "long period")}).Draw(t, "periods"),
		c.RenewDeadline*10/13)
	e.MaxRoundTrip = c.RenewDeadline * time.Duration(max(0, rapid.IntRange(-20, 60).Draw(t, "trip"))) / 100
	c.RequestTimeout = rapid.SampledFrom([]time.Duration{
		c.LeaseDuration, c.RenewDeadline, c.RenewDeadline * 2 / 3, e.MaxRoundTrip*3/2 + time.Millisecond, e.MaxRoundTrip/3 + time.Millisecond,
	}).Draw(t, "timeout")
	return attacked{c, e}
})

// takingForEver yields those of so many drawn configurations of which the bound says that leaders take blanks for ever, once that is shown.
func takingForEver(t *testing.T, drawn *rapid.Generator[attacked], runs int) iter.Seq[attacked] {
	return func(yield func(attacked) bool) {
		for seed := 1; seed <= runs; seed++ {
			a := drawn.Example(seed)
			if bound.Refused(a.c) != nil {
				continue
			}
			r, err := bound.Of(a.c, a.e)
			require.NoError(t, err)
			if !r.Unbounded || tooNear(a.c, a.e) {
				continue
			}
			require.Equal(t, bound.TakingTurns, r.Plan.Endless)
			a.grows(t, takingBlanks, a.c.RenewDeadline)
			if !yield(a) {
				return
			}
		}
	}
}

// TestTakingBlanks: where the bound says that leaders of v0.24 take blanks for ever, they do.
func TestTakingBlanks(t *testing.T) {
	type kind struct{ short, frozen bool }
	shown, quick := map[kind]int{}, 0
	for a := range takingForEver(t, blanked, 1500) {
		shown[kind{a.c.RetryPeriod < time.Second, a.e.MaxPause > 0}]++
		if a.e.MaxRoundTrip == 0 {
			quick++
		}
	}
	t.Logf("shown: %+v, %d with quick answers", shown, quick)
	assert.Greater(t, quick, 5)
	assert.Greater(t, shown[kind{short: true}], 20)
	assert.Greater(t, shown[kind{}], 5)
	assert.Greater(t, shown[kind{true, true}], 20)
	assert.Greater(t, shown[kind{frozen: true}], 5)
}

// shortBlanked is blanked with a lease below a second.
var shortBlanked = rapid.Custom(func(t *rapid.T) attacked {
	ms := func(low, high int, what string) time.Duration {
		return time.Duration(rapid.IntRange(low, high).Draw(t, what)) * time.Millisecond
	}
	c := &bound.Config{Profile: machine.ClientGoV024, ReleaseOnCancel: true, Lock: plan.ConfigMap}
	c.LeaseDuration = rapid.SampledFrom([]time.Duration{ms(25, 900, "lease"), ms(25, 200, "short lease")}).Draw(t, "leases")
	c.RenewDeadline = c.LeaseDuration * time.Duration(rapid.IntRange(80, 99).Draw(t, "deadline")) / 100
	c.RetryPeriod = c.RenewDeadline * time.Duration(rapid.IntRange(15, 80).Draw(t, "period")) / 100
	c.RequestTimeout = c.RenewDeadline * time.Duration(rapid.IntRange(10, 150).Draw(t, "timeout")) / 100
	e := &bound.Environment{MaxDriftPPM: rapid.SampledFrom([]int64{0, 0, 200, 100_000}).Draw(t, "drift")}
	e.MaxRoundTrip = c.RenewDeadline * time.Duration(max(0, rapid.IntRange(-10, 40).Draw(t, "trip"))) / 100
	if rapid.Bool().Draw(t, "frozen") {
		e.MaxPause = c.RetryPeriod * time.Duration(rapid.IntRange(1, 80).Draw(t, "pause")) / 100
	}
	return attacked{c, e}
})

// TestTakingShortBlanks is TestTakingBlanks with many turns in a second.
func TestTakingShortBlanks(t *testing.T) {
	shown, frozen := 0, 0
	for a := range takingForEver(t, shortBlanked, 1000) {
		shown++
		if a.e.MaxPause > 0 {
			frozen++
		}
	}
	t.Logf("%d shown, %d of them with freezes", shown, frozen)
	assert.Greater(t, shown, 100)
	assert.Greater(t, frozen, 30)
}

// TestFewBlanks: where turns by blanks are counted, those of an environment in which they go on for ever, pressed into this one, stay
// below the bound, and so does what an adversary makes of them.
func TestFewBlanks(t *testing.T) {
	fewBlanks(t, blanked, func(a *attacked, seed int) time.Duration {
		return a.e.MaxRoundTrip*time.Duration(1+seed%8)/4 + 2*time.Millisecond
	})
}

// TestFewShortBlanks is TestFewBlanks with many turns in a second.
func TestFewShortBlanks(t *testing.T) {
	fewBlanks(t, calmBlanked, func(a *attacked, seed int) time.Duration {
		return a.c.RetryPeriod*time.Duration(1+seed%8)/16 + time.Millisecond
	})
}

// calmBlanked is shortBlanked with answers and freezes that are short.
var calmBlanked = rapid.Custom(func(t *rapid.T) attacked {
	a := shortBlanked.Draw(t, "case")
	share := time.Duration(rapid.IntRange(8, 1000).Draw(t, "share"))
	a.e.MaxRoundTrip, a.e.MaxPause = a.e.MaxRoundTrip/share, a.e.MaxPause/share
	return a
})

// fewBlanks attacks configurations with plans of environments in which round trips are so much longer.
func fewBlanks(t *testing.T, cases *rapid.Generator[attacked], longer func(a *attacked, seed int) time.Duration) {
	var k climbs
	for seed := 1; k.tried < *crowdCases; seed++ {
		a := cases.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if _, known := r.AtMost(); !known || r.Overlap <= 0 {
			continue
		}
		worse := *a.e
		worse.MaxRoundTrip += longer(&a, seed)
		if endless, err := bound.Of(a.c, &worse); err != nil || !endless.Unbounded || tooNear(a.c, &worse) {
			continue
		}
		m := mutator{rand.New(rand.NewPCG(uint64(seed), 5))}
		start := m.pressed(t, takingBlanks(t, a.c, &worse, 2+seed%5).s, a.c, a.e)
		start.crowd = len(start.people) + 2
		k.from(t, m, start, seed, a, r)
	}
	t.Logf("%d attacked, by %d scenarios: at most %.2f of the bound", k.tried, k.runs, k.share)
}

// tooNear is whether leaders would not take blanks for ever in an environment that is a little better, and longer leases: a plan
// keeps some of that from every edge.
func tooNear(c *bound.Config, e *bound.Environment) bool {
	less, longer := *e, *c
	less.MaxRoundTrip = max(0, less.MaxRoundTrip-time.Millisecond)
	less.MaxPause = max(0, less.MaxPause-time.Millisecond)
	longer.RenewDeadline -= time.Millisecond
	longer.LeaseDuration += 2 * time.Millisecond
	near, err := bound.Of(&longer, &less)
	return err != nil || !near.Unbounded
}
