package plan

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
	"interregnum/simlock"
)

// Lock is a kind of lock. It says in which objects a candidate keeps the record.
type Lock string

// The kinds of lock. Those on two objects serve a migration from one to the other.
const (
	Lease            Lock = "lease"
	ConfigMap        Lock = "configmap"
	Endpoints        Lock = "endpoints"
	ConfigMapsLeases Lock = "configmapsleases"
	EndpointsLeases  Lock = "endpointsleases"
)

// The kinds of lock that expire by themselves. Their candidates run the algorithm of elector/ttl.
const (
	// KVTTL is a key that the service deletes when it has expired by the service's clock: see simlock.KeyStore.
	KVTTL Lock = "kv-ttl"
	// SQLTTL is a row whose age each statement checks: see simlock.RowStore.
	SQLTTL Lock = "sql-ttl"
)

// Now says whose time an SQL statement carries.
type Now string

// The values of Now: the wall clock of the caller, or that of the database.
const (
	CallerNow   Now = "caller"
	DatabaseNow Now = "database"
)

// kind describes a kind of lock. How it behaves in a run is in internal/sim.
type kind struct {
	lock Lock
	// keptIn says in a few words where the record is kept, for docs/locks.md.
	keptIn string
	// objects are in the order in which the lock requests them.
	objects []simlock.Object
	// forgets, expires, watched and byWallClock are the answers of the methods with these names.
	forgets, expires, watched, byWallClock bool
}

// kinds has all kinds of lock, in the order in which they are listed.
var kinds = [...]kind{
	{lock: Lease, keptIn: "Lease", objects: []simlock.Object{simlock.Lease}},
	{lock: ConfigMap, keptIn: "annotation", objects: []simlock.Object{simlock.ConfigMap}, forgets: true},
	{lock: Endpoints, keptIn: "annotation", objects: []simlock.Object{simlock.Endpoints}, forgets: true},
	{
		lock: ConfigMapsLeases, keptIn: "annotation and Lease",
		objects: []simlock.Object{simlock.ConfigMap, simlock.Lease}, forgets: true,
	},
	{
		lock: EndpointsLeases, keptIn: "annotation and Lease",
		objects: []simlock.Object{simlock.Endpoints, simlock.Lease}, forgets: true,
	},
	{lock: KVTTL, keptIn: "key with a TTL", objects: []simlock.Object{simlock.Key}, expires: true, watched: true},
	{lock: SQLTTL, keptIn: "row", objects: []simlock.Object{simlock.Row}, expires: true, byWallClock: true},
}

// unknown describes a kind of lock that does not exist: it has no object, and each answer is no.
var unknown kind

// row returns the row of kinds for l, or &unknown if there is none. It is not a copy, since candidates ask with each
// request; it must not be changed.
func (l Lock) row() *kind {
	for i := range kinds {
		if kinds[i].lock == l {
			return &kinds[i]
		}
	}
	return &unknown
}

// Locks returns the kinds of lock, in a stable order.
func Locks() (all []Lock) {
	for i := range kinds {
		all = append(all, kinds[i].lock)
	}
	return all
}

// LockNames returns the names of the kinds of lock, in the order of Locks.
func LockNames() []string { return LocksThat(func(Lock) bool { return true }) }

// LocksThat returns the names of the kinds of lock for which the function is returns true, as with LocksThat(Lock.Expires).
func LocksThat(is func(Lock) bool) (names []string) {
	for _, l := range Locks() {
		if is(l) {
			names = append(names, string(l))
		}
	}
	return names
}

// OneLockThat returns the names of the kinds of lock for which the function is returns true, as one text: "a, b or c".
func OneLockThat(is func(Lock) bool) string { return phrase.Or(LocksThat(is)) }

// KeptIn returns, in a few words, where the record is kept; "" for an unknown kind of lock.
func (l Lock) KeptIn() string { return l.row().keptIn }

// Objects returns the kinds of object that hold the record of such a lock, in the order in which it requests them; nil for
// an unknown kind of lock.
func (l Lock) Objects() []simlock.Object { return l.row().objects }

// Forgets tells whether a client loses its copy of the object when a Get fails, so that it does not send its next Update.
// The locks that client-go had until v0.24 do so. For a Lease the profile decides.
func (l Lock) Forgets() bool { return l.row().forgets }

// TakenBy tells whether the lock is simulated with candidates of that profile: a Lease with every profile, any other lock unless
// the profile is one of OtherClient.
func (l Lock) TakenBy(p *machine.Profile) bool { return l == Lease || !p.OtherClient() }

// Expires tells whether such a lock expires by itself.
func (l Lock) Expires() bool { return l.row().expires }

// Watched tells whether the lock service notifies watchers as soon as such a lock has expired.
func (l Lock) Watched() bool { return l.row().watched }

// ByWallClock tells whether a wall clock decides when such a lock expires. Candidate.Now says whose, and
// Candidate.Precision how precisely the time is stored.
func (l Lock) ByWallClock() bool { return l.row().byWallClock }

// ByCaller tells whether the candidates' own wall clocks decide when such a lock expires. now says whose time an SQL
// statement carries.
func (l Lock) ByCaller(now Now) bool { return l.ByWallClock() && now != DatabaseNow }

// ObjectNames returns the names of the kinds of object, in a stable order.
func ObjectNames() []string {
	var names []string
	for o := range simlock.Object(simlock.Objects) {
		names = append(names, o.String())
	}
	return names
}

// objectNamed returns the kind of object with that name, or false if there is none.
func objectNamed(name string) (simlock.Object, bool) {
	for o := range simlock.Object(simlock.Objects) {
		if o.String() == name {
			return o, true
		}
	}
	return 0, false
}

// Verbs returns the verbs of the requests that locks make, in a stable order. The verbs between Update and Patch are those of locks
// that expire by themselves, which make neither of these two.
func Verbs() (all []machine.Verb) {
	for verb := machine.Get; verb <= machine.Patch; verb++ {
		all = append(all, verb)
	}
	return all
}

// Unit returns the precision of the times in a record of such a lock: that of its coarsest object; 0 for an unknown kind of lock.
func (l Lock) Unit() (unit time.Duration) {
	for _, o := range l.Objects() {
		unit = max(unit, o.Unit())
	}
	return unit
}
