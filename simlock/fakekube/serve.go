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

// apply executes a request atomically, without faults. It returns a stream for a watch, a Status for an eviction or for a
// delete after which nothing is left (see remove), and otherwise an object or a list. It returns the error 404 for a resource or
// subresource that the server does not have, and 405 for a verb that it does not know or the subresource does not take.
func (s *Server) apply(r *request) (obj runtime.Object, stream watch.Interface, err error) {
	k := s.kindOf(r.resource)
	if k == nil || k.subresource(r.subresource) == nil {
		return nil, nil, noSuchPage(r.verb)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = true
	switch {
	case k.review:
		obj, err = s.reviewed(r, k)
	case r.subresource != "" && (r.verb == "delete" || r.verb == "deletecollection"):
		err = noSuchMethod(r.verb)
		if k.custom {
			err = notAllowed(r)
		}
	case r.subresource == "scale":
		obj, err = s.scaled(r, k)
	case r.subresource == "eviction":
		obj, err = s.evicted(r, k)
	case r.verb == "get":
		obj, err = s.get(r, k)
	case r.verb == "list":
		obj, err = s.listed(r, k)
	case r.verb == "watch":
		stream, err = s.watch(r, k)
	case r.verb == "create":
		obj, err = s.create(r, k)
	case r.verb == "update":
		obj, err = s.update(r, k)
	case r.verb == "patch":
		obj, err = s.patched(r, k)
	case r.verb == "delete":
		obj, err = s.remove(r, k)
	case r.verb == "deletecollection":
		obj, err = s.removeAll(r, k)
	default:
		err = notAllowed(r)
	}
	return obj, stream, err
}

// answer is the answer to a request. lost: it never arrives.
type answer struct {
	obj    runtime.Object
	stream watch.Interface
	err    error
	lost   bool
}

// serve executes a request and returns its answer, with the delays, the loss or the error of the fault that meets it. If the
// fault loses the request, or refuses it and is not Applied, nothing is executed. serve blocks for the delays.
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

// meeting returns the fault that meets a request, nil if none does; of several, the one that was injected last. It does not
// count the request towards the fault's Times. The caller holds the server's lock.
func (s *Server) meeting(r *request) *injected {
	for _, i := range slices.Backward(s.faults) {
		if !i.spent() && i.meets(r) {
			return i
		}
	}
	return nil
}

// faultOf returns the fault that meets a request, and counts the request towards its Times. It returns the zero Fault if none
// does.
func (s *Server) faultOf(r *request) (f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.meeting(r); i != nil {
		i.met++
		f = i.Fault
	}
	return f
}

// injectedStatus returns the error of a fault with that HTTP status code, in the words of a real server.
func injectedStatus(code int, r *request) error {
	switch code {
	case http.StatusForbidden:
		return forbidden(r)
	case http.StatusConflict:
		if r.verb == "create" {
			return apierrors.NewAlreadyExists(r.resource.GroupResource(), r.name)
		}
		return conflict(r, errModified)
	case http.StatusNotFound:
		return notFound(r)
	case http.StatusUnauthorized:
		return statusError(http.StatusUnauthorized, "Unauthorized", "Unauthorized")
	}
	return apierrors.NewGenericServerResponse(code, r.verb, r.resource.GroupResource(), r.name, "", 0, false)
}

// connectionLost is the time after which client-go gives up a silent connection: it sends a ping after 30 s, and waits for 15 s
// (k8s.io/apimachinery/pkg/util/net, HTTP2_READ_IDLE_TIMEOUT_SECONDS and HTTP2_PING_TIMEOUT_SECONDS).
const connectionLost = 45 * time.Second

// errConnectionLost has the words of net/http.
var errConnectionLost = errors.New("http2: client connection lost")

// serveWithin executes a request and returns its answer, with the fault that meets it (see serve). It returns the context's
// error when ctx ends before the answer. If the answer is lost, it waits for the end of ctx, and returns errConnectionLost if
// that takes longer than connectionLost. A request that has begun is executed in any case; if ctx has ended before, nothing is.
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
