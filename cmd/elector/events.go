package main

import (
	"context"
	"log/slog"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
)

// flushAtMost is how long elector waits at its end until its last Kubernetes events are sent, and then until what it has said on
// standard error is written.
const flushAtMost = 2 * time.Second

// events is a recorder of Kubernetes events about the lock. It sends them one after the other, on a goroutine of its own.
type events struct {
	record.EventRecorder
	namespace, name string
	broadcaster     record.EventBroadcaster
	flushed         chan struct{}
}

// newEvents starts and returns a recorder of events about the lock of that namespace and name. It writes them to the sink to,
// and goes on after ctx has ended, since the last event is that of leaving.
func newEvents(ctx context.Context, namespace, name string, to record.EventSink, log *slog.Logger) *events {
	e := &events{
		namespace: namespace, name: name,
		broadcaster: record.NewBroadcaster(record.WithContext(context.WithoutCancel(ctx))), flushed: make(chan struct{}),
	}
	e.EventRecorder = e.broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "elector"})
	e.broadcaster.StartRecordingToSink(&sink{to, namespace, log, e.flushed})
	return e
}

// Eventf records a Kubernetes event about an object; locks call it. If the object has no name, as after a failed Get of the
// lock, Eventf writes the lock's namespace and name into it: without them the API server would refuse the event.
func (e *events) Eventf(object runtime.Object, kind, reason, format string, values ...any) {
	if about, err := meta.Accessor(object); err == nil && about.GetName() == "" {
		about.SetNamespace(e.namespace)
		about.SetName(e.name)
	}
	e.EventRecorder.Eventf(object, kind, reason, format, values...)
}

// lastReason is the reason of the event that flush records after all others, and that is not sent. It is also that event's
// namespace, so that no limit on the other events holds it back.
const lastReason = "interregnum-elector-flush"

// flush waits until all events recorded before have been sent to the API server, for flushAtMost at most, and ends the
// recorder.
func (e *events) flush() {
	e.Event(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: lastReason, Name: lastReason}},
		corev1.EventTypeNormal, lastReason, "")
	select {
	case <-e.flushed:
	case <-time.After(flushAtMost):
	}
	e.broadcaster.Shutdown()
}

// sink sends events to the API server and logs errors. When it gets the event that flush records, it closes flushed.
type sink struct {
	record.EventSink
	namespace string
	log       *slog.Logger
	flushed   chan struct{}
}

// Create sends a new event to the API server, and logs an error. The event that flush records it does not send: it closes
// flushed, since all events before it have been sent.
func (s *sink) Create(event *corev1.Event) (*corev1.Event, error) {
	if event.Reason == lastReason {
		close(s.flushed)
		return event, nil
	}
	stored, err := s.EventSink.Create(event)
	s.tell("create", event, err)
	return stored, err
}

// Patch sends a change of an event, such as a higher count, to the API server, and logs an error.
func (s *sink) Patch(event *corev1.Event, data []byte) (*corev1.Event, error) {
	stored, err := s.EventSink.Patch(event, data)
	s.tell("patch", event, err)
	return stored, err
}

// tell logs err, the error of a request with that verb about an event. If a right is missing, the log says which. If err is nil
// it does nothing.
func (s *sink) tell(verb string, event *corev1.Event, err error) {
	if err != nil {
		s.log.Warn("cannot record an event", "message", event.Message, "err", explain(verb, s.namespace, event.Name, err))
	}
}
