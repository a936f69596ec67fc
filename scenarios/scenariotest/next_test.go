package scenariotest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestNextWithoutRelease: client-go-next does what client-go does where nothing is released, whenever OnStartedLeading
// returns. So does it on locks that expire by themselves.
func TestNextWithoutRelease(t *testing.T) {
	hash := func(s *scenarios.Scenario, p machine.Profile) string {
		for i := range s.Candidates {
			s.Candidates[i].Profile = p
		}
		r, err := scenarios.Run(s, scenarios.Options{Brief: true})
		require.NoError(t, err)
		return r.TraceHash
	}
	differ := 0
	for _, lock := range []scenarios.Lock{plan.Lease, plan.ConfigMapsLeases, plan.KVTTL} {
		random := Random(Environment{
			Profile: machine.ClientGo, Locks: []scenarios.Lock{lock}, Freezes: true, MaxDriftPPM: 400_000, MaxDrain: 20 * time.Second,
		})
		for seed := range 300 {
			s := random.Example(seed)
			for i := range s.Candidates {
				c := &s.Candidates[i]
				c.ReturnsAfter = time.Duration(seed%3) * 3 * time.Second
				c.ReleaseOnCancel = c.ReleaseOnCancel && lock.Expires()
			}
			require.Equal(t, hash(s, machine.ClientGo), hash(s, machine.ClientGoNext), "%s, seed %d", lock, seed)
			for i := range s.Candidates {
				s.Candidates[i].ReleaseOnCancel = true
			}
			if !lock.Expires() && hash(s, machine.ClientGo) != hash(s, machine.ClientGoNext) {
				differ++
			}
		}
	}
	assert.Greater(t, differ, 200, "with a release it does not")
}

// TestNextHandsOver: where leaders are cancelled and nothing else goes wrong, no work of client-go-next overlaps, however long
// it drains. That of client-go does, and so does that of client-go-next if OnStartedLeading returns before its work is over.
func TestNextHandsOver(t *testing.T) {
	random := Random(Environment{
		Profile: machine.ClientGo, MaxDrain: 20 * time.Second,
		Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
	})
	overlaps := map[string]int{}
	early := 0
	for seed := range 1000 {
		s := random.Example(seed)
		s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool { return f.Kind != plan.FaultCancel })
		s.Network = scenarios.Network{
			Request: scenarios.Delay{Max: 200 * time.Millisecond}, Response: scenarios.Delay{Max: 200 * time.Millisecond},
		}
		for i := range s.Candidates {
			c := &s.Candidates[i]
			c.ReleaseOnCancel, c.RequestTimeout, c.Identity, c.Clock = true, 0, "", scenarios.Clock{}
		}
		overlap := func(p machine.Profile) bool {
			for i := range s.Candidates {
				s.Candidates[i].Profile = p
			}
			r, err := scenarios.Run(s, scenarios.Options{})
			require.NoError(t, err)
			work := slices.IndexFunc(r.Properties, func(p check.Property) bool { return p.Name == check.SingleWork })
			return r.Properties[work].Verdict == check.Violated
		}
		for _, p := range []machine.Profile{machine.ClientGo, machine.ClientGoNext} {
			if overlap(p) {
				overlaps[p.Name]++
			}
		}
		for i := range s.Candidates {
			s.Candidates[i].ReturnsAfter = 5 * time.Second
		}
		if overlap(machine.ClientGoNext) {
			early++
		}
	}
	assert.Zero(t, overlaps[machine.ClientGoNext.Name])
	assert.Greater(t, overlaps[machine.ClientGo.Name], 100)
	assert.Greater(t, early, 100, "it returns early")
}
