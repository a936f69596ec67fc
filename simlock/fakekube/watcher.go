package fakekube

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// watchBuffer is how many events can wait for a watcher. A watcher that falls farther behind is closed, as by a real server, and
// nothing is lost: its client watches on from the version that it has seen. So no watcher needs a goroutine, and none holds up
// the store.
const watchBuffer = 256

// watcher is one watch.
type watcher struct {
	server    *Server
	kind      *kind
	resource  schema.GroupResource
	match     func(runtime.Object) bool
	after     uint64 // events up to this version are not sent
	bookmarks bool
	events    chan watch.Event
	timeout   *time.Timer
	closed    bool
}

// tell sends the event of a change to each watcher that gets one. A watcher with too many events waiting is closed instead. The
// caller holds the server's lock.
func (s *Server) tell(c *change) {
	for _, w := range slices.Clone(s.watchers) {
		if e, ok := w.see(c); ok {
			w.send(e)
		}
	}
}

// see returns the event that reports a change to the watcher; the bool is false if the watcher gets none. An object that enters
// the watcher's selection is reported as added, one that leaves it as deleted.
func (w *watcher) see(c *change) (watch.Event, bool) {
	if c.resource != w.resource || c.version <= w.after {
		return watch.Event{}, false
	}
	before, now := c.old != nil && w.match(c.old), c.new != nil && w.match(c.new)
	switch {
	case now && before:
		return w.event(watch.Modified, c.new), true
	case now:
		return w.event(watch.Added, c.new), true
	case before:
		// Who watches learns the version of the change, not that of what was there.
		gone := w.event(watch.Deleted, c.old)
		if m, ok := gone.Object.(metav1.Object); ok {
			m.SetResourceVersion(versionText(c.version))
		}
		return gone, true
	}
	return watch.Event{}, false
}

// event returns an event of type t about a stored object, in the API version that is watched. If the object cannot be converted
// to that version, it returns an event of type Error.
func (w *watcher) event(t watch.EventType, obj runtime.Object) watch.Event {
	sent, err := w.kind.sent(obj)
	if err != nil {
		status := metav1.Status{Status: metav1.StatusFailure, Message: err.Error(), Code: 500}
		return watch.Event{Type: watch.Error, Object: &status}
	}
	return watch.Event{Type: t, Object: sent}
}

// bookmark returns a bookmark event with those annotations: it tells the watcher that it has seen everything up to the server's
// present version.
func (w *watcher) bookmark(annotations map[string]string) watch.Event {
	obj, err := w.kind.new()
	if err != nil {
		return watch.Event{Type: watch.Error, Object: &metav1.Status{Message: err.Error(), Code: 500}}
	}
	m := metaOf(obj)
	m.ResourceVersion, m.Annotations = versionText(w.server.version), annotations
	return watch.Event{Type: watch.Bookmark, Object: obj}
}

// send queues an event for the watcher. If watchBuffer events wait already, it ends the watch instead. The caller holds the
// server's lock.
func (w *watcher) send(e watch.Event) {
	select {
	case w.events <- e:
	default:
		w.close()
	}
}

// close ends the watch: it closes the channel of events, stops the timeout and removes the watcher from the server. A second
// call does nothing. The caller holds the server's lock.
func (w *watcher) close() {
	if w.closed {
		return
	}
	w.closed = true
	close(w.events)
	if w.timeout != nil {
		w.timeout.Stop()
	}
	w.server.watchers = slices.DeleteFunc(w.server.watchers, func(x *watcher) bool { return x == w })
}

// expire ends a watch whose timeoutSeconds are over. If the watcher wants bookmarks it sends one first.
func (w *watcher) expire() {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	if !w.closed && w.bookmarks {
		w.send(w.bookmark(nil))
	}
	w.close()
}

// ResultChan implements watch.Interface: it returns the channel of events, which is closed when the watch ends.
func (w *watcher) ResultChan() <-chan watch.Event { return w.events }

// Stop ends the watch. A second call does nothing.
func (w *watcher) Stop() {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	w.close()
}
