package main

import (
	"context"
	"errors"
	"time"

	"interregnum/elector/ttl"
)

// observeSQL passes each state of a lock in SQL to out, which prints each new term, until ctx ends.
func observeSQL(ctx context.Context, out *observer) error {
	lock, disconnect, err := openSQL(out.of)
	if err != nil {
		return err
	}
	defer disconnect()
	out.follow(ctx, out.of.expiringLock(lock, func() {}))
	return nil
}

// observeEtcd passes each state of a lock in etcd to out, which prints each new term, until ctx ends.
func observeEtcd(ctx context.Context, out *observer) error {
	lock, disconnect, err := openEtcd(ctx, out.of)
	if err != nil || lock == nil {
		return err
	}
	defer disconnect()
	out.follow(ctx, lock)
	return nil
}

// follow reads the lock again and again until ctx ends, and passes each state to see. It reads after each change where
// the lock can be watched, otherwise every --retry-period.
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

// awaitChange returns when the lock should be read again: after a change, after a time that is longer where the lock
// can be watched, or when ctx ends.
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
