package simlock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
)

// TestObjectsDiffer: what a kube-apiserver does with each kind of object, by its strategy
// (pkg/registry/{coordination/lease,core/configmap,core/endpoint}/strategy.go; e2e/kubernetes compares fakekube, which has
// the same, with v1.36.3). Update goes to an object that is not there without a UID, one that was deleted with its UID, and
// then one that is there without saying which version.
func TestObjectsDiffer(t *testing.T) {
	for kind, want := range map[Object]struct{ missing, deleted, unconditional, invalid int }{
		Lease:     {missing: 201, deleted: 409, unconditional: 422, invalid: 422},
		ConfigMap: {missing: 404, deleted: 404, unconditional: 200, invalid: 201},
		Endpoints: {missing: 201, deleted: 409, unconditional: 200, invalid: 201},
	} {
		var s Store
		op := Op{Verb: machine.Update, Object: kind, Key: "k", Record: heldBy("a")}
		assert.Equal(t, want.missing, s.Apply(&op).Status, "%v, missing", kind)

		created := s.Apply(&Op{Verb: machine.Create, Object: kind, Key: "d", Record: heldBy("a")})
		s.Delete("d")
		op.Key, op.UID, op.Version = "d", created.UID, created.Version
		assert.Equal(t, want.deleted, s.Apply(&op).Status, "%v, deleted: its UID", kind)

		created = s.Apply(&Op{Verb: machine.Create, Object: kind, Key: "u", Record: heldBy("a")})
		op.Key, op.UID, op.Version, op.Record = "u", created.UID, 0, heldBy("b")
		updated := s.Apply(&op)
		assert.Equal(t, want.unconditional, updated.Status, "%v, on no version", kind)
		assert.Equal(t, want.unconditional == 200, updated.Version > created.Version, kind)
		op.Version = created.Version + 7
		assert.Equal(t, 409, s.Apply(&op).Status, "%v, on another version", kind)

		op = Op{Verb: machine.Create, Object: kind, Key: "i", Record: machine.Record{Holder: "a", Transitions: -1}}
		assert.Equal(t, want.invalid, s.Apply(&op).Status, "%v, of 0 seconds", kind)
	}
}

// TestAnnotationsHaveWholeSeconds: a second renewal within one is an update that changes nothing.
func TestAnnotationsHaveWholeSeconds(t *testing.T) {
	const second = machine.Wall(time.Second)
	for kind, changed := range map[Object]bool{Lease: true, ConfigMap: false, Endpoints: false} {
		var s Store
		r := machine.Record{Holder: "a", DurationSeconds: 15, Acquire: 3*second + 1, Renew: 7*second + 200_000_000}
		created := s.Apply(&Op{Verb: machine.Create, Object: kind, Key: "k", Record: r})
		r.Renew += 700_000_000
		op := Op{Verb: machine.Update, Object: kind, Key: "k", UID: created.UID, Version: created.Version, Record: r}
		updated := s.Apply(&op)
		assert.Equal(t, 200, updated.Status, kind)
		assert.Equal(t, changed, updated.Changed, kind)
		assert.Equal(t, changed, updated.Version != created.Version, kind)
		if !changed {
			assert.Equal(t, 7*second, updated.Record.Renew, kind)
			assert.Equal(t, 3*second, updated.Record.Acquire, kind)
		}
		op.Version, op.Record.Renew = updated.Version, 8*second
		assert.True(t, s.Apply(&op).Changed, kind)
	}
}

// TestForgetting: after which failures an Update has no object to send, in v0.37, in v0.20 and v0.24, and in v0.17.
func TestForgetting(t *testing.T) {
	for forgets, by := range map[Forgetting][]machine.Verb{
		ForgetsByCreate: {machine.Create},
		ForgetsByRead:   {machine.Create, machine.Get},
		ForgetsByAny:    {machine.Create, machine.Get, machine.Update},
	} {
		for _, verb := range []machine.Verb{machine.Get, machine.Create, machine.Update} {
			l := Single{Object: ConfigMap, Key: "k", Forgets: forgets}
			assert.Equal(t, machine.Done, l.Answered(machine.Get, &Result{Status: 200, UID: 1, Version: 1}))
			l.Failed(verb)
			forgot := false
			for _, v := range by {
				forgot = forgot || v == verb
			}
			assert.Equal(t, !forgot, prepares(&l, machine.Update), "%v, after a %v that failed", forgets, verb)
		}
	}
}
