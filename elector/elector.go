package elector

import (
	"fmt"
	"math"
	"sync"
	"time"

	"interregnum/elector/machine"
)

// LeaderElector is one candidate. All methods but Run may be called from any goroutine at any time.
type LeaderElector struct {
	config  LeaderElectionConfig
	metrics LeaderMetric
	service service
	// start is the origin of the machine's monotonic time. slept adds the time for which the host has slept; it may be
	// nil.
	start time.Time
	slept sleeper
	// teller passes on logs, events and metrics; nil where the goroutine that has a message passes it on itself.
	teller *teller

	// mu guards the fields below.
	mu      sync.Mutex
	machine stepper
	running bool
	// work is closed when the last OnStartedLeading has returned; nil where there was none. ended: the term of that call
	// is over, since endedAt.
	work    <-chan struct{}
	ended   bool
	endedAt machine.Mono
	// asking is, with Strict, the number of the call of the lock that has not returned, 0 if there is none; watches do not count. It
	// began at askedAt.
	asking  uint64
	askedAt machine.Mono
}

// stepper is an algorithm: a *machine.Machine or a *ttl.Machine.
type stepper interface {
	Step(machine.Now, *machine.Input, []machine.Output) []machine.Output
	Again()
	Phase() machine.Phase
	IsLeader() bool
	Leader() string
	// WorkUntil returns when the work of the term must have been told to end; false where no reading of the clock says
	// that.
	WorkUntil() (machine.Mono, bool)
	Healthy(now machine.Mono, tolerance time.Duration) bool
}

// NewLeaderElector returns a candidate that has not started, or an error. With Strict the error
// names every rule of LeaderElectionConfig that the configuration breaks, with the numbers, joined
// by errors.Join; with ClientGo the first one, in the library's words.
//
// Of a *resourcelock.LeaseLock it takes a copy, in order to know its versions; the original is
// neither called, but for Identity, nor changed.
func NewLeaderElector(lec LeaderElectionConfig) (*LeaderElector, error) {
	if err := lec.validate(); err != nil {
		return nil, err
	}
	lec.setDefaults()
	return newLeaseElector(lec), nil
}

// newLeaseElector returns a candidate on a Kubernetes lock that has not started. lec must be valid and have its defaults.
func newLeaseElector(lec LeaderElectionConfig) *LeaderElector {
	turn := turnOf(&lec)
	lec.Lock = driven(lec.Lock)
	m := machine.New(lec.machine())
	return newElector(lec, &m, &leases{lec.Lock, lec.Profile.machine().CompareExact, turn})
}

// newElector returns a candidate that runs the algorithm m on the lock behind s, and reports to its metric that it does
// not lead. config must be valid and have its defaults.
func newElector(config LeaderElectionConfig, m stepper, s service) *LeaderElector {
	le := &LeaderElector{
		config: config, metrics: newLeaderMetric(), service: s, start: config.Clock.Now(), machine: m,
		slept: sleeperOf(&config),
	}
	if config.Profile == Strict {
		le.teller = &teller{}
	}
	le.metrics.Off(config.Name)
	return le
}

// tell runs message, which passes on a log, an event or a metric. With Strict another goroutine runs it, so that a message that
// blocks cannot hold up the algorithm; if too many messages wait already, the message is dropped. With ClientGo the caller runs
// it.
func (le *LeaderElector) tell(message func()) {
	if le.teller == nil {
		message()
		return
	}
	le.teller.tell(message)
}

// flush waits until all queued messages are passed on, for 100 ms at most. With ClientGo there is no queue, and it returns at
// once.
func (le *LeaderElector) flush() {
	if le.teller != nil {
		le.teller.flush()
	}
}

// began stores the channel that is closed when the work of the new term has returned, for lastWork and Check, and
// stores that the new term has not ended.
func (le *LeaderElector) began(work <-chan struct{}) {
	le.mu.Lock()
	defer le.mu.Unlock()
	le.work, le.ended = work, false
}

// lastWork returns the channel that is closed when the last OnStartedLeading has returned; nil if none was ever called.
func (le *LeaderElector) lastWork() <-chan struct{} {
	le.mu.Lock()
	defer le.mu.Unlock()
	return le.work
}

// IsLeader tells whether this candidate leads. With Strict that is whether the work may run: it is false as soon as
// RenewDeadline has passed on the clock since the last acknowledged renewal was sent, even if Run is held up. With ClientGo it
// does not look at the clock: it tells whether the lock named this candidate as holder when it was last seen, not whether the
// lease still counts. For a ttl.Lock with ClientGo it tells whether the context of the work has not ended yet.
func (le *LeaderElector) IsLeader() bool {
	le.mu.Lock()
	defer le.mu.Unlock()
	if until, bounded := le.machine.WorkUntil(); bounded && le.now().Mono >= until {
		return false
	}
	return le.machine.IsLeader()
}

// GetLeader returns the identity of the holder last seen in the lock, "" if there was none. It is meant for people to read, and
// tells nothing about who leads now.
func (le *LeaderElector) GetLeader() string {
	le.mu.Lock()
	defer le.mu.Unlock()
	return le.machine.Leader()
}

// Check returns nil for a healthy candidate. It returns an error if this candidate leads but has not renewed for longer than
// LeaseDuration plus maxTolerableExpiredLease: it should have stopped long ago. With Strict there are two more errors. One is
// for a Run that ended longer than maxTolerableExpiredLease ago while its OnStartedLeading has not returned: such a process
// neither leads nor can take part in the election. The other is for a call of the lock that has not returned for longer than
// RenewDeadline plus maxTolerableExpiredLease: Run waits for it, and does nothing else.
func (le *LeaderElector) Check(maxTolerableExpiredLease time.Duration) error {
	le.mu.Lock()
	defer le.mu.Unlock()
	now := le.now().Mono
	if le.config.Profile == Strict { // no sum of it and of a timing is more than a Duration can hold
		maxTolerableExpiredLease = min(maxTolerableExpiredLease, math.MaxInt64-le.config.LeaseDuration)
	}
	if le.config.Profile == Strict && le.ended && now > le.endedAt.Add(maxTolerableExpiredLease) &&
		!isClosed(le.work) {
		return fmt.Errorf("lease %q: it was lost more than %v ago, and the work has not returned",
			le.config.Name, maxTolerableExpiredLease)
	}
	if given := le.config.RenewDeadline + maxTolerableExpiredLease; le.asking != 0 && now > le.askedAt.Add(given) {
		return fmt.Errorf("lease %q: a call of the lock has not returned for longer than %v plus %v, although its context has ended",
			le.config.Name, le.config.RenewDeadline, maxTolerableExpiredLease)
	}
	if le.machine.Healthy(now, maxTolerableExpiredLease) {
		return nil
	}
	return fmt.Errorf("lease %q: this candidate leads, but has not renewed for longer than %v plus %v",
		le.config.Name, le.config.LeaseDuration, maxTolerableExpiredLease)
}

// now returns the present time on the machine's two clocks, wall and monotonic.
func (le *LeaderElector) now() machine.Now {
	t := le.config.Clock.Now()
	return machine.Now{Wall: machine.WallOf(t), Mono: le.mono(t)}
}

// mono translates t, a reading of the injected clock, into the machine's monotonic time, in nanoseconds: the time since start
// on Go's monotonic clock plus, where le.slept is not nil, the time for which the host has slept.
func (le *LeaderElector) mono(t time.Time) machine.Mono {
	at := machine.Mono(t.Sub(le.start))
	if le.slept != nil {
		at = at.Add(le.slept.Lost())
	}
	return at
}

// isClosed tells whether a channel on which nobody sends is closed. It does not block.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
