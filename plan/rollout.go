package plan

import "time"

// Rollout is a rolling update of a Deployment, whose pods are candidates: those in On are replaced by those in To.
type Rollout struct {
	// To are the successors, in the order in which their pods are made: as many as are replaced. They do not start by
	// themselves.
	To []string
	// Surge is by how many there may be more pods than there were, MaxUnavailable how many of these may be unready. One of
	// them is more than 0.
	Surge, MaxUnavailable Count
	// Readiness says which pods are ready; "" is ReadyAlways.
	Readiness Readiness
	// Startup is the true time from the making of a pod to the start of its process.
	Startup time.Duration
	// GracePeriod is the true time from when a process is told to end to when it is killed; nil is DefaultGracePeriod.
	GracePeriod *time.Duration
	// Deadline is the true time within which the rollout should be over; nil is DefaultDeadline. Nothing happens then, but
	// property rollout-ends is violated.
	Deadline *time.Duration
}

// Count is a number of pods or of requests.
type Count int64

// Readiness is what a process's readiness probe says.
type Readiness string

// The values of Readiness: a pod is ready as soon as its process has started, or while it leads one of its elections.
const (
	ReadyAlways  Readiness = "always"
	ReadyLeading Readiness = "leading"
)

// These are the defaults of Kubernetes, terminationGracePeriodSeconds and progressDeadlineSeconds.
const (
	DefaultGracePeriod = 30 * time.Second
	DefaultDeadline    = 10 * time.Minute
)

// Grace returns the grace period, which is DefaultGracePeriod if none is given.
func (r *Rollout) Grace() time.Duration { return valueOr(r.GracePeriod, DefaultGracePeriod) }

// Within returns the deadline, which is DefaultDeadline if none is given.
func (r *Rollout) Within() time.Duration { return valueOr(r.Deadline, DefaultDeadline) }

// valueOr returns what d points to, or otherwise if d is nil.
func valueOr(d *time.Duration, otherwise time.Duration) time.Duration {
	if d == nil {
		return otherwise
	}
	return *d
}
