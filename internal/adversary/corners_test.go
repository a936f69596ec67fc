package adversary

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// corner is a kind of configuration of which the bound knows no more than an upper one.
type corner struct {
	name string
	// shape makes a case of one, and in tells whether it is.
	shape func(d draw, c *Case)
	in    func(c *Case, r *bound.Result) bool
}

var twoObjects = []plan.Lock{plan.ConfigMapsLeases, plan.EndpointsLeases}

// wholeSeconds makes a lease that is shorter in whole seconds than the deadline.
func wholeSeconds(d draw, c *Case) {
	t := &c.Config.Timings
	t.LeaseDuration = time.Duration(1+d.IntN(20))*time.Second + 999*time.Millisecond
	t.RenewDeadline = t.LeaseDuration - d.between(time.Millisecond, 998*time.Millisecond)
	t.RetryPeriod = d.between(t.RenewDeadline/20, min(t.LeaseDuration.Truncate(time.Second), t.RenewDeadline*10/12-1))
	c.Env.MaxRoundTrip = d.upTo(t.RenewDeadline)
	c.Config.RequestTimeout = d.timeout(t, c.Env.MaxRoundTrip)
}

var corners = []corner{
	{
		"a lease shorter than the deadline", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel = machine.ClientGo, false
			c.Config.Lock = pick(d, plan.Lease, plan.ConfigMap, plan.Endpoints)
			wholeSeconds(d, c)
		},
		func(_ *Case, r *bound.Result) bool { return r.AtLeast },
	},
	{
		"v0.24, blanked", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel, c.Config.Lock = machine.ClientGoV024, true, plan.Lease
			c.Config.RequestTimeout = max(c.Config.RequestTimeout, c.Config.RetryPeriod)
			c.Env.MaxRoundTrip = max(c.Env.MaxRoundTrip, d.upTo(c.Config.LeaseDuration))
		},
		func(c *Case, r *bound.Result) bool {
			return r.Slack > c.Config.RenewDeadline
		},
	},
	{
		"v0.24, blanked, many turns in a second", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel = machine.ClientGoV024, true
			c.Config.Lock = pick(d, plan.ConfigMap, plan.Endpoints, plan.ConfigMapsLeases)
			t := &c.Config.Timings
			t.LeaseDuration = pick(d, d.between(25*time.Millisecond, 999*time.Millisecond), d.between(25*time.Millisecond, 200*time.Millisecond), time.Second)
			t.RenewDeadline = t.LeaseDuration - d.between(1, pick(d, 2, t.LeaseDuration/10))
			t.RetryPeriod = d.between(t.RenewDeadline/10, t.RenewDeadline*10/12-1)
			c.Config.RequestTimeout = d.between(t.RenewDeadline/10, 2*t.RenewDeadline)
			c.Env.MaxRoundTrip = d.upTo(pick(d, time.Microsecond, t.RetryPeriod/20, t.RetryPeriod/5))
			c.Env.MaxPause = pick(d, 0, 0, d.upTo(t.RetryPeriod/5))
			c.Env.MaxDriftPPM = pick[int64](d, 0, 0, 1, 200, 5000)
		},
		func(_ *Case, r *bound.Result) bool { return r.Slack > 0 },
	},
	{
		"v0.24, blanked, told in the poll", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel = machine.ClientGoV024, true
			c.Config.Lock = pick(d, plan.Lease, plan.ConfigMap, plan.ConfigMapsLeases)
			t := &c.Config.Timings
			t.RetryPeriod = d.between(300*time.Millisecond, 900*time.Millisecond)
			t.RenewDeadline = t.RetryPeriod*12/10 + 1 + d.upTo(t.RetryPeriod)
			t.LeaseDuration = max(time.Second, t.RenewDeadline+d.between(1, t.RetryPeriod))
			c.Env.MaxRoundTrip = d.between(t.RetryPeriod/20, t.RetryPeriod/3)
			c.Config.RequestTimeout = d.between(max(1, t.RenewDeadline-t.RetryPeriod), 2*t.RenewDeadline)
			c.Env.MaxPause, c.Env.MaxDriftPPM = 0, min(c.Env.MaxDriftPPM, 5000)
		},
		func(_ *Case, r *bound.Result) bool { return r.Slack > 0 },
	},
	{
		"v0.24 on two objects, released", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel, c.Config.Lock = machine.ClientGoV024, true, pick(d, twoObjects...)
			c.Config.RequestTimeout = max(c.Config.RequestTimeout, c.Config.RetryPeriod)
		},
		func(_ *Case, r *bound.Result) bool { return r.AtLeast },
	},
	{
		"v0.24 on two objects, one answer short of turns", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel, c.Config.Lock = machine.ClientGoV024, true, pick(d, twoObjects...)
			t := &c.Config.Timings
			t.RenewDeadline = d.between(500*time.Millisecond, 5*time.Second)
			t.RetryPeriod = d.between(t.RenewDeadline/2, t.RenewDeadline*10/12-1)
			c.Env.MaxRoundTrip = d.between(t.RetryPeriod/20, t.RetryPeriod/3)
			c.Env.MaxPause, c.Env.MaxDriftPPM = pick(d, 0, 0, d.upTo(t.RetryPeriod/10)), min(c.Env.MaxDriftPPM, 200)
			c.Config.RequestTimeout = pick(d, 2*t.RenewDeadline, 2*t.RenewDeadline, d.upTo(t.RetryPeriod))
			works := t.RetryPeriod + t.RenewDeadline + min(c.Env.MaxRoundTrip, c.Config.RequestTimeout) + c.Env.MaxPause
			t.LeaseDuration = max(time.Second, works+works/1000+d.upTo(min(2*c.Env.MaxRoundTrip, works/20)))
		},
		func(_ *Case, r *bound.Result) bool { return r.AtLeast },
	},
	{
		"v0.24 on two objects, from the second write on", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel, c.Config.Lock = machine.ClientGoV024, true, pick(d, twoObjects...)
			t := &c.Config.Timings
			t.RetryPeriod = d.between(time.Second, 5*time.Second)
			t.RenewDeadline = t.RetryPeriod*12/10 + 1 + d.upTo(t.RetryPeriod)
			t.LeaseDuration = t.RenewDeadline + d.between(1, t.RetryPeriod)
			c.Env.MaxRoundTrip = d.between(t.RetryPeriod/10, t.RenewDeadline)
			c.Config.RequestTimeout = d.between(time.Millisecond, t.RetryPeriod/4)
			c.Env.MaxPause, c.Env.MaxDriftPPM = pick(d, 0, d.upTo(t.LeaseDuration)), min(c.Env.MaxDriftPPM, 200)
			c.Env.Reruns = false
		},
		func(_ *Case, r *bound.Result) bool { return r.Slack > 0 },
	},
	{
		"two objects, read twice at most", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel, c.Config.Lock = machine.ClientGo, false, pick(d, twoObjects...)
			t := &c.Config.Timings
			t.LeaseDuration = t.RetryPeriod + d.upTo(t.RetryPeriod)
			t.RenewDeadline = t.RetryPeriod*12/10 + 1 + d.upTo(t.RetryPeriod)
			if seconds := c.Config.Lease(); d.chance(0.5) && seconds >= t.RetryPeriod { // a deadline between that and the lease
				t.RenewDeadline = max(t.RetryPeriod*12/10+1, d.between(seconds, t.LeaseDuration))
				c.Env.MaxPause = min(c.Env.MaxPause, bound.True(max(0, seconds-t.RetryPeriod-1), c.Env.MaxDriftPPM))
			}
		},
		func(_ *Case, r *bound.Result) bool { return r.AtLeast },
	},
	{
		"two objects, and a lease of a second", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel, c.Config.Lock = machine.ClientGo, false, pick(d, twoObjects...)
			t := &c.Config.Timings
			t.LeaseDuration = pick(d, time.Second, 1999*time.Millisecond)
			t.RetryPeriod = d.between(500*time.Millisecond, 830*time.Millisecond)
			t.RenewDeadline = d.between(t.RetryPeriod*12/10+1, min(t.LeaseDuration, 2*t.RetryPeriod)-1)
			c.Env.MaxDriftPPM = pick(d, int64(d.between(1, 300_000)), int64(d.between(300_000, 700_000)))
			c.Env.MaxRoundTrip = d.upTo(t.RenewDeadline)
			c.Env.Reruns = c.Env.Reruns && d.chance(0.3)
		},
		func(_ *Case, r *bound.Result) bool { return r.AtLeast },
	},
	{
		"two objects, frozen over a tick", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel, c.Config.Lock = machine.ClientGo, false, pick(d, twoObjects...)
			t := &c.Config.Timings
			lease := time.Duration(1+d.IntN(12)) * time.Second
			t.LeaseDuration = lease + 999*time.Millisecond
			t.RenewDeadline = lease + d.upTo(998*time.Millisecond)
			t.RetryPeriod = min(lease/2+d.upTo(lease/2), t.RenewDeadline*10/12-1)
			c.Env.MaxDriftPPM = min(c.Env.MaxDriftPPM, 1000)
			c.Env.MaxRoundTrip = pick(d, d.upTo(t.RetryPeriod/50), d.upTo(t.RetryPeriod/3))
			c.Env.MaxPause = pick(d, 0, d.upTo(2*max(0, lease-t.RetryPeriod)), max(0, lease-t.RetryPeriod)+d.upTo(t.RetryPeriod/2))
			c.Config.RequestTimeout = pick(d, 0, d.upTo(t.RetryPeriod/3), t.LeaseDuration)
		},
		func(c *Case, r *bound.Result) bool {
			lease, late := c.Config.Lease(), c.Config.RetryPeriod+c.Env.MaxPause
			return c.Config.RenewDeadline > lease && (late >= lease || 2*c.Config.RetryPeriod < c.Config.RenewDeadline)
		},
	},
	{
		"two objects, frozen over the tick of a short lease", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel, c.Config.Lock = machine.ClientGo, false, pick(d, twoObjects...)
			t := &c.Config.Timings
			t.RetryPeriod = d.between(700*time.Millisecond, 850*time.Millisecond)
			t.RenewDeadline = min(t.RetryPeriod*12/10, time.Second) + d.upTo(2*t.RetryPeriod-time.Second)
			t.LeaseDuration = max(t.RenewDeadline, time.Second) + d.between(1, 100*time.Millisecond)
			c.Env.MaxPause = time.Second - t.RetryPeriod + d.upTo(200*time.Millisecond)
			c.Env.MaxRoundTrip = pick(d, 0, d.upTo(5*time.Millisecond))
			c.Config.RequestTimeout = pick(d, 0, d.between(time.Microsecond, 20*time.Millisecond))
			c.Env.MaxDriftPPM, c.Env.Reruns = int64(d.between(1, 10_000)), false
		},
		func(c *Case, r *bound.Result) bool {
			return r.AtLeast && c.Config.RenewDeadline > time.Second && c.Config.RetryPeriod+c.Env.MaxPause >= time.Second
		},
	},
	{
		"two attempts a poll", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel, c.Config.Lock = machine.ClientGo, false, plan.Lease
			wholeSeconds(d, c)
			lease := c.Config.LeaseDuration.Truncate(time.Second)
			c.Config.RetryPeriod = d.between(c.Config.RenewDeadline/2, lease)
			c.Env.MaxPause = bound.True(pick(d, 0, max(0, lease-c.Config.RetryPeriod-1)), c.Env.MaxDriftPPM)
		},
		func(c *Case, r *bound.Result) bool { return 2*c.Config.RetryPeriod >= c.Config.RenewDeadline },
	},
	{
		"attempts at ticks, or later by a freeze", func(d draw, c *Case) {
			c.Config.Profile, c.Config.ReleaseOnCancel = machine.ClientGo, false
			c.Config.Lock = pick(d, plan.Lease, plan.ConfigMap, plan.Endpoints)
			wholeSeconds(d, c)
			t := &c.Config.Timings
			lease := c.Config.Lease()
			ticks := pick[time.Duration](d, 1, 1, 2, 3)
			t.RetryPeriod = max(time.Millisecond, min(t.RenewDeadline*10/12-1, lease/ticks+pick[time.Duration](d, -1, 1)*d.upTo(lease/ticks/4)))
			c.Env.MaxRoundTrip = d.upTo(t.RetryPeriod / 3)
			c.Env.MaxPause = pick(d, 0, d.upTo(lease/2), max(0, lease-t.RetryPeriod*ticks), 3*max(0, lease-t.RetryPeriod*ticks))
			c.Config.RequestTimeout = pick(d, 0, d.upTo(t.RetryPeriod/3), t.LeaseDuration)
		},
		func(c *Case, r *bound.Result) bool { return 4*c.Env.MaxRoundTrip < c.Config.RetryPeriod },
	},
	{"a release that nearly outlives a lease", nearlySurviving, survives},
	{
		"frozen over a tick", func(d draw, c *Case) {
			c.Config.Profile, c.Config.Lock = pick(d, machine.ClientGo, machine.ClientGoV024), plan.Lease
			c.Config.ReleaseOnCancel = pick(d, false, false, true)
			t := &c.Config.Timings
			t.RetryPeriod = d.between(time.Second, 1500*time.Millisecond)
			t.RenewDeadline = d.between(t.RetryPeriod*3, t.RetryPeriod*8)
			t.LeaseDuration = (t.RenewDeadline + time.Second).Truncate(time.Second)
			c.Env.MaxPause, c.Env.MaxDriftPPM = d.between(time.Millisecond, time.Second), min(c.Env.MaxDriftPPM, 1000)
			c.Env.MaxRoundTrip = d.upTo(t.RetryPeriod)
		},
		func(_ *Case, r *bound.Result) bool { return r.Plan.Chain.SetupPause > 0 },
	},
}

// nearlySurviving makes round trips so long that releases nearly outlive a lease.
func nearlySurviving(d draw, c *Case) {
	c.Config.Profile, c.Config.ReleaseOnCancel = machine.ClientGo, true
	c.Config.Lock = pick(d, plan.Lease, plan.Lease, plan.ConfigMap)
	t := &c.Config.Timings
	t.RenewDeadline = d.between(t.RetryPeriod*2, t.RetryPeriod*10)
	c.Env.MaxRoundTrip = t.RenewDeadline * time.Duration(15+d.IntN(40)) / 100
	c.Config.RequestTimeout = pick(d, 0, d.upTo(t.RenewDeadline), d.upTo(2*t.RenewDeadline))
	c.Env.MaxPause = min(c.Env.MaxPause, t.RetryPeriod)
	c.Env.MaxDriftPPM = min(c.Env.MaxDriftPPM, 1000)
	all := 3*c.Env.MaxRoundTrip + t.RetryPeriod + t.RenewDeadline + c.Env.MaxPause
	t.LeaseDuration = all.Truncate(time.Second) + time.Second + c.Env.MaxRoundTrip/4
}

// survives is whether, by a crude sum, a release can outlive a lease.
func survives(c *Case, _ *bound.Result) bool {
	t, e := &c.Config.Timings, &c.Env
	attempt := e.MaxRoundTrip + max(e.MaxRoundTrip, c.Config.RequestTimeout) + e.MaxRoundTrip
	return time.Second+attempt+2*e.MaxPause+4*e.MaxRoundTrip > t.LeaseDuration.Truncate(time.Second) &&
		e.MaxRoundTrip+t.RetryPeriod+2*t.RenewDeadline+e.MaxPause > t.LeaseDuration.Truncate(time.Second)
}

// drawn is a case of a corner with an upper bound.
func (k *corner) drawn(seed uint64) (*Case, *bound.Result) {
	for n := uint64(0); ; n++ {
		d := newDraw(seed, 100+n)
		c := Kind{}.Draw(seed + 1000*n)
		c.Env.HiddenConflicts = false
		k.shape(d, c)
		if bound.Refused(&c.Config) != nil {
			continue
		}
		r, err := bound.Of(&c.Config, &c.Env)
		if err != nil {
			continue
		}
		r = r.Playable()
		if _, known := r.AtMost(); known && r.Overlap > 0 && k.in(c, r) {
			return c, r
		}
	}
}

// TestCorners attacks the bounds that say "at most".
func TestCorners(t *testing.T) {
	for i := range corners {
		k := &corners[i]
		t.Run(k.name, func(t *testing.T) {
			beyond, nearest := 0, 0.0
			for n := range *configs {
				seed := *first + uint64(n)
				c, r := k.drawn(seed)
				claim, err := Shipped(c)
				require.NoError(t, err)
				best := climb(c, Simulated{}, seed, *each, bound.MaxDuration)
				require.NoError(t, best.o.Err)
				if best.score > r.Overlap {
					beyond++
				}
				nearest = max(nearest, float64(best.score)/float64(claim.Most))
				if *verbose {
					fmt.Printf("seed %d: %v: at least %v, at most %v, shown %v\n", seed, c, r.Overlap, claim.Most, best.score)
				}
				if best.score > claim.most(best.g) {
					refutation(t, c, claim, best, seed)
				}
			}
			fmt.Printf("%s: %d attacked, %d beyond \"at least\", nearest %.2f of \"at most\"\n", k.name, *configs, beyond, nearest)
		})
	}
}
