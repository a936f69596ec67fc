package elector

import (
	"context"
	"errors"

	"interregnum/elector/machine"
	"interregnum/elector/ttl"
)

// expiring is a service (what the host asks) that is made of a ttl.Lock.
type expiring struct{ ttl.Lock }

// event returns a function that does nothing, since locks that expire by themselves record no events.
func (l expiring) event(string) (tell func()) { return func() {} }

// ask makes the call of the lock that the request names. It returns the call's outcome, with a record of the holder after a Get,
// and the fencing token of an entry that was made or refreshed; the token is 0 after other calls and after errors.
func (l expiring) ask(
	ctx context.Context, request *machine.Request,
) (response machine.Response, token uint64, err error) {
	var entry ttl.Entry
	switch request.Verb {
	case machine.Get:
		entry, err = l.Get(ctx)
		response.Record = &machine.Record{Holder: entry.Holder}
		entry.Token = 0
	case machine.Create:
		entry, err = l.Create(ctx)
	case machine.Replace:
		entry, err = l.Replace(ctx)
	case machine.Refresh:
		entry, err = l.Refresh(ctx)
	case machine.Resign:
		err = l.Release(ctx)
	case machine.Watch:
		err = l.await(ctx)
	}
	response.ID, response.Outcome = request.ID, outcomeOfTTL(err)
	return response, entry.Token, err
}

// await watches the entry until it changes. It returns nil when the watch reports a change, and an error if the watch fails or
// ctx ends.
func (l expiring) await(ctx context.Context) error {
	changed, err := l.Watch(ctx)
	if err != nil {
		return err
	}
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// outcomeOfTTL translates an error of a lock that expires by itself into an outcome for the machine: nil into Done,
// ttl.ErrAbsent into NotFound, ttl.ErrTaken and ttl.ErrLost into Conflict, ttl.ErrNoWatch into NoWatch, and any other error
// into Failed.
func outcomeOfTTL(err error) machine.Outcome {
	switch {
	case err == nil:
		return machine.Done
	case errors.Is(err, ttl.ErrAbsent):
		return machine.NotFound
	case errors.Is(err, ttl.ErrTaken), errors.Is(err, ttl.ErrLost):
		return machine.Conflict
	case errors.Is(err, ttl.ErrNoWatch):
		return machine.NoWatch
	}
	return machine.Failed
}
