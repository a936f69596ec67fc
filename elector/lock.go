package elector

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector/machine"
)

// reply is the result of one call of the lock: an answer, an error, a panic, or the end of its goroutine.
type reply struct {
	request  machine.Request
	response machine.Response
	// ctx is the context of the call.
	ctx context.Context
	err error
	// token is the fencing token for what was written, 0 where there is none.
	token uint64
	// panicked is the value of a panic, stack where it happened.
	panicked any
	stack    []byte
	// exited: the call did not return, without a panic: runtime.Goexit.
	exited bool
	// cancelled: before the call ended its context was cancelled; not by its deadline.
	cancelled bool
}

// service is what a host sends its machine's requests to: a Kubernetes lock (leases) or a ttl.Lock (expiring).
type service interface {
	Describe() string
	// event returns a function that records an event, to be called on another goroutine.
	event(text string) (tell func())
	// ask makes a request. The token is the fencing token for what was written, 0 where there is none.
	ask(ctx context.Context, request *machine.Request) (response machine.Response, token uint64, err error)
}

// call makes one request to the lock, and sends the reply to replies, even if the lock panics or ends the goroutine. The channel
// must have room for the reply. With Strict it stores, for Check, since when it asks, and that it no longer does; but not so for a
// watch, which may take as long as it likes.
func (le *LeaderElector) call(ctx context.Context, request machine.Request, replies chan<- *reply) {
	r := &reply{request: request, ctx: ctx, exited: true}
	if le.config.Profile == Strict && request.Verb != machine.Watch {
		le.asks(request.ID)
	}
	defer func() {
		if p := recover(); p != nil {
			r.panicked, r.stack, r.exited = p, debug.Stack(), false
		}
		le.asked(request.ID)
		replies <- r
	}()
	r.response, r.token, r.err = le.service.ask(ctx, &request)
	r.exited, r.cancelled = false, errors.Is(ctx.Err(), context.Canceled)
}

// asks stores that the call of the lock with that number begins.
func (le *LeaderElector) asks(id uint64) {
	le.mu.Lock()
	defer le.mu.Unlock()
	le.asking, le.askedAt = id, le.now().Mono
}

// asked stores that the call with that number is over.
func (le *LeaderElector) asked(id uint64) {
	le.mu.Lock()
	defer le.mu.Unlock()
	if le.asking == id {
		le.asking = 0
	}
}

// leases is a service that is made of a resourcelock.
type leases struct {
	resourcelock.Interface
	exact bool
	turn  turn
}

// ask makes the call of the Kubernetes lock that the request names. It returns the call's outcome, and the fencing token of a
// write that succeeded. The token is 0 after a Get or an error, and for a lock that does not tell its version. If ctx ends
// before the lock is free, nothing is sent and the outcome is Failed.
func (l *leases) ask(
	ctx context.Context, request *machine.Request,
) (response machine.Response, token uint64, err error) {
	response.ID = request.ID
	lock := l.Interface
	if err := l.turn.take(ctx); err != nil {
		response.Outcome = machine.Failed
		return response, 0, err
	}
	defer l.turn.give()
	switch request.Verb {
	case machine.Get:
		var record *resourcelock.LeaderElectionRecord
		record, response.Raw, err = lock.Get(ctx)
		if err == nil {
			known := fromLock(record)
			response.Record = &known
		}
		if response.Raw == nil {
			// The library compares these bytes whatever they are; nil would have the machine
			// compare fields.
			response.Raw = []byte{}
		}
	case machine.Create:
		err = lock.Create(ctx, toLock(&request.Record))
	case machine.Update:
		err = lock.Update(ctx, toLock(&request.Record))
	}
	if l.exact && response.Record != nil {
		response.Raw = exactly(response.Raw, response.Record)
	}
	if request.Verb != machine.Get && err == nil {
		token = tokenOf(lock)
	}
	if err == nil {
		response.Object = lifeOf(lock)
	}
	response.Outcome = outcomeOf(err)
	return response, token, err
}

// exactly returns bytes that differ if two records differ in anything: raw, the lock's own bytes, with the fields of the record
// after it. raw has times in whole seconds only; for a lock of two objects only raw shows the second object.
func exactly(raw []byte, r *machine.Record) []byte {
	raw = fmt.Appendf(slices.Clip(raw), " %q %d %d %d %d", r.Holder, r.DurationSeconds, r.Acquire, r.Renew, r.Transitions)
	if c := r.Coordination; c != nil {
		raw = fmt.Appendf(raw, " %q %q", c.Strategy, c.PreferredHolder)
	}
	return raw
}

// outcomeOf translates an error of the Kubernetes API into an outcome for the machine: nil into Done, the reasons NotFound and
// Conflict into the outcomes of these names, and any other error, AlreadyExists included, into Failed.
func outcomeOf(err error) machine.Outcome {
	switch {
	case err == nil:
		return machine.Done
	case apierrors.IsNotFound(err):
		return machine.NotFound
	case apierrors.IsConflict(err):
		return machine.Conflict
	}
	return machine.Failed
}

// toLock translates a record of the machine into one of client-go.
func toLock(r *machine.Record) resourcelock.LeaderElectionRecord {
	record := resourcelock.LeaderElectionRecord{
		HolderIdentity:       r.Holder,
		LeaseDurationSeconds: int(r.DurationSeconds),
		AcquireTime:          metav1.NewTime(r.Acquire.Time()),
		RenewTime:            metav1.NewTime(r.Renew.Time()),
		LeaderTransitions:    int(r.Transitions),
	}
	if c := r.Coordination; c != nil {
		record.Strategy = coordinationv1.CoordinatedLeaseStrategy(c.Strategy)
		record.PreferredHolder = c.PreferredHolder
	}
	return record
}

// fromLock translates a record of client-go into one of the machine.
func fromLock(r *resourcelock.LeaderElectionRecord) machine.Record {
	record := machine.Record{
		Holder:          r.HolderIdentity,
		DurationSeconds: int64(r.LeaseDurationSeconds),
		Acquire:         machine.WallOf(r.AcquireTime.Time),
		Renew:           machine.WallOf(r.RenewTime.Time),
		Transitions:     int64(r.LeaderTransitions),
	}
	if r.Strategy != "" || r.PreferredHolder != "" {
		record.Coordination = &machine.Coordination{
			Strategy: string(r.Strategy), PreferredHolder: r.PreferredHolder,
		}
	}
	return record
}

// event returns a function that records an event with that text; the host calls it on another goroutine. For a lock that is no
// eventTeller, no request is made while that function runs: if its RecordEvent blocks, requests end unsent when their time is
// over, and so does the term.
func (l *leases) event(text string) (tell func()) {
	if teller, ok := l.Interface.(eventTeller); ok {
		return teller.Event(text)
	}
	return func() {
		if l.turn.take(context.Background()) == nil {
			defer l.turn.give()
			l.RecordEvent(text)
		}
	}
}
