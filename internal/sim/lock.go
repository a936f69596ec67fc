package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// Lock is a kind of lock: on which objects a candidate keeps the record.
type Lock string

// The kinds of lock. Those on two objects are for the time of a migration from the one to the other.
const (
	Lease            Lock = "lease"
	ConfigMap        Lock = "configmap"
	Endpoints        Lock = "endpoints"
	ConfigMapsLeases Lock = "configmapsleases"
	EndpointsLeases  Lock = "endpointsleases"
)

// The kinds of lock that expire by themselves. Their candidates run the algorithm of elector/ttl.
const (
	// KVTTL is a key that vanishes when its time is over, by the service's clock: see simlock.KeyStore.
	KVTTL Lock = "kv-ttl"
	// SQLTTL is a row whose age every statement checks: see simlock.RowStore.
	SQLTTL Lock = "sql-ttl"
)

// Now is whose time an SQL statement carries.
type Now string

// The caller's wall clock, or the database's.
const (
	CallerNow   Now = "caller"
	DatabaseNow Now = "database"
)

// Locks returns the kinds of lock, in a stable order.
func Locks() []Lock {
	return []Lock{Lease, ConfigMap, Endpoints, ConfigMapsLeases, EndpointsLeases, KVTTL, SQLTTL}
}

// Expires tells whether a lock of that kind runs out by itself.
func (l Lock) Expires() bool { return l == KVTTL || l == SQLTTL }

// LockNames returns them as texts.
func LockNames() []string {
	var names []string
	for _, l := range Locks() {
		names = append(names, string(l))
	}
	return names
}

// Objects are what a lock of that kind is on, in the order in which it asks for them; nil for an unknown kind.
func (l Lock) Objects() []simlock.Object {
	switch l {
	case Lease:
		return []simlock.Object{simlock.Lease}
	case ConfigMap:
		return []simlock.Object{simlock.ConfigMap}
	case Endpoints:
		return []simlock.Object{simlock.Endpoints}
	case ConfigMapsLeases:
		return []simlock.Object{simlock.ConfigMap, simlock.Lease}
	case EndpointsLeases:
		return []simlock.Object{simlock.Endpoints, simlock.Lease}
	case KVTTL:
		return []simlock.Object{simlock.Key}
	case SQLTTL:
		return []simlock.Object{simlock.Row}
	}
	return nil
}

// unit is what a record read through the lock has times in.
func (l Lock) unit() (unit time.Duration) {
	for _, o := range l.Objects() {
		unit = max(unit, o.Unit())
	}
	return unit
}

// ObjectNames returns the names of the kinds of object, in a stable order.
func ObjectNames() []string {
	var names []string
	for o := range simlock.Object(simlock.Objects) {
		names = append(names, o.String())
	}
	return names
}

// client is a candidate's lock as its process has it: it turns each call of the machine into requests, one after the
// other.
type client interface {
	// Prepare turns a call into its first request. Where it returns false nothing is sent, and the call fails.
	Prepare(verb machine.Verb, record *machine.Record, op *simlock.Op) bool
	// Answered takes the answer to the last request, whose verb that is. It returns what has become of the call, 0 where
	// Next follows.
	Answered(verb machine.Verb, r *simlock.Result) machine.Outcome
	Next(op *simlock.Op)
	// Failed takes the end of a call whose last request has no answer or was not sent.
	Failed(verb machine.Verb)
	// Found is what a Get that succeeded has found, given the last answer.
	Found(r *simlock.Result) (record *machine.Record, raw []byte)
	// Version is, right after a write, the fencing token.
	Version() uint64
}

var _, _, _ client = (*simlock.Single)(nil), (*simlock.Pair)(nil), (*simlock.Expiring)(nil)

// newClient is a lock that has called nothing yet. Each object has the name of its kind, and of its election.
func newClient(kind Lock, p *machine.Profile, identity, election string) client {
	forgets := forgetting(kind, p)
	single := func(o simlock.Object) *simlock.Single {
		return &simlock.Single{Object: o, Key: keyOf(o, election), Forgets: forgets}
	}
	objects := kind.Objects()
	if len(objects) == 2 {
		return &simlock.Pair{Primary: single(objects[0]), Secondary: single(objects[1]), Identity: identity}
	}
	return single(objects[0])
}

// keyOf is the name of an object of that election.
func keyOf(o simlock.Object, election string) string {
	if election == "" {
		return o.String()
	}
	return o.String() + "/" + election
}

// apart is the lock for a call that goes on by itself while the process makes others.
func apart(c client) client {
	if p, two := c.(*simlock.Pair); two {
		return p.Apart()
	}
	return c
}

// forgetting is as in the library that the profile is of: the locks on other objects than a Lease last came with v0.24.
// What those before v0.37 forgot of a Lease is in their profiles.
func forgetting(kind Lock, p *machine.Profile) simlock.Forgetting {
	switch {
	case kind == Lease:
		return simlock.ForgetsByCreate
	case p.Object == machine.ObjectLostByAny:
		return simlock.ForgetsByAny
	}
	return simlock.ForgetsByRead
}

// config is what the machine of a candidate is made of.
func (c *Candidate) config(identity string) machine.Config {
	cfg := machine.Config{
		Timings:         c.Timings,
		Identity:        identity,
		ReleaseOnCancel: c.ReleaseOnCancel,
		Profile:         c.Profile,
	}
	if c.Coordinated {
		cfg.Profile.Electing = machine.ByCoordinator
	}
	if c.Lock != Lease {
		cfg.Unit = c.Lock.unit()
		cfg.Profile.Object = machine.ObjectOfLock
	}
	return cfg
}
