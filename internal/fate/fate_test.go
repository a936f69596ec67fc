package fate

import (
	"testing"
	"time"

	"interregnum/plan"

	"github.com/stretchr/testify/assert"
)

// TestFaults: each fault is on the candidate, and lasts for the nanosecond in which it decides.
func TestFaults(t *testing.T) {
	f := Fate{Hold: time.Second, Out: Way{Delay: 2}, Back: Way{Delay: 3}, Refusal: Refusal{Status: 503, Applied: true}}
	all := f.Faults("a", Times{Called: 10, Sent: 20, Arrived: 22})
	var kinds []plan.FaultKind
	var at []time.Duration
	for _, fault := range all {
		assert.Equal(t, []string{"a"}, fault.On)
		assert.Equal(t, fault.At+1, *fault.Until)
		kinds, at = append(kinds, fault.Kind), append(at, fault.At)
	}
	assert.Equal(t, []plan.FaultKind{plan.FaultDelay, plan.FaultDelay, plan.FaultError, plan.FaultDelay}, kinds)
	assert.Equal(t, []time.Duration{10, 20, 22, 22}, at)
	assert.Equal(t, time.Second, all[0].Limiter)

	f = Fate{Back: Way{Lost: true}}
	assert.Equal(t, plan.ResponseLeg, f.Faults("a", Times{Arrived: 1})[1].Leg)
	f = Fate{Hold: 1, Out: Way{Lost: true}}
	assert.Len(t, f.Faults("a", Times{Sent: -1, Arrived: -1}), 1, "it waits in the limiter, and never leaves")
	assert.Equal(t, plan.RequestLeg, f.Faults("a", Times{Sent: 5, Arrived: -1})[1].Leg)
}
