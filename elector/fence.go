package elector

import (
	"context"
	"hash/fnv"
	"reflect"
	"strconv"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// FencingToken is the fencing token of a term: of the context that OnStartedLeading, or the work of
// RunUntil, was given, or of one derived from it. It is the resourceVersion of the write that the
// term began with, and grows from term to term: across takeovers, restarts under the same identity,
// and deletes of the lock object.
//
// It grows as the service's versions do, and no further. A service that was restored from a backup counts
// anew from there: the resource then refuses the new leader's tokens, until they have come to where they
// were, or somebody resets the highest that it has seen. A lock that expires by itself may give two terms
// in a row one token, where the second finds that the entry which the first has left is still its own:
// both are terms of one candidate, whose work of the first is waited for before the second begins.
//
// Send it with each write to what the work guards, and have that resource refuse a token that is
// lower than the highest it has seen. No election can do without: a process that was frozen while
// another took over does not know it when it wakes up.
//
// It is false for a context that is none of a term's, and where the lock does not tell its version:
// it must be a *resourcelock.LeaseLock or a ResourceVersioner.
func FencingToken(ctx context.Context) (uint64, bool) {
	token, ok := ctx.Value(tokenKey{}).(uint64)
	return token, ok
}

// tokenKey is the key of the token among a context's values.
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
	// TimeUnit is what the times are cut to, above 0.
	TimeUnit() time.Duration
}

// unitOf returns the unit to which a lock's record keeps times, 0 where it keeps them as a Lease does.
func unitOf(lock resourcelock.Interface) time.Duration {
	if keeper, ok := lock.(TimeKeeper); ok {
		return keeper.TimeUnit()
	}
	return 0
}

// lifer is a lock that tells the UID of its object, or of its objects, as the last answer had it.
type lifer interface{ UID() types.UID }

// lifeOf returns a number for the lock object that is another one once the object has been deleted and made anew, 0 where the lock does not tell.
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

// tokenOf returns the fencing token for what a lock has just written, 0 where it does not tell its version.
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

// driven returns the lock to call in place of the caller's. For a LeaseLock that is a copy which notes the version of each write; it shares nothing
// with the caller's and knows no object yet.
func driven(lock resourcelock.Interface) resourcelock.Interface {
	original, ok := lock.(*resourcelock.LeaseLock)
	if !ok || original == nil {
		return lock
	}
	l := &leaseLock{}
	copyExported(&l.LeaseLock, original)
	l.Client = &listener{LeasesGetter: original.Client, version: &l.version}
	return l
}

// leaseLock is a LeaseLock that knows its version.
type leaseLock struct {
	resourcelock.LeaseLock
	version string
}

var _ ResourceVersioner = (*leaseLock)(nil)

// ResourceVersion returns the version of the Lease after this lock's last write.
func (l *leaseLock) ResourceVersion() string { return l.version }

var _ eventTeller = (*leaseLock)(nil)

// Event prepares an event about the Lease as it is now; the function that it returns records it, and may be called while the lock is used.
func (l *leaseLock) Event(what string) (tell func()) {
	tell = func() {}
	recorder := l.LockConfig.EventRecorder
	if recorder == nil {
		return tell
	}
	now := l.LeaseLock
	now.LockConfig.EventRecorder = recorderFunc(func(about runtime.Object, kind, reason, message string, args ...any) {
		about = about.DeepCopyObject()
		tell = func() { recorder.Eventf(about, kind, reason, message, args...) }
	})
	now.RecordEvent(what)
	return tell
}

// listener is a client that notes the version of what it has written.
type listener struct {
	coordinationv1client.LeasesGetter
	version *string
}

// Leases returns the client of a namespace, changed so that it notes the version of each Lease that it has written.
func (l *listener) Leases(namespace string) coordinationv1client.LeaseInterface {
	return &listeningLeases{l.LeasesGetter.Leases(namespace), l.version}
}

type listeningLeases struct {
	coordinationv1client.LeaseInterface
	version *string
}

func (l *listeningLeases) Create(
	ctx context.Context, lease *coordinationv1.Lease, options metav1.CreateOptions,
) (*coordinationv1.Lease, error) {
	return l.heard(l.LeaseInterface.Create(ctx, lease, options))
}

func (l *listeningLeases) Update(
	ctx context.Context, lease *coordinationv1.Lease, options metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	return l.heard(l.LeaseInterface.Update(ctx, lease, options))
}

// heard notes the version in the answer to a write that succeeded, and returns the answer as it is.
func (l *listeningLeases) heard(lease *coordinationv1.Lease, err error) (*coordinationv1.Lease, error) {
	if err == nil && lease != nil {
		*l.version = lease.ResourceVersion
	}
	return lease, err
}

// copyExported copies the fields that the program's version of client-go has: Labels came with v0.34, which is younger
// than what go.mod requires.
func copyExported(to, from *resourcelock.LeaseLock) {
	target, source := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for _, field := range reflect.VisibleFields(target.Type()) {
		if field.IsExported() && len(field.Index) == 1 {
			target.FieldByIndex(field.Index).Set(source.FieldByIndex(field.Index))
		}
	}
}
