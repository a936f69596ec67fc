package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
)

// TestFailoverWallClock: no failover and no handover with such a client in a calm network takes longer than computed.
func TestFailoverWallClock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		retry := time.Duration(rapid.IntRange(100, 5000).Draw(t, "retry")) * time.Millisecond
		c := &bound.Config{
			Timings: machine.Timings{RenewDeadline: retry * time.Duration(rapid.IntRange(2, 5).Draw(t, "renew")), RetryPeriod: retry},
			Profile: rapid.SampledFrom(gatetest.WallClocked).Draw(t, "profile"), ReleaseOnCancel: rapid.Bool().Draw(t, "releaseOnCancel"),
		}
		c.LeaseDuration = time.Second + c.RenewDeadline*time.Duration(rapid.IntRange(2, 6).Draw(t, "lease"))/2
		e := &bound.Environment{
			MaxRoundTrip: gatetest.Sometimes(t, "round trip", time.Millisecond, retry/4),
			MaxDriftPPM:  rapid.SampledFrom([]int64{0, 200, 100_000}).Draw(t, "drift"),
			MaxPause:     gatetest.Sometimes(t, "pause", time.Millisecond, retry/4),
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
