// Package boottime tells for how long the system has been asleep. Go's monotonic clock, CLOCK_MONOTONIC on Linux, stands
// still while a host is suspended: a deadline that it is to show comes too late by all that time. CLOCK_BOOTTIME goes on.
//
// What no clock of the system shows: the pause of a virtual machine whose hypervisor stops all of its clocks. Then only
// the wall clock may tell, once somebody has set it right.
package boottime

import (
	"sync"
	"time"
)

// least is the shortest sleep that counts. Two clocks cannot be read at one instant, and the time between the two readings is no
// sleep.
const least = 50 * time.Millisecond

// Clock counts the time that the system has been asleep since the clock was made. The zero value is not ready: use New.
// All methods may be called from any goroutine.
type Clock struct {
	asleep func() (time.Duration, bool)
	from   time.Duration
	known  bool

	mu   sync.Mutex
	lost time.Duration
}

// New returns a clock of this system.
func New() *Clock { return NewOf(Asleep) }

// NewOf returns a clock that calls asleep in place of Asleep, for tests.
func NewOf(asleep func() (total time.Duration, known bool)) *Clock {
	c := &Clock{asleep: asleep}
	c.from, c.known = asleep()
	return c
}

// Lost returns how long the system has been asleep since the clock was made, 0 if the system does not tell. It never shrinks, and
// grows by 50 ms at least: shorter sleeps do not count before they sum up to that.
func (c *Clock) Lost() time.Duration {
	if !c.known {
		return 0
	}
	total, known := c.asleep()
	c.mu.Lock()
	defer c.mu.Unlock()
	if lost := total - c.from; known && lost >= c.lost+least {
		c.lost = lost
	}
	return c.lost
}
