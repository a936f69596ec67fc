package trace

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestClock(t *testing.T) {
	c := NewClock(-time.Second, 1_000_000)
	assert.Equal(t, int64(2e9), c.Mono(1e9))
	assert.Equal(t, int64(1e9), c.Wall(1e9))
	assert.Equal(t, int64(5e8), c.TrueTime(1e9))
	c.Change(&Event{At: 1e9, Rate: -500_000, Amount: 3e9})
	assert.Equal(t, int64(3e9), c.Mono(3e9))
	assert.Equal(t, int64(5e9), c.Wall(3e9))
}
