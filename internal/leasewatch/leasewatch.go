// Package leasewatch watches the Leases of a cluster, and the events about them, and keeps what it sees as evidence.
//
// It only lists and watches. It looks at the clock: its times are those at which it saw something, by the clock of its own host.
package leasewatch

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"interregnum/internal/evidence"
)

// Watch watches Leases. Set the exported fields, and call Run once.
type Watch struct {
	Config *rest.Config
	// Namespace and Name are those of the Leases; "" is any. Those of nodes (kube-node-lease) are left out unless Namespace names them.
	Namespace, Name string
	// For is how long it watches.
	For time.Duration
	// Began is called once, when the Leases were listed for the first time; nil is nobody.
	Began func(leases int)

	mu   sync.Mutex
	seen Seen
	// up: the Leases are watched now.
	up bool
	// locks are the Leases by namespace and name.
	locks map[evidence.Lock]*lock
	// noted is the evidence's index of each event that was seen, by namespace and name, with its count.
	noted map[string]int32
}

// Seen is what a Watch has seen.
type Seen struct {
	Evidence evidence.Evidence
	// Interruptions is how often the watch of Leases began again; versions between may be missing.
	Interruptions int
	// Problems are what could not be watched, and why.
	Problems []string
}

// leases is the resource of Leases.
const leases = "leases"

// relist is the time between the end of a watch, or a list that failed, and the next list.
const relist = time.Second

// Run watches until the time is up or the context ends, and returns what it has seen. It returns an error if the Leases could
// not be listed at all. That events could not be watched is a problem in Seen, and no error.
func (w *Watch) Run(ctx context.Context) (*Seen, error) {
	leasesClient, err := client(w.Config, "/apis", coordinationv1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	events, err := client(w.Config, "/api", coreV1)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.locks, w.noted = map[evidence.Lock]*lock{}, map[string]int32{}
	w.seen.Evidence.Sources = []evidence.Source{{File: "the watch of Leases", Kind: evidence.Objects}, {File: "the watch of events", Kind: evidence.Events}}
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, w.For)
	defer cancel()
	l := &loop{Watch: w, client: leasesClient, resource: leases, list: func() runtime.Object { return &coordinationv1.LeaseList{} }}
	if w.Name != "" {
		l.fields = "metadata.name=" + w.Name // which also a Role with resourceNames lets pass
	}
	e := &loop{Watch: w, client: events, resource: "events", list: func() runtime.Object { return &eventList{} }, fields: "reason=LeaderElection", source: 1}
	var all sync.WaitGroup
	all.Go(func() {
		if err := e.run(ctx); err != nil {
			w.problem(fmt.Sprintf("events were not watched: %v", err))
		}
	})
	err = l.run(ctx)
	cancel()
	all.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return &w.seen, nil
}

// client returns a client for the resources of an API version, at that path of the server. It returns an error for a
// configuration that no client can be made of.
func client(config *rest.Config, path string, version schema.GroupVersion) (rest.Interface, error) {
	s := runtime.NewScheme()
	if err := coordinationv1.AddToScheme(s); err != nil {
		return nil, err
	}
	addEvents(s)
	metav1.AddToGroupVersion(s, coreV1)
	c := rest.CopyConfig(config)
	c.APIPath, c.GroupVersion = path, &version
	c.NegotiatedSerializer = serializer.NewCodecFactory(s).WithoutConversion()
	if c.UserAgent == "" {
		c.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	return rest.RESTClientFor(c)
}

// problem adds a text to w.seen.Problems: what could not be watched, and why.
func (w *Watch) problem(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen.Problems = append(w.seen.Problems, text)
}

// loop lists and watches one resource, again and again, for a Watch.
type loop struct {
	*Watch
	client           rest.Interface
	resource, fields string
	list             func() runtime.Object
	// source is the index of what it sees in the evidence.
	source int
}

// run lists and watches until the context ends. It returns an error if the first list fails. Later it goes on asking after
// every error, a second after it: perhaps a token is replaced, or the server comes back. If it was not watching at the end, it
// adds that to the problems and to the source's notes.
func (l *loop) run(ctx context.Context) error {
	var blind error // why it does not watch, since seen; nil while it does
	var seen time.Time
	for first := true; ; first = false {
		version, err := l.begin(ctx, first)
		switch {
		case err != nil && first && ctx.Err() != nil:
			return fmt.Errorf("the watch was over before the server had listed its %s: %w", l.resource, err)
		case err != nil && first:
			return err
		case err == nil:
			l.watching(true, first)
			began := time.Now()
			why := l.follow(ctx, version)
			if why != nil || time.Now().After(began) { // else the end came before it could watch
				blind, seen = why, time.Now()
			}
			l.watching(false, first)
		case ctx.Err() == nil:
			blind = err
		}
		select {
		case <-ctx.Done():
			if blind != nil {
				l.ended(seen, blind)
			}
			return nil
		case <-time.After(relist):
		}
	}
}

// ended notes, as a problem and in the source, that nothing was watched from the time at on, and why.
func (l *loop) ended(at time.Time, why error) {
	text := fmt.Sprintf("%s were not watched from %s on: %v", l.resource, at.UTC().Format(time.RFC3339), why)
	l.problem(text)
	l.mu.Lock()
	defer l.mu.Unlock()
	sources := l.seen.Evidence.Sources
	sources[l.source].Notes = append(sources[l.source].Notes, text)
}

// watching stores that Leases are watched from now on (up), or no longer. If they are watched again, not for the first time, it
// counts an interruption. For events it does nothing.
func (l *loop) watching(up, first bool) {
	if l.resource != leases {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.up = up
	if up && !first {
		l.seen.Interruptions++
	}
}

// options returns the options of a list or a watch from that version.
func (l *loop) options(watch bool, version string) *metav1.ListOptions {
	return &metav1.ListOptions{FieldSelector: l.fields, Watch: watch, ResourceVersion: version, AllowWatchBookmarks: watch}
}

// begin lists the resource, keeps what is in the list, and returns the list's version. Known Leases that are not in it are marked
// as deleted, and after the first list of Leases it calls Began. If the server cannot select by fields, it lists all, now and
// later.
func (l *loop) begin(ctx context.Context, first bool) (version string, err error) {
	list := l.list()
	get := func() error {
		q := l.client.Get().Resource(l.resource).VersionedParams(l.options(false, ""), metav1.ParameterCodec)
		if l.Namespace != "" {
			q = q.Namespace(l.Namespace)
		}
		return q.Do(ctx).Into(list)
	}
	if err = get(); err != nil && l.fields != "" && apierrors.IsBadRequest(err) {
		l.fields = "" // a server that cannot choose by fields: all are looked at
		err = get()
	}
	if err != nil {
		return "", err
	}
	switch x := list.(type) {
	case *coordinationv1.LeaseList:
		l.deletedUnseen(x)
		for i := range x.Items {
			l.lease(&x.Items[i], true)
		}
		if first && l.Began != nil {
			l.mu.Lock()
			n := len(l.locks)
			l.mu.Unlock()
			l.Began(n)
		}
		return x.ResourceVersion, nil
	case *eventList:
		for i := range x.Items {
			l.event(&x.Items[i], true)
		}
		return x.ResourceVersion, nil
	}
	return "", fmt.Errorf("want a list of %s, got %T", l.resource, list)
}

// follow watches from a version, and keeps what it sees, until the stream or the context ends, or the server sends an error; then
// it returns nil. It returns an error if the watch cannot begin.
func (l *loop) follow(ctx context.Context, version string) error {
	q := l.client.Get().Resource(l.resource).VersionedParams(l.options(true, version), metav1.ParameterCodec)
	if l.Namespace != "" {
		q = q.Namespace(l.Namespace)
	}
	stream, err := q.Watch(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer stream.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, more := <-stream.ResultChan():
			if !more {
				return nil
			}
			switch x := e.Object.(type) {
			case *coordinationv1.Lease:
				l.change(x, string(e.Type))
			case *event:
				l.event(x, false)
			case *metav1.Status:
				return nil
			}
		}
	}
}

// change keeps a Lease from an event of the watch. kind is the event's: ADDED, MODIFIED or DELETED. It ignores other kinds.
func (l *loop) change(x *coordinationv1.Lease, kind string) {
	switch kind {
	case "ADDED", "MODIFIED":
		l.lease(x, false)
	case "DELETED":
		l.deleted(x)
	}
}

var _ http.Handler = (*Watch)(nil)
