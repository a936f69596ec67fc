package main

import (
	"context"

	"interregnum/elector/ttl"
)

// around is a lock whose requests, but for Watch, go through do: it calls send, which makes the request, and returns
// what the request comes to. The verb is what the metrics call it; a release has no entry.
type around struct {
	ttl.Lock
	do func(ctx context.Context, verb string, send request) (ttl.Entry, error)
}

// request makes one request to a lock.
type request = func(context.Context) (ttl.Entry, error)

func (l around) Get(ctx context.Context) (ttl.Entry, error) { return l.do(ctx, "get", l.Lock.Get) }

func (l around) Create(ctx context.Context) (ttl.Entry, error) {
	return l.do(ctx, "create", l.Lock.Create)
}

func (l around) Replace(ctx context.Context) (ttl.Entry, error) {
	return l.do(ctx, "replace", l.Lock.Replace)
}

func (l around) Refresh(ctx context.Context) (ttl.Entry, error) {
	return l.do(ctx, "refresh", l.Lock.Refresh)
}

func (l around) Release(ctx context.Context) error {
	_, err := l.do(ctx, "release", func(ctx context.Context) (ttl.Entry, error) {
		return ttl.Entry{}, l.Lock.Release(ctx)
	})
	return err
}
