//go:build !linux

package boottime

import "time"

// Asleep would return how long the system has been asleep since it was started. This system does not tell: known is always
// false.
func Asleep() (total time.Duration, known bool) { return 0, false }
