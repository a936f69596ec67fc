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

// Watch watches Leases.
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

// Seen is what was seen.
type Seen struct {
	Evidence evidence.Evidence
	// Interruptions is how often the watch of Leases began again; versions between may be missing.
	Interruptions int
	// Problems are what could not be watched, and why.
	Problems []string
}

// leases is the resource whose watch counts.
const leases = "leases"

// relist is how long it waits until it lists again.
const relist = time.Second

// Run watches until the time is up or the context ends. An error says why nothing could be watched.
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

// client returns a client for a group's resources.
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

// problem notes what could not be watched, and why.
func (w *Watch) problem(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen.Problems = append(w.seen.Problems, text)
}

// loop lists and watches a resource.
type loop struct {
	*Watch
	client           rest.Interface
	resource, fields string
	list             func() runtime.Object
	// source is the index of what it sees in the evidence.
	source int
}

// run lists and watches until the context ends. It gives up where the first list fails. Later it goes on asking, whatever the answer is: a token
// may be replaced, and a server come back.
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

// ended notes that nothing was watched from some time on, and why, also where the report says what it was made from.
func (l *loop) ended(at time.Time, why error) {
	text := fmt.Sprintf("%s were not watched from %s on: %v", l.resource, at.UTC().Format(time.RFC3339), why)
	l.problem(text)
	l.mu.Lock()
	defer l.mu.Unlock()
	sources := l.seen.Evidence.Sources
	sources[l.source].Notes = append(sources[l.source].Notes, text)
}

// watching notes that Leases are watched from now on, or no longer. That they are again, which is not the first time, counts as
// an interruption.
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

// options are those of each request.
func (l *loop) options(watch bool, version string) *metav1.ListOptions {
	return &metav1.ListOptions{FieldSelector: l.fields, Watch: watch, ResourceVersion: version, AllowWatchBookmarks: watch}
}

// begin lists the resource, keeps what is in the list, and returns the list's version. After the first list of Leases it calls
// Began.
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

// follow watches from a version, and keeps what it sees, until the stream or the context ends. An error says why there is no
// stream.
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

// change keeps a Lease of an event of the watch, which is of that kind: ADDED, MODIFIED or DELETED. Other kinds do not count.
func (l *loop) change(x *coordinationv1.Lease, kind string) {
	switch kind {
	case "ADDED", "MODIFIED":
		l.lease(x, false)
	case "DELETED":
		l.deleted(x)
	}
}

var _ http.Handler = (*Watch)(nil)
