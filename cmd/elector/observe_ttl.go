package main

import (
	"context"
	"errors"
	"time"

	"interregnum/elector/ttl"
)

func observeSQL(ctx context.Context, out *observer) error {
	lock, disconnect, err := openSQL(out.of)
	if err != nil {
		return err
	}
	defer disconnect()
	out.follow(ctx, out.of.expiringLock(lock, func() {}))
	return nil
}

func observeEtcd(ctx context.Context, out *observer) error {
	lock, disconnect, err := openEtcd(ctx, out.of)
	if err != nil || lock == nil {
		return err
	}
	defer disconnect()
	out.follow(ctx, lock)
	return nil
}

// follow reads the lock every --retry-period, or when it has changed where it can tell that.
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
