package adversary

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// human are timings that people use; some are there twice, so that they are drawn more often.
var human = []machine.Timings{
	timings(15, 10, 2), timings(15, 10, 2), timings(60, 40, 15), timings(4, 2, 1), timings(137, 107, 26), timings(60, 15, 5),
	timings(15, 4, 2), timings(15, 12, 2), timings(5, 2, 1), timings(30, 15, 5), timings(35, 30, 5), timings(60, 50, 2),
	timings(30, 20, 5), timings(10, 8, 2), timings(5, 3, 1), timings(3, 2, 1), timings(20, 15, 2), timings(8, 5, 0.5),
	timings(9, 6, 1.5), timings(2, 1, 0.5), timings(1.5, 1, 0.25), timings(120, 60, 10), timings(270, 240, 60),
}

// timings returns the Timings for three durations in seconds.
func timings(lease, deadline, period float64) machine.Timings {
	s := func(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }
	return machine.Timings{LeaseDuration: s(lease), RenewDeadline: s(deadline), RetryPeriod: s(period)}
}

// timings draws valid timings: ones that humans use, or random ones.
func (d draw) timings() machine.Timings {
	if d.chance(0.3) {
		return human[d.IntN(len(human))]
	}
	var t machine.Timings
	t.RetryPeriod = d.round(d.between(50*time.Millisecond, 20*time.Second))
	least := time.Duration(machine.JitterFactor*float64(t.RetryPeriod)) + 1
	t.RenewDeadline = max(least, d.round(d.between(least, 10*least)))
	longest := max(2*time.Second, 3*t.RenewDeadline)
	shortest := t.RenewDeadline / 50
	if d.chance(0.1) {
		shortest = 1
	}
	t.LeaseDuration = max(t.RenewDeadline+1, time.Second, d.round(t.RenewDeadline+d.between(shortest, longest)))
	return t
}

// trip draws the longest round trip of an environment, of a size that mostly suits the timings t.
func (d draw) trip(t *machine.Timings) time.Duration {
	switch d.IntN(6) {
	case 0:
		return pick(d, time.Microsecond, time.Millisecond, 10*time.Millisecond, 100*time.Millisecond, 200*time.Millisecond,
			500*time.Millisecond, 750*time.Millisecond, time.Second, 5*time.Second)
	case 1:
		return d.between(time.Microsecond, t.RenewDeadline)
	case 2:
		return d.upTo(t.RenewDeadline + t.RenewDeadline/2)
	case 3:
		return d.round(d.between(time.Millisecond, t.RenewDeadline))
	}
	return d.upTo(min(2*t.RetryPeriod, 2*time.Second))
}

// timeout draws the client's request timeout; 0 is none. t are the timings, and trip is the longest round trip.
func (d draw) timeout(t *machine.Timings, trip time.Duration) time.Duration {
	switch d.IntN(10) {
	case 0, 1:
		return max(t.RenewDeadline/2, time.Second)
	case 2:
		return t.RenewDeadline
	case 3:
		return t.RenewDeadline + d.round(d.upTo(t.LeaseDuration))
	case 4:
		return t.LeaseDuration
	case 5:
		return d.round(d.upTo(t.RenewDeadline))
	case 6:
		return max(1, trip+time.Duration(d.IntN(3)-1)*d.upTo(trip))
	}
	return 0
}

// Kind restricts which cases are drawn. The zero Kind allows all of them.
type Kind struct {
	// Library: draw only cases that the unmodified library can show.
	Library bool
}

// Draw returns a random case of that kind, whose configuration bound.Refused accepts. The same seed gives the same case.
func (k Kind) Draw(seed uint64) *Case {
	d := newDraw(seed, 1)
	for {
		c := &Case{}
		c.Config.Profile, c.Config.Lock = machine.ClientGo, plan.Lease
		c.Config.Timings = d.timings()
		c.Env.MaxRoundTrip = d.trip(&c.Config.Timings)
		c.Config.RequestTimeout = d.timeout(&c.Config.Timings, c.Env.MaxRoundTrip)
		c.Config.ReleaseOnCancel = d.chance(0.35)
		if f := &c.Config.RequestTimeout; *f > 0 {
			*f = max(*f, time.Microsecond) // the gate judges no shorter one
		}
		c.Env.Reruns, c.Env.HiddenConflicts = d.chance(0.2), d.chance(0.1)
		if d.chance(0.2) {
			c.Env.Drain = d.round(d.between(time.Millisecond, 10*time.Second))
		}
		if !k.Library {
			d.beyond(c)
		}
		if bound.Refused(&c.Config) == nil {
			return c
		}
	}
}

// beyond changes a case at random to one that mostly only the simulated world can show: with another profile or lock, freezes or
// drift. It makes the case fit the lock: with one that expires by itself the profile is client-go's, and with one whose time the
// candidates' wall clocks give there is no drift.
func (d draw) beyond(c *Case) {
	t := &c.Config
	t.Profile = pick(d, machine.ClientGo, machine.ClientGo, machine.ClientGoV024, machine.Strict)
	if d.chance(0.4) {
		t.Lock = pick(d, plan.Locks()...)
	}
	if t.Lock.Expires() {
		t.Profile, c.Env.HiddenConflicts = machine.ClientGo, false
		t.LeaseDuration = t.LeaseDuration.Round(time.Millisecond)
	}
	if d.chance(0.5) {
		c.Env.MaxPause = d.round(d.between(time.Millisecond, 2*t.LeaseDuration))
	}
	if d.chance(0.5) {
		c.Env.MaxDriftPPM = int64(d.between(1, 100_000))
	}
	if t.Lock.ByWallClock() {
		t.Now, t.Precision = pick(d, plan.CallerNow, plan.DatabaseNow), pick(d, time.Microsecond, time.Millisecond, time.Second)
		c.Env.MaxClockOffset = d.round(d.between(time.Millisecond, 5*time.Second))
		if t.Now == plan.CallerNow {
			c.Env.MaxDriftPPM = 0 // walls then stay as far apart as they are
		}
	}
}
