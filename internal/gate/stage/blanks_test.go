package stage

import (
	"fmt"
	"iter"
	"slices"
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

// blanks is two leaders that take the lock from each other by blanks: a third candidate takes over from the one, is stopped, and
// releases the lock as the other one looks. All times of a turn are on the leader's clock, at its slowest.
type blanks struct {
	*stage
	// phase is where in its second the clock of each leader is as its first turn begins; turns are those of each.
	phase  time.Duration
	turns  []bound.BlankTurn
	thirds int
	// rounded is more than the waits of a follower are longer than they should be, since each of them is rounded.
	rounded time.Duration
}

// newBlanks has the turns of an environment that is a little better, and longer leases, since a plan keeps some of that from every edge. If none
// are known there, clocks drift half as much.
func newBlanks(t require.TestingT, c *bound.Config, e *bound.Environment, turns int) *blanks {
	if _, all := bound.BlankTurns(better(c), calmer(e), 1); len(all) == 0 {
		e = steadier(e)
	}
	s := emptyBlanks(c, e)
	s.phase, s.turns = bound.BlankTurns(better(c), calmer(e), turns)
	require.NotEmpty(t, s.turns, "no turns are known: %+v in %+v", *c, *e)
	if took := s.turns[0].Reads; s.turns[0].Held == 0 && took > calmer(e).MaxRoundTrip { // requests that take no time have an order
		ordered := *e
		ordered.MaxRoundTrip = took
		s.env, s.rounded = &ordered, 4
		s.shorten(2)
	}
	return s
}

// emptyBlanks has no turns.
func emptyBlanks(c *bound.Config, e *bound.Environment) *blanks {
	s := &blanks{stage: newStage(c, e), rounded: 500 * time.Nanosecond}
	s.shorten(100 * time.Nanosecond)
	return s
}

// better is a configuration with a longer lease and a shorter deadline, and calmer an environment that is a little better.
func better(c *bound.Config) *bound.Config {
	b := *c
	b.RenewDeadline -= time.Millisecond
	b.LeaseDuration += 2 * time.Millisecond
	return &b
}

func calmer(e *bound.Environment) *bound.Environment {
	less := *e
	less.MaxRoundTrip = max(0, less.MaxRoundTrip-time.Millisecond)
	less.MaxPause = max(0, less.MaxPause-time.Millisecond)
	return &less
}

// steadier is such an environment in which clocks drift half as much.
func steadier(e *bound.Environment) *bound.Environment {
	less := *e
	less.MaxDriftPPM /= 2
	return &less
}

// tooNear is whether leaders would not take blanks for ever in an environment that is a little better, and longer leases.
func tooNear(c *bound.Config, e *bound.Environment) bool {
	_, turns := bound.BlankTurns(better(c), calmer(e), 1)
	_, steady := bound.BlankTurns(better(c), calmer(steadier(e)), 1)
	return len(turns)+len(steady) == 0
}

// clock is how much a leader's clock, at its slowest, shows in a true time.
func (s *blanks) clock(d time.Duration) time.Duration { return bound.Local(d, -s.env.MaxDriftPPM) }

// attempt is how long an attempt takes at least.
func (s *blanks) attempt() time.Duration { return 2 * (s.gets() + s.updates()) * s.leg }

// acquired has a candidate, which has the lock, renew at once. That begins its first turn, but for what its Get would take to arrive.
func (s *blanks) acquired(a *actor, next time.Duration) (written time.Duration) {
	turn, at := &s.turns[0], s.phase
	if turn.Late > 0 { // the second counts from a renewal
		at -= turn.Reads + time.Duration(turn.Late)*s.cfg.RetryPeriod
		for _, took := range turn.Took[:turn.Late] {
			at -= took
		}
	}
	s.hastens(a, turn)
	offset := a.newSecond() + at + turn.Reads
	s.s.Candidates[len(s.s.Candidates)-1].Clock.Offset = (offset%time.Second + time.Second) % time.Second
	began := a.local - turn.Reads
	return s.lead(a, turn, began, s.slow(a, turn.Took[0]), next)
}

// takes is an attempt that takes the lock. It returns when that is applied.
func (s *blanks) takes(a *actor, turn *bound.BlankTurn) (written time.Duration) {
	reads := bound.True(turn.Reads, a.driftPPM)
	if reads <= a.trip() {
		return s.slow(a, turn.Took[0]+turn.Reads)
	}
	before, answers := a.now, a.now+reads+s.leg
	if turn.Held > 0 {
		a.hold(reads + s.leg - bound.True(turn.Held, a.driftPPM))
		s.freeze(a, turn.Held)
	}
	a.slowOut(reads - (a.now - before))
	a.pass(answers - a.now)
	return a.request(machine.Update, answered, bound.True(turn.Took[0], a.driftPPM))
}

// lead is a turn of a leader, after its first write. It returns when the first of the writes that look the same as its
// last one is applied; the leader is then at the beginning of its next turn. next is when the other one takes the lock, 0 where that follows.
func (s *blanks) lead(a *actor, turn *bound.BlankTurn, began, written, next time.Duration) time.Duration {
	for i, took := range turn.Took[1:] {
		switch {
		case turn.Hurries && i < turn.Late:
			a.setRate(s.env.MaxDriftPPM)
		case turn.Hurries:
			a.setRate(turn.DriftPPM)
		}
		s.wait(a, turn, s.cfg.RetryPeriod)
		s.freeze(a, turn.Frozen[i])
		var applied time.Duration
		switch last := i+2 == len(turn.Took); {
		case last && (turn.Splits || turn.Crosses):
			applied = s.late(a, turn, took, written, next)
		case i == 0 && turn.Crosses:
			applied = s.crossed(a, turn, took)
		default:
			applied = s.slow(a, took)
		}
		if i+1 == turn.Late {
			written = applied
		}
	}
	if turn.Hurries {
		a.setRate(-s.env.MaxDriftPPM)
	}
	s.wait(a, turn, s.cfg.RetryPeriod)
	if turn.Ticks == 0 { // the first attempt of its poll takes the lock
		return written
	}
	polls := began + turn.Length - turn.Ticks*s.cfg.RetryPeriod - max(turn.Fails, s.clock(3*s.leg))
	s.freeze(a, min(turn.Frozen[len(turn.Frozen)-1], polls-a.local))
	s.fail(a, turn, began+turn.Length)
	return written
}

// wait has a leader wait for a timer.
func (s *blanks) wait(a *actor, turn *bound.BlankTurn, local time.Duration) {
	if turn.Held > 0 {
		a.setRate(-s.env.MaxDriftPPM)
	}
	a.wait(local)
	s.hastens(a, turn)
}

// hastens makes a leader's clock fast for what is no wait for a timer, where turn has it so.
func (s *blanks) hastens(a *actor, turn *bound.BlankTurn) {
	if turn.Held > 0 {
		a.setRate(s.env.MaxDriftPPM)
	}
}

// freeze has a leader frozen from now on.
func (s *blanks) freeze(a *actor, local time.Duration) {
	if local > 0 {
		a.pass(s.pause(a.id, a.now, bound.True(local, a.driftPPM)+s.near) - a.now)
	}
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
func (s *blanks) fail(a *actor, turn *bound.BlankTurn, begins time.Duration) {
	begins = max(begins, a.local+turn.Ticks*s.cfg.RetryPeriod+s.clock(3*s.leg))
	if turn.Loses {
		a.request(machine.Get, lost, 0)
		begins = a.local + turn.Ticks*s.cfg.RetryPeriod
	} else {
		fails := bound.True(begins-turn.Ticks*s.cfg.RetryPeriod-a.local, a.driftPPM)
		if first := fails - a.longest(); first > 0 && s.gets() > 1 { // of the first object's Get
			before := a.now
			a.request(machine.Get, answered, first+a.trip())
			fails -= a.now - before
		}
		a.request(machine.Get, refused, fails)
	}
	from := a.now
	s.wait(a, turn, begins-a.local)
	if turn.Ticks > 1 {
		s.fault(errorOn(machine.Get, false), a.id, from+2*s.near, a.now-2*s.near)
	}
}

// blank has a third candidate take the lock, which another one has written last, and release it just before an instant.
func (s *blanks) blank(t require.TestingT, written, before time.Duration) {
	id := fmt.Sprintf("c%d", s.thirds)
	s.thirds++
	takes := before - 3*s.attempt() - s.rounded
	c := s.observe(id, written, takes-s.between())
	c.pass(s.gets() * c.trip())
	c.request(machine.Update, answered, s.between())
	c.pass(2*s.attempt() - (s.gets()+1)*c.trip()) // it renews at once
	s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: c.now + 1, On: []string{id}})
	require.Less(t, c.now+s.attempt()/2, before+s.leg, "%s comes too late: %+v in %+v", id, *s.cfg, *s.env)
}

// takingBlanks is so many rounds of turns.
func takingBlanks(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	return newBlanks(t, c, e, rounds/2+2).play(t, rounds)
}

// play is so many rounds of the turns.
func (s *blanks) play(t require.TestingT, rounds int) *stage {
	a := &actor{stage: s.stage, id: "a", driftPPM: -s.env.MaxDriftPPM}
	s.candidate("a", 0, 0, scenarios.Clock{DriftPPM: a.driftPPM})
	a.acquire()
	a.pass((s.gets() - 1) * a.trip())
	written := s.acquired(a, 0)
	b := s.observe("b", written, written+bound.True(s.turns[0].Apart, a.driftPPM))
	s.takesOver(b)
	b.setRate(-s.env.MaxDriftPPM)
	written = s.acquired(b, a.now)
	for i := range rounds {
		turn := &s.turns[1+i/2]
		s.blank(t, written, a.now+bound.True(turn.Reads, a.driftPPM))
		began := a.local
		written = s.lead(a, turn, began, s.takes(a, turn), b.now)
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
	ms := millis(t)
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
		for seed := 1; seed <= few.Of(runs); seed++ {
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

// blanksOfSort draws configurations. Where the bound says that leaders take blanks for ever, it shows those plans whose turns are of the sort.
// Where the bound is known it requires that there is no plan at all, and it returns how often that was so.
func blanksOfSort(t *testing.T, drawn *rapid.Generator[attacked], sort func(*bound.BlankTurn) bool) (counted int) {
	for seed := 1; seed <= few.Of(3000); seed++ {
		a := drawn.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if _, known := r.AtMost(); known {
			_, turns := bound.BlankTurns(a.c, a.e, 1)
			require.Empty(t, turns, "%+v in %+v", *a.c, *a.e)
			counted++
			continue
		}
		if r.Unbounded && !tooNear(a.c, a.e) && sort(&newBlanks(t, a.c, a.e, 1).turns[0]) {
			a.grows(t, takingBlanks, a.c.RenewDeadline)
		}
	}
	return counted
}

// TestTakingBlanks: where the bound says that leaders of v0.24 take blanks for ever, they do.
func TestTakingBlanks(t *testing.T) {
	type kind struct{ short, frozen bool }
	shown, quick, early := map[kind]int{}, 0, 0
	for a := range takingForEver(t, blanked, 1500) {
		shown[kind{a.c.RetryPeriod < time.Second, a.e.MaxPause > 0}]++
		_, turns := bound.BlankTurns(better(a.c), calmer(a.e), 4)
		early += one(slices.ContainsFunc(turns, frozenEarly))
		if a.e.MaxRoundTrip == 0 {
			quick++
		}
	}
	t.Logf("shown: %+v, %d with quick answers, %d with freezes between renewals", shown, quick, early)
	assert.Greater(t, quick, few.Of(5))
	assert.Greater(t, early, few.Of(5))
	assert.Greater(t, shown[kind{short: true}], few.Of(20))
	assert.Greater(t, shown[kind{}], few.Of(5))
	assert.Greater(t, shown[kind{true, true}], few.Of(20))
	assert.Greater(t, shown[kind{frozen: true}], few.Of(5))
}

// TestTakingFrozenBlanks: so they do where it takes freezes between renewals that look the same.
func TestTakingFrozenBlanks(t *testing.T) {
	const s, ms, us = time.Second, time.Millisecond, time.Microsecond
	for _, row := range []struct {
		lock                             plan.Lock
		lease, deadline, period, timeout time.Duration
		pause                            time.Duration
		drift                            int64
	}{
		{plan.Lease, s, 490 * ms, 251282 * us, ms, 1467250 * us, 0},
		{plan.Lease, 2500 * ms, 1050 * ms, 127333 * us, 1400 * ms, 930800 * us, 400_000},
		{plan.ConfigMapsLeases, 2 * s, 500 * ms, 256410 * us, ms, 928200 * us, 400_000},
		{plan.ConfigMapsLeases, 2500 * ms, 712500 * us, 294 * ms, 1425 * ms, 3844 * ms, 200},
	} {
		t.Run(fmt.Sprint(row), func(t *testing.T) {
			a := attacked{
				&bound.Config{
					Timings: machine.Timings{LeaseDuration: row.lease, RenewDeadline: row.deadline, RetryPeriod: row.period},
					Profile: machine.ClientGoV024, ReleaseOnCancel: true, RequestTimeout: row.timeout, Lock: row.lock,
				},
				&bound.Environment{MaxPause: row.pause, MaxDriftPPM: row.drift},
			}
			r, err := bound.Of(a.c, a.e)
			require.NoError(t, err)
			require.True(t, r.Unbounded)
			_, turns := bound.BlankTurns(better(a.c), calmer(a.e), 4)
			require.True(t, slices.ContainsFunc(turns, frozenEarly))
			a.grows(t, takingBlanks, a.c.RenewDeadline)
		})
	}
}

// TestTakingBlanksSteadily: so they do where clocks must drift by less than they may.
func TestTakingBlanksSteadily(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for _, row := range []struct {
		lock                             plan.Lock
		lease, deadline, period, timeout time.Duration
		trip, pause                      time.Duration
	}{
		{plan.ConfigMapsLeases, 1500 * ms, 1410 * ms, 652 * ms, 1500 * ms, 0, 425 * ms},
		{plan.ConfigMapsLeases, 1000 * ms, 530 * ms, 407692 * us, 1000 * ms, 68900 * us, 0},
		{plan.Lease, 2500 * ms, 1275 * ms, 980769 * us, 1275 * ms, 0, 2235 * ms},
	} {
		t.Run(fmt.Sprint(row), func(t *testing.T) {
			a := attacked{
				&bound.Config{
					Timings: machine.Timings{LeaseDuration: row.lease, RenewDeadline: row.deadline, RetryPeriod: row.period},
					Profile: machine.ClientGoV024, ReleaseOnCancel: true, RequestTimeout: row.timeout, Lock: row.lock,
				},
				&bound.Environment{MaxRoundTrip: row.trip, MaxPause: row.pause, MaxDriftPPM: 100_000},
			}
			r, err := bound.Of(a.c, a.e)
			require.NoError(t, err)
			require.True(t, r.Unbounded)
			_, drifting := bound.BlankTurns(a.c, a.e, 1)
			require.Empty(t, drifting)
			a.grows(t, takingBlanks, a.c.RenewDeadline)
		})
	}
}

// TestTakingBlanksAtOnce: so they do where turns with and without a lost answer have to be mixed, and fit only if what happens at one instant
// takes no time.
func TestTakingBlanksAtOnce(t *testing.T) {
	for _, lock := range []plan.Lock{plan.ConfigMap, plan.Endpoints} {
		a := attacked{
			&bound.Config{
				Timings: machine.Timings{LeaseDuration: 29_800_003, RenewDeadline: 29_800_001, RetryPeriod: 19 * time.Millisecond},
				Profile: machine.ClientGoV024, ReleaseOnCancel: true, RequestTimeout: 3_943_187, Lock: lock,
			},
			&bound.Environment{},
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		require.True(t, r.Unbounded)
		a.grows(t, takingBlanks, a.c.RenewDeadline)
		const rounds = 1000
		w := gatetest.Watched(t, takingBlanks(t, a.c, a.e, rounds).s)
		assert.Greater(t, w.Score(), rounds*a.c.LeaseDuration)
	}
}

// frozenEarly is whether a leader is frozen in a turn before its last success, too.
func frozenEarly(turn bound.BlankTurn) bool {
	return slices.Max(append(turn.Frozen[:len(turn.Frozen)-1:len(turn.Frozen)-1], 0)) > time.Millisecond
}

// shortBlanked is blanked with a lease below a second.
var shortBlanked = rapid.Custom(func(t *rapid.T) attacked {
	ms := millis(t)
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
	assert.Greater(t, shown, few.Of(100))
	assert.Greater(t, frozen, few.Of(30))
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
func fewBlanks(t *testing.T, drawn *rapid.Generator[attacked], longer func(a *attacked, seed int) time.Duration) {
	var k climbs
	for seed := 1; k.tried < *crowdCases; seed++ {
		a := drawn.Example(seed)
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
		k.fromCrowd(t, takingBlanks(t, a.c, &worse, 2+seed%5).s, 5, seed, a, r)
	}
	t.Logf("%d attacked, by %d scenarios: at most %.2f of the bound", k.tried, k.runs, k.share)
}
