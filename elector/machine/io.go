package machine

import (
	"time"
)

// Verb is what a request asks of the lock.
type Verb uint8

// What the algorithm of this package asks for is Get, Create and Update; that of elector/ttl asks for all but Update.
const (
	Get Verb = iota + 1
	Create
	Update
	Replace
	Refresh
	// Resign ends the own entry.
	Resign
	Watch
)

// String returns the verb in lower case.
func (v Verb) String() string {
	switch v {
	case Get:
		return "get"
	case Create:
		return "create"
	case Update:
		return "update"
	case Replace:
		return "replace"
	case Refresh:
		return "refresh"
	case Resign:
		return "release"
	case Watch:
		return "watch"
	}
	return "none"
}

// Request is one call of the lock. At most one is in flight, and beside it one of an attempt that was left running:
// see Detach. A Watch is counted apart: see Unwatch.
type Request struct {
	ID   uint64
	Verb Verb
	// Record is what Create and Update write.
	Record Record
	// Scope is the context that the call is made in.
	Scope Scope
	// Ended says that this context is over already. The host makes the call all the same: a lock that
	// heeds contexts answers Failed without sending anything.
	Ended bool
}

// Scope is the context of a request.
type Scope uint8

const (
	// ScopeRun is the context that Run was given.
	ScopeRun Scope = iota + 1
	// ScopePoll ends with Run's context and at the timer Deadline.
	ScopePoll
	// ScopeRelease ends at the timer Deadline only, which ReleaseBlind does not set.
	ScopeRelease
	// ScopeNone is no context at all.
	ScopeNone
	// ScopeWatch ends with Run's context and at Unwatch.
	ScopeWatch
)

// Outcome is what became of a request, as far as the algorithm can tell results apart.
type Outcome uint8

const (
	// Done means that the lock said yes.
	Done Outcome = iota + 1
	// NotFound means that there is no such object.
	NotFound
	// Conflict means that the object is no longer the one last seen.
	Conflict
	// Failed is every other error, the end of the request's context included.
	Failed
	// Panicked means that the call panicked and the panic was swallowed: the attempt is over at once.
	Panicked
	// NoWatch means that the lock cannot be watched.
	NoWatch
)

// Response answers a request.
type Response struct {
	ID      uint64
	Outcome Outcome
	// Record is what a Get returned; the machine keeps no pointer to it.
	Record *Record
	// Raw is the form of Record in which the lock wants versions compared; not nil if the lock has one.
	// Without it records are compared field by field, as the profile's Compare says.
	Raw []byte
	// Object is other for an object that was deleted and made anew; 0 where the lock does not tell.
	Object uint64
}

// Timer names one of the machine's three timers.
type Timer uint8

const (
	// Deadline ends a poll or a release.
	Deadline Timer = iota
	// Tick paces the attempts of a poll.
	Tick
	// Retry is the wait for the next attempt to acquire, and between two polls.
	Retry
	// Timers is their number.
	Timers = iota
)

// String returns the timer's name.
func (t Timer) String() string { return [...]string{"deadline", "tick", "retry"}[t] }

// InputKind is what a host tells the machine.
type InputKind uint8

const (
	// Started begins the election. It is the first input, but for Cancelled where Run's context has ended
	// before.
	Started InputKind = iota + 1
	// Cancelled says that Run's context has ended. It goes before any other input of the same instant.
	Cancelled
	// Fired says that Input.Timer is due.
	Fired
	// Responded brings Input.Response.
	Responded
	// WorkReturned says that OnStartedLeading has returned.
	WorkReturned
	// Unwinding says that a panic is about to leave Run.
	Unwinding
)

// Input is one thing that happened to a candidate.
type Input struct {
	Kind     InputKind
	Timer    Timer
	Response Response
}

// OutputKind is what the machine asks of its host.
type OutputKind uint8

const (
	// SetTimer arms Output.Timer for Output.At, in place of what it was armed for. With Output.Jitter the
	// host adds its draw first: see Output.Due.
	SetTimer OutputKind = iota + 1
	// StopTimer disarms Output.Timer.
	StopTimer
	// Send makes Output.Request.
	Send
	// Abandon ends the context of the request in flight. The host answers it all the same.
	Abandon
	// Detach says that the election goes on without waiting for the request in flight, whose attempt is left running.
	// Its answer is an input like any other, and may lead to a Send that belongs to that attempt and may come after
	// Return. Only with ContextNone.
	Detach
	// StartWork calls OnStartedLeading with a context of its own, aside.
	StartWork
	// StopWork ends that context, where the end of Run's context has not done so.
	StopWork
	// Stopped calls OnStoppedLeading; whatever comes after it waits for the callback.
	Stopped
	// Return ends Run. It is the last output, but for what an attempt left running sends.
	Return
	// NewLeader calls OnNewLeader with Output.Text, aside.
	NewLeader
	// RecordEvent has the lock record Output.Text.
	RecordEvent
	// MetricOn, MetricOff and MetricSlowPath are the three calls of the metrics adapter.
	MetricOn
	MetricOff
	MetricSlowPath
	// Unwatch ends the context of the Watch in flight, whose answer counts no more.
	Unwatch
)

// Output is one thing that the host must do, in the order in which they were appended: events that become
// due at the same instant happen in that order.
type Output struct {
	Kind    OutputKind
	Timer   Timer
	Jitter  bool
	At      Mono
	Wait    time.Duration
	Text    string
	Request *Request
}

// Due is when the timer of a SetTimer is due. Draw, in [0,1), counts only where the wait is jittered.
func (o *Output) Due(draw float64) Mono {
	if o.Jitter {
		return o.At.Add(Jittered(o.Wait, draw))
	}
	return o.At.Add(o.Wait)
}
