package main

import (
	"context"

	"interregnum/elector/ttl"
)

// around is a lock that passes each request, except a Watch, to do. do gets the name that the metrics have for the request
// (verb), and a function that makes it (send), and returns the request's result. The entry of a release is not used.
type around struct {
	ttl.Lock
	do func(ctx context.Context, verb string, send request) (ttl.Entry, error)
}

// request makes one request to a lock.
type request = func(context.Context) (ttl.Entry, error)

// Get passes a Get of the lock to do.
func (l around) Get(ctx context.Context) (ttl.Entry, error) { return l.do(ctx, "get", l.Lock.Get) }

// Create passes a Create of the lock to do.
func (l around) Create(ctx context.Context) (ttl.Entry, error) {
	return l.do(ctx, "create", l.Lock.Create)
}

// Replace passes a Replace of the lock to do.
func (l around) Replace(ctx context.Context) (ttl.Entry, error) {
	return l.do(ctx, "replace", l.Lock.Replace)
}

// Refresh passes a Refresh of the lock to do.
func (l around) Refresh(ctx context.Context) (ttl.Entry, error) {
	return l.do(ctx, "refresh", l.Lock.Refresh)
}

// Release passes a Release of the lock to do, and returns only its error.
func (l around) Release(ctx context.Context) error {
	_, err := l.do(ctx, "release", func(ctx context.Context) (ttl.Entry, error) {
		return ttl.Entry{}, l.Lock.Release(ctx)
	})
	return err
}
