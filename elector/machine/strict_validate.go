package machine

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// maxLease is the longest lease that a Lease object can carry: leaseDurationSeconds is an int32.
const maxLease = math.MaxInt32 * time.Second

// ValidateStrict refuses timings that are not safe or cannot work with the profile Strict. Its error joins all bounds
// that are violated, each with its numbers; it is nil if there are none.
func (t Timings) ValidateStrict() error {
	var broken []error
	refuse := func(bound string, numbers ...any) { broken = append(broken, fmt.Errorf(bound, numbers...)) }
	positive := func(name string, d time.Duration) {
		if d < 1 {
			refuse("%s must be greater than zero, is %v", name, d)
		}
	}
	positive("leaseDuration", t.LeaseDuration)
	positive("renewDeadline", t.RenewDeadline)
	positive("retryPeriod", t.RetryPeriod)
	if t.LeaseDuration <= t.RenewDeadline {
		refuse("leaseDuration must be greater than renewDeadline, is %v, not more than %v",
			t.LeaseDuration, t.RenewDeadline)
	}
	if t.deadlineTooShort() {
		refuse("renewDeadline must be greater than retryPeriod*JitterFactor, is %v, not more than %v*%v",
			t.RenewDeadline, t.RetryPeriod, JitterFactor)
	}
	if t.LeaseDuration > maxLease {
		refuse("leaseDuration must be at most %d s, which is what a Lease can carry, is %v",
			int64(math.MaxInt32), t.LeaseDuration)
	}
	return errors.Join(broken...)
}

// deadlineTooShort tells whether RenewDeadline is at most RetryPeriod times JitterFactor, so that it can be over before a
// second attempt to renew. It is false if RetryPeriod is not positive. It computes in integers, since the library's product
// overflows for long durations.
func (t Timings) deadlineTooShort() bool {
	if t.RetryPeriod < 1 {
		return false // refused already
	}
	return t.RenewDeadline <= t.RetryPeriod || t.RenewDeadline-t.RetryPeriod <= t.RetryPeriod/5
}
