package simlock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

func (s *Store) mustCreate(t *testing.T, key string, r machine.Record) Result {
	t.Helper()
	got := s.Apply(&Op{Verb: machine.Create, Key: key, Record: r})
	require.Equal(t, 201, got.Status)
	return got
}

// TestUpdateOrder: the life goes before the version, the version before the content.
func TestUpdateOrder(t *testing.T) {
	invalid := heldBy("b")
	invalid.DurationSeconds = 0
	negative := heldBy("b")
	negative.Transitions = -1
	const right, wrong = 1, 2 // uid and version of the object below are 1
	for name, c := range map[string]struct {
		uid, version uint64
		record       machine.Record
		want         int
	}{
		"right":                          {right, right, heldBy("b"), 200},
		"no uid":                         {0, right, heldBy("b"), 200},
		"stale or future version":        {right, wrong, heldBy("b"), 409},
		"no uid, wrong version":          {0, wrong, heldBy("b"), 409},
		"wrong version, same content":    {right, wrong, someRecord, 409},
		"wrong version, invalid":         {right, wrong, invalid, 409},
		"wrong uid":                      {wrong, right, heldBy("b"), 409},
		"wrong uid, invalid":             {wrong, right, invalid, 409},
		"wrong uid, no version":          {wrong, 0, heldBy("b"), 409},
		"no version":                     {right, 0, heldBy("b"), 422},
		"no version, no uid":             {0, 0, heldBy("b"), 422},
		"no version, same content":       {right, 0, someRecord, 422},
		"right, duration not positive":   {right, right, invalid, 422},
		"right, transitions negative":    {right, right, negative, 422},
		"same content, whose times fit":  {right, right, someRecord, 200},
		"no uid, no version and invalid": {0, 0, invalid, 422},
	} {
		t.Run(name, func(t *testing.T) {
			var s Store
			before := s.mustCreate(t, "k", someRecord)
			got := s.Apply(&Op{
				Verb: machine.Update, Key: "k", UID: c.uid, Version: c.version, Record: c.record,
			})
			assert.Equal(t, c.want, got.Status)
			after := s.Apply(&Op{Verb: machine.Get, Key: "k"})
			if c.want != 200 || c.record == someRecord {
				before.Status, before.Changed = 200, false
				assert.Equal(t, before, after, "nothing was written")
			} else {
				assert.Equal(t, c.record, after.Record)
			}
		})
	}
}

// TestUpdateOfNothing: with a uid it conflicts, without one it creates.
func TestUpdateOfNothing(t *testing.T) {
	invalid := machine.Record{}
	for name, c := range map[string]struct {
		op   Op
		want int
	}{
		"uid":                      {Op{UID: 1, Version: 1, Record: someRecord}, 409},
		"uid, invalid":             {Op{UID: 1, Version: 1, Record: invalid}, 409},
		"no uid":                   {Op{Version: 1, Record: someRecord}, 201},
		"neither uid nor version":  {Op{Record: someRecord}, 201},
		"neither, and the content": {Op{Record: invalid}, 422},
	} {
		t.Run(name, func(t *testing.T) {
			var s Store
			s.mustCreate(t, "k", someRecord)
			require.True(t, s.Delete("k"))
			require.False(t, s.Delete("k"))
			c.op.Verb, c.op.Key = machine.Update, "k"
			got := s.Apply(&c.op)
			assert.Equal(t, c.want, got.Status)
			assert.Equal(t, c.want == 201, got.Changed)
			if c.want == 201 {
				assert.EqualValues(t, 2, got.UID, "another life")
				assert.EqualValues(t, 3, got.Version, "the delete took one")
			} else {
				assert.Empty(t, s.Holder("k"))
			}
		})
	}
}

// TestCreateOrder: a version, then the content, then whether there is such an object.
func TestCreateOrder(t *testing.T) {
	var s Store
	s.mustCreate(t, "k", someRecord)
	status := func(op Op) int {
		op.Verb, op.Key = machine.Create, "k"
		return s.Apply(&op).Status
	}
	assert.Equal(t, 500, status(Op{Version: 1}))
	assert.Equal(t, 422, status(Op{}))
	assert.Equal(t, 409, status(Op{Record: someRecord}))
	assert.Equal(t, 409, status(Op{Record: someRecord, UID: 1}), "a uid is ignored")
}

// TestIdenticalUpdate: an update that changes nothing is no write. Identical is what is left of it on the wire.
func TestIdenticalUpdate(t *testing.T) {
	var s Store
	fine := someRecord
	fine.Acquire, fine.Renew = 1_000_999, -1 // in ns: cut to 1 ms, and to the microsecond before the epoch
	created := s.mustCreate(t, "k", fine)
	assert.True(t, created.Changed)
	assert.Equal(t, machine.Wall(time.Millisecond), created.Record.Acquire)
	assert.Equal(t, -machine.Wall(time.Microsecond), created.Record.Renew)

	update := Op{Verb: machine.Update, Key: "k", UID: created.UID, Version: created.Version, Record: fine}
	for range 3 {
		update.Record.Acquire--
		got := s.Apply(&update)
		assert.Equal(t, Result{Status: 200, UID: 1, Version: 1, Record: created.Record}, got)
	}
	update.Record.Renew = -1001
	got := s.Apply(&update)
	assert.True(t, got.Changed, "a microsecond is a change")
	assert.EqualValues(t, 2, got.Version)
	assert.Equal(t, 409, s.Apply(&update).Status, "the version it names is gone")
}

// TestNoTimeIsKept: a time that is null stays null.
func TestNoTimeIsKept(t *testing.T) {
	var s Store
	r := someRecord
	r.Renew, r.Acquire = machine.NoTime, machine.NoTime
	assert.Equal(t, r, s.mustCreate(t, "k", r).Record)
}

// TestOneCounter: versions are the store's, not the object's.
func TestOneCounter(t *testing.T) {
	var s Store
	assert.EqualValues(t, 1, s.mustCreate(t, "a", someRecord).Version)
	assert.EqualValues(t, 2, s.mustCreate(t, "b", someRecord).Version)
	got := s.Apply(&Op{Verb: machine.Update, Key: "a", Version: 1, Record: heldBy("x")})
	assert.EqualValues(t, 3, got.Version)
	assert.Equal(t, []string{"x", "a", ""}, []string{s.Holder("a"), s.Holder("b"), s.Holder("c")})
	assert.Equal(t, 405, s.Apply(&Op{Key: "a"}).Status)
}
