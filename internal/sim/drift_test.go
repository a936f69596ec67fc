package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

const (
	twice = 1_000_000
	half  = -500_000
)

// TestFastCandidate: at twice the rate 2 s are 1 s of true time, and a lease of 15 s runs out after 7.5 s.
func TestFastCandidate(t *testing.T) {
	p := play(t, aPlan(3500*ms, who("a", 0, drift(twice))))
	assert.Equal(t, []time.Duration{0, sec, 2 * sec, 3 * sec}, p.at("a", trace.RequestSent, update))

	// a writes at 0, 2 and 4 s and crashes. b looks at 0.5, 1.5, … 4.5: there it sees the last write, on its
	// clock 9 s, good until 24 s, which is true 12 s. It looks at 11.5 and then at 12.5.
	p = play(t, with(aPlan(13*sec, who("a", 0), who("b", 500*ms, drift(twice))), fault(plan.FaultCrash, 5*sec, "a")))
	assert.Equal(t, []time.Duration{12500 * ms}, p.at("b", trace.WorkStarted))
}

// TestSlowCandidate: at half the rate 2 s are 4 s, and a deadline of 10 s is 20 s.
func TestSlowCandidate(t *testing.T) {
	// a renews at 0, 4 and 8, then at 12 s, which is lost: deadline at 32 s.
	// b looks at 1, 3, … 9, sees the write of 8 s at 9 s, and takes over at its first look after 24 s: 25 s.
	p := play(t, with(aPlan(40*sec, who("a", 0, drift(half)), who("b", sec)), fault(plan.FaultPartition, 9*sec, "a")))
	assert.Equal(t, []time.Duration{0, 4 * sec, 8 * sec, 12 * sec}, p.at("a", trace.RequestSent, update))
	assert.Equal(t, []time.Duration{32 * sec}, p.at("a", trace.WorkCancelled))
	assert.Equal(t, []time.Duration{25 * sec}, p.at("b", trace.WorkStarted))
}

// TestSlowFollower waits twice as long for the lease to end.
func TestSlowFollower(t *testing.T) {
	// a's last write is at 4 s. b looks every 4 s from 1 s on: 5 s, where it sees that write, on its clock 2.5 s,
	// good until 17.5 s, which is true 35 s. Its look at 33 s is too early.
	p := play(t, with(aPlan(40*sec, who("a", 0), who("b", sec, drift(half))), fault(plan.FaultCrash, 5500*ms, "a")))
	assert.Equal(t, []time.Duration{37 * sec}, p.at("b", trace.WorkStarted))
}

// TestLeaseEndsExactly: observed at o, a lease of 15 s is over at o + 15 s, and not a nanosecond before.
func TestLeaseEndsExactly(t *testing.T) {
	// b (a poll each 3 s) sees a's last write, of 0 s, at its first look. At 15 s after that it looks for the
	// sixth time, and takes over then.
	b := who("b", sec, timings(15*sec, 10*sec, 3*sec))
	p := play(t, with(aPlan(20*sec, who("a", 0), b), fault(plan.FaultCrash, sec/2, "a")))
	assert.Equal(t, []time.Duration{16 * sec}, p.at("b", trace.WorkStarted))

	// A clock slow by 1 ppm reads 999,999,000 at the first look, and looks again when it reads 3,999,999,000: at
	// ceil(3,999,999,000e6 / 999,999) = ceil(4,000,003,000.000003) = 4,000,003,001. The sixth look is the first
	// on a reading of 15,999,999,000 or more, where the lease has just ended.
	b.Clock.DriftPPM = -1
	p = play(t, with(aPlan(20*sec, who("a", 0), b), fault(plan.FaultCrash, sec/2, "a")))
	looks := p.at("b", trace.RequestSent, get)
	assert.Equal(t, time.Duration(4_000_003_001), looks[1])
	assert.Equal(t, looks[5:6], p.at("b", trace.WorkStarted))
}

// TestRateWithRemainder: 4/3 of true time, nearly. Each wait of 2 s ends at the first nanosecond at which the
// clock, read in whole nanoseconds, has gone on by 2e9.
func TestRateWithRemainder(t *testing.T) {
	p := play(t, aPlan(5*sec, who("a", 0, drift(333_333))))
	assert.Equal(t, []time.Duration{
		0,
		1_500_000_376, // ceil(2e15 / 1,333,333) = ceil(1,500,000,375.0001); the clock shows 2,000,000,001
		3_000_000_751, // ceil(4,000,000,001e6 / 1,333,333) = ceil(3,000,000,750.9…); it shows 4,000,000,001
		4_500_001_126, // ceil(6,000,000,001e6 / 1,333,333) = ceil(4,500,001,125.9…)
	}, p.at("a", trace.RequestSent, update))
}

// TestArmedTimerFollows: the wait that began at 0 s for a reading of 2 s.
func TestArmedTimerFollows(t *testing.T) {
	for name, c := range map[string]struct {
		changes []plan.Fault
		want    time.Duration
	}{
		"faster": {[]plan.Fault{but(fault(plan.FaultClock, sec, "a"), drifts(twice))}, 1500 * ms},
		"slower": {[]plan.Fault{but(fault(plan.FaultClock, sec, "a"), drifts(half))}, 3 * sec},
		"faster, slower": {[]plan.Fault{ // reads 1 s, then 1.5 s; what is left of 2 s takes 1 s more
			but(fault(plan.FaultClock, sec, "a"), drifts(twice)), but(fault(plan.FaultClock, 1250*ms, "a"), drifts(half)),
		}, 2250 * ms},
		"slower, faster": {[]plan.Fault{ // reads 1 s, then 1.5 s; what is left takes 0.25 s more
			but(fault(plan.FaultClock, sec, "a"), drifts(half)), but(fault(plan.FaultClock, 2*sec, "a"), drifts(twice)),
		}, 2250 * ms},
		"there and back": {[]plan.Fault{ // half of 2 ns is lost
			but(fault(plan.FaultClock, sec, "a"), drifts(half)), but(fault(plan.FaultClock, sec+2, "a"), drifts(0)),
		}, 2*sec + 1},
		"stopped, nearly": {[]plan.Fault{
			but(fault(plan.FaultClock, sec, "a"), drifts(plan.MinDriftPPM)), but(fault(plan.FaultClock, 2*sec, "a"), drifts(0)),
		}, 2*sec + sec - 1000*time.Nanosecond},
		"by the fault at the very end": {[]plan.Fault{but(fault(plan.FaultClock, 2*sec, "a"), drifts(plan.MinDriftPPM))}, 2 * sec},
		"everybody":                    {[]plan.Fault{but(fault(plan.FaultClock, sec), drifts(twice))}, 1500 * ms},
	} {
		p := play(t, with(aPlan(10*sec, who("a", 0)), c.changes...))
		assert.Equal(t, c.want, p.at("a", trace.RequestSent, update)[1], name)
	}
}

// TestDeadlineFollows: the deadline of a poll and the timeout of a request are of the same clock.
func TestDeadlineFollows(t *testing.T) {
	// The poll begins at 2 s and is due to end at 12. At 4 s, 2 of its 10 s have passed; the other 8 take 4.
	p := play(t, with(aPlan(20*sec, who("a", 0)),
		fault(plan.FaultPartition, sec, "a"), but(fault(plan.FaultClock, 4*sec, "a"), drifts(twice))))
	assert.Equal(t, []time.Duration{8 * sec}, p.at("a", trace.WorkCancelled))

	// The request of 2 s is given up after 3 s: 1 s at the true rate, 2 s at half of it.
	p = play(t, with(aPlan(20*sec, who("a", 0, timeout(3*sec))),
		fault(plan.FaultPartition, sec, "a"), but(fault(plan.FaultClock, 3*sec, "a"), drifts(half))))
	assert.Equal(t, 7*sec, p.at("a", trace.GaveUp)[0])
}

// TestSlowestClock: at 1 ppm, 2 s take 2e6 s: 23 days.
func TestSlowestClock(t *testing.T) {
	p := play(t, aPlan(5e6*sec, who("a", 0, drift(plan.MinDriftPPM))))
	assert.Equal(t, []time.Duration{0, 2e6 * sec, 4e6 * sec}, p.at("a", trace.RequestSent, update))
}

// TestFastestClock: at 10 times the rate, 2 s take 0.2 s.
func TestFastestClock(t *testing.T) {
	p := play(t, aPlan(sec/2, who("a", 0, drift(plan.MaxDriftPPM))))
	assert.Equal(t, []time.Duration{0, 200 * ms, 400 * ms}, p.at("a", trace.RequestSent, update))
}

// TestNeverDue: a wait that lies beyond 2^63 ns does not come, and comes once the clock is right again.
func TestNeverDue(t *testing.T) {
	p := play(t, aPlan(plan.MaxDuration, who("a", 0, drift(plan.MinDriftPPM), timings(3*year, 2*year, year))))
	assert.Equal(t, []time.Duration{0}, p.at("a", trace.RequestSent, update))

	p = play(t, with(aPlan(plan.MaxDuration, who("a", 0, drift(plan.MinDriftPPM), timings(3*year, 2*year, year))),
		but(fault(plan.FaultClock, 1e6*sec, "a"), drifts(0))))
	assert.Equal(t, 1e6*sec+year-sec, p.at("a", trace.RequestSent, update)[1])
}
