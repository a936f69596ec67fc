package plan

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

// LockNames returns the names of the kinds of lock, in the order of Locks.
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

// ObjectNames returns the names of the kinds of object, in a stable order.
func ObjectNames() []string {
	var names []string
	for o := range simlock.Object(simlock.Objects) {
		names = append(names, o.String())
	}
	return names
}

// Verbs returns what may be asked of a lock, in a stable order. Update is asked only of those that do not expire by
// themselves, and what comes after it only of those that do.
func Verbs() (all []machine.Verb) {
	for verb := machine.Get; verb <= machine.Watch; verb++ {
		all = append(all, verb)
	}
	return all
}

// Unit returns the precision of the times in a record that is read through the lock: that of the coarsest of its objects.
func (l Lock) Unit() (unit time.Duration) {
	for _, o := range l.Objects() {
		unit = max(unit, o.Unit())
	}
	return unit
}
