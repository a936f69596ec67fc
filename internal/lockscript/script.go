package lockscript

import (
	"math/rand/v2"
	"time"
)

// All scripts use this one lock.
const (
	namespace = "kube-system"
	name      = "lock"
)

// call says which method of a lock a step calls; callEdit calls none.
type call uint8

const (
	callEdit call = iota
	callGet
	callCreate
	callUpdate
	// callTry is a Get, and then a Create if there was nothing, otherwise an Update.
	callTry
	callEvent
)

// step is a call of a lock, or, with callEdit, something that somebody else does to an object.
type step struct {
	call      call
	player    int
	record    Record
	cancelled bool
	// verdicts are for the first requests of the call.
	verdicts []verdict
	edit     edit
}

// verdict says what the server does with one request. The zero verdict is an honest answer.
type verdict struct {
	// edit is made first, if it names a resource.
	edit edit
	// lost: the request never arrives or, if it is applied, its answer does not.
	lost bool
	// status is an error that is answered instead, 0 for none. It comes in a Status object with this reason, or as
	// plain text if there is no reason. applied tells whether the request is carried out first.
	status  int
	reason  string
	applied bool
	// body is a body answered instead of the object, after the request was applied; "-" for one that has no metadata.
	body string
}

// edit is a change that somebody other than the players makes to an object.
type edit struct {
	resource string
	kind     editKind
	// text is an annotation, or the spec of a Lease as JSON.
	text string
}

// editKind says in what way an edit changes an object.
type editKind uint8

const (
	editDelete editKind = iota
	// editReplace deletes the object and creates it anew with that content.
	editReplace
	// editContent sets the annotation, or the spec of a Lease; it creates a missing object.
	editContent
	// editBare removes the annotations, or the spec of a Lease.
	editBare
	// editTouch adds labels and other fields that such an object may have.
	editTouch
)

// String returns the name of the kind in a transcript.
func (k editKind) String() string {
	return [...]string{"delete", "replace", "content", "bare", "touch"}[k]
}

// script has the kinds of lock of the players, one for each, and what the players do.
type script struct {
	kinds []string
	steps []step
}

// drawer draws the parts of a script at random.
type drawer struct{ *rand.Rand }

// draw returns the script of a seed: one to three players with their kinds of lock, and their steps.
func draw(seed uint64) *script {
	d := drawer{rand.New(rand.NewPCG(seed, 0x10c5))}
	s := &script{}
	single := pick(d, "endpoints", "configmaps")
	for range 1 + d.IntN(3) {
		// Most are of kinds that share an object, as during a migration.
		kind := pick(d, single, "leases", single+"leases", single+"leases", single+"leases")
		if d.IntN(10) == 0 {
			kind = pick(d, "endpoints", "configmaps", "leases", "endpointsleases", "configmapsleases")
		}
		s.kinds = append(s.kinds, kind)
	}
	resources := []string{single, single, "leases"}
	for range 4 + d.IntN(20) {
		s.steps = append(s.steps, d.step(len(s.kinds), resources))
	}
	return s
}

// pick returns one of the values at random, all equally likely.
func pick[T any](d drawer, of ...T) T { return of[d.IntN(len(of))] }

// step returns a random step for one of that many players. It is an edit of one of the resources by somebody else, or a call
// with its record and what the server does to the call's requests.
func (d drawer) step(players int, resources []string) step {
	s := step{
		call: pick(d, callEdit, callEdit, callGet, callGet, callCreate, callUpdate, callUpdate, callTry, callTry, callTry,
			callTry, callTry, callTry, callEvent),
		player: d.IntN(players),
	}
	if s.call == callEdit {
		s.edit = d.edit(resources)
		return s
	}
	s.record = d.record(s.player)
	s.cancelled = d.IntN(40) == 0
	if d.IntN(3) == 0 {
		for range 1 + d.IntN(5) {
			s.verdicts = append(s.verdicts, d.verdict(resources))
		}
	}
	return s
}

// record returns a random record for a player to write, sometimes with odd names or numbers.
func (d drawer) record(player int) Record {
	holder := string(rune('a' + player))
	if d.IntN(4) == 0 {
		holder = pick(d, "", "a", "b", "leaderelection.k8s.io/unknown", "h\u00f6st \"<&>\" 50%", "\xff")
	}
	r := Record{Holder: holder, Seconds: 15, Acquire: d.time(), Renew: d.time(), Transitions: d.IntN(4)}
	if d.IntN(8) == 0 {
		r.Seconds = pick(d, 0, -1, 1, 1<<31, 1<<40+7)
	}
	if d.IntN(8) == 0 {
		r.Transitions = pick(d, -1, -1<<31, 1<<31, 1<<33+5)
	}
	return r
}

// time returns a random time for a record, sometimes the zero time or one far in the future.
func (d drawer) time() time.Time {
	switch d.IntN(20) {
	case 0:
		return time.Time{}
	case 1:
		return time.Date(2999, 12, 31, 23, 59, 59, 999999999, time.FixedZone("", 3600))
	}
	return time.Date(2020, 1, 1, 0, 0, d.IntN(3), d.IntN(1e9), time.UTC)
}

// verdict returns a random verdict: an honest answer, an edit of one of the resources before it, a lost request or answer, an
// error, or a broken body.
func (d drawer) verdict(resources []string) (v verdict) {
	switch d.IntN(8) {
	case 0, 1, 2:
		v.edit = d.edit(resources)
	case 3:
		v.lost, v.applied = true, d.IntN(2) == 0
	case 4, 5:
		v.status, v.applied = pick(d, 400, 401, 403, 404, 409, 409, 422, 429, 500, 503, 504), d.IntN(2) == 0
		v.reason = pick(d, "", reasons[v.status])
		if v.status == 409 {
			v.reason = pick(d, "", "Conflict", "AlreadyExists")
		}
	case 6:
		v.body = pick(d, "-", "-", "", "<html>", "{}", "null")
	}
	return v
}

// edit returns a random change by somebody else to the object of one of the resources.
func (d drawer) edit(resources []string) edit {
	e := edit{
		resource: pick(d, resources...),
		kind:     pick(d, editDelete, editReplace, editContent, editContent, editContent, editContent, editBare, editTouch),
	}
	if e.resource == "leases" {
		e.text = pick(d, specs...)
	} else {
		e.text = pick(d, annotations...)
	}
	return e
}

var annotations = []string{
	`{"holderIdentity":"a","leaseDurationSeconds":15,"acquireTime":"2020-01-01T00:00:01Z","renewTime":"2020-01-01T00:00:02Z","leaderTransitions":3}`,
	`{"holderIdentity":"b","leaseDurationSeconds":15,"acquireTime":"2020-01-01T00:00:01Z","renewTime":"2020-01-01T00:00:02Z","leaderTransitions":3}`,
	`{"holderIdentity":"old","leaseDurationSeconds":60,"acquireTime":"2020-01-01T00:00:01Z","renewTime":"2020-01-01T00:00:02Z","leaderTransitions":1}`,
	`{"holderIdentity":"","leaseDurationSeconds":1,"acquireTime":"2020-01-01T00:00:01Z","renewTime":"2020-01-01T00:00:02Z","leaderTransitions":1}`,
	`{"holderIdentity":"future","leaseDurationSeconds":15,"acquireTime":"2999-01-01T00:00:01+02:00","renewTime":"2999-01-01T00:00:02.123Z","leaderTransitions":1, "more":[1]}`,
	`{"holderIdentity":"negative","leaseDurationSeconds":-15,"acquireTime":null,"leaderTransitions":-7}`,
	`{"HOLDERIDENTITY":"shouting"}`, `{}`, `null`, ` {"holderIdentity":"spaced"} `,
	``, `not JSON`, `{"holderIdentity":`, `[]`, `7`, `{"holderIdentity":7}`, `{"leaderTransitions":1.5}`,
	`{"leaderTransitions":99999999999999999999}`, `{"renewTime":"yesterday"}`, `{"leaseDurationSeconds":"15"}`,
}

var specs = []string{
	`{"holderIdentity":"a","leaseDurationSeconds":15,"acquireTime":"2020-01-01T00:00:01.000001Z","renewTime":"2020-01-01T00:00:02.500000Z","leaseTransitions":3}`,
	`{"holderIdentity":"b","leaseDurationSeconds":15,"acquireTime":"2020-01-01T00:00:01.000001Z","renewTime":"2020-01-01T00:00:02.500000Z","leaseTransitions":3}`,
	`{"holderIdentity":"new","leaseDurationSeconds":60,"acquireTime":"2999-01-01T00:00:01.000001Z","renewTime":"2999-01-01T00:00:02.500000Z","leaseTransitions":1}`,
	`{"holderIdentity":"","leaseDurationSeconds":1}`, `{"holderIdentity":"bare"}`, `{"leaseDurationSeconds":15}`,
	`{"leaseTransitions":7,"renewTime":"2020-01-01T00:00:02.500000Z"}`, `{}`,
	`{"holderIdentity":"leaderelection.k8s.io/unknown"}`,
}
