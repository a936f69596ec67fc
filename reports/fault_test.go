package reports

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestFaultLabel: a fault that is not known has its number in the file, which counts from 1.
func TestFaultLabel(t *testing.T) {
	timeline := NewTimeline(&trace.Header{Scenario: "saved"}, nil)
	timeline.Observe(&trace.Event{Kind: trace.FaultBegan, Candidate: trace.Nobody, Fault: 0})
	assert.Equal(t, "fault 1", timeline.Faults[0].Label)
	assert.Equal(t, "crash", FaultLabel([]scenarios.Fault{{Kind: "crash"}}, 0))
	assert.Equal(t, "fault 2", FaultLabel([]scenarios.Fault{{Kind: "crash"}}, 1))
}

// TestFaultLabelHasWhatHappens: the label of a fault has each field that says what happens.
func TestFaultLabelHasWhatHappens(t *testing.T) {
	for label, f := range map[string]plan.Fault{
		"delay request 1s response 2s-3s": {Kind: plan.FaultDelay,
			Request: &plan.Delay{Min: time.Second, Max: time.Second}, Response: &plan.Delay{Min: 2 * time.Second, Max: 3 * time.Second}},
		"delay limiter 5s":         {Kind: plan.FaultDelay, Limiter: 5 * time.Second},
		"lose response 50%":        {Kind: plan.FaultLose, Leg: plan.ResponseLeg, Probability: new(0.5)},
		"error update 504 applied": {Kind: plan.FaultError, Verb: machine.Update, Status: 504, Applied: true},
		"throttle retryAfter 3s":   {Kind: plan.FaultThrottle, RetryAfter: new(3 * time.Second)},
		"brownout factor 600":      {Kind: plan.FaultBrownout, Factor: new(600.0)},
		"brownout factor 1":        {Kind: plan.FaultBrownout, Factor: new(1.0)},
		"brownout seats 2 takes 500ms queue 8 every 200ms": {Kind: plan.FaultBrownout,
			Seats: 2, Takes: 500 * time.Millisecond, Queue: 8, Every: 200 * time.Millisecond},
		"restart new id":                       {Kind: plan.FaultRestart, Identity: plan.NewIdentity},
		"clock +2s -300ppm":                    {Kind: plan.FaultClock, Jump: 2 * time.Second, DriftPPM: new(int64(-300))},
		"edit holder b strategy s":             {Kind: plan.FaultEdit, Edit: plan.Edit{Holder: new("b"), Strategy: new("s")}},
		"edit no holder":                       {Kind: plan.FaultEdit, Edit: plan.Edit{Holder: new("")}},
		"edit preferredHolder c":               {Kind: plan.FaultEdit, Edit: plan.Edit{PreferredHolder: new("c")}},
		"edit leaseDuration 15s":               {Kind: plan.FaultEdit, Edit: plan.Edit{LeaseDuration: new(15 * time.Second)}},
		"edit holder a-very-…me-of-many-bytes": {Kind: plan.FaultEdit, Edit: plan.Edit{Holder: new("a-very-long-name-of-many-bytes")}},
	} {
		assert.Equal(t, label, FaultLabel([]scenarios.Fault{f}, 0))
	}
}
