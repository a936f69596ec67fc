package simlock

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// model is a store that remembers every state it has been in, and searches instead of counting.
type model struct {
	now  map[string]Result
	all  []Result // every object that ever was, by version
	last uint64   // the highest version so far
	uids map[uint64]string
}

// TestStoreAgainstModel makes random requests, some of them on what was true a while ago.
func TestStoreAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Store
		m := model{now: map[string]Result{}, uids: map[uint64]string{}}
		key := rapid.SampledFrom([]string{"k", "l"})
		t.Repeat(map[string]func(*rapid.T){
			"create": func(t *rapid.T) { m.create(t, &s, key.Draw(t, "key")) },
			"update": func(t *rapid.T) { m.update(t, &s, key.Draw(t, "key")) },
			"delete": func(t *rapid.T) {
				k := key.Draw(t, "key")
				_, had := m.now[k]
				if s.Delete(k) != had {
					t.Fatalf("delete of %s: there was one: %v", k, had)
				}
				if had {
					delete(m.now, k)
					m.last++
				}
			},
			"": func(t *rapid.T) { m.agree(t, &s) },
		})
	})
}

// apply answers into a result that has been used before.
func apply(s *Store, op *Op) Result {
	r := Result{Status: 1, UID: 2, Version: 3, Changed: true, Record: machine.Record{
		Holder: "x", DurationSeconds: 4, Acquire: 5, Renew: 6, Transitions: 7,
	}}
	s.ApplyTo(op, &r)
	return r
}

// agree compares what is stored, which no request on another key may touch.
func (m *model) agree(t *rapid.T, s *Store) {
	for _, k := range []string{"k", "l"} {
		want, ok := m.now[k]
		if !ok {
			want = Result{Status: 404}
		}
		if got := apply(s, &Op{Verb: machine.Get, Key: k}); got != want {
			t.Fatalf("%s is %+v, want %+v", k, got, want)
		}
		if s.Holder(k) != want.Record.Holder {
			t.Fatalf("the holder of %s is %q", k, s.Holder(k))
		}
	}
}

func drawRecord(t *rapid.T) machine.Record {
	return machine.Record{
		Holder:          rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "holder"),
		DurationSeconds: rapid.Int64Range(0, 3).Draw(t, "seconds"),
		Renew:           machine.Wall(rapid.SampledFrom([]int64{0, 1, 999, 1000, -1}).Draw(t, "renew")),
		Transitions:     rapid.SampledFrom([]int64{0, 0, 1, -1}).Draw(t, "transitions"),
	}
}

func (m *model) create(t *rapid.T, s *Store, key string) {
	op := Op{Verb: machine.Create, Key: key, Record: drawRecord(t)}
	got := apply(s, &op)
	_, exists := m.now[key]
	switch {
	case op.Record.DurationSeconds == 0 || op.Record.Transitions < 0:
		m.refused(t, &op, &got, 422)
	case exists:
		m.refused(t, &op, &got, 409)
	default:
		m.written(t, &op, &got, 201)
	}
}

func (m *model) update(t *rapid.T, s *Store, key string) {
	op := Op{Verb: machine.Update, Key: key, Record: drawRecord(t)}
	m.drawConditions(t, &op)
	got := apply(s, &op)
	before, exists := m.now[key]
	invalid := op.Record.DurationSeconds == 0 || op.Record.Transitions < 0
	stale := op.UID != 0 && op.UID != before.UID || op.Version != 0 && exists && op.Version != before.Version
	switch {
	case stale:
		m.refused(t, &op, &got, 409)
	case invalid || exists && op.Version == 0:
		m.refused(t, &op, &got, 422)
	case !exists:
		m.written(t, &op, &got, 201)
	case onWire(op.Record) == before.Record:
		if got != before {
			t.Fatalf("%+v left %+v, which was %+v", op, got, before)
		}
	default:
		m.written(t, &op, &got, 200)
	}
}

// drawConditions picks what is true now, what once was of that or another object, or what never was.
func (m *model) drawConditions(t *rapid.T, op *Op) {
	if n, ok := m.now[op.Key]; ok && rapid.Bool().Draw(t, "current") {
		op.UID, op.Version = n.UID, n.Version
	} else if len(m.all) > 0 {
		i := rapid.IntRange(0, len(m.all)-1).Draw(t, "once")
		op.UID, op.Version = m.all[i].UID, m.all[i].Version
	}
	switch rapid.SampledFrom([]string{"", "", "no uid", "no version", "neither", "future"}).Draw(t, "but") {
	case "no uid":
		op.UID = 0
	case "no version":
		op.Version = 0
	case "neither":
		op.UID, op.Version = 0, 0
	case "future":
		op.Version = m.last + 1
	}
}

// onWire returns a record with its times cut to microseconds.
func onWire(r machine.Record) machine.Record {
	r.Renew = machine.Wall(time.Unix(0, int64(r.Renew)).UnixMicro() * 1000)
	return r
}

func (m *model) refused(t *rapid.T, op *Op, got *Result, status int) {
	if *got != (Result{Status: status}) {
		t.Fatalf("%+v was answered %+v, want %d", *op, *got, status)
	}
}

func (m *model) written(t *rapid.T, op *Op, got *Result, status int) {
	want := onWire(op.Record)
	switch {
	case got.Status != status || !got.Changed || got.Record != want:
		t.Fatalf("%+v was answered %+v, want %d and the record", *op, *got, status)
	case got.Version != m.last+1:
		t.Fatalf("version %d after %d", got.Version, m.last)
	case status == 201 && m.uids[got.UID] != "":
		t.Fatalf("life %d began twice", got.UID)
	case status == 200 && got.UID != m.now[op.Key].UID:
		t.Fatalf("an update ended the life %d", m.now[op.Key].UID)
	}
	m.last = got.Version
	m.uids[got.UID] = op.Key
	kept := *got
	kept.Status, kept.Changed = 200, false
	m.now[op.Key] = kept
	m.all = append(m.all, kept)
}
