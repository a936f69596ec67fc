package reports

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
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
