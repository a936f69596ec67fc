package rest

import (
	"net/http"
	"strconv"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
)

// store keeps one Lease as an API server does: a write is accepted on the version that it names.
type store struct {
	lease   *coordinationv1.Lease
	version int
	// made counts the Leases that were created, one after the other.
	made int
}

// handle executes a request, and returns the status of the answer and the Lease in it. changed: it has changed the store.
func (s *store) handle(verb string, in *coordinationv1.Lease) (status int, out *coordinationv1.Lease, changed bool) {
	switch {
	case verb == "create" && s.lease != nil:
		return http.StatusConflict, nil, false
	case verb == "create":
		s.made++
		in.UID = types.UID("uid-" + strconv.Itoa(s.made))
		return http.StatusCreated, s.keep(in), true
	case verb == "get" && s.lease == nil:
		return http.StatusNotFound, nil, false
	case verb == "get":
		return http.StatusOK, s.lease, false
	case s.lease == nil || in.UID != s.lease.UID || in.ResourceVersion != s.lease.ResourceVersion:
		return http.StatusConflict, nil, false
	case equality.Semantic.DeepEqual(in.Spec, s.lease.Spec):
		return http.StatusOK, s.lease, false
	}
	return http.StatusOK, s.keep(in), true
}

// keep stores a Lease as the next version. Nobody changes it after that.
func (s *store) keep(in *coordinationv1.Lease) *coordinationv1.Lease {
	s.version++
	s.lease = in.DeepCopy()
	s.lease.ResourceVersion = strconv.Itoa(s.version)
	s.lease.Kind, s.lease.APIVersion = "Lease", coordinationv1.SchemeGroupVersion.String()
	return s.lease
}

// remove deletes the Lease, if there is one.
func (s *store) remove() {
	if s.lease != nil {
		s.version++
		s.lease = nil
	}
}
