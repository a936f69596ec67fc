package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
)

// TestTooManyTurns: a number of turns that cannot be multiplied is no bound. It came out too small once.
func TestTooManyTurns(t *testing.T) {
	c := &Config{Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}}
	m := newModel(c, &Environment{})
	for turns, known := range map[time.Duration]bool{10: true, 1e6: true, 1 << 40: false, 1 << 62: false} {
		var r Result
		m.upTo = 0
		m.counted(&r, turns, 0)
		assert.Equal(t, known, m.upTo > 0, turns)
		assert.True(t, r.AtLeast)
	}
}
