package adversary

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// planted is a bound with an error in it, and a case for which it is wrong.
type planted struct {
	name  string
	wrong func(*bound.Config, *bound.Environment) time.Duration
	c     Case
	// runs is how many scenarios each attack tries.
	runs int
}

// with is the bound that ships, told another environment than the one that is.
func with(change func(*bound.Environment)) func(*bound.Config, *bound.Environment) time.Duration {
	return func(c *bound.Config, e *bound.Environment) time.Duration {
		other := *e
		change(&other)
		claim, err := Shipped(&Case{Config: *c, Env: other})
		if err != nil {
			panic(err)
		}
		return max(0, claim.Most)
	}
}

// noDeadlineKnown is what was claimed before it was known that no deadline runs while a candidate acquires: an acknowledgement
// late by a round trip, and then a renewal.
func noDeadlineKnown(c *bound.Config, e *bound.Environment) time.Duration {
	trip, attempt := e.MaxRoundTrip, 3*e.MaxRoundTrip
	if f := c.RequestTimeout; f > 0 {
		trip = min(trip, f)
		attempt = min(3*trip, f+2*trip)
	}
	trip, attempt = min(trip, c.RenewDeadline), min(attempt, c.RenewDeadline)
	return max(0, min(time.Second, trip)+attempt+c.RetryPeriod+c.RenewDeadline-c.Lease()+e.Drain)
}

// oneTripInTheSecond is what was claimed of acquiring and the first renewal: one round trip lies between their clock readings.
func oneTripInTheSecond(c *bound.Config, e *bound.Environment) time.Duration {
	trip := e.MaxRoundTrip
	return max(0, min(time.Second, trip)+min(c.RenewDeadline, 3*trip)+c.RetryPeriod+c.RenewDeadline-c.Lease())
}

// timeoutCuts takes a client's timeout for a bound of the round trip.
func timeoutCuts(c *bound.Config, e *bound.Environment) time.Duration {
	return with(func(e *bound.Environment) { e.MaxRoundTrip = min(e.MaxRoundTrip, c.RequestTimeout) })(c, e)
}

// noGathering is what was claimed before it was known that leaders that have lost the lock can gather, and half a RetryPeriod: three
// candidates show a little more than what was claimed where a deadline is longer than the lease, but not that.
func noGathering(c *bound.Config, e *bound.Environment) time.Duration {
	return with(func(*bound.Environment) {})(c, e) + c.RetryPeriod/2
}

// atLeast takes what the bound says is possible for the longest: that nobody takes the lock back.
func atLeast(c *bound.Config, e *bound.Environment) time.Duration {
	r, err := bound.Of(c, e)
	if err != nil {
		panic(err)
	}
	return r.Overlap
}

func (c Case) on(p machine.Profile, lock plan.Lock) Case {
	c.Config.Profile, c.Config.Lock = p, lock
	return c
}

func plain(t machine.Timings, timeout, trip time.Duration) Case {
	return Case{
		Config: bound.Config{Timings: t, Profile: machine.ClientGo, Lock: "lease", RequestTimeout: timeout},
		Env:    bound.Environment{MaxRoundTrip: trip},
	}
}

func (c Case) releasing() Case {
	c.Config.ReleaseOnCancel = true
	return c
}

func (c Case) in(change func(*bound.Environment)) Case {
	change(&c.Env)
	return c
}

var plants = []planted{
	{
		"acquiring has the renew deadline", noDeadlineKnown,
		plain(timings(15, 10, 2), 15*time.Second, time.Millisecond), 8000,
	},
	{
		"acquiring has the renew deadline, a short one", noDeadlineKnown,
		plain(timings(15, 4, 2), 0, 5100*time.Millisecond), 8000,
	},
	{
		"one round trip in the second", oneTripInTheSecond,
		plain(timings(3, 2, 1), 0, 250*time.Millisecond), 8000,
	},
	{
		"the timeout cuts the round trip", timeoutCuts,
		plain(timings(9, 6, 1.5), 300*time.Millisecond, 2*time.Second), 3000,
	},
	{
		"a pause counts once", with(func(e *bound.Environment) { e.MaxPause /= 2 }),
		plain(timings(15, 10, 2), 0, time.Millisecond).in(func(e *bound.Environment) { e.MaxPause = 12 * time.Second }), 3000,
	},
	{
		"a conflict tells the truth", with(func(e *bound.Environment) { e.HiddenConflicts = false }),
		plain(timings(60, 15, 5), 0, 100*time.Millisecond).releasing().in(func(e *bound.Environment) { e.HiddenConflicts = true }),
		8000,
	},
	{
		"reruns add nothing", with(func(e *bound.Environment) { e.Reruns = false }),
		plain(timings(15, 12, 2), 0, 100*time.Millisecond).in(func(e *bound.Environment) { e.Reruns = true }), 8000,
	},
	{
		"leaders do not gather", noGathering,
		plain(timings(1.99, 1.95, 1), 0, 10*time.Millisecond).releasing(), 8000,
	},
	{
		"v0.24 takes nothing back", atLeast,
		plain(timings(15, 12, 2), 8*time.Second, 6*time.Second).releasing().on(machine.ClientGoV024, plan.Lease), 8000,
	},
	{
		"two objects that are read twice are taken once", atLeast,
		plain(timings(15, 10, 8), 0, 3*time.Second).on(machine.ClientGo, plan.ConfigMapsLeases), 8000,
	},
	{
		"a lease of a second on two objects, and much drift, is taken once", atLeast,
		plain(timings(1, 0.85, 0.7), 0, 100*time.Millisecond).on(machine.ClientGo, plan.EndpointsLeases).
			in(func(e *bound.Environment) { e.MaxDriftPPM = 500_000 }), 8000,
	},
}

// attacks is how many an error may take to be found, one after the other.
const attacks = 60

// refute returns what shows more than the planted error says is possible, and that.
func (p *planted) refute(t *testing.T) (f *found, wrong time.Duration) {
	require.NoError(t, bound.Refused(&p.c.Config))
	wrong = p.wrong(&p.c.Config, &p.c.Env)
	f = climb(&p.c, Simulated{}, 1, p.runs, wrong)
	for seed := uint64(2); f.score <= wrong && seed <= attacks; seed++ {
		f = climb(&p.c, Simulated{}, seed, p.runs, wrong)
	}
	require.Greater(t, f.score, wrong)
	return f, wrong
}

// TestPlanted: the adversary refutes each planted error, and shows it on the library where that can.
func TestPlanted(t *testing.T) {
	for _, p := range plants {
		t.Run(p.name, func(t *testing.T) {
			f, wrong := p.refute(t)
			t.Logf("%v: planted %v, shown %v", &p.c, wrong, f.score)
			if small := minimize(&p.c, Simulated{}, f, wrong); p.c.onLibrary() {
				assert.Greater(t, onLibrary(t, &p.c, small).score, wrong)
			}
		})
	}
}
