package kubelock

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// place says where a lock is, and for which candidate.
type place struct {
	namespace, name string
	config          resourcelock.ResourceLockConfig
}

// client has the methods that the typed clients of all such objects have.
type client[T object] interface {
	Get(ctx context.Context, name string, options metav1.GetOptions) (T, error)
	Create(ctx context.Context, object T, options metav1.CreateOptions) (T, error)
	Update(ctx context.Context, object T, options metav1.UpdateOptions) (T, error)
}

// objectLock is a lock of one object.
type objectLock[T object] struct {
	place
	client client[T]
	form   form[T]
	// held is the object that the next Update is of: what the last request but a failed Update has returned, the nil
	// or empty object of a failure included.
	held T
	// version is the resourceVersion that the last Create or Update that succeeded has led to.
	version string
}

// Get reads the object, keeps it for the next Update, and returns its record and the record's JSON. If it cannot read the object,
// it keeps what the client has returned with the error.
func (l *objectLock[T]) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	var err error
	if l.held, err = l.client.Get(ctx, l.name, metav1.GetOptions{}); err != nil {
		return nil, nil, err
	}
	record, raw, err := l.form.read(l.held)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %s: %w", l.form.sort(), l.Describe(), err)
	}
	return record, raw, nil
}

// Create creates the object with that record, and keeps it and its version. If the server refuses, it keeps what the client has
// returned, and the version stays. A record that cannot be written into an object is an error, and nothing is sent.
func (l *objectLock[T]) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	created := l.form.blank(metav1.ObjectMeta{Namespace: l.namespace, Name: l.name})
	err := l.form.write(created, &record)
	if err != nil {
		return fmt.Errorf("%s %s: %w", l.form.sort(), l.Describe(), err)
	}
	if l.held, err = l.client.Create(ctx, created, metav1.CreateOptions{}); err != nil {
		return err
	}
	l.version = metaOf(l.held).ResourceVersion
	return nil
}

// Update writes the record into the object that the last Get, Create or successful Update has returned, on that object's version.
// It returns an error if there is no such object, or if the write fails. After a write that fails, the lock keeps the object,
// with the new record in it.
func (l *objectLock[T]) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	if l.isUnknown() {
		return fmt.Errorf("%s %s: Update wants a Get or Create before it that returned an object", l.form.sort(), l.Describe())
	}
	if err := l.form.write(l.held, &record); err != nil {
		return fmt.Errorf("%s %s: %w", l.form.sort(), l.Describe(), err)
	}
	updated, err := l.client.Update(ctx, l.held, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	l.held, l.version = updated, metaOf(updated).ResourceVersion
	return nil
}

// isUnknown tells whether the lock holds no object, not even an empty one: no Get or Create was sent yet, or the last one has
// failed and its client has returned nil.
func (l *objectLock[T]) isUnknown() bool {
	var none T
	return l.held == none
}

// RecordEvent records a Kubernetes event about the object as it is now. Its text is the candidate's identity and what. Without
// an event recorder it does nothing.
func (l *objectLock[T]) RecordEvent(what string) { l.Event(what)() }

// Event prepares an event about the object as it is now; its text is the candidate's identity and what. The function that it
// returns records the event; elector can call it while the lock is used. Without an event recorder that function does nothing.
func (l *objectLock[T]) Event(what string) (tell func()) {
	recorder := l.config.EventRecorder
	if recorder == nil {
		return func() {}
	}
	meta := &metav1.ObjectMeta{Namespace: l.namespace, Name: l.name}
	if !l.isUnknown() {
		meta = metaOf(l.held).DeepCopy()
	}
	about, text := l.form.blank(*meta), l.Identity()+" "+what
	return func() { recorder.Eventf(about, corev1.EventTypeNormal, "LeaderElection", "%s", text) }
}

// Identity returns the identity of the lock's candidate.
func (l *objectLock[T]) Identity() string { return l.config.Identity }

// Describe returns the place of the object: "namespace/name".
func (l *objectLock[T]) Describe() string { return l.namespace + "/" + l.name }

// ResourceVersion returns the version that the last successful write has led to, "" before the first. elector makes
// fencing tokens of it.
func (l *objectLock[T]) ResourceVersion() string { return l.version }

// UID returns the UID of the object in the last answer, "" if there is none. By it elector tells whether the object was deleted
// and made anew.
func (l *objectLock[T]) UID() types.UID {
	if l.isUnknown() {
		return ""
	}
	return metaOf(l.held).UID
}

// TimeUnit returns the precision of times in the object's record.
func (l *objectLock[T]) TimeUnit() time.Duration { return l.form.unit }
