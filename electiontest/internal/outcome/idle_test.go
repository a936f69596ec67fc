package outcome

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/electiontest/internal/world"
	"interregnum/internal/trace"
)

// TestAcknowledged: a write that was applied and answered with an error is none that its candidate was told of.
func TestAcknowledged(t *testing.T) {
	for status, told := range map[int16]map[int32]int64{200: {1: 7}, 201: {1: 7}, 409: {}, 500: {}} {
		o := &Outcome{Evidence: &world.Evidence{Events: []trace.Event{
			{Kind: trace.Written, Candidate: 1, Request: 3, Holder: "b", At: 5},
			{Kind: trace.ResponseHandled, Candidate: 1, Request: 3, Status: status, At: 7},
		}}}
		assert.Equal(t, told, maps.Collect(o.acknowledged), status)
	}
}
