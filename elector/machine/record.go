package machine

import (
	"time"
)

// Record is the content of the lock: who holds it, for how long, since when.
// It is resourcelock.LeaderElectionRecord without the fields of coordinated election.
type Record struct {
	// Holder is the identity of the leader, "" after a release.
	Holder string
	// DurationSeconds is how long the lease lasts after each renewal, in whole seconds.
	DurationSeconds int64
	// Acquire and Renew are readings of the holder's wall clock.
	Acquire, Renew Wall
	// Transitions counts the changes of holder.
	Transitions int64
}

// Duration is the lease's length.
func (r *Record) Duration() time.Duration {
	const limit = int64(1<<63-1) / int64(time.Second)
	return time.Duration(min(max(r.DurationSeconds, -limit), limit)) * time.Second
}

// inSeconds is the record as its JSON text shows it: times in whole seconds
// (metav1.Time marshals as RFC 3339 without a fraction).
func (r Record) inSeconds() Record {
	r.Acquire = r.Acquire.Truncate(time.Second)
	r.Renew = r.Renew.Truncate(time.Second)
	return r
}
