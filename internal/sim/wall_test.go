package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// recordTape looks into the store after each write.
type recordTape struct {
	w       *world
	records []machine.Record
}

func (r *recordTape) Observe(e *trace.Event) {
	if e.Kind == trace.Written {
		found := r.w.service.Lease()
		r.records = append(r.records, found.Record)
	}
}

// records is what a plan's writes left in the store.
func records(t require.TestingT, p *plan.Plan) []machine.Record {
	require.NoError(t, p.Validate())
	var r recordTape
	r.w = newWorld(p, []trace.Sink{&r})
	for !r.w.Empty() {
		e := r.w.Pop()
		r.w.Now = e.At
		r.w.dispatch(&e)
	}
	return r.records
}

func renewTimes(t require.TestingT, p *plan.Plan) []time.Duration {
	var out []time.Duration
	for _, r := range records(t, p) {
		out = append(out, time.Duration(r.Renew-clock.Epoch))
	}
	return out
}

// TestWallClock: it goes into records as true time + offset, moved by jumps and drift.
func TestWallClock(t *testing.T) {
	assert.Equal(t, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), clock.Epoch.Time())
	for name, c := range map[string]struct {
		a      plan.Candidate
		faults []plan.Fault
		want   []time.Duration
	}{
		// The create of 0 s and the first renewal, at the same instant, say the same: one write.
		"true": {who("a", 0), nil, []time.Duration{0, 2 * sec, 4 * sec}},
		"offset": {who("a", 0, offset(-time.Hour)), nil,
			[]time.Duration{-time.Hour, 2*sec - time.Hour, 4*sec - time.Hour}},
		"jump": {who("a", 0), []plan.Fault{but(fault(plan.FaultClock, 3*sec, "a"), jumps(time.Hour))},
			[]time.Duration{0, 2 * sec, 4*sec + time.Hour}},
		"jumps": {who("a", 0),
			[]plan.Fault{but(fault(plan.FaultClock, sec, "a"), jumps(5*sec)), but(fault(plan.FaultClock, 3*sec, "a"), jumps(-20*sec))},
			[]time.Duration{0, 7 * sec, -11 * sec}},
		// Renewals at true 0, 1, 2, 3 and 4 s.
		"drift": {who("a", 0, drift(twice), offset(sec)), nil,
			[]time.Duration{sec, 3 * sec, 5 * sec, 7 * sec, 9 * sec}},
		// Reads 2 s at true 1 s, then runs at half the rate: 4 s at true 5 s.
		"jump and drift": {who("a", 0, drift(twice)),
			[]plan.Fault{but(fault(plan.FaultClock, 1500*ms, "a"), jumps(time.Minute), drifts(half))},
			[]time.Duration{0, 2 * sec, 4*sec + time.Minute}},
		// 4 µs, to the last one: records hold microseconds.
		"fraction": {who("a", 0, offset(4999)), nil,
			[]time.Duration{4000, 2*sec + 4000, 4*sec + 4000}},
		"before the clock.Epoch of Unix": {who("a", 0, offset(-10*year), drift(0)), nil,
			[]time.Duration{-10 * year, 2*sec - 10*year, 4*sec - 10*year}},
	} {
		assert.Equal(t, c.want, renewTimes(t, with(aPlan(5*sec, c.a), c.faults...)), name)
	}
}

// TestNoWrite: a renewal whose clock was set back to the time of the one before changes nothing.
func TestNoWrite(t *testing.T) {
	p := play(t, with(aPlan(5*sec, who("a", 0)), but(fault(plan.FaultClock, 3*sec, "a"), jumps(-2*sec))))
	assert.Equal(t, []time.Duration{0, 2 * sec}, p.at("a", trace.Written))
	assert.Equal(t, 4*sec, p.at("a", trace.RequestApplied)[2], "after a get and the first renewal")
}

// TestFollowerSeesJumps: to a follower a record that looks the same is one that was not renewed.
func TestFollowerSeesJumps(t *testing.T) {
	setBack := func(by time.Duration) *plan.Plan {
		setup := aPlan(30*sec, who("a", 0), who("b", sec))
		for at := 3 * sec; at < 30*sec; at += 2 * sec {
			with(setup, but(fault(plan.FaultClock, at, "a"), jumps(-by)))
		}
		return setup
	}
	// a's clock is set back by 2 s between any two renewals: all say 2 s. b sees that at 3 s and waits until 18
	// s; it looks at 19 s, when nobody has written since 2 s.
	assert.Equal(t, []time.Duration{19 * sec}, play(t, setBack(2*sec)).at("b", trace.WorkStarted))

	// Set back by 1,999,999,999 ns each renewal is 1 ns further, all in the second that begins at 2 s.
	assert.Equal(t, []time.Duration{19 * sec}, play(t, setBack(2*sec-1)).at("b", trace.WorkStarted))

	// Set back by 1.8 s they say 2, 2.2, 2.4, 2.6, 2.8 and, at 12 s, 3: b sees that at 13 s, and 4 at 23 s.
	assert.Empty(t, play(t, setBack(1800*ms)).at("b", trace.WorkStarted))
}

// TestOffsetMovesSeconds: which renewals fall into one second depends on the leader's offset.
func TestOffsetMovesSeconds(t *testing.T) {
	// a writes at 0 and 0.9 s and crashes. b looks every 0.3 s from 0.05 s on, sees the first write at once and
	// the second, if it tells them apart, at 0.95 s. Its lease is 2 s.
	for by, want := range map[time.Duration]time.Duration{
		0:        2150 * ms, // both in second 0: over at 2.05 s
		99 * ms:  2150 * ms,
		100 * ms: 3050 * ms, // in 0 and 1: over at 2.95 s
		-50 * ms: 3050 * ms, // in -1 and 0
		-sec:     2150 * ms, // both in -1
	} {
		p := play(t, with(aPlan(4*sec, who("a", 0, timings(2*sec, 1500*ms, 900*ms), offset(by)),
			who("b", 50*ms, timings(3*sec, 2*sec, 300*ms))), fault(plan.FaultCrash, sec, "a")))
		assert.Equal(t, []time.Duration{want}, p.at("b", trace.WorkStarted), "%v", by)
	}
}

// TestJumpIsOfWallClock: as long as no jump changes how a record looks, a run with jumps has the same events as one
// without, to the nanosecond and in the same order, with drifting clocks and with ties.
func TestJumpIsOfWallClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		setup := func() *plan.Plan {
			return with(aPlan(40*sec, who("a", 0), who("b", sec, timeout(2*sec), drains(sec))), but(window(plan.FaultDelay, 20*sec, 36*sec, "b"), response(2*sec)), fault(plan.FaultCrash, 10*sec, "a"))
		}
		quiet, jumping := setup(), setup()
		ppm := rapid.SampledFrom([]int64{0, 0, half, twice, -1, 333_333}).Draw(t, "driftPPM")
		quiet.Candidates[1].Clock.DriftPPM, jumping.Candidates[1].Clock.DriftPPM = ppm, ppm
		for range rapid.IntRange(1, 5).Draw(t, "jumps") {
			at := time.Duration(rapid.Int64Range(0, 80).Draw(t, "at"))*sec/2 + rapid.SampledFrom([]time.Duration{0,
				1}).Draw(t, "ns")
			// Whole seconds keep what b's records look like apart.
			with(jumping, but(fault(plan.FaultClock, at,
				"b"), jumps(sec*time.Duration(rapid.Int64Range(1, 9).Draw(t, "jump")))))
		}
		assert.Equal(t, play(t, quiet).story(0, 40*sec), withoutFaults(play(t, jumping)))
	})
}

// withoutFaults is the story without the faults that the other plan does not have.
func withoutFaults(p *tape) string {
	q := &tape{plan: p.plan}
	for i := range p.events {
		e := p.events[i]
		if e.Kind == trace.ClockChanged || e.Kind == trace.FaultBegan && e.Fault > 1 {
			continue
		}
		q.events = append(q.events, e)
	}
	return q.story(0, p.plan.Horizon)
}
