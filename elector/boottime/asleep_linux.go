package boottime

import (
	"time"

	"golang.org/x/sys/unix"
)

// tries is how often two clocks are read, at most, for want of a pair of readings that is close enough.
const tries = 5

// Asleep is how long the system has been asleep since it was started: by how much CLOCK_BOOTTIME is ahead of
// CLOCK_MONOTONIC. It is false where the system does not tell. Where the process was not scheduled between the two readings
// it is too short, by no more than that.
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

// read returns the reading of one of the system's clocks, false where the system refuses.
func read(clock int32) (time.Duration, bool) {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
