package elector

import (
	"context"
	"runtime/debug"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector/machine"
)

// reply is how a call of the lock ended.
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
}

// call calls the lock and sends what became of it. Replies must have room.
func (c *LeaderElectionConfig) call(ctx context.Context, request machine.Request, replies chan<- *reply) {
	r := &reply{request: request, ctx: ctx, exited: true}
	defer func() {
		if p := recover(); p != nil {
			r.panicked, r.stack, r.exited = p, debug.Stack(), false
		}
		replies <- r
	}()
	r.response, r.err = ask(ctx, c.Lock, &request)
	if c.Profile.machine().Compare == machine.CompareExact {
		// The bytes have times in whole seconds; the record itself is as exact as the lock has it.
		r.response.Raw = nil
	}
	if request.Verb != machine.Get && r.err == nil {
		r.token = tokenOf(c.Lock)
	}
	r.exited = false
}

func ask(
	ctx context.Context, lock resourcelock.Interface, request *machine.Request,
) (machine.Response, error) {
	response := machine.Response{ID: request.ID}
	var err error
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
	response.Outcome = outcomeOf(err)
	return response, err
}

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

// toLock leaves Strategy and PreferredHolder empty: outside of coordinated election nobody carries
// them on.
func toLock(r *machine.Record) resourcelock.LeaderElectionRecord {
	return resourcelock.LeaderElectionRecord{
		HolderIdentity:       r.Holder,
		LeaseDurationSeconds: int(r.DurationSeconds),
		AcquireTime:          metav1.NewTime(r.Acquire.Time()),
		RenewTime:            metav1.NewTime(r.Renew.Time()),
		LeaderTransitions:    int(r.Transitions),
	}
}

func fromLock(r *resourcelock.LeaderElectionRecord) machine.Record {
	return machine.Record{
		Holder:          r.HolderIdentity,
		DurationSeconds: int64(r.LeaseDurationSeconds),
		Acquire:         machine.WallOf(r.AcquireTime.Time),
		Renew:           machine.WallOf(r.RenewTime.Time),
		Transitions:     int64(r.LeaderTransitions),
	}
}
