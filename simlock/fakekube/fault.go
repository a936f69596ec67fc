package fakekube

import "time"

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
