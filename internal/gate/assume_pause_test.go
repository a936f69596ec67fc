package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios/plan"
)

// TestPollBeginsFrozen: a verdict says that it takes no freeze between a poll's ticker and its first attempt into account, where
// that could be worth something.
func TestPollBeginsFrozen(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for name, c := range map[string]struct {
		ld, rd, rp, pause time.Duration
		profile           machine.Profile
		said              bool
	}{
		"two attempts":               {4 * s, 2 * s, s, 50 * ms, machine.ClientGo, true},
		"no pause":                   {4 * s, 2 * s, s, 0, machine.ClientGo, false},
		"many attempts":              {15 * s, 10 * s, s, 50 * ms, machine.ClientGo, false},
		"a pause that is too short":  {15 * s, 10 * s, 5 * s, 50 * ms, machine.ClientGo, false},
		"a long one":                 {15 * s, 10 * s, 5 * s, 4 * s, machine.ClientGo, true},
		"records compared in full":   {4 * s, 2 * s, s, 50 * ms, machine.Strict, false},
		"below a second all is said": {4 * s, 2 * s, 900 * ms, 50 * ms, machine.ClientGo, false},
	} {
		j := &Judgement{Environment: bound.Environment{MaxRoundTrip: 10 * ms, MaxPause: c.pause}}
		j.Config = bound.Config{
			Timings: machine.Timings{LeaseDuration: c.ld, RenewDeadline: c.rd, RetryPeriod: c.rp}, Profile: c.profile, Lock: plan.Lease,
		}
		assert.Equal(t, c.said, j.pollBeginsFrozen(), name)
	}
}
