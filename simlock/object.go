package simlock

import (
	"time"

	"interregnum/elector/machine"
)

// Object is a kind of object that stores a record. Objects of different kinds are different objects, even if they have
// the same name.
type Object uint8

// A Lease has the record in its spec. A ConfigMap and an Endpoints have it as JSON in the annotation
// control-plane.alpha.kubernetes.io/leader, which the server does not look into.
const (
	Lease Object = iota
	ConfigMap
	Endpoints
	// Key and Row are of locks that expire by themselves: see KeyStore and RowStore.
	Key
	Row
	// Objects is the number of kinds.
	Objects = iota
)

// String returns the kind in lower case. It panics if o is none of the kinds.
func (o Object) String() string {
	return [...]string{"lease", "configmap", "endpoints", "key", "row"}[o]
}

// Unit returns the precision of the times in an object: a second for a ConfigMap and an Endpoints (metav1.Time in an
// annotation), a microsecond for all others (metav1.MicroTime in a Lease).
func (o Object) Unit() time.Duration {
	if o == ConfigMap || o == Endpoints {
		return time.Second
	}
	return time.Microsecond
}

// kept cuts a time down to the precision that an object of the Store keeps: microseconds in a Lease, whole seconds in a
// ConfigMap or an Endpoints.
func (o Object) kept(w machine.Wall) machine.Wall {
	if o == Lease {
		return w.Truncate(time.Microsecond)
	}
	return w.Truncate(time.Second)
}

// createdByUpdate tells whether an Update of an object that does not exist creates it. It is false only for a ConfigMap:
// AllowCreateOnUpdate in pkg/registry/{coordination/lease,core/configmap,core/endpoint}/strategy.go of Kubernetes.
func (o Object) createdByUpdate() bool { return o != ConfigMap }

// unconditional tells whether an Update without a version is allowed. It is false only for a Lease: AllowUnconditionalUpdate in
// strategy.go of each kind in Kubernetes.
func (o Object) unconditional() bool { return o != Lease }

// takes tells whether the server accepts a record as the object's content. A Lease must have a duration above 0 and no negative
// number of transitions. For other kinds it is always true: the server does not look into an annotation.
func (o Object) takes(r *machine.Record) bool {
	return o != Lease || r.DurationSeconds > 0 && r.Transitions >= 0
}
