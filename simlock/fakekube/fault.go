package fakekube

import (
	"net/http"
	"strings"
	"time"
)

// Fault says what happens to some requests, and which these are. If several faults meet a request, the one that was injected
// last before the request was sent counts.
type Fault struct {
	// User, Verb (get, list, watch, create, update, patch, delete, deletecollection), Resource (leases), Subresource
	// (status), Namespace and Name say which requests it meets; an empty one leaves none out. For a create, Name is that
	// in the object.
	User, Verb, Resource, Subresource, Namespace, Name string
	// Times is how many requests it meets, 0 for all until it is removed.
	Times int

	// Request and Response are how long the request is on its way to the server, and the answer back.
	Request, Response time.Duration
	// LoseRequest: the request never arrives. LoseResponse: it is applied, and never answered. Its sender waits until the
	// context ends, and at most 45 s. The fake clientset (ClientsetFor) does not pass its context on: there an error that
	// is no Status comes after Request and Response.
	LoseRequest, LoseResponse bool
	// Status is the HTTP status with which the server answers in place of its own, 0 for none; it comes with a reason, and
	// for 403 and 409 with a message, as from a real server. Applied: the server has executed the request before it
	// answers so.
	Status  int
	Applied bool
}

// injected is a fault that was injected, and the number of requests that it has met.
type injected struct {
	Fault
	met int
}

// spent tells whether the fault has met as many requests as Times says, so that it meets no more. A fault with Times 0 is never
// spent.
func (i *injected) spent() bool { return i.Times > 0 && i.met >= i.Times }

// meets tells whether the fault is about this request: each of its fields User to Name that is not empty equals the request's.
// It does not look at Times. A fault of status 403 that names no resource is not about the reviews that users ask about
// themselves: a real server allows them to everybody.
func (f *Fault) meets(r *request) bool {
	if f.Status == http.StatusForbidden && f.Resource == "" && strings.HasPrefix(r.resource.Resource, "selfsubject") {
		return false
	}
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
