package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

// playable changes what is drawn to what the machine of that version can play. A release of v0.31 to v0.33 has a deadline, which the machine's has
// not, and v0.30 has none: so a release without a request timeout gets one, and none may wait beyond RenewDeadline. No retries are simulated that wait a Retry-After out.
func (a *attacked) playable(minor, seed int) {
	if minor < 34 && (a.c.RequestTimeout == 0 || minor > 30) {
		a.c.RequestTimeout = max(time.Millisecond, a.c.RenewDeadline/time.Duration(2+seed%3))
	}
	if minor > 30 && minor < 34 && a.c.Client != nil && bound.ClientWait(a.c, a.e)+bound.True(a.c.RequestTimeout, -a.e.MaxDriftPPM) >= a.c.RenewDeadline {
		a.c.ReleaseOnCancel = false // since it could wait for a token beyond its deadline
	}
	if minor < 33 && a.c.Client != nil {
		a.c.Client.Retries, a.e.MaxRetryAfter = false, 0
	}
}

// TestVersionsBetween: no overlap is longer than the bound of a version between those of the profiles. The library has locks on two objects up
// to v0.27.
func TestVersionsBetween(t *testing.T) {
	for _, v := range []struct {
		minor int
		lock  plan.Lock
	}{{26, plan.Lease}, {26, plan.ConfigMapsLeases}, {28, plan.Lease}, {30, plan.Lease}, {33, plan.Lease}, {36, plan.Lease}} {
		cases, tried, runs, most := attackedOf(gatetest.Between(v.minor), v.lock), 0, 0, -time.Hour
		for seed := *exactFirst; seed < *exactFirst+*exactCases; seed++ {
			a := cases.Example(seed)
			if a.playable(v.minor, seed); bound.Refused(a.c) != nil {
				continue
			}
			r, err := bound.Of(gatetest.JudgedAs(a.c, v.minor), a.e)
			require.NoError(t, err)
			if _, known := r.AtMost(); !known {
				continue
			}
			x := attack(t, a.c, a.e, r, uint64(seed))
			tried, runs, most = tried+1, runs+x.runs, max(most, x.best-x.limit+time.Millisecond)
			if x.best > x.limit {
				x.report(t, seed, a, r)
			}
		}
		t.Logf("v0.%d, %s: %d attacked, by %d scenarios: at most %v above the bound", v.minor, v.lock, tried, runs, most)
	}
}

// drawBetween returns what draw draws, for a version between those of the profiles.
func drawBetween(draw func(*rapid.T) attacked, minor int) *rapid.Generator[attacked] {
	return rapid.Custom(func(t *rapid.T) attacked {
		a := draw(t)
		a.c.Profile = gatetest.Between(minor)
		a.playable(minor, 0)
		return a
	})
}

// drawEarlier returns what draw draws, for the profile client-go-v0.24 and without retries, which are not simulated with it.
func drawEarlier(draw func(*rapid.T) attacked) *rapid.Generator[attacked] {
	return rapid.Custom(func(t *rapid.T) attacked {
		a := draw(t)
		a.c.Profile, a.c.Client.Retries, a.e.MaxRetryAfter = machine.ClientGoV024, false, 0
		return a
	})
}
