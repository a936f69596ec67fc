package machine

import (
	"time"
)

// Record is the content of the lock: who holds it, for how long, since when.
// It is resourcelock.LeaderElectionRecord.
type Record struct {
	// Holder is the identity of the leader, "" after a release.
	Holder string
	// DurationSeconds is how long the lease lasts after each renewal, in whole seconds.
	DurationSeconds int64
	// Acquire and Renew are readings of the holder's wall clock.
	Acquire, Renew Wall
	// Transitions counts the changes of holder.
	Transitions int64
	// Coordination is nil if an election is not coordinated.
	Coordination *Coordination
}

// Set copies all fields of the record from into r, one by one. A simulation copies records right after they were written. A copy
// of several fields at once would have to wait for the writes of the single ones. Both then share their Coordination.
func (r *Record) Set(from *Record) {
	r.Holder, r.DurationSeconds = from.Holder, from.DurationSeconds
	r.Acquire, r.Renew, r.Transitions = from.Acquire, from.Renew, from.Transitions
	if r.Coordination != from.Coordination {
		r.Coordination = from.Coordination
	}
}

// Duration returns how long the lease lasts after a renewal, at most what a time.Duration can hold.
func (r *Record) Duration() time.Duration {
	const limit = int64(1<<63-1) / int64(time.Second)
	return time.Duration(min(max(r.DurationSeconds, -limit), limit)) * time.Second
}
