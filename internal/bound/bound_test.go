package bound

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/plan"
)

const s, ms, us = time.Second, time.Millisecond, time.Microsecond

func config(p machine.Profile, lease, deadline, period time.Duration) *Config {
	return &Config{
		Timings: machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: period}, Profile: p,
	}
}

func of(t require.TestingT, c *Config, e *Environment) *Result {
	r, err := Of(c, e)
	require.NoError(t, err)
	return r
}

// TestOverlap: numbers computed by hand. The comments are the sums.
func TestOverlap(t *testing.T) {
	recommended := func(p machine.Profile) *Config { return config(p, 15*s, 10*s, 2*s) }
	with := func(c *Config, release bool, timeout time.Duration) *Config {
		c.ReleaseOnCancel, c.RequestTimeout = release, timeout
		return c
	}
	for name, row := range map[string]struct {
		c    *Config
		e    Environment
		want time.Duration
	}{
		// q 3 ms + V 3 ms + 2 + 10 − 15
		"calm": {recommended(machine.ClientGo), Environment{MaxRoundTrip: ms}, -2994 * ms},
		// q 1 + V 2.25 + 12 − 15, and q 1 + V 1.2 + 14 − 15
		"acquiring within a second":       {recommended(machine.ClientGo), Environment{MaxRoundTrip: 750 * ms}, 250 * ms},
		"a longer deadline":               {config(machine.ClientGo, 15*s, 12*s, 2*s), Environment{MaxRoundTrip: 400 * ms}, 1200 * ms},
		"acquiring for less":              {config(machine.ClientGo, 4*s, 2*s, s), Environment{MaxRoundTrip: 200 * ms}, 200 * ms},
		"five seconds":                    {config(machine.ClientGo, 5*s, 2*s, s), Environment{MaxRoundTrip: 500 * ms}, 500 * ms},
		"acquiring until it is given up":  {with(config(machine.ClientGo, 4*s, 2*s, s), false, 30*s), Environment{MaxRoundTrip: 10 * ms}, 2 * s},
		"acquiring for a lease":           {with(recommended(machine.ClientGo), false, 15*s), Environment{MaxRoundTrip: ms}, 10 * s},
		"acquiring for most of a lease":   {with(recommended(machine.ClientGo), false, 10*s), Environment{MaxRoundTrip: 750 * ms}, 6500 * ms}, // 10 + 11.5 − 15
		"three answers last a lease":      {config(machine.ClientGo, 15*s, 4*s, 2*s), Environment{MaxRoundTrip: 5100 * ms}, 4 * s},
		"a lease acquired, then released": {with(recommended(machine.ClientGo), true, 15*s), Environment{MaxRoundTrip: 100 * ms}, 22100 * ms}, // wiped
		// q 1 + V 3 + 7.5 − 9: the rest of a second is spent in the client's limiter
		"timeout shorter than answers": {with(config(machine.ClientGo, 9*s, 6*s, 1500*ms), false, 300*ms), Environment{MaxRoundTrip: s}, 2500 * ms},
		"the same elector again":       {recommended(machine.ClientGo), Environment{MaxRoundTrip: ms, Reruns: true}, -1997 * ms}, // 1 + 0.003 + 12 − 15
		"applied, and yet a conflict": {with(config(machine.ClientGo, 60*s, 15*s, 5*s), true, 0),
			Environment{MaxRoundTrip: us, HiddenConflicts: true}, 35*s + us}, // 5 + 2·15
		// RD: three answers of 5 s acquire as the lease has run out for everybody else. After a renewal it would be 8 s.
		"slow":      {recommended(machine.ClientGo), Environment{MaxRoundTrip: 5 * s}, 10 * s},
		"slow, v24": {recommended(machine.ClientGoV024), Environment{MaxRoundTrip: 4 * s}, 6 * s}, // 1 + 2·4 + 12 − 15
		// q 3 ms + V 5.002 + 12 − 15
		"lost": {with(recommended(machine.ClientGo), false, 5*s), Environment{MaxRoundTrip: ms}, 2005 * ms},
		// 4 ms + 12 − 15, and 12/0.9 − 12 + 15 − 15/1.1 + 1 ms/0.9 − 1 ms of drift, which joining does not feel
		"drift": {recommended(machine.ClientGo), Environment{MaxDriftPPM: 100_000}, 13333333333 - 13636363636},
		"pause": {recommended(machine.ClientGo), Environment{MaxPause: 4 * s, Drain: s}, 2 * s},
		"release": {with(config(machine.ClientGo, 60*s, 15*s, 5*s), true, 0),
			Environment{MaxRoundTrip: us}, 15 * s},
		"without release": {config(machine.ClientGo, 60*s, 15*s, 5*s), Environment{MaxRoundTrip: us}, -40*s + 6*us},
		"release that is given up": {with(config(machine.ClientGo, 60*s, 15*s, 5*s), true, 3*s),
			Environment{MaxRoundTrip: us}, 3 * s},
		// 3.1 + 2 + 2·10
		"wiped": {with(recommended(machine.ClientGo), true, 0), Environment{MaxRoundTrip: 3100 * ms}, 25100 * ms},
		// 0.4 s late, and 0.55 s to read and as much to write: the write conflicts, and the release reads again
		"wiped after a conflict": {with(recommended(machine.ClientGo), true, 0),
			Environment{MaxRoundTrip: 550 * ms}, 22550 * ms},
		"never wiped": {with(recommended(machine.ClientGo), true, 0), Environment{MaxRoundTrip: 350 * ms}, 10 * s},
		"long":        {config(machine.ClientGo, 270*s, 240*s, 60*s), Environment{}, 30 * s},
		"strict":      {recommended(machine.Strict), Environment{}, -5 * s},
		"strict, whatever the round trip": {with(recommended(machine.Strict), true, 7*s),
			Environment{MaxRoundTrip: time.Hour}, -5 * s},
		"strict, frozen":             {recommended(machine.Strict), Environment{MaxPause: 6 * s, Drain: s}, 2 * s},
		"follower that polls rarely": {config(machine.Strict, 3*s, 2900*ms, 2*s), Environment{}, -100 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			r := of(t, row.c, &row.e)
			assert.InDelta(t, float64(row.want), float64(r.Overlap), 5)
			assert.Equal(t, row.want <= 0, r.Safe())
			sum := time.Duration(0)
			for _, term := range r.Terms {
				sum += term.Time
			}
			assert.Equal(t, r.Overlap, sum, "%v", r.Terms)
		})
	}
}

// TestOutageOwnLease: a freeze delays a renewal until the leader's own lease has run out, so that it begins with a Get.
func TestOutageOwnLease(t *testing.T) {
	c := config(machine.ClientGo, 2824*ms, 2823*ms, 1949*ms)
	c.RequestTimeout = 1246 * ms
	e := &Environment{MaxRoundTrip: 623 * ms, MaxDriftPPM: 100_000}
	assert.Positive(t, Outage(c, e))
	e.MaxPause = 54 * ms
	assert.Zero(t, Outage(c, e))
}

// TestOverlapLocks: numbers computed by hand for the other kinds of lock. The comments are the sums.
func TestOverlapLocks(t *testing.T) {
	of15 := func(p machine.Profile, lock plan.Lock) *Config {
		c := config(p, 15*s, 10*s, 2*s)
		c.Lock = lock
		return c
	}
	with := func(c *Config, change func(*Config)) *Config {
		change(c)
		return c
	}
	released := func(c *Config) { c.ReleaseOnCancel = true }
	for name, row := range map[string]struct {
		c    *Config
		e    Environment
		want time.Duration
	}{
		"configmap is as a Lease": {of15(machine.ClientGo, plan.ConfigMap), Environment{MaxRoundTrip: 4 * s}, 8 * s},
		"strict too":              {of15(machine.Strict, plan.Endpoints), Environment{MaxRoundTrip: 5 * s}, -5 * s},
		"two objects":             {of15(machine.Strict, plan.EndpointsLeases), Environment{Drain: s}, 11 * s},
		"two objects, an hour": {with(of15(machine.Strict, plan.ConfigMapsLeases), func(c *Config) {
			c.LeaseDuration = time.Hour
		}), Environment{}, 10 * s},
		// 1 + 10 − 15
		"key": {of15(machine.ClientGo, plan.KVTTL), Environment{MaxRoundTrip: s}, -4 * s},
		// 15 + 10 − 15
		"key, slow answer": {of15(machine.ClientGo, plan.KVTTL), Environment{MaxRoundTrip: 20 * s}, 10 * s},
		// 10 − 15
		"key, strict": {of15(machine.Strict, plan.KVTTL), Environment{MaxRoundTrip: 20 * s}, -5 * s},
		// 10/0.9 − 15/1.1
		"key, drift": {of15(machine.Strict, plan.KVTTL), Environment{MaxDriftPPM: 100_000}, -2525252526},
		// RD
		"key, released": {with(of15(machine.ClientGo, plan.KVTTL), released), Environment{MaxRoundTrip: s}, 10 * s},
		"key, late and released": {with(of15(machine.ClientGo, plan.KVTTL), released),
			Environment{MaxRoundTrip: 8 * s}, 13 * s}, // 8 + 10 + 10 − 15
		"key, timeout": {with(of15(machine.ClientGo, plan.KVTTL), func(c *Config) {
			c.ReleaseOnCancel, c.RequestTimeout = true, 3*s
		}), Environment{MaxRoundTrip: 8 * s}, 3 * s}, // 3 + 10 − 15 is no overlap, and the release waits 3
		"row":             {of15(machine.Strict, plan.SQLTTL), Environment{MaxClockOffset: 6 * s}, s}, // 10 + 6 − 15
		"row, any offset": {of15(machine.Strict, plan.SQLTTL), Environment{MaxClockOffset: time.Hour}, 10 * s},
		"row, the database's now": {with(of15(machine.Strict, plan.SQLTTL), func(c *Config) { c.Now = plan.DatabaseNow }),
			Environment{MaxClockOffset: 6 * s}, -5 * s},
		"row of whole seconds": {with(of15(machine.ClientGo, plan.SQLTTL), func(c *Config) { c.Precision = s }),
			Environment{MaxRoundTrip: s}, -3 * s},
	} {
		t.Run(name, func(t *testing.T) {
			r := of(t, row.c, &row.e)
			assert.InDelta(t, float64(row.want), float64(r.Overlap), 5)
			sum := time.Duration(0)
			for _, term := range r.Terms {
				sum += term.Time
			}
			assert.Equal(t, r.Overlap, sum, "%v", r.Terms)
		})
	}
}

// drawn is any configuration and environment that the arithmetic must take, valid or not.
func drawn(t *rapid.T) (*Config, *Environment) {
	long := rapid.OneOf(rapid.Int64Range(0, int64(100*s)), rapid.Int64Range(0, int64(MaxDuration)),
		rapid.Just(int64(MaxDuration)))
	d := func(what string) time.Duration { return time.Duration(long.Draw(t, what)) }
	c := config(rapid.SampledFrom([]machine.Profile{machine.ClientGo, machine.ClientGoV024, machine.Strict}).
		Draw(t, "profile"), 0, 0, 0)
	c.RetryPeriod = 1 + d("retryPeriod")/8760
	c.RenewDeadline = min(c.RetryPeriod*12/10+1+d("renewDeadline")%(20*c.RetryPeriod), MaxDuration-1)
	c.LeaseDuration = min(max(s, c.RenewDeadline+1+d("leaseDuration")), MaxDuration)
	c.RequestTimeout, c.ReleaseOnCancel = d("requestTimeout"), rapid.Bool().Draw(t, "release")
	c.Lock = rapid.SampledFrom(append(plan.Locks(), "")).Draw(t, "lock")
	if c.Lock.ByWallClock() {
		c.Now = rapid.SampledFrom([]plan.Now{"", plan.CallerNow, plan.DatabaseNow}).Draw(t, "now")
		c.Precision = rapid.SampledFrom([]time.Duration{0, us, ms, s}).Draw(t, "precision")
	}
	e := &Environment{
		MaxClockOffset: d("maxClockOffset"),
		MaxRoundTrip:   d("maxRoundTrip"), MaxPause: d("maxPause"), Drain: d("drain"),
		MaxDriftPPM: rapid.SampledFrom([]int64{0, 1, 1000, 500_000, MaxDriftPPM}).Draw(t, "drift"),
	}
	return c, e
}

// TestLimits: nothing that is allowed overflows or panics, and no overlap is negative beyond the lease.
func TestLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, e := drawn(t)
		r := of(t, c, e)
		assert.GreaterOrEqual(t, r.Overlap, -c.LeaseDuration-s)
		assert.LessOrEqual(t, r.Overlap, 60*MaxDuration)
	})
}

// TestShortPeriods: however short RetryPeriod is, there is a result. With a number of ticks that is not limited there was none.
func TestShortPeriods(t *testing.T) {
	for _, lock := range []plan.Lock{plan.Lease, plan.EndpointsLeases} {
		c := config(machine.ClientGoV024, s, 20*ms, 1)
		c.Lock, c.ReleaseOnCancel, c.RequestTimeout = lock, true, 15
		assert.Positive(t, of(t, c, &Environment{MaxRoundTrip: time.Minute, MaxDriftPPM: 900_000, MaxPause: 478}).Overlap)
	}
}

// TestLongTurns: however many seconds a turn has, there is a result. Those of a year were all tried, after all steps of the search were taken.
func TestLongTurns(t *testing.T) {
	c := config(machine.ClientGoV024, MaxDuration, 76_319_999_991_262, time.Hour+1)
	c.Lock, c.ReleaseOnCancel, c.RequestTimeout = plan.ConfigMap, true, 691_462
	assert.Positive(t, of(t, c, &Environment{MaxRoundTrip: MaxDuration, MaxDriftPPM: 1000, MaxPause: MaxDuration, Drain: MaxDuration}).Overlap)
}

// TestManyTicks: attempts that begin as long after a tick as others did, some ticks sooner, are not followed again. There are some 85,000 of
// them, each with a freeze, and the computation took seconds.
func TestManyTicks(t *testing.T) {
	c := config(machine.ClientGo, 139702527714, 139702527708, 1180*ms)
	c.RequestTimeout = 751438554
	e := &Environment{MaxRoundTrip: 3 * us, MaxDriftPPM: 100_000, MaxPause: 51136035}
	assert.Less(t, testing.AllocsPerRun(1, func() {
		r, err := Sum(c, e)
		require.NoError(t, err)
		require.Equal(t, JoinTicked, r.Plan.Chain.Join)
	}), 10_000.0)
}

// TestMonotonic: an environment that is worse, or a shorter lease, never makes the worst case better. Slowest clocks give
// and take a nanosecond. A shorter lease does so in one case: on two objects a leader reads half a record, and goes on, only as long as
// its own lease lasts. With one of two RetryPeriods or less it does so once.
func TestMonotonic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, e := drawn(t)
		before := of(t, c, e)
		worse, other := *e, *c
		more := func(d *time.Duration) {
			*d = min(MaxDuration, *d+time.Duration(rapid.Int64Range(0, int64(10*s)).Draw(t, "more")))
		}
		switch rapid.IntRange(0, 5).Draw(t, "what") {
		case 0:
			more(&worse.MaxRoundTrip)
		case 1:
			more(&worse.MaxPause)
		case 2:
			more(&worse.Drain)
		case 3:
			worse.MaxDriftPPM += (MaxDriftPPM - worse.MaxDriftPPM) / 3
		case 4:
			other.LeaseDuration = max(s, c.RenewDeadline+1, c.LeaseDuration/2)
		case 5:
			more(&worse.MaxClockOffset)
		}
		after := of(t, &other, &worse)
		assert.GreaterOrEqual(t, after.Overlap, before.Overlap-20*us, "%+v %+v to %+v %+v", *c, *e, other, worse)
		most := func(r *Result) time.Duration {
			if r.Unbounded || r.AtLeast && r.Slack == 0 {
				return math.MaxInt64
			}
			return r.Overlap + r.Slack
		}
		if before.Plan.Endless == HalfRead && other.LeaseDuration < c.LeaseDuration {
			return
		}
		assert.GreaterOrEqual(t, most(after), most(before)-20*us, "at most: %+v %+v to %+v %+v", *c, *e, other, worse)
	})
}

// TestUpperBound: which results have no longest overlap and why, and by how much the others may be wrong.
func TestUpperBound(t *testing.T) {
	with := func(lock plan.Lock, p machine.Profile, lease, deadline, period, timeout time.Duration, release bool) *Config {
		c := config(p, lease, deadline, period)
		c.Lock, c.RequestTimeout, c.ReleaseOnCancel = lock, timeout, release
		return c
	}
	lib, v24 := machine.ClientGo, machine.ClientGoV024
	for name, row := range map[string]struct {
		c     *Config
		e     Environment
		why   Endless
		slack time.Duration
		least bool
	}{
		"no release":                   {with("", lib, 15*s, 10*s, 2*s, 0, false), Environment{MaxRoundTrip: 5 * s}, Ends, 0, false},
		"a second":                     {with("", lib, 15*s, 10*s, 2*s, 0, true), Environment{MaxRoundTrip: s}, Ends, 0, false}, // 1 + 12 + 2 ≤ 15
		"and a bit":                    {with("", lib, 15*s, 10*s, 2*s, 0, true), Environment{MaxRoundTrip: s + us}, Gathering, 0, false},
		"frozen":                       {with("", lib, 60*s, 40*s, 15*s, 0, true), Environment{MaxRoundTrip: s, MaxPause: ms}, Ends, ms, true},
		"frozen for longer":            {with("", lib, 60*s, 40*s, 15*s, 0, true), Environment{MaxRoundTrip: s, MaxPause: 3 * s}, Gathering, 0, false},
		"given up":                     {with("", lib, 15*s, 10*s, 2*s, 5*s, true), Environment{MaxRoundTrip: s}, Ends, 0, false},               // 2(1 + 1) + 1 + 5
		"given up, renewed once":       {with("", lib, 15*s, 10*s, 2*s, 5*s, true), Environment{MaxRoundTrip: 500 * ms}, Ends, 3500 * ms, true}, // 10 − 1 − 0.5 − 5
		"given up, within a second":    {with(plan.ConfigMap, lib, 5*s, 4*s, 900*ms, 2*s, true), Environment{MaxRoundTrip: 10 * ms}, Ends, 1990 * ms, true},
		"never late":                   {with("", lib, 60*s, 15*s, 5*s, 0, true), Environment{MaxRoundTrip: s}, Ends, 0, false},
		"a 409 hides":                  {with("", lib, 60*s, 15*s, 5*s, 0, true), Environment{HiddenConflicts: true}, Conflicting, 0, false},
		"a deadline beyond":            {with("", lib, 15900*ms, 15500*ms, 2*s, 0, false), Environment{MaxRoundTrip: ms}, Ends, 0, false},
		"beyond, and late":             {with("", lib, 15900*ms, 15500*ms, 2*s, 0, false), Environment{MaxRoundTrip: 5 * s}, TakingTurns, 0, false},
		"beyond, and a release":        {with("", lib, 15900*ms, 15500*ms, 2*s, 0, true), Environment{MaxRoundTrip: ms}, Gathering, 0, false},
		"turns":                        {with("", lib, 1900*ms, 1800*ms, 1400*ms, 0, false), Environment{}, TakingTurns, 0, false},
		"no seconds":                   {with(plan.ConfigMap, lib, 900*ms, 700*ms, 500*ms, 0, false), Environment{}, TakingTurns, 0, false},
		"two objects":                  {with(plan.ConfigMapsLeases, lib, 15*s, 10*s, 2*s, 0, false), Environment{}, HalfRead, 0, false},
		"two objects, looked at twice": {with(plan.ConfigMapsLeases, lib, 15*s, 10*s, 8*s, 0, false), Environment{}, Ends, 44 * s, true},               // 3(8 + 10) − 10
		"two objects, v24":             {with(plan.ConfigMapsLeases, v24, 15*s, 10*s, 2*s, 0, false), Environment{MaxRoundTrip: s}, Ends, 5 * s, true}, // 3 + 12 − 10
		"two objects, v24, released":   {with(plan.ConfigMapsLeases, v24, 15*s, 10*s, 2*s, 0, true), Environment{MaxRoundTrip: s}, Unanswered, 0, false},
		"v24":                          {with("", v24, 15*s, 10*s, 2*s, 0, true), Environment{MaxRoundTrip: s}, Unanswered, 0, false},
		"v24, blanked":                 {with("", v24, 15*s, 12*s, 2*s, 8*s, true), Environment{MaxRoundTrip: 6 * s, MaxPause: s}, Ends, 17 * s, true},            // 6 + 15 + 8 + 1 − 13
		"v24, taken back":              {with("", v24, 15*s, 14*s, 2*s, 20*s, true), Environment{MaxRoundTrip: 10 * s}, Ends, 130 * s, true},                      // 5(10 + 16) + 20 − 20
		"two objects, v24, given up":   {with(plan.ConfigMapsLeases, v24, 15*s, 10*s, 2*s, 5*s, true), Environment{MaxRoundTrip: s}, Ends, 42 * s, true},          // 3(3 + 12) + 7 − 10
		"two objects, nearly once":     {with(plan.ConfigMapsLeases, lib, 4*s, 3900*ms, 3200*ms, 0, false), Environment{MaxRoundTrip: s}, Ends, 26400 * ms, true}, // 3(3 + 7.1) − 3.9
		"two objects, and a release":   {with(plan.ConfigMapsLeases, lib, 15*s, 10*s, 8*s, 0, true), Environment{}, Gathering, 0, false},
		"by conflicts":                 {with("", lib, 9*s, 4500*ms, 500*ms, 0, true), Environment{MaxRoundTrip: 1200 * ms}, Gathering, 0, false},
		"by conflicts, not quite":      {with("", lib, 9*s, 4500*ms, 500*ms, 0, true), Environment{MaxRoundTrip: 1110 * ms}, Ends, 0, false},
		"an annotation has seconds":    {with(plan.ConfigMap, lib, 9*s, 4500*ms, 500*ms, 0, true), Environment{MaxRoundTrip: 1200 * ms}, Ends, 0, false},
		"beyond, and turns are lost":   {with("", lib, 15900*ms, 15500*ms, 3*s, 0, false), Environment{MaxRoundTrip: 4 * s}, Ends, 96 * s, true}, // 5(4 + 18.5) − 16.5
		"beyond, with one call a tick": {with("", lib, 15900*ms, 15500*ms, 6*s, 0, false), Environment{MaxRoundTrip: 4 * s}, Ends, 0, false},
		"beyond, and attempted twice":  {with("", lib, 15900*ms, 15500*ms, 8*s, 0, false), Environment{MaxRoundTrip: 4 * s}, Ends, 0, false},
		"beyond, twice, frozen":        {with("", lib, 15900*ms, 15500*ms, 8*s, 0, false), Environment{MaxRoundTrip: 4 * s, MaxPause: 6 * s}, Ends, 0, false},
		"beyond, of a RetryPeriod":     {with("", lib, 4900*ms, 4850*ms, 4*s, 0, false), Environment{MaxRoundTrip: ms}, TakingTurns, 0, false},
		"two objects, of it":           {with(plan.ConfigMapsLeases, lib, 4900*ms, 4850*ms, 4*s, 0, false), Environment{MaxRoundTrip: ms}, TakingTurns, 0, false},
		"v24, over in time":            {with("", v24, s, 560*ms, 400*ms, s, true), Environment{MaxRoundTrip: 25 * ms}, Ends, 2955 * ms, true}, // 3(0.025 + 0.96) + 1 − 1
		"v24, an answer lost":          {with("", v24, s, 620*ms, 500*ms, 100*ms, true), Environment{MaxRoundTrip: ms}, Ends, 4584 * ms, true}, // 4(0.001 + 1.12) + 0.1
		"v24, not whole seconds":       {with("", v24, s, 900*ms, 400*ms, s, true), Environment{}, Ends, 0, true},
		"v24, takes blanks":            {with("", v24, 2*s, 1900*ms, 900*ms, 2*s, true), Environment{MaxRoundTrip: 600 * ms}, TakingTurns, 0, false},
		"v24, takes blanks, drifting":  {with("", v24, 15*s, 10*s, 2*s, 15*s, true), Environment{MaxRoundTrip: s, MaxDriftPPM: 500_000}, TakingTurns, 0, false},
		"strict":                       {with("", machine.Strict, 15*s, 10*s, 2*s, 0, true), Environment{MaxRoundTrip: 9 * s, HiddenConflicts: true}, Ends, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := of(t, row.c, &row.e)
			assert.Equal(t, row.why, r.Plan.Endless)
			assert.Equal(t, row.why != Ends, r.Unbounded)
			assert.Equal(t, row.slack, r.Slack)
			assert.Equal(t, row.least, r.AtLeast)
		})
	}
}

// TestRoundsUp: a plan of an adversary showed so much, where a nanosecond less was computed.
func TestRoundsUp(t *testing.T) {
	c := config(machine.ClientGo, 8*s, 5*s, 500*ms)
	c.RequestTimeout = 8 * s
	r := of(t, c, &Environment{MaxRoundTrip: s, MaxDriftPPM: 1540})
	assert.GreaterOrEqual(t, r.Overlap, 5007711878*time.Nanosecond)
	assert.Less(t, r.Overlap, 5007711888*time.Nanosecond)
}
