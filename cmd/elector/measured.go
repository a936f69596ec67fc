package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector"
	"interregnum/elector/ttl"
)

// What a request to the lock can come to.
const (
	outcomeOK = "ok"
	// outcomeRefused: the lock works, and is not this candidate's to take, or there is none yet.
	outcomeRefused = "refused"
	outcomeError   = "error"
)

// outcomeOf returns what a request to the lock that ended with that error came to: outcomeOK, outcomeRefused or outcomeError.
func outcomeOf(err error) string {
	switch {
	case err == nil:
		return outcomeOK
	case apierrors.IsNotFound(err), apierrors.IsConflict(err), apierrors.IsAlreadyExists(err),
		errors.Is(err, ttl.ErrAbsent), errors.Is(err, ttl.ErrTaken), errors.Is(err, ttl.ErrLost):
		return outcomeRefused
	}
	return outcomeError
}

// asked records a request to the lock and its error, for metrics and health checks. verb is the request's name in the metrics.
// sent is when it was sent, in nanoseconds as the function now returns it. A request that elector itself has cancelled is not
// recorded.
func (c *candidate) asked(verb string, sent int64, err error) {
	outcome := outcomeOf(err)
	if outcome == outcomeError && errors.Is(err, context.Canceled) {
		return // Given up by elector itself: it tells nothing about the lock.
	}
	c.metrics.request(verb, outcome, time.Duration(now()-sent))
	c.heard(outcome != outcomeError, err)
	if verb != "get" && outcome != outcomeRefused { // to refuse it, nothing has to be written
		c.wrote(err)
	}
}

// kubeLock is a lock in Kubernetes that records its requests in a candidate.
type kubeLock struct {
	versioned
	namespace string
	of        *candidate
}

// versioned is the type of the locks of package kubelock.
type versioned interface {
	resourcelock.Interface
	elector.ResourceVersioner
	elector.TimeKeeper
}

// Get reads the lock. It records the request for metrics and health checks, the holder that it finds, and that the right to
// create is not needed if the lock is there. If the server refuses the request, the error says which right is missing.
func (l kubeLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	sent := now()
	record, raw, err := l.versioned.Get(ctx)
	err = explain("get", l.namespace, l.of.o.name, err)
	l.of.asked("get", sent, err)
	switch {
	case err == nil:
		l.of.lacks("create", "") // It need not.
		l.of.noteHolder(record.HolderIdentity)
	case apierrors.IsNotFound(err):
		l.of.noteHolder("")
	}
	return record, raw, err
}

// Create creates the lock's object with that record, and returns the error. It records the request, the holder and the lease:
// see write.
func (l kubeLock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.write("create", record, func() error { return l.versioned.Create(ctx, record) })
}

// Update writes the record into the lock's object, and returns the error. It records the request, the holder and the lease: see
// write.
func (l kubeLock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.write("update", record, func() error { return l.versioned.Update(ctx, record) })
}

// write calls send, which writes the record, and returns its error; verb, create or update, is its name. It records the result:
// for metrics and health checks, for the rights, for the holder, and for this candidate's own lease. A record with another
// holder, a release, ends that lease even if the write has failed.
func (l kubeLock) write(verb string, record resourcelock.LeaderElectionRecord, send func() error) error {
	sent := now()
	err := explain(verb, l.namespace, l.of.o.name, send())
	l.of.asked(verb, sent, err)
	switch {
	case err == nil:
		l.of.lacks(verb, "")
	case apierrors.IsForbidden(err):
		l.of.lacks(verb, err.Error())
	}
	if err == nil {
		l.of.noteHolder(record.HolderIdentity)
	}
	switch {
	case record.HolderIdentity != l.Identity():
		l.of.lease.released() // Or perhaps not, but it is not counted on any more.
	case err == nil:
		l.of.lease.renewed(sent)
	}
	return err
}

// timed returns a lock that limits the time of each request. A connection can be dead without a sign: a request on it must leave
// time for another one, on a new connection. If the limit passes without an answer, the lock calls hangUp, which closes the
// connection if nothing else does, and the error says so.
func (c *candidate) timed(lock ttl.Lock, hangUp func()) ttl.Lock {
	limit := c.o.requestTimeout()
	return around{lock, func(ctx context.Context, _ string, send request) (ttl.Entry, error) {
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		entry, err := send(limited)
		if outcomeOf(err) == outcomeError && limited.Err() != nil && ctx.Err() == nil {
			hangUp()
			err = fmt.Errorf("no answer within %v: %w", limit, err)
		}
		return entry, err
	}}
}

// noted returns a lock that records its requests: for metrics and health checks, for the holder, and for this candidate's own
// lease. In c.unsure it keeps that a write has ended without an answer. With --wait 0s it also makes the candidate give up when a
// Get finds that somebody holds the lock, unless the entry has the candidate's own name and such a write has perhaps made it.
func (c *candidate) noted(lock ttl.Lock) ttl.Lock {
	return around{lock, func(ctx context.Context, verb string, send request) (ttl.Entry, error) {
		sent := now()
		if verb == "release" {
			c.lease.released()
		}
		entry, err := send(ctx)
		c.asked(verb, sent, err)
		switch {
		case verb == "get":
			if err == nil || errors.Is(err, ttl.ErrAbsent) {
				c.noteHolder(entry.Holder)
			}
			// Whoever holds it in this candidate's name may be another process, of the same --id.
			if err == nil && c.o.wait == 0 && (entry.Holder != c.o.id || !c.unsure) {
				c.giveUp()
			}
		case verb == "release":
			if err == nil {
				c.noteHolder("")
			}
		case err == nil:
			c.lease.renewed(sent)
			c.noteHolder(lock.Identity())
		default:
			c.unsure = c.unsure || outcomeOf(err) == outcomeError
		}
		return entry, err
	}}
}
