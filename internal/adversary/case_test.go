package adversary

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// Case is a configuration in an environment, which the adversary attacks.
type Case struct {
	Config bound.Config
	Env    bound.Environment
}

// Claim is what is claimed of a case: no overlap of two candidates' work is longer than Most. A negative Most claims that their
// work is at least that far apart. Exact: it is also claimed that some run reaches Most, to the millisecond. None: nothing is
// claimed, and Most is the longest overlap that is known to happen, or 0.
type Claim struct {
	Most        time.Duration
	Exact, None bool
}

// Shipped returns the claim that package bound derives for a case, as far as the simulated world can show it. If bound knows no
// upper bound, the claim is None. With a release, Most is never negative; where it would be, it is 0, and the claim is not Exact.
// The error is that of bound.Of.
func Shipped(c *Case) (Claim, error) {
	r, err := bound.Of(&c.Config, &c.Env)
	if err != nil {
		return Claim{}, err
	}
	r = r.Playable()
	most, known := r.AtMost()
	if !known {
		return Claim{None: true, Most: max(0, r.Overlap)}, nil
	}
	if most <= 0 && c.Config.ReleaseOnCancel {
		return Claim{}, nil // a release lets another start at once
	}
	return Claim{Most: most, Exact: !r.AtLeast}, nil
}

// most returns the longest overlap that the claim allows a run of plan g to show. This is Most, and a nanosecond more for each
// change of a clock's rate, since a simulated clock can lose as much at each change.
func (c *Claim) most(g *Genome) time.Duration {
	changes := len(g.Service.Rates)
	for i := range g.Parts {
		changes += len(g.Parts[i].Rates)
	}
	return c.Most + time.Duration(changes)
}

// String returns the case in a line, for people to read.
func (c *Case) String() string {
	p, e := &c.Config, &c.Env
	s := fmt.Sprintf("%s %v/%v/%v", p.Profile.Name, p.LeaseDuration, p.RenewDeadline, p.RetryPeriod)
	if p.Lock != "" && p.Lock != plan.Lease {
		s += fmt.Sprintf(" lock=%s", p.Lock)
		if p.Lock.ByWallClock() {
			s += fmt.Sprintf(" now=%s precision=%v", p.Now, p.Precision)
		}
	}
	if p.RequestTimeout > 0 {
		s += fmt.Sprintf(" F=%v", p.RequestTimeout)
	}
	if p.ReleaseOnCancel {
		s += " release"
	}
	s += fmt.Sprintf(" R=%v", e.MaxRoundTrip)
	for _, f := range []struct {
		name  string
		value time.Duration
	}{
		{"drain", e.Drain}, {"pause", e.MaxPause}, {"clockOffset", e.MaxClockOffset},
	} {
		if f.value != 0 {
			s += fmt.Sprintf(" %s=%v", f.name, f.value)
		}
	}
	if e.MaxDriftPPM != 0 {
		s += fmt.Sprintf(" drift=%d", e.MaxDriftPPM)
	}
	if e.Reruns {
		s += " reruns"
	}
	if e.HiddenConflicts {
		s += " hiddenConflicts"
	}
	return s
}

// onLibrary tells whether unmodified client-go can show all that happens in the case: the profile is client-go, the lock is a
// Lease, and the environment has no drift and no pauses.
func (c *Case) onLibrary() bool {
	return c.Config.Profile == machine.ClientGo && (c.Config.Lock == "" || c.Config.Lock == plan.Lease) &&
		c.Env.MaxDriftPPM == 0 && c.Env.MaxPause == 0
}

// mostHold returns the longest wait in the client's rate limiter, in true time: the part of a round trip that the client's
// timeout does not bound. It is 0 if there is no timeout, and for a lock that expires by itself.
func (c *Case) mostHold() time.Duration {
	if c.Config.RequestTimeout == 0 || c.Config.Lock.Expires() {
		return 0
	}
	return max(0, c.Env.MaxRoundTrip-bound.True(c.Config.RequestTimeout, -c.Env.MaxDriftPPM))
}

// allow returns the fate f of a request of the kind verb, changed where necessary so that the environment allows it. A wait in
// the limiter and delays are cut, delays are at least leastLeg, and an answer 409 that is not allowed becomes a 503.
func (c *Case) allow(f Fate, verb Verbs) Fate {
	trip, leg := c.Env.MaxRoundTrip, c.leastLeg()
	f.Hold = min(max(f.Hold, 0), c.mostHold(), trip-2*leg)
	f.Out.Delay = min(max(f.Out.Delay, leg), trip-f.Hold-leg)
	f.Back.Delay = min(max(f.Back.Delay, leg), trip-f.Hold-f.Out.Delay)
	if f.Status == conflict && (!c.Env.HiddenConflicts || verb&(Creates|Updates) == 0 || !f.Applied) {
		f.Status = unavailable
	}
	return f
}

// leastLeg returns the shortest time that a message takes one way: a nanosecond, or less if round trips must take less. With a
// time above 0, no two messages of a candidate are at one instant, so that a scenario file and the library can tell them apart.
func (c *Case) leastLeg() time.Duration { return min(1, c.Env.MaxRoundTrip/2) }

// unit returns how finely other candidates compare the times of a record: a second, or a nanosecond if they compare exactly.
func (c *Case) unit() time.Duration {
	if !c.Config.Profile.ComparesSeconds() {
		return 1
	}
	return time.Second
}

// standstill is how many requests a candidate can send at one instant; all further ones of that instant are lost. Without this
// limit, attempts that take no time would go on for ever.
const standstill = 100

// enough is how many requests a candidate can send in a run; all further ones are lost. Otherwise attempts that take next to no
// time would fill the run.
const enough = 3000

const (
	conflict    = 409
	unavailable = 503
)
