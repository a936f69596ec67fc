package network

import (
	"slices"
	"time"

	"interregnum/internal/sim/clock"
	"interregnum/plan"
)

// dropped counts the requests that the service refuses in a brownout, second by second, and says from that after how long a client
// is to try again. It is the algorithm of an API server (pkg/util/flowcontrol/dropped_requests_tracker.go of k8s.io/apiserver).
type dropped struct {
	// after is the Retry-After in seconds. raised is the second in which it grew last.
	after, raised int64
	// seconds are those in which requests were refused, from the first on. The last one goes on.
	seconds []droppedIn
}

// droppedIn is how many requests were refused in a second.
type droppedIn struct{ second, count int64 }

// longestRetryAfter is plan.LongestRetryAfter in seconds.
const longestRetryAfter = int64(plan.LongestRetryAfter / time.Second)

// retryAfter returns how long a client that is refused now is asked to wait: whole seconds, at least one.
func (d *dropped) retryAfter() time.Duration { return time.Duration(max(1, d.after)) * time.Second }

// add counts a request that is refused at t. Calls must come in the order of their times. The first call of a second adapts
// the Retry-After to the seconds before it.
func (d *dropped) add(t clock.Instant) {
	now := int64(t / clock.Instant(time.Second))
	if last := len(d.seconds) - 1; last >= 0 && d.seconds[last].second == now {
		d.seconds[last].count++
		return
	}
	if len(d.seconds) > 0 {
		d.adapt(now)
	} else {
		d.after, d.raised = 1, -longestRetryAfter
	}
	d.seconds = append(d.seconds, droppedIn{now, 1})
}

// adapt doubles the Retry-After if three or more requests a second were refused in the time that it covers, up to
// longestRetryAfter and not again before that time is over. It takes a second off if fewer than one a second were. now is in
// seconds.
func (d *dropped) adapt(now int64) {
	sum := int64(0)
	for i := len(d.seconds) - 1; i >= 0 && now-d.seconds[i].second <= d.after; i-- {
		sum += d.seconds[i].count
	}
	switch {
	case now-d.raised >= d.after && sum >= 3*d.after:
		d.after, d.raised = min(2*d.after, longestRetryAfter), now
	case sum < d.after && d.after > 1:
		d.after--
	}
	d.seconds = slices.DeleteFunc(d.seconds, func(in droppedIn) bool { return now-in.second > longestRetryAfter })
}
