package stage

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/plan"
	"interregnum/scenarios"
)

// backs is two leaders each of whom reads the other's record in its poll, and takes the lock back a lease later. All times of a turn are
// on the leader's clock, which is as fast as it may be.
type backs struct {
	*stage
	// turn is from one attempt that takes the lock to the next of the same leader. It has some renewals, each of which takes so long; the
	// answer to the first write of the last one may be lost. The process is frozen before the poll that follows. That reads the record at
	// a tick, waits for some more, and is frozen over the last one.
	turn, frozen, over time.Duration
	took               []time.Duration
	lost               bool
	// wrote is how long the write takes that has taken the lock. sharp is whether all of that attempt takes no time, nor what has read the record.
	wrote        time.Duration
	sharp        bool
	ticks, waits time.Duration
	// late is how many renewals look new; the last of them begins a second.
	late int
	// slowly is the drift of a leader's clock until it reads the other's record, and half is the true time from one leader's turn to the other's.
	slowly int64
	half   time.Duration
}

// newBacks is a turn without a renewal, if that can be, or one of whole seconds or, where renewals are as far apart, one with a renewal;
// nil where none fits.
func newBacks(c *bound.Config, e *bound.Environment) *backs {
	calm := *e
	calm.MaxDriftPPM = 0
	for i, s := range []*backs{{stage: newStage(c, e)}, {stage: newStage(c, &calm)}, {stage: newStage(c, &calm), sharp: true}, {stage: newStage(c, e)}} {
		s.shorten(100 * time.Nanosecond)
		s.slowly = s.env.MaxDriftPPM
		switch {
		case i == 3:
			if s.drifts() {
				return s
			}
		case s.found():
			s.half = bound.True(s.turn/2, s.slowly)
			return s
		}
	}
	return nil
}

// drifts finds a turn in which a leader's clock is slower until its poll begins.
func (s *backs) drifts() bool {
	lease, period, trip := s.cfg.Lease(), s.cfg.RetryPeriod, s.clock(2*s.leg)
	latest, least, each := s.latest(), lease+5*trip, s.updates()*trip
	s.ticks = min((latest-1)/period, (least+period-1)/period)
	s.waits, s.over, s.late, s.wrote, s.frozen = s.ticks, max(0, least-s.ticks*period), 0, 0, 0
	takes := s.ticks*period + s.over
	if s.sharp || s.ticks < 1 || takes >= latest {
		return false
	}
	until := bound.True(takes, s.env.MaxDriftPPM) + 200*s.leg
	for n := time.Duration(0); n*(period+each) < time.Second-s.margin(); n++ {
		s.took = slices.Repeat([]time.Duration{each}, int(n))
		before, pause := (n+1)*period+n*each+2*s.updates()*trip, s.env.MaxPause
		if n == 0 {
			pause /= 2
		} else if rest := (before + takes) % time.Second; rest > n*s.margin() {
			s.took[n-1] += time.Second - rest + s.margin()
			before += time.Second - rest + s.margin()
		}
		s.slowly = int64(before*1_000_000/until) - 1_000_000
		if n > 0 && s.took[n-1] > bound.Local(s.fastest().longest(), s.slowly) || s.over > 0 && bound.True(s.over, s.env.MaxDriftPPM)+8*s.leg > pause {
			continue
		}
		if s.slowly >= -s.env.MaxDriftPPM && s.slowly <= s.env.MaxDriftPPM {
			s.half = until - 100*s.leg
			return true
		}
	}
	return false
}

// found finds such a turn.
func (s *backs) found() bool {
	c, lease, period := s.cfg, s.cfg.Lease(), s.cfg.RetryPeriod
	if s.turn = 2*lease + s.margin(); s.fill(0, 0) {
		return true
	}
	if period >= time.Second {
		if s.turn = 2*(lease+period) + s.margin(); s.fill(1, 1) {
			return true
		}
		once, latest := s.turn, s.latest()
		for _, frozen := range []time.Duration{0, max(s.over, s.clock(s.env.MaxPause))} {
			if s.turn = max(once, ((latest-1)/period+2)*period+frozen+c.RequestTimeout+s.margin()); c.RequestTimeout > 0 && s.fill(1, 1) {
				return true
			}
		}
		return false
	}
	for whole := 2 * lease; whole <= 2*lease+2*time.Second; whole += time.Second {
		for late := (whole/2 - lease) / period; late >= 0; late-- {
			for renewals := max(1, late); (renewals-late)*period < time.Second; renewals++ {
				if s.turn = whole + s.margin(); s.fill(int(late), int(renewals)) {
					return true
				}
			}
		}
	}
	return false
}

// clock is how much a leader's clock shows in a true time.
func (s *backs) clock(d time.Duration) time.Duration { return bound.Local(d, s.env.MaxDriftPPM) }

// fastest is a leader whose clock runs as fast as it may.
func (s *backs) fastest() *actor { return &actor{stage: s.stage, driftPPM: s.env.MaxDriftPPM} }

// latest is until when an attempt of a poll can begin.
func (s *backs) latest() time.Duration {
	if s.sharp {
		return s.cfg.RenewDeadline
	}
	return s.cfg.RenewDeadline - s.clock(20*s.leg)
}

// margin is how much a turn is longer than it might be.
func (s *backs) margin() time.Duration { return s.clock(100*s.leg) + 20 }

// longest is how long a renewal takes at most, and answer a request.
func (s *backs) longest() time.Duration {
	return min(3*s.answer(), s.cfg.RenewDeadline-s.clock(slack)-5)
}
func (s *backs) answer() time.Duration { return s.clock(s.fastest().longest()) - 2 }

// fill finds what a turn with so many renewals is made of, so many of which look new. It returns false where it cannot be.
func (s *backs) fill(late, renewals int) bool {
	lease, period, trip := s.cfg.Lease(), s.cfg.RetryPeriod, s.clock(2*s.leg)
	s.late, s.took, s.lost = late, make([]time.Duration, renewals), false
	latest := s.latest()
	least, taking := lease+5*trip, (s.gets()+s.updates())*trip // from a tick, and from then on
	if s.sharp {
		least, taking = lease, 0
	}
	s.ticks = min((latest-1)/period, s.turn/period-1-time.Duration(renewals))
	s.over = max(0, least-s.ticks*period)
	s.waits = max(1, (least-s.over+period-1)/period)
	if s.ticks < 1 || s.waits > s.ticks || s.ticks*period+s.over >= latest {
		return false
	}
	pause := s.clock(s.env.MaxPause) - s.over - s.clock(8*s.leg)
	if renewals == 0 { // a freeze counts for two turns
		pause = s.clock(s.env.MaxPause)/2 - s.over - s.clock(8*s.leg)
	}
	each := s.updates() * trip
	answers := time.Duration(renewals) * each
	rest := s.turn - taking - time.Duration(renewals+1)*period - answers - s.ticks*period - s.over
	if s.sharp && rest == s.margin()-answers { // nothing needs to be late
		s.turn, rest = s.turn-rest, 0
	}
	if s.over > 0 && pause < 0 || rest < 0 {
		return false
	}
	reads := s.waits*period + s.over + time.Duration(late)*period - s.turn/2 + (8+2*s.gets())*trip
	longest := 2*s.answer() - 4*trip
	s.frozen = min(rest, max(0, pause))
	// It may not write before it reads.
	expired := (s.ticks-s.waits+1)*period+s.frozen+10*trip >= lease || s.lock().Forgets() && s.ticks > s.waits
	if expired {
		longest = s.answer() - 4*trip
	}
	pause -= max(0, reads-longest) // what it is frozen for as it reads
	if !s.sharp && reads > longest && (pause < 0 || expired && s.ticks == s.waits) {
		return false
	}
	s.frozen = min(rest, max(0, pause))
	return s.answers(rest-s.frozen, latest) && s.fits()
}

// answers finds how long answers take, which take so much longer than they must in all.
func (s *backs) answers(rest, latest time.Duration) bool {
	trip, renewals := s.clock(2*s.leg), len(s.took)
	each, f := s.updates()*trip, s.cfg.RequestTimeout
	alike := time.Second - 50*s.margin() - time.Duration(renewals-s.late)*(s.cfg.RetryPeriod+each) // from one answer to another
	for i := renewals - 1; i >= 0; i-- {
		s.took[i] = each
		most := s.longest()
		if i == renewals-1 && f > s.answer() && f < latest && rest > time.Duration(renewals-max(s.late, 1)+1)*most && rest > f+2*each {
			s.lost, most = true, min(f+2*s.answer(), latest)
		}
		more := min(most-each, rest)
		if i < renewals-1 {
			more = min(more, max(0, alike))
			alike -= more
		}
		if more > 0 && i >= s.late-1 {
			s.took[i], rest = s.took[i]+more, rest-more
		}
	}
	if s.wrote = 0; !s.sharp {
		more := min(rest, s.clock(s.fastest().direct())-trip-2, s.cfg.RenewDeadline-s.ticks*s.cfg.RetryPeriod-s.over-10*trip)
		s.wrote, rest = trip+max(0, more), rest-max(0, more)
	}
	for i := range max(0, s.late-1) {
		more := min(s.longest()-each, rest)
		s.took[i], rest = each+more, rest-more
	}
	return rest == 0
}

// fits is whether the last renewals look the same, and the other one's turn comes after the last of their writes.
func (s *backs) fits() bool {
	at, alike, begins, margin := s.clock(2*s.leg)+s.wrote, time.Duration(0), time.Duration(0), s.margin()/2
	if s.sharp {
		at, margin = 0, 2*max(0, s.waits*s.cfg.RetryPeriod+s.over-s.cfg.Lease()+1)
	}
	for i, took := range s.took {
		at += s.cfg.RetryPeriod
		begins = at
		at += took
		if i+1 == s.late {
			alike = begins
		}
	}
	return begins-alike < time.Second-40*s.margin() && s.turn >= 2*(s.cfg.Lease()+alike)+margin &&
		at <= s.turn/2+s.clock(s.fastest().direct())-s.margin()
}

// lead is a turn of a leader whose attempt that writes first begins, and takes so many requests. It returns when the first of the
// writes that look the same as its last one is applied; the leader's next poll begins then.
func (s *backs) lead(a *actor, requests time.Duration) (written time.Duration) {
	a.setRate(s.slowly)
	if s.sharp {
		s.atOnce(a, a.now)
		written = a.now
	} else {
		a.pass((requests - 1) * a.trip())
		written = a.request(machine.Update, answered, bound.True(s.wrote, a.driftPPM)) + a.leg
	}
	a.observed = a.local
	for i, took := range s.took {
		a.wait(s.cfg.RetryPeriod)
		if i+1 == s.late {
			written = a.now + a.leg + 2*(s.gets()-1)*a.trip()
		}
		if took < s.clock(3*s.updates()*a.trip()) || s.slowly < s.env.MaxDriftPPM {
			before := a.now
			a.pass((s.updates() - 1) * a.trip())
			a.request(machine.Update, answered, bound.True(took, a.driftPPM)-(a.now-before))
		} else {
			a.attempt(bound.True(took, a.driftPPM), a.longest(), s.lost && i == len(s.took)-1)
		}
		a.observed = a.local
	}
	a.wait(s.cfg.RetryPeriod)
	s.freeze(a, s.frozen)
	return written
}

// atOnce has a candidate's requests take no time that it sends from an instant on, up to now.
func (s *backs) atOnce(a *actor, from time.Duration) {
	var no scenarios.Delay
	s.fault(scenarios.Fault{Kind: plan.FaultDelay, Request: &no, Response: &no}, a.id, from, a.now)
}

// freeze has a leader frozen from now on.
func (s *backs) freeze(a *actor, local time.Duration) {
	switch {
	case local == 0:
	case s.sharp:
		a.pass(s.pause(a.id, a.now, local+s.near) - a.now)
	default:
		a.pass(s.pause(a.id, a.now, bound.True(local, a.driftPPM)+s.near) - a.now)
	}
}

// poll is the poll of a leader that takes the lock back from another, which has written at an instant. It returns as the attempt that
// does so begins.
func (s *backs) poll(t require.TestingT, a *actor, written time.Duration) {
	polled, period := a.local, s.cfg.RetryPeriod
	if skipped := s.ticks - s.waits; skipped > 0 {
		from := a.now
		a.wait(skipped * period)
		s.fault(errorOn(0, false), a.id, from, a.now-3*s.near)
	}
	if s.sharp {
		require.GreaterOrEqual(t, a.now, written, "%s reads too soon", a.id)
		s.atOnce(a, a.now)
		a.observed = a.local
		s.takes(t, a, polled)
		return
	}
	valid := a.local-a.observed < s.cfg.Lease() && !(s.lock().Forgets() && s.ticks > s.waits)
	reads, longest := written+3*a.leg, a.longest()-4*a.leg
	if valid {
		longest *= 2
	}
	frozen := s.clock(max(0, reads-a.now-longest))
	if valid {
		a.request(machine.Update, refused, min(a.longest()-4*a.leg, max(a.trip(), reads-a.now-2*a.leg)))
	}
	s.freeze(a, frozen) // not as the poll begins: the ticker would begin later, too
	if out := reads - a.now; out > a.leg {
		a.slowOut(out)
		a.pass(out + a.leg)
	} else {
		a.pass(a.trip())
	}
	a.pass((s.gets() - 1) * a.trip())
	a.observed = a.local
	s.takes(t, a, polled)
}

// takes has a leader wait until it takes the lock, in the poll that has begun at a time of its clock.
func (s *backs) takes(t require.TestingT, a *actor, polled time.Duration) {
	a.setRate(s.env.MaxDriftPPM)
	a.wait(polled + s.ticks*s.cfg.RetryPeriod - a.local)
	s.freeze(a, s.over)
	require.GreaterOrEqual(t, a.local-a.observed, s.cfg.Lease(), "%s takes the lock too soon", a.id)
	require.Less(t, a.local-polled, s.cfg.RenewDeadline, "%s takes the lock too late", a.id)
}

// acquired has a candidate that has just taken the lock renew at once, and begin its first turn. A second begins so that its last
// renewals are within one.
func (s *backs) acquired(a *actor) (written time.Duration) {
	offset := a.newSecond()
	if s.late > 0 {
		offset -= s.wrote + time.Duration(s.late)*s.cfg.RetryPeriod
		for _, took := range s.took[:s.late-1] {
			offset -= took
		}
	}
	s.s.Candidates[len(s.s.Candidates)-1].Clock.Offset = (offset%time.Second + time.Second) % time.Second
	return s.lead(a, s.updates())
}

// takingBack is so many rounds of turns, or of those of slowTurns.
func takingBack(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := newBacks(c, e)
	if s == nil {
		calm := *e
		calm.MaxDriftPPM = 0
		return slowTurns(t, c, &calm, rounds)
	}
	a := &actor{stage: s.stage, id: "a", driftPPM: s.slowly}
	s.candidate("a", 0, 0, scenarios.Clock{DriftPPM: a.driftPPM})
	a.acquire()
	a.pass((s.gets() - 1) * a.trip())
	half := a.now + s.half
	written := s.acquired(a)
	leg := s.leg
	if s.sharp {
		s.leg = 0
	}
	b := s.observe("b", written, half)
	b.pass((s.gets() + s.updates()) * b.trip())
	if s.leg = leg; s.sharp {
		s.atOnce(b, 0)
	}
	written = s.acquired(b)
	for range rounds {
		s.poll(t, a, written)
		written = s.lead(a, s.gets()+s.updates())
		a, b = b, a
	}
	s.s.Horizon = min(a.now, b.now)
	return s.stage
}

// shortPeriods is a deadline longer than the lease in whole seconds, and renewals that may look the same.
var shortPeriods = rapid.Custom(func(t *rapid.T) attacked {
	ms := millis(t)
	lease := time.Duration(rapid.IntRange(1, 6).Draw(t, "lease")) * time.Second
	c := &bound.Config{Profile: machine.ClientGo, Lock: rapid.SampledFrom([]plan.Lock{plan.Lease, plan.Endpoints}).Draw(t, "lock")}
	c.LeaseDuration = lease + 999*time.Millisecond
	c.RenewDeadline = lease + ms(5, 990, "deadline")
	c.RetryPeriod = min(rapid.SampledFrom([]time.Duration{ms(50, 999, "period"), ms(1000, 4000, "long period")}).Draw(t, "periods"),
		lease*9/10, c.RenewDeadline*10/13)
	e := &bound.Environment{MaxDriftPPM: rapid.SampledFrom([]int64{0, 0, 200, 20_000, 200_000}).Draw(t, "drift")}
	e.MaxRoundTrip = c.RenewDeadline * time.Duration(rapid.IntRange(1, 60).Draw(t, "trip")) / 100
	if rapid.Bool().Draw(t, "frozen") {
		e.MaxPause = ms(1, 3000, "pause")
	}
	c.RequestTimeout = rapid.SampledFrom([]time.Duration{0, 0, c.RenewDeadline, c.RenewDeadline / 2, e.MaxRoundTrip * 2}).Draw(t, "timeout")
	return attacked{c, e}
})

// millis draws a whole number of milliseconds, from low to high.
func millis(t *rapid.T) func(low, high int, what string) time.Duration {
	return func(low, high int, what string) time.Duration {
		return time.Duration(rapid.IntRange(low, high).Draw(t, what)) * time.Millisecond
	}
}

// one is 1 for what is so.
func one(so bool) int {
	if so {
		return 1
	}
	return 0
}

// TestTakingBack: where the bound says that leaders take the lock back for ever, they do.
func TestTakingBack(t *testing.T) {
	type kind struct{ short, frozen bool }
	shown, still, lost, late := map[kind]int{}, 0, 0, 0
	for seed := 1; seed <= few.Of(1500); seed++ {
		a := shortPeriods.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		less, shorter := *a.e, *a.c // what a plan keeps from every edge
		less.MaxRoundTrip -= time.Millisecond
		less.MaxPause = max(0, less.MaxPause-time.Millisecond)
		shorter.RenewDeadline -= time.Millisecond
		if near, err := bound.Of(&shorter, &less); err != nil || !near.Unbounded {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if !r.Unbounded {
			continue
		}
		require.Equal(t, bound.TakingTurns, r.Plan.Endless)
		a.grows(t, takingBack, a.c.Lease())
		shown[kind{a.c.RetryPeriod < time.Second, a.e.MaxPause > 0}]++
		if s := newBacks(a.c, a.e); s != nil {
			still, lost = still+one(len(s.took) == 0), lost+one(s.lost && a.c.RetryPeriod >= time.Second)
			late += one(s.wrote > 2*s.clock(2*s.leg))
		}
	}
	t.Logf("shown: %+v, %d without a renewal, %d with a lost answer and a long period, %d in which what takes the lock is answered late", shown, still, lost, late)
	assert.Greater(t, still, few.Of(5))
	assert.Greater(t, late, few.Of(5))
	assert.Greater(t, shown[kind{true, false}], few.Of(20))
	assert.Greater(t, shown[kind{true, true}], few.Of(20))
	assert.Greater(t, shown[kind{false, true}], few.Of(5))
}

// TestTakingBackAtOnce: so they do where a lease is a number of RetryPeriods, and the poll is over before the next: a leader takes the lock in the
// instant in which the lease has run out.
func TestTakingBackAtOnce(t *testing.T) {
	shown, frozen, lost := 0, 0, 0
	for seed := 1; seed <= few.Of(600); seed++ {
		a := shortPeriods.Example(seed)
		a.c.RetryPeriod = a.c.Lease() / time.Duration(2+seed%19)
		over := a.c.Lease() % a.c.RetryPeriod // a freeze must make up for it
		a.e.MaxRoundTrip, a.e.MaxDriftPPM = min(a.e.MaxRoundTrip, a.c.RetryPeriod/5), 0
		if a.c.RenewDeadline = a.c.Lease() + 1 + time.Duration(seed%7); bound.Refused(a.c) != nil {
			continue
		}
		less := *a.e
		less.MaxRoundTrip -= time.Millisecond
		less.MaxPause = max(0, less.MaxPause-time.Millisecond)
		if near, err := bound.Of(a.c, &less); err != nil || !near.Unbounded {
			continue
		}
		s := newBacks(a.c, a.e)
		if s == nil { // all requests of a turn, or of its renewals in one second, would have to take less than some nanoseconds
			a.c.RenewDeadline += 50 * time.Microsecond
			if a.c.RetryPeriod < time.Second {
				a.c.RetryPeriod -= 250 * time.Microsecond
			}
			s = newBacks(a.c, a.e)
			require.NotNil(t, s, "%+v in %+v", *a.c, *a.e)
		} else {
			require.True(t, s.sharp)
		}
		a.grows(t, takingBack, a.c.Lease())
		shown, frozen, lost = shown+1, frozen+one(over > 0), lost+one(s.sharp && s.lost)
	}
	t.Logf("%d shown, %d of them with a freeze over the last tick, %d with a lost answer", shown, frozen, lost)
	assert.Greater(t, shown, few.Of(50))
	assert.Positive(t, frozen)
	assert.True(t, lost > 0 || !few.All())
}

// TestTakingBackSlowly: so they do where clocks are slow until a record is read, and fast from then on.
func TestTakingBackSlowly(t *testing.T) {
	shown, renewed, frozen := 0, 0, 0
	for seed := 1; seed <= few.Of(3000); seed++ {
		a := shortPeriods.Example(seed)
		a.e.MaxDriftPPM = 200_000 + int64(seed%4)*100_000
		a.e.MaxRoundTrip /= time.Duration(1 + seed%8)
		if bound.Refused(a.c) != nil {
			continue
		}
		less, shorter := *a.e, *a.c
		less.MaxRoundTrip, less.MaxDriftPPM = less.MaxRoundTrip-time.Millisecond, less.MaxDriftPPM-1000
		less.MaxPause = max(0, less.MaxPause-2*time.Millisecond)
		shorter.RenewDeadline -= time.Millisecond
		if near, err := bound.Of(&shorter, &less); err != nil || !near.Unbounded {
			continue
		}
		s := newBacks(a.c, a.e)
		if s != nil && s.slowly == s.env.MaxDriftPPM {
			continue // as in TestTakingBack
		}
		if a.grows(t, takingBack, a.c.Lease()); s == nil {
			continue
		}
		shown, renewed, frozen = shown+1, renewed+one(len(s.took) > 0), frozen+one(s.over > 0)
	}
	t.Logf("%d shown, %d with renewals, %d with a freeze over the last tick", shown, renewed, frozen)
	assert.Greater(t, shown, few.Of(20))
	assert.True(t, renewed > 0 && frozen > 0 || !few.All())
}

// TestTakingBackOnTwoObjects: so it is on two objects, with renewals and without.
func TestTakingBackOnTwoObjects(t *testing.T) {
	shown := 0
	for seed := 1; seed <= few.Of(3000); seed++ {
		drawn := rapid.SampledFrom([]*rapid.Generator[attacked]{shortPeriods, longDeadlines}).Example(seed)
		a := drawn.Example(seed)
		a.c.Lock = plan.ConfigMapsLeases
		if bound.Refused(a.c) != nil || a.c.RenewDeadline-a.c.Lease() < time.Millisecond {
			continue
		}
		less, shorter := *a.e, *a.c
		less.MaxPause = max(0, less.MaxPause-time.Millisecond)
		less.MaxRoundTrip = max(0, less.MaxRoundTrip-time.Millisecond)
		shorter.RenewDeadline -= time.Millisecond
		near, err := bound.Of(&shorter, &less)
		require.NoError(t, err)
		if near.Plan.Endless != bound.TakingTurns || a.c.Lease() <= a.c.RetryPeriod {
			continue
		}
		a.grows(t, takingBack, a.c.Lease())
		shown++
	}
	t.Logf("%d shown", shown)
	assert.Greater(t, shown, few.Of(50))
}

// TestFewFrozenTurns: where freezes, answers and drift are too little for turns without end, turns of an environment in which they are not,
// pressed into this one, stay below the bound, and so does what an adversary makes of them. With some hundred cases (-crowd.cases) some are longer than what the
// bound shows: there a bound that counted no turn would be refuted.
func TestFewFrozenTurns(t *testing.T) {
	onPair := onTwoObjects(shortPeriods)
	for name, cases := range map[string]*rapid.Generator[attacked]{"one object": shortPeriods, "two objects": onPair} {
		t.Run(name, func(t *testing.T) {
			beyond := fewTurns(t, cases, func(a *attacked, seed int) (*bound.Config, *bound.Environment) {
				worse := *a.e
				worse.MaxPause += a.c.RetryPeriod * time.Duration(1+seed%8) / 8
				worse.MaxRoundTrip += a.e.MaxRoundTrip * time.Duration(seed%3) / 4
				return a.c, &worse
			})
			assert.True(t, beyond > 0 || cases != onPair, "a bound that counts no turn would not be refuted")
		})
	}
}

// onTwoObjects is such a case with a lock on two objects.
func onTwoObjects(drawn *rapid.Generator[attacked]) *rapid.Generator[attacked] {
	return rapid.Custom(func(t *rapid.T) attacked {
		a := drawn.Draw(t, "case")
		a.c.Lock = plan.ConfigMapsLeases
		return a
	})
}

// TestFewSeconds: so it is where answers are short, RetryPeriod is below a second, and attempts come at ticks, so that turns are mostly counted by parts of a second. There
// it takes another deadline or period for turns without end.
func TestFewSeconds(t *testing.T) {
	short := rapid.Custom(func(t *rapid.T) attacked {
		a := shortPeriods.Draw(t, "case")
		a.c.RetryPeriod = min(a.c.RetryPeriod, time.Duration(rapid.IntRange(50, 999).Draw(t, "period"))*time.Millisecond)
		a.e.MaxRoundTrip, a.e.MaxPause = a.e.MaxRoundTrip/10, a.e.MaxPause/10
		return a
	})
	worse := func(a *attacked, seed int) (*bound.Config, *bound.Environment) {
		worse, other := *a.e, *a.c
		worse.MaxPause += a.c.RetryPeriod * time.Duration(seed%9) / 8
		worse.MaxRoundTrip += a.e.MaxRoundTrip * time.Duration(seed/9%9) / 4
		other.RenewDeadline += (other.LeaseDuration - other.RenewDeadline) * time.Duration(seed/81%4) / 4
		other.RetryPeriod = other.RetryPeriod * time.Duration(80+seed%31) / 100
		return &other, &worse
	}
	fewTurns(t, onTwoObjects(short), worse)
	beyond := fewTurns(t, short, worse)
	assert.True(t, beyond > 0 || !few.All(), "a bound that counts no turn would not be refuted")
}

// fewTurns attacks cases that have an upper bound with turns of what worse makes of each, if turns have no end there. It returns in how many an
// overlap was longer than what the bound shows.
func fewTurns(
	t *testing.T, drawn *rapid.Generator[attacked], worse func(*attacked, int) (*bound.Config, *bound.Environment),
) (beyond int) {
	var k climbs
	for seed := 1; k.tried < *crowdCases; seed++ {
		a := drawn.Example(seed)
		c, e := worse(&a, seed)
		if bound.Refused(a.c) != nil || bound.Refused(c) != nil {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if _, known := r.AtMost(); !known || r.Overlap <= 0 || a.c.RenewDeadline <= a.c.Lease() {
			continue
		}
		less, shorter := *e, *c
		less.MaxRoundTrip = max(0, less.MaxRoundTrip-time.Millisecond)
		less.MaxPause = max(0, less.MaxPause-time.Millisecond)
		shorter.RenewDeadline -= time.Millisecond
		if near, err := bound.Of(&shorter, &less); err != nil || near.Plan.Endless != bound.TakingTurns || a.c.Lease() <= a.c.RetryPeriod {
			continue
		}
		m := mutator{rand.New(rand.NewPCG(uint64(seed), 6))}
		start := m.pressed(t, takingBack(t, c, e, 2+seed%5).s, a.c, a.e)
		k.from(t, m, start, seed, a, r)
	}
	t.Logf("%d attacked, by %d scenarios: at most %.2f of the bound; %d beyond what it shows", k.tried, k.runs, k.share, k.beyond)
	return k.beyond
}
