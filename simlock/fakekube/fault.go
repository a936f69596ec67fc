package fakekube

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Fault is what happens to requests. Of several that meet a request the last that was injected counts,
// as it is when the request is sent.
type Fault struct {
	// User, Verb (get, list, watch, create, update, patch, delete, deletecollection), Resource (leases),
	// Subresource (status), Namespace and Name tell which requests it meets; an empty one meets all.
	// What is created has the name in its object.
	User, Verb, Resource, Subresource, Namespace, Name string
	// Times is how many requests it meets, 0 for all until it is removed.
	Times int

	// Request and Response are how long the way to the server and back takes.
	Request, Response time.Duration
	// LoseRequest: the request never arrives. LoseResponse: it is applied, and never answered. Who sent it waits
	// until the context ends, at most 45 s. The fake clientset (ClientsetFor) does not hand on its context:
	// there an error that is no Status comes after Request and Response.
	LoseRequest, LoseResponse bool
	// Status is the HTTP status that the server answers instead, 0 for none: with a reason, and for 403 and 409 a
	// message, as a real server has it. Applied: it has executed the request before.
	Status  int
	Applied bool
}

type injected struct {
	Fault
	met int
}

// Inject puts a fault in force until remove is called.
func (s *Server) Inject(f Fault) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := &injected{Fault: f}
	s.faults = append(s.faults, i)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = slices.DeleteFunc(s.faults, func(x *injected) bool { return x == i })
	}
}

// faultOf returns the fault that meets a request, and counts that it has; the zero Fault where none does.
func (s *Server) faultOf(r *request) (f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range slices.Backward(s.faults) {
		if (i.Times == 0 || i.met < i.Times) && i.meets(r) {
			i.met++
			return i.Fault
		}
	}
	return f
}

// meets tells whether the fault is about such a request: each of its fields that is not empty is the request's.
func (f *Fault) meets(r *request) bool {
	for _, q := range [][2]string{
		{f.User, r.user}, {f.Verb, r.verb}, {f.Resource, r.resource.Resource},
		{f.Subresource, r.subresource}, {f.Namespace, r.namespace}, {f.Name, r.objectName()},
	} {
		if q[0] != "" && q[0] != q[1] {
			return false
		}
	}
	return true
}

// answer is what a request leads to.
type answer struct {
	obj    runtime.Object
	stream watch.Interface
	err    error
	lost   bool
}

// serve takes a request to the server and its answer back, through the fault that meets it.
func (s *Server) serve(r *request) (a answer) {
	f := s.faultOf(r)
	time.Sleep(f.Request)
	if f.LoseRequest {
		time.Sleep(f.Response)
		return answer{err: errNoSuccess, lost: true}
	}
	if f.Status == 0 || f.Applied {
		a.obj, a.stream, a.err = s.apply(r)
	}
	if f.Status != 0 || f.LoseResponse {
		if a.stream != nil {
			a.stream.Stop()
		}
		a = answer{err: errNoSuccess, lost: true}
		if !f.LoseResponse {
			a = answer{err: injectedStatus(f.Status, r)}
		}
	}
	time.Sleep(f.Response)
	return a
}

// connectionLost is when client-go gives a connection up that nothing comes from: it pings it after 30 s, and waits
// for 15 s (k8s.io/apimachinery/pkg/util/net, HTTP2_READ_IDLE_TIMEOUT_SECONDS and HTTP2_PING_TIMEOUT_SECONDS).
const connectionLost = 45 * time.Second

// errConnectionLost has the words of net/http.
var errConnectionLost = errors.New("http2: client connection lost")

// serveWithin is serve for a client that gives up when the context ends or, where the answer is lost, after
// connectionLost. That recalls nothing: the request goes on alone.
func (s *Server) serveWithin(ctx context.Context, r *request) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	done := make(chan answer, 1)
	go func() { done <- s.serve(r) }()
	select {
	case a := <-done:
		if !a.lost {
			return a, nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(connectionLost):
			return answer{}, errConnectionLost
		}
	case <-ctx.Done():
		go func() {
			if a := <-done; a.stream != nil {
				a.stream.Stop()
			}
		}()
	}
	return answer{}, ctx.Err()
}

// injectedStatus returns the error that a fault answers with, in the words of a real server.
func injectedStatus(code int, r *request) error {
	switch code {
	case http.StatusForbidden:
		return forbidden(r)
	case http.StatusConflict:
		if r.verb == "create" {
			return exists(r)
		}
		return conflict(r, errModified)
	case http.StatusNotFound:
		return notFound(r)
	case http.StatusUnauthorized:
		return status(http.StatusUnauthorized, "Unauthorized", "Unauthorized")
	}
	return apierrors.NewGenericServerResponse(code, r.verb, r.resource.GroupResource(), r.name, "", 0, false)
}
