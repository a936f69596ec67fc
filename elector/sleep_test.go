package elector

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"

	"interregnum/elector/boottime"
)

// TestSleeper: with Strict and the real clock the elector looks at the system's boot clock; what a test's clock says of sleep
// comes first, and ClientGo knows of none.
func TestSleeper(t *testing.T) {
	of := func(p Profile, c clock.Clock) sleeper {
		return sleeperOf(&LeaderElectionConfig{Profile: p, Clock: c})
	}
	assert.IsType(t, &boottime.Clock{}, of(Strict, clock.RealClock{}))
	assert.Nil(t, of(Strict, &clocktesting.FakeClock{}))
	assert.Nil(t, of(ClientGo, clock.RealClock{}))
}
