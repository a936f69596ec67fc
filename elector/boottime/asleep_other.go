//go:build !linux

package boottime

import "time"

// Asleep is how long the system has been asleep since it was started. This system does not tell.
func Asleep() (total time.Duration, known bool) { return 0, false }
