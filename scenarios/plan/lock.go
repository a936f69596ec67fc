package plan

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
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

// kind is what a kind of lock is, but for how the simulated world plays it.
type kind struct {
	lock Lock
	// keptIn is what the record is kept in, as docs/locks.md has it.
	keptIn string
	// objects are what the lock is on, in the order in which it asks for them.
	objects []simlock.Object
	// forgets, expires, watched and byWallClock answer the questions of these names.
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

// unknown is what a kind of lock is that there is not: nothing is true of it, and it is on no object.
var unknown kind

// of returns what a kind of lock is. Candidates ask with each request, so that it is not copied; it is not to be changed.
func (l Lock) of() *kind {
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

// LocksThat returns the names of those kinds of lock of which something is true, such as Lock.Expires.
func LocksThat(is func(Lock) bool) (names []string) {
	for _, l := range Locks() {
		if is(l) {
			names = append(names, string(l))
		}
	}
	return names
}

// OneLockThat names those kinds of lock as a sentence does that wants one of them: a, b or c.
func OneLockThat(is func(Lock) bool) string { return phrase.Or(LocksThat(is)) }

// KeptIn returns in a few words what the record is kept in.
func (l Lock) KeptIn() string { return l.of().keptIn }

// Objects are what a lock of that kind is on, in the order in which it asks for them; nil for an unknown kind.
func (l Lock) Objects() []simlock.Object { return l.of().objects }

// Forgets tells whether a Get that fails leaves the client without its object, so that its next Update is not sent. Such
// are the locks that client-go had until v0.24. What is forgotten with a Lease, the profile says.
func (l Lock) Forgets() bool { return l.of().forgets }

// Expires tells whether a lock of that kind runs out by itself.
func (l Lock) Expires() bool { return l.of().expires }

// Watched tells whether the service tells those who watch such a lock at once that it has run out.
func (l Lock) Watched() bool { return l.of().watched }

// ByWallClock tells whether such a lock runs out by a wall clock: Candidate.Now says by whose, and Candidate.Precision what
// is kept of its time.
func (l Lock) ByWallClock() bool { return l.of().byWallClock }

// ByCaller tells whether it is the candidates' own wall clocks by which such a lock runs out.
func (l Lock) ByCaller(now Now) bool { return l.ByWallClock() && now != DatabaseNow }

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
