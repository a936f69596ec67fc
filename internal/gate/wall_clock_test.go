package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
)

// wallClocked are the profiles of which internal/bound/wall_clock.go is.
var wallClocked = []machine.Profile{machine.Java, machine.CSharp}

// drawWallClocked draws a configuration of that profile, and an environment.
func drawWallClocked(t *rapid.T, p machine.Profile) (*bound.Config, *bound.Environment) {
	c := drawConfig(t, p)
	c.ReleaseOnCancel = rapid.Bool().Draw(t, "release")
	if !p.TimesOut() {
		c.RequestTimeout = 0
	}
	if p.Validate(machine.Timings{}) == nil && rapid.IntRange(0, 2).Draw(t, "any deadline") == 0 {
		c.RenewDeadline = drawLike(t, "deadline", time.Millisecond, 2*c.LeaseDuration)
	}
	e := drawEnvironment(t, c)
	if c.LeaseDuration > c.RenewDeadline+2*time.Millisecond {
		e.MaxClockOffset = sometimes(t, "maxClockOffset", time.Millisecond, c.LeaseDuration-c.RenewDeadline)
	}
	if c.LeaseDuration-e.MaxClockOffset == c.RetryPeriod {
		e.MaxClockOffset = 0 // or the follower looks again at the very instant at which the lease has run out
	}
	return c, e
}

// TestExactWallClock is TestExact for the clients for Java and C#.
func TestExactWallClock(t *testing.T) {
	for _, p := range wallClocked {
		t.Run(p.Name, func(t *testing.T) {
			shown := 0
			rapid.Check(t, func(t *rapid.T) {
				c, e := drawWallClocked(t, p)
				if _, err := bound.Of(c, e); err != nil || bound.Refused(c) != nil {
					return
				}
				if !prediction(t, c, e).Safe() {
					shown++
				}
			})
			if !testing.Short() { // which tries a few configurations
				assert.Positive(t, shown)
			}
		})
	}
}

// TestAdversaryWallClock is TestAdversary for the clients for Java and C#.
func TestAdversaryWallClock(t *testing.T) {
	for _, p := range wallClocked {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			cases := rapid.Custom(func(t *rapid.T) attacked {
				c, e := drawWallClocked(t, p)
				e.MaxClockOffset = 0 // no clock is set
				return attacked{c, e}
			})
			runs, most := 0, -time.Hour
			for seed := *exactFirst; seed < *exactFirst+*exactCases; seed++ {
				a := cases.Example(seed)
				if bound.Refused(a.c) != nil {
					continue
				}
				unreleased := *a.c
				unreleased.ReleaseOnCancel = false
				if _, err := bound.Of(&unreleased, a.e); err != nil {
					continue
				}
				r, err := bound.Of(a.c, a.e)
				if err != nil {
					continue
				}
				x := attack(t, a.c, a.e, r, uint64(seed))
				runs, most = runs+x.runs, max(most, x.best-x.limit+time.Millisecond)
				if x.best > x.limit {
					x.report(t, seed, a, r)
				}
			}
			t.Logf("%d scenarios: at most %v above the prediction", runs, most)
			require.Positive(t, runs)
		})
	}
}

// TestFailoverWallClock: no failover and no handover with such a client in a calm network takes longer than computed.
func TestFailoverWallClock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		retry := time.Duration(rapid.IntRange(100, 5000).Draw(t, "retry")) * time.Millisecond
		c := &bound.Config{
			Timings: machine.Timings{RenewDeadline: retry * time.Duration(rapid.IntRange(2, 5).Draw(t, "renew")), RetryPeriod: retry},
			Profile: rapid.SampledFrom(wallClocked).Draw(t, "profile"), ReleaseOnCancel: rapid.Bool().Draw(t, "releaseOnCancel"),
		}
		c.LeaseDuration = time.Second + c.RenewDeadline*time.Duration(rapid.IntRange(2, 6).Draw(t, "lease"))/2
		e := &bound.Environment{
			MaxRoundTrip: sometimes(t, "round trip", time.Millisecond, retry/4),
			MaxDriftPPM:  rapid.SampledFrom([]int64{0, 200, 100_000}).Draw(t, "drift"),
			MaxPause:     sometimes(t, "pause", time.Millisecond, retry/4),
		}
		if _, err := bound.Of(c, e); err == nil {
			succeeds(t, c, e)
		}
	})
}

// TestNotJudged: where no bound is known there is no verdict, and the error says what is missing.
func TestNotJudged(t *testing.T) {
	const s = time.Second
	for _, row := range []struct {
		p                     machine.Profile
		lease, apart, answers time.Duration
		want                  string
	}{
		{machine.Java, 15 * s, 8 * s, s, "a leader may take the lock back while it tries to renew: want a leaseDuration (15s) that is longer than"},
		{machine.CSharp, 15 * s, 5 * s, s, "a leader may take the lock back while it tries to renew"},
		{machine.CSharp, 9 * s, 0, s, "a leader may take the lock back while it tries to renew: want a leaseDuration (9s) that is longer than renewDeadline (10s)"},
		{machine.CSharp, 18 * s, 3 * s, 100 * time.Millisecond, "no overlap is known, and none up to 200.002ms is ruled out"},
	} {
		target := Target{Config: bound.Config{
			Timings: machine.Timings{LeaseDuration: row.lease, RenewDeadline: 10 * s, RetryPeriod: 2 * s}, Profile: row.p,
		}}
		_, err := Judge(target, &bound.Environment{MaxRoundTrip: row.answers, MaxClockOffset: row.apart})
		assert.ErrorContains(t, err, row.want)
	}
}
