package elector

import (
	"context"
	"hash/fnv"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// FencingToken returns the fencing token of a term. ctx is the context that OnStartedLeading, or the work of RunUntil,
// was given, or one derived from it. The token is the resourceVersion of the write with which the term began, and grows
// from term to term: across takeovers, restarts under the same identity, and deletes of the lock object.
//
// It grows as the service's versions do, and no further. A service that was restored from a backup counts anew from
// there. The resource then refuses the new leader's tokens, until they have come to where they were, or somebody resets
// the highest that it has seen. A lock that expires by itself may give two terms in a row one token: the second term
// finds that the entry of the first is still its own. Both are terms of one candidate, and the second waits for the
// work of the first.
//
// Send the token with each write to what the work guards, and let that resource refuse a token that is lower than the
// highest it has seen. No election can do without: a process that was frozen while another took over does not know it
// when it wakes up.
//
// FencingToken returns false for a context that does not belong to a term, and where the lock does not tell its
// version: it must be a *resourcelock.LeaseLock or a ResourceVersioner.
func FencingToken(ctx context.Context) (uint64, bool) {
	token, ok := ctx.Value(tokenKey{}).(uint64)
	return token, ok
}

// tokenKey is the key of the fencing token among a context's values.
type tokenKey struct{}

// ResourceVersioner is a lock that can tell fencing tokens.
type ResourceVersioner interface {
	// ResourceVersion is the version that the last successful Create or Update has led to: a decimal number
	// above 0, greater than that of every write to any of the lock's objects before it. It is called right
	// after that Create or Update, on the same goroutine.
	ResourceVersion() string
}

// TimeKeeper is a lock that keeps the times of its records less exactly than a Lease does, which is in microseconds.
// With Strict no two renewals are less than TimeUnit apart in the record: another candidate could not tell them apart.
type TimeKeeper interface {
	// TimeUnit returns the unit to which the times are cut, above 0.
	TimeUnit() time.Duration
}

// unitOf returns the unit to which a lock's record keeps times. It is 0 for a lock that does not tell: such a lock keeps them as
// a Lease does.
func unitOf(lock resourcelock.Interface) time.Duration {
	if keeper, ok := lock.(TimeKeeper); ok {
		return keeper.TimeUnit()
	}
	return 0
}

// lifer is a lock that returns the UID of its object, or the UIDs of its objects, as the last answer had it.
type lifer interface{ UID() types.UID }

// lifeOf returns a number that stands for the lock object. The number changes when the object is deleted and made anew. It is 0
// if the lock does not tell its UID.
func lifeOf(lock resourcelock.Interface) uint64 {
	l, ok := lock.(lifer)
	if !ok {
		return 0
	}
	uid := l.UID()
	if uid == "" {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(uid))
	return h.Sum64()
}

// tokenOf returns the fencing token for what a lock has just written, 0 if the lock does not tell its version, or tells one that
// is no number.
func tokenOf(lock resourcelock.Interface) uint64 {
	versioner, ok := lock.(ResourceVersioner)
	if !ok {
		return 0
	}
	token, err := strconv.ParseUint(versioner.ResourceVersion(), 10, 64)
	if err != nil {
		return 0
	}
	return token
}
