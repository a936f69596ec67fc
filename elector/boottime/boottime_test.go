package boottime_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/boottime"
)

func TestLost(t *testing.T) {
	asleep, known := 3*time.Hour, true
	c := boottime.NewOf(func() (time.Duration, bool) { return asleep, known })
	assert.Zero(t, c.Lost(), "what was before is no loss")
	asleep += 49 * time.Millisecond
	assert.Zero(t, c.Lost(), "two readings are never of one instant")
	asleep += 20*time.Second - 49*time.Millisecond
	assert.Equal(t, 20*time.Second, c.Lost())
	asleep += 30 * time.Millisecond
	assert.Equal(t, 20*time.Second, c.Lost())
	asleep += 30 * time.Millisecond
	assert.Equal(t, 20*time.Second+60*time.Millisecond, c.Lost(), "short sleeps count once they sum up")
	asleep -= time.Millisecond
	assert.Equal(t, 20*time.Second+60*time.Millisecond, c.Lost(), "it never shrinks")
	known = false
	assert.Equal(t, 20*time.Second+60*time.Millisecond, c.Lost())
	assert.Zero(t, boottime.NewOf(func() (time.Duration, bool) { return time.Hour, false }).Lost())
}

// TestAsleep: the system's own clocks do not contradict each other.
func TestAsleep(t *testing.T) {
	c := boottime.New()
	assert.Zero(t, c.Lost(), "the host has not slept during this test")
}
