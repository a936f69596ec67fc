package main

import (
	"context"
	"errors"
	"time"

	"interregnum/elector/ttl"
)

// follow reads the lock again and again until ctx ends, and passes each state to see and each error to fail. It reads after each
// change if the lock can be watched, otherwise every --retry-period.
func (o *observer) follow(ctx context.Context, lock ttl.Lock) {
	of := o.of.o
	for ctx.Err() == nil {
		limit, cancel := context.WithTimeout(ctx, of.renew)
		entry, err := lock.Get(limit)
		cancel()
		switch {
		case err == nil, errors.Is(err, ttl.ErrAbsent):
			o.see(&change{Holder: entry.Holder, FencingToken: entry.Token})
		case ctx.Err() == nil:
			o.fail(err)
		}
		awaitChange(ctx, lock, of)
	}
}

// awaitChange returns when the lock should be read again: up to 50 ms after a change or, at the latest, after a while, or when ctx
// ends. The while is --retry-period, or half of --lease-duration if the lock can be watched and that is longer.
func awaitChange(ctx context.Context, lock ttl.Lock, o *options) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	wait := o.retry
	changed, err := lock.Watch(ctx)
	if err == nil {
		// It is asked now and then nevertheless, so that it is known to be there.
		wait = max(o.retry, o.lease/2)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-changed:
		// A watch that breaks at once must not make this a busy loop.
		select {
		case <-time.After(min(o.retry, 50*time.Millisecond)):
		case <-ctx.Done():
		}
	case <-timer.C:
	case <-ctx.Done():
	}
}
