package boottime

import (
	"time"

	"golang.org/x/sys/unix"
)

// tries is how often two clocks are read at most, to get a pair of readings that are close enough in time.
const tries = 5

// Asleep returns how long the system has been asleep since it was started: by how much CLOCK_BOOTTIME is ahead of
// CLOCK_MONOTONIC. known is false if the system does not tell. If the process was not scheduled between the two readings, the
// total is too short, by that time at most.
func Asleep() (total time.Duration, known bool) {
	for range tries {
		before, ok := read(unix.CLOCK_MONOTONIC)
		boot, both := read(unix.CLOCK_BOOTTIME)
		after, all := read(unix.CLOCK_MONOTONIC)
		if !ok || !both || !all {
			return 0, false
		}
		if total = boot - after; after-before < least/2 {
			break
		}
	}
	return max(total, 0), true
}

// read returns the reading of one of the system's clocks. The bool is false if the system refuses.
func read(clock int32) (time.Duration, bool) {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
