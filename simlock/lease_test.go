package simlock

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

var someRecord = machine.Record{Holder: "a", DurationSeconds: 15, Acquire: 1000, Renew: 2000}

func heldBy(holder string) machine.Record {
	r := someRecord
	r.Holder = holder
	return r
}

// call makes a call of a lock on a store, and tells whether it was sent.
func call(s *Store, l *Single, verb machine.Verb, r machine.Record) (o machine.Outcome, sent bool) {
	var op Op
	if !l.Prepare(verb, &r, &op) {
		l.Failed(verb)
		return machine.Failed, false
	}
	result := s.Apply(&op)
	return l.Answered(verb, &result), true
}

func mustCall(t *testing.T, s *Store, l *Single, verb machine.Verb, r machine.Record, want machine.Outcome) {
	t.Helper()
	got, sent := call(s, l, verb, r)
	require.True(t, sent, "%v is sent", verb)
	require.Equal(t, want, got, "%v", verb)
}

func prepares(l *Single, verb machine.Verb) bool { return l.Prepare(verb, &someRecord, &Op{}) }

// TestLeaseWithoutObject: Update needs an object, from a Get or a Create that succeeded.
func TestLeaseWithoutObject(t *testing.T) {
	l := Single{Key: "k"}
	assert.False(t, prepares(&l, machine.Update), "lease not initialized, call get or create first")
	assert.True(t, prepares(&l, machine.Get))
	assert.True(t, prepares(&l, machine.Create))
	assert.Zero(t, l.Version())

	for name, answer := range map[string]Result{
		"not found": {Status: 404}, "conflict": {Status: 409}, "error": {Status: 500}, "forbidden": {Status: 403},
	} {
		l := Single{Key: "k"}
		l.Answered(machine.Get, &answer)
		assert.False(t, prepares(&l, machine.Update), "after a Get that ended in %s", name)
	}
}

// TestLeaseAfterFailedCreate: the typed client returns an empty object beside its error, and the lock keeps
// it. An Update of that has no name and fails in the client.
func TestLeaseAfterFailedCreate(t *testing.T) {
	for name, fail := range map[string]func(*Single) machine.Outcome{
		"exists":    func(l *Single) machine.Outcome { return l.Answered(machine.Create, &Result{Status: 409}) },
		"invalid":   func(l *Single) machine.Outcome { return l.Answered(machine.Create, &Result{Status: 422}) },
		"forbidden": func(l *Single) machine.Outcome { return l.Answered(machine.Create, &Result{Status: 403}) },
		"no namespace": func(l *Single) machine.Outcome {
			return l.Answered(machine.Create, &Result{Status: 404})
		},
		"no answer": func(l *Single) machine.Outcome { l.Failed(machine.Create); return machine.Failed },
	} {
		t.Run(name, func(t *testing.T) {
			var s Store
			other, l := Single{Key: "k"}, Single{Key: "k"}
			mustCall(t, &s, &other, machine.Create, heldBy("other"), machine.Done)
			mustCall(t, &s, &l, machine.Get, machine.Record{}, machine.Done)
			require.True(t, prepares(&l, machine.Update), "known before")

			assert.NotEqual(t, machine.Done, fail(&l))
			assert.False(t, prepares(&l, machine.Update), "an object without a name")

			l.Answered(machine.Get, &Result{Status: 500})
			assert.False(t, prepares(&l, machine.Update), "a Get that fails does not heal")
			mustCall(t, &s, &l, machine.Get, machine.Record{}, machine.Done)
			mustCall(t, &s, &l, machine.Update, heldBy("a"), machine.Done)
		})
	}
}

// TestLeaseKeepsItsObject: neither a Get nor an Update that fails makes a lock forget.
func TestLeaseKeepsItsObject(t *testing.T) {
	for _, verb := range []machine.Verb{machine.Get, machine.Update} {
		for _, status := range []int{0, 403, 404, 409, 422, 500, 504} {
			l := Single{Key: "k"}
			l.Answered(machine.Create, &Result{Status: 201, UID: 7, Version: 9})
			if status == 0 {
				l.Failed(verb)
			} else {
				l.Answered(verb, &Result{Status: status})
			}
			var op Op
			assert.True(t, l.Prepare(machine.Update, &someRecord, &op))
			assert.Equal(t, Op{Verb: machine.Update, Key: "k", UID: 7, Version: 9, Record: someRecord}, op,
				"after %v with %d", verb, status)
			assert.EqualValues(t, 9, l.Version())
		}
	}
}

// TestLeasePrepareLeavesNothing: one Op is used again and again.
func TestLeasePrepareLeavesNothing(t *testing.T) {
	l := Single{Key: "k"}
	stale := Op{Verb: machine.Update, Key: "x", UID: 1, Version: 2, Record: someRecord}
	op := stale
	l.Prepare(machine.Get, &someRecord, &op)
	assert.Equal(t, Op{Verb: machine.Get, Key: "k"}, op)
	op = stale
	l.Prepare(machine.Create, &someRecord, &op)
	assert.Equal(t, Op{Verb: machine.Create, Key: "k", Record: someRecord}, op, "a server refuses a version here")
}

func TestLeaseOutcomes(t *testing.T) {
	for status, want := range map[int]machine.Outcome{
		http.StatusOK: machine.Done, http.StatusCreated: machine.Done,
		http.StatusNotFound: machine.NotFound, http.StatusConflict: machine.Conflict,
		http.StatusBadRequest: machine.Failed, http.StatusForbidden: machine.Failed,
		http.StatusUnprocessableEntity: machine.Failed, http.StatusTooManyRequests: machine.Failed,
		http.StatusInternalServerError: machine.Failed, http.StatusGatewayTimeout: machine.Failed,
	} {
		for _, verb := range []machine.Verb{machine.Get, machine.Create, machine.Update} {
			l := Single{Key: "k"}
			assert.Equal(t, want, l.Answered(verb, &Result{Status: status}), "%v: %d", verb, status)
		}
	}
}

// TestLeaseConflicts: an update wins only on the life and version that the lock last saw.
func TestLeaseConflicts(t *testing.T) {
	var s Store
	a, b := Single{Key: "k"}, Single{Key: "k"}
	mustCall(t, &s, &a, machine.Create, heldBy("a"), machine.Done)
	mustCall(t, &s, &b, machine.Get, machine.Record{}, machine.Done)
	mustCall(t, &s, &b, machine.Update, heldBy("b"), machine.Done)
	mustCall(t, &s, &a, machine.Update, heldBy("a"), machine.Conflict)
	mustCall(t, &s, &a, machine.Update, heldBy("a"), machine.Conflict)
	mustCall(t, &s, &a, machine.Get, machine.Record{}, machine.Done)

	require.True(t, s.Delete("k"))
	mustCall(t, &s, &a, machine.Update, heldBy("a"), machine.Conflict) // not NotFound: the client names the life
	mustCall(t, &s, &a, machine.Get, machine.Record{}, machine.NotFound)
	mustCall(t, &s, &a, machine.Update, heldBy("a"), machine.Conflict)
	mustCall(t, &s, &b, machine.Create, heldBy("b"), machine.Done)
	mustCall(t, &s, &a, machine.Update, heldBy("a"), machine.Conflict)
	mustCall(t, &s, &a, machine.Create, heldBy("a"), machine.Conflict)
	assert.Equal(t, "b", s.Holder("k"))
}

// TestLeaseToken: right after a write of its own, Version is the object's, and it grows across lives.
func TestLeaseToken(t *testing.T) {
	var s Store
	a, b := Single{Key: "k"}, Single{Key: "k"}
	token := uint64(0)
	for range 3 {
		mustCall(t, &s, &a, machine.Create, heldBy("a"), machine.Done)
		require.Greater(t, a.Version(), token)
		token = a.Version()
		mustCall(t, &s, &b, machine.Get, machine.Record{}, machine.Done)
		assert.Equal(t, token, b.Version())
		mustCall(t, &s, &b, machine.Update, heldBy("b"), machine.Done)
		require.Greater(t, b.Version(), token)
		token = b.Version()
		require.True(t, s.Delete("k"))
	}
}
