package elector

import (
	"context"
	"reflect"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// driven returns the lock to call in place of the caller's. For a LeaseLock that is a copy that remembers the
// resourceVersion of its last write. It has the settings of the caller's lock and calls the same client, but knows no
// object yet; the caller's lock is not changed. Any other lock is returned as it is.
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

// failedGetMoves tells whether a Get that fails can leave the lock, one that driven has returned, on a version that nobody has
// observed. It is false for a Lease, which stays on the version before, and true for other locks, of which nothing is known.
func failedGetMoves(driven resourcelock.Interface) bool {
	_, isLease := driven.(*leaseLock)
	return !isLease
}

// leaseLock is a LeaseLock that knows the version of its last write.
type leaseLock struct {
	resourcelock.LeaseLock
	version string
}

var (
	_ ResourceVersioner = (*leaseLock)(nil)
	_ eventTeller       = (*leaseLock)(nil)
)

// ResourceVersion returns the version of the Lease after this lock's last write.
func (l *leaseLock) ResourceVersion() string { return l.version }

// Event prepares an event about the Lease as it is now; its text is the candidate's identity and what. The function that it
// returns records the event, and can be called while the lock is used. Without an event recorder that function does nothing.
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

// listener is a client that notes the version of each Lease that it has written.
type listener struct {
	coordinationv1client.LeasesGetter
	version *string
}

// Leases returns the client of a namespace. That client stores in l.version the resourceVersion of each Lease that it
// has written.
func (l *listener) Leases(namespace string) coordinationv1client.LeaseInterface {
	return &listeningLeases{l.LeasesGetter.Leases(namespace), l.version}
}

// listeningLeases is the client of one namespace. It stores in version the resourceVersion of each Lease that it has written.
type listeningLeases struct {
	coordinationv1client.LeaseInterface
	version *string
}

// Create creates a Lease, and stores its resourceVersion if that succeeds.
func (l *listeningLeases) Create(
	ctx context.Context, lease *coordinationv1.Lease, options metav1.CreateOptions,
) (*coordinationv1.Lease, error) {
	return l.heard(l.LeaseInterface.Create(ctx, lease, options))
}

// Update updates a Lease, and stores its resourceVersion if that succeeds.
func (l *listeningLeases) Update(
	ctx context.Context, lease *coordinationv1.Lease, options metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	return l.heard(l.LeaseInterface.Update(ctx, lease, options))
}

// heard stores the answer's resourceVersion in l.version if the write has succeeded. It returns its arguments unchanged.
func (l *listeningLeases) heard(lease *coordinationv1.Lease, err error) (*coordinationv1.Lease, error) {
	if err == nil && lease != nil {
		*l.version = lease.ResourceVersion
	}
	return lease, err
}

// copyExported copies all exported fields of from into to. It does not name them, since the program's version of
// client-go decides which there are: Labels came with v0.34, which is younger than what go.mod requires.
func copyExported(to, from *resourcelock.LeaseLock) {
	target, source := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for _, field := range reflect.VisibleFields(target.Type()) {
		if field.IsExported() && len(field.Index) == 1 {
			target.FieldByIndex(field.Index).Set(source.FieldByIndex(field.Index))
		}
	}
}
