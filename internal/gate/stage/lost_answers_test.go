package stage

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// lostAnswers is a configuration in which turns are counted only if successes that lose an answer are told apart from those that do not.
var lostAnswers = rapid.Custom(func(t *rapid.T) attacked {
	const ms = time.Millisecond
	row := rapid.SampledFrom([]struct {
		lease, deadline, period, timeout, trip, pause time.Duration
		drift                                         int64
	}{
		{1017184072, 1017184070, 846903391, 508592035, 0, 200 * ms, 5000},
		{2999 * ms, 2365 * ms, 913 * ms, 449350 * time.Microsecond, 7 * ms, 239 * ms, 5000},
		{2999 * ms, 2005 * ms, 904 * ms, 320800 * time.Microsecond, 5 * ms, 193 * ms, 0},
		{1999 * ms, 1035 * ms, 653 * ms, 165600 * time.Microsecond, 2 * ms, 511 * ms, 5000},
		{1999 * ms, 1007 * ms, 774615384, 292030 * time.Microsecond, ms, 257 * ms, 0},
	}).Draw(t, "row")
	c := &bound.Config{Profile: machine.ClientGo, Lock: plan.Lease, RequestTimeout: row.timeout}
	c.LeaseDuration, c.RenewDeadline, c.RetryPeriod = row.lease, row.deadline, row.period
	return attacked{c, &bound.Environment{MaxRoundTrip: row.trip, MaxPause: row.pause, MaxDriftPPM: row.drift}}
})

// TestFewLostAnswers: where turns are few since an answer is lost or is not, turns of an environment in which they have no end, pressed into
// this one, stay below the bound, and so does what an adversary makes of them.
func TestFewLostAnswers(t *testing.T) {
	fewTurns(t, lostAnswers, func(a *attacked, seed int) (*bound.Config, *bound.Environment) {
		worse, other := *a.e, *a.c
		worse.MaxPause += a.c.RetryPeriod * time.Duration(seed%9) / 8
		worse.MaxRoundTrip += a.c.RequestTimeout * time.Duration(seed/9%9) / 9
		other.RetryPeriod = other.RetryPeriod * time.Duration(80+seed/81%21) / 100
		return &other, &worse
	})
}
