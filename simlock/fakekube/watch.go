package fakekube

import (
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// watch starts a watch and returns its stream of events. If the request has no resourceVersion, "0" or sendInitialEvents, the
// stream begins with all existing objects that the request selects. Otherwise it begins with the writes after that version; if
// that version is forgotten, it has only an event with the error, and ends. The watch ends after the request's timeoutSeconds,
// if it has any. watch returns an error for a selector or version that cannot be read, and for initial events at a version that
// the server has not reached.
func (s *Server) watch(r *request, k *kind) (watch.Interface, error) {
	match, err := k.matcher(r)
	if err != nil {
		return nil, err
	}
	version, err := parseVersion(r.list.ResourceVersion)
	if err != nil {
		return nil, internal("resourceVersion: " + versionInvalid(r.list.ResourceVersion, err))
	}
	w := &watcher{
		server: s, kind: k, resource: r.stored(), match: match,
		bookmarks: r.list.AllowWatchBookmarks,
	}
	initial := r.list.SendInitialEvents != nil && *r.list.SendInitialEvents
	begin, err := s.begin(r, w, version, initial)
	if err != nil {
		return nil, err
	}
	w.events = make(chan watch.Event, len(begin)+watchBuffer)
	for _, e := range begin {
		w.events <- e
	}
	if len(begin) > 0 && begin[len(begin)-1].Type == watch.Error {
		w.close()
		return w, nil
	}
	s.watchers = append(s.watchers, w)
	if t := r.list.TimeoutSeconds; t != nil && *t > 0 {
		w.timeout = time.AfterFunc(time.Duration(*t)*time.Second, w.expire)
	}
	return w, nil
}

// begin returns the events that the watch w sends at once, and stores in w.after the version after which further events come.
// version is the request's resourceVersion; initial is true for a request with sendInitialEvents. For a version that is
// forgotten it returns one event, with the error. For initial events at a version that the server has not reached it returns an
// error.
func (s *Server) begin(r *request, w *watcher, version uint64, initial bool) (events []watch.Event, err error) {
	switch {
	case initial && version > s.version:
		return nil, tooLarge(version, s.version)
	case initial || version == 0:
		for _, obj := range s.sorted(r) {
			if w.match(obj) {
				events = append(events, w.event(watch.Added, obj))
			}
		}
		if initial && w.bookmarks {
			events = append(events, w.bookmark(map[string]string{metav1.InitialEventsAnnotationKey: "true"}))
		}
		w.after = s.version
	case version < s.forgotten:
		status := apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", version, s.forgotten)).Status()
		events = append(events, watch.Event{Type: watch.Error, Object: &status})
	default:
		w.after = version
		for i := range s.history {
			if e, ok := w.see(&s.history[i]); ok {
				events = append(events, e)
			}
		}
	}
	return events, nil
}

// DropWatches ends all watches, as a server that restarts does. Clients begin a new watch at the last version that they have
// seen, or list anew if that has expired.
func (s *Server) DropWatches() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.watchers) > 0 {
		s.watchers[0].close()
	}
}
