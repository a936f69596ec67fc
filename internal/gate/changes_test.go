package gate

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

// TestSmallestChange: a poll of many ticks, none of which an attempt outlasts. A second and more of RetryPeriod is safe.
func TestSmallestChange(t *testing.T) {
	target := seconds(147, 144, 20)
	target.RenewDeadline++
	j, err := Judge(target, &bound.Environment{MaxRoundTrip: 156_920_236})
	require.NoError(t, err)
	assert.Contains(t, j.Changes, Change{"retry-period", "20s", "2.058s"}) // 6 R + RetryPeriod = 3 s less a nanosecond
}

// TestChangeIsSafeWithPauses: a RetryPeriod of exactly a second is not proposed where the shortest pause makes it unsafe.
func TestChangeIsSafeWithPauses(t *testing.T) {
	target := seconds(4, 2, 1)
	target.RenewDeadline, target.RetryPeriod = 2940*time.Millisecond, 1100*time.Millisecond
	j, err := Judge(target, &bound.Environment{MaxRoundTrip: 10 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, Unsafe, j.Verdict)
	assert.Contains(t, j.Changes, Change{"retry-period", "1.1s", "30ms"})
}

// TestChangeIsSafeWithPausesAndClosings: nor where it makes it unsafe together with the connections that the client closes.
func TestChangeIsSafeWithPausesAndClosings(t *testing.T) {
	target := seconds(78, 45, 1)
	target.RetryPeriod, target.RequestTimeout = 1100*time.Millisecond, 16*time.Second
	target.Client, target.ClientFrom = &plan.Client{Retries: true}, "--client"
	e := &bound.Environment{MaxRoundTrip: 130 * time.Millisecond}
	j, err := Judge(target, e)
	require.NoError(t, err)
	require.Equal(t, Unsafe, j.Verdict)
	assert.NotContains(t, j.Changes, Change{"retry-period", "1.1s", "1s"})
	target.RetryPeriod = time.Second
	j, err = Judge(target, e)
	require.NoError(t, err)
	assert.Equal(t, Safe, j.Verdict)
	assert.Equal(t, time.Second, j.IfPaused().Round(time.Millisecond))
	paused := *e
	paused.MaxPause = 1
	open, err := bound.Sum(&target.Config, &paused)
	require.NoError(t, err)
	assert.LessOrEqual(t, open.Overlap, 2*time.Nanosecond, "without a closing")
}

// TestLongerRetryPeriod: below a second all attempts to acquire look the same, so that a second or a little more can be all that helps.
func TestLongerRetryPeriod(t *testing.T) {
	target := seconds(78, 32, 1)
	target.RetryPeriod, target.RequestTimeout = 500*time.Millisecond, time.Second
	j, err := Judge(target, &bound.Environment{MaxRoundTrip: 16 * time.Second})
	require.NoError(t, err)
	require.Equal(t, Unsafe, j.Verdict)
	assert.NotContains(t, j.None, "retry-period")
	assert.Contains(t, j.Changes, Change{"retry-period", "500ms", "1s"})
}

// TestChangeFromBetweenMilliseconds: the first value on the way down is less than a millisecond away, and the step below it is safe too.
func TestChangeFromBetweenMilliseconds(t *testing.T) {
	j := &Judgement{}
	d := &dial{value: 4_791_600 * time.Microsecond, set: func(*bound.Config, *bound.Environment, time.Duration) {}}
	j.Config = seconds(60, 10, 2).Config
	to, ok := j.descend(d, d.value, 0)
	require.True(t, ok)
	assert.Equal(t, 4_791*time.Millisecond, to)
}

// TestChangesAreSmallest compares each change of a timing with trying every millisecond, where no attempt outlasts a tick.
func TestChangesAreSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &bound.Config{Profile: rapid.SampledFrom(gatetest.Profiles[:2]).Draw(t, "profile")}
		c.RetryPeriod = time.Duration(rapid.IntRange(100, 4000).Draw(t, "retryPeriod")) * time.Millisecond
		c.RenewDeadline = c.RetryPeriod*6/5 + time.Duration(rapid.IntRange(1, 6000).Draw(t, "renewDeadline"))*time.Millisecond
		c.LeaseDuration = (c.RenewDeadline + time.Second*time.Duration(rapid.IntRange(1, 3).Draw(t, "lease"))).Truncate(time.Second)
		if rapid.Bool().Draw(t, "times out") {
			c.RequestTimeout = time.Duration(rapid.IntRange(1, 900).Draw(t, "requestTimeout")) * time.Millisecond
		}
		e := &bound.Environment{MaxRoundTrip: time.Duration(rapid.IntRange(0, 900).Draw(t, "maxRoundTrip")) * time.Millisecond}
		j, err := Judge(Target{Config: *c}, e)
		require.NoError(t, err)
		if j.Verdict != Unsafe {
			return
		}
		for _, d := range j.dials()[:2] {
			want, found := time.Duration(0), false
			for to := (d.value - 1).Truncate(time.Millisecond); to > d.limit && !found; to -= time.Millisecond {
				other, env := *c, *e
				if d.set(&other, &env, to); bound.Ticks(&other, &env) > 0 {
					return
				}
				want, found = to, j.safe(&other, &env)
			}
			got, ok := j.turn(&d)
			assert.Equal(t, found, ok, d.parameter)
			if found {
				assert.Equal(t, want, got, "%s of %+v in %+v", d.parameter, *c, *e)
			}
		}
	})
}

// TestStallIsAdvisedApart: advice about a round trip is about that alone, and not about a stall that comes on top.
func TestStallIsAdvisedApart(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	e := bound.Environment{MaxRoundTrip: 8930 * ms, Stall: 5 * s, Drain: 250 * ms}
	target := seconds(38, 17, 2)
	target.RequestTimeout = 8500 * ms
	j, err := Judge(target, &e)
	require.NoError(t, err)
	require.Equal(t, Unsafe, j.Verdict)
	advised := map[string]Change{}
	for _, c := range j.Changes {
		advised[c.Parameter] = c
	}
	require.Contains(t, advised, "max-stall")
	assert.Equal(t, "5s", advised["max-stall"].From)
	assert.Equal(t, "3.93s", advised["max-round-trip"].From)
	trip, err := time.ParseDuration(advised["max-round-trip"].To)
	require.NoError(t, err)
	e.MaxRoundTrip = trip + e.Stall
	j, err = Judge(target, &e)
	require.NoError(t, err)
	assert.Equal(t, Safe, j.Verdict)
}

// TestWhatDoesNotHelp: where a judgement says that it does not help to change a timing, no value of it is safe, longer ones neither.
// The lease is the shortest with which another value is safe.
func TestWhatDoesNotHelp(t *testing.T) {
	said := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		c, e := gatetest.DrawLocked(t, rapid.SampledFrom(gatetest.Profiles[:2]).Draw(t, "profile"), plan.Lease)
		name := rapid.SampledFrom([]string{"renew-deadline", "retry-period", "request-timeout"}).Draw(t, "parameter")
		other := *c
		least := time.Millisecond
		if name == "retry-period" && c.RetryPeriod < time.Second && c.LeaseDuration > 2*time.Second {
			least = time.Second // with which an attempt to acquire and the next look different
		}
		to := gatetest.DrawLike(t, name, least, c.LeaseDuration).Truncate(time.Millisecond)
		switch name {
		case "renew-deadline":
			other.RenewDeadline = to
		case "retry-period":
			other.RetryPeriod = to
		default:
			other.RequestTimeout = to
		}
		c.LeaseDuration = max(c.LeaseDuration, to+1)
		other.LeaseDuration = c.LeaseDuration
		safe, err := Judge(Target{Config: other}, e)
		if err != nil { // such as too short a RetryPeriod
			return
		}
		if safe.Verdict != Safe {
			longer := slices.IndexFunc(safe.Changes, func(c Change) bool { return c.Parameter == "lease-duration" })
			if longer < 0 {
				return
			}
			c.LeaseDuration, err = time.ParseDuration(safe.Changes[longer].To)
			require.NoError(t, err)
			other.LeaseDuration = c.LeaseDuration
		}
		j, err := Judge(Target{Config: *c}, e)
		require.NoError(t, err)
		if j.Verdict == Unsafe {
			said[name]++
			if slices.Contains(j.None, name) {
				assert.False(t, j.safe(&other, e), "%s to %v: %+v in %+v", name, to, *c, *e)
			}
		}
	})
	t.Log(said)
}
