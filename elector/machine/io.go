package machine

import (
	"time"
)

// Verb is what a request asks of the lock.
type Verb uint8

// The algorithm of this package asks for Get, Create and Update. The algorithm of elector/ttl asks for all but Update and Patch.
const (
	Get Verb = iota + 1
	Create
	Update
	Replace
	Refresh
	// Resign ends the candidate's own entry.
	Resign
	Watch
	// Patch changes some fields of the record, whatever its version is: see Request.Fields.
	Patch
)

// String returns the verb in lower case. Resign is "release"; a value that is no verb is "none".
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
	case Patch:
		return "patch"
	}
	return "none"
}

// Request is one call of the lock. At most one is in flight, apart from a Watch (see Unwatch) and from attempts that
// were left running (see Detach).
type Request struct {
	ID   uint64
	Verb Verb
	// Record is what Create and Update write. Of a Patch, Fields says which fields it writes.
	Record Record
	Fields Fields
	// Scope is the context that the call is made in.
	Scope Scope
	// Ended says that this context has ended already. The host still makes the call: a lock that heeds contexts answers
	// Failed without sending anything.
	Ended bool
}

// Fields says which fields of the Record a Patch writes. It always writes renewTime and the duration, as all patches that we
// know do; all other fields stay.
type Fields uint8

const (
	// PatchesHolder is the holder and acquireTime.
	PatchesHolder Fields = 1 << iota
	// PatchesTransitions is the number of transitions.
	PatchesTransitions
)

// Scope is the context of a request.
type Scope uint8

const (
	// ScopeRun is the context that Run was given.
	ScopeRun Scope = iota + 1
	// ScopePoll ends with Run's context and at the timer Deadline.
	ScopePoll
	// ScopeRelease ends only at the timer Deadline. ReleaseBlind does not set that timer.
	ScopeRelease
	// ScopeNone is no context at all.
	ScopeNone
	// ScopeWatch ends with Run's context and at Unwatch.
	ScopeWatch
)

// Outcome is what became of a request, as far as the algorithm distinguishes results.
type Outcome uint8

const (
	// Done means that the request succeeded.
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
	// Raw is the form of Record in which the lock wants versions compared, or nil if the lock has none. Records are
	// then compared field by field, as the profile's Compare says.
	Raw []byte
	// Object is the number of the lock object. An object that was deleted and made anew has another number. It is 0
	// where the lock does not tell.
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
	// Timers is the number of timers.
	Timers = iota
)

// String returns the timer's name.
func (t Timer) String() string { return [...]string{"deadline", "tick", "retry"}[t] }

// InputKind is what a host tells the machine.
type InputKind uint8

const (
	// Started begins the election. It is the first input, unless Run's context has ended before: then Cancelled comes
	// first.
	Started InputKind = iota + 1
	// Cancelled says that Run's context has ended. It comes before any other input of the same instant.
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
	Kind  InputKind
	Timer Timer
	// Response is that of Responded. In Fired its ID is 0, or else the number of the last request of an attempt that was left
	// running, whose timer it is: see Detach.
	Response Response
}

// OutputKind is what the machine asks of its host.
type OutputKind uint8

const (
	// SetTimer arms Output.Timer for the time that Output.Due returns, in place of the time that it was armed for.
	SetTimer OutputKind = iota + 1
	// StopTimer disarms Output.Timer.
	StopTimer
	// Send makes the call Output.Request.
	Send
	// Abandon ends the context of the request in flight. The host still delivers an answer to that request.
	Abandon
	// Detach says that the election goes on without waiting for the request in flight, whose attempt is left running.
	// The answer to that request is an input like any other. It may lead to another Send of that attempt, even after
	// Return. Detach happens only with ContextNone, and with C#. Only there no request may be in flight: then the attempt waits
	// until Output.Due for its next one, as it does after a SetTimer that is among the outputs of its own inputs.
	Detach
	// StartWork calls OnStartedLeading in the background, with a context of its own.
	StartWork
	// StopWork ends that context, unless the end of Run's context has done so.
	StopWork
	// Stopped calls OnStoppedLeading. All later outputs wait until the callback has returned.
	Stopped
	// Return ends Run. After it, only attempts that were left running send requests.
	Return
	// NewLeader calls OnNewLeader with Output.Text, in the background.
	NewLeader
	// RecordEvent has the lock record an event with Output.Text.
	RecordEvent
	// MetricOn, MetricOff and MetricSlowPath are the three calls of the metrics adapter.
	MetricOn
	MetricOff
	MetricSlowPath
	// Unwatch ends the context of the Watch in flight. The machine ignores the answer to that Watch.
	Unwatch
)

// Output is one thing that the host must do. The host keeps the order in which outputs were appended. Events that
// become due at the same instant happen in that order too.
type Output struct {
	Kind    OutputKind
	Timer   Timer
	Jitter  bool
	At      Mono
	Wait    time.Duration
	Text    string
	Request *Request
}

// Due returns when the timer of a SetTimer is due, on the process's monotonic clock. The draw, in [0,1), counts only if Jitter is
// set.
func (o *Output) Due(draw float64) Mono {
	if o.Jitter {
		return o.At.Add(Jittered(o.Wait, draw))
	}
	return o.At.Add(o.Wait)
}

// Emit appends an output of that kind to out and returns a pointer to it, by which the caller fills in its other fields before
// anything else is appended.
func Emit(out *[]Output, k OutputKind) *Output {
	*out = append(*out, Output{}) // with a kind it would be made elsewhere, and copied
	o := &(*out)[len(*out)-1]
	o.Kind = k
	return o
}
