package simlock

import (
	"net/http"
	"time"

	"interregnum/elector/machine"
)

// Op is one request on an object.
type Op struct {
	Verb machine.Verb
	Key  string
	// UID and Version are the preconditions of an Update; 0 is "not given".
	UID, Version uint64
	// Record is what Create and Update write.
	Record machine.Record
}

// Result is the store's answer.
type Result struct {
	// Status is an HTTP status: 200, 201, 404, 409, 422, or 500 for a Create with a Version.
	Status int
	// UID, Version and Record are those of the object after the operation, where Status is 200 or 201.
	UID, Version uint64
	Record       machine.Record
	// Changed tells whether the operation was a write: an Update that changes nothing is none.
	Changed bool
}

// OK tells whether the operation succeeded.
func (r *Result) OK() bool { return r.Status == http.StatusOK || r.Status == http.StatusCreated }

// Store is a linearizable store of lock objects. The zero value is empty and ready to use.
type Store struct {
	version, lives uint64
	objects        map[string]*object
	// lastKey and last are what was looked up last: most stores have one object.
	lastKey string
	last    *object
}

type object struct {
	uid, version uint64
	record       machine.Record
}

// Apply executes an operation, at once and as a whole.
func (s *Store) Apply(op *Op) Result {
	o := s.find(op.Key)
	switch op.Verb {
	case machine.Get:
		if o == nil {
			return Result{Status: http.StatusNotFound}
		}
		return o.result(http.StatusOK)
	case machine.Create:
		return s.create(o, op)
	case machine.Update:
		return s.update(o, op)
	}
	return Result{Status: http.StatusMethodNotAllowed}
}

func (s *Store) find(key string) *object {
	if s.last == nil || s.lastKey != key {
		s.lastKey, s.last = key, s.objects[key]
	}
	return s.last
}

// Delete removes an object, as somebody else would, and tells whether there was one.
// It takes a version of its own.
func (s *Store) Delete(key string) bool {
	if s.objects[key] == nil {
		return false
	}
	s.version++
	s.last = nil
	delete(s.objects, key)
	return true
}

// Holder is whom an object names, "" where there is none.
func (s *Store) Holder(key string) string {
	if o := s.objects[key]; o != nil {
		return o.record.Holder
	}
	return ""
}

func (s *Store) create(o *object, op *Op) Result {
	switch {
	case op.Version != 0:
		return Result{Status: http.StatusInternalServerError}
	case !valid(&op.Record):
		return Result{Status: http.StatusUnprocessableEntity}
	case o != nil:
		return Result{Status: http.StatusConflict}
	}
	return s.insert(op)
}

func (s *Store) insert(op *Op) Result {
	s.lives++
	s.version++
	o := &object{uid: s.lives, version: s.version, record: stored(op.Record)}
	if s.objects == nil {
		s.objects = map[string]*object{}
	}
	s.objects[op.Key] = o
	r := o.result(http.StatusCreated)
	r.Changed = true
	return r
}

// update checks in the order of a real server: an object that is gone, the life, the version, the content.
func (s *Store) update(o *object, op *Op) Result {
	switch {
	case o == nil && op.UID != 0:
		return Result{Status: http.StatusConflict}
	case o == nil && !valid(&op.Record):
		return Result{Status: http.StatusUnprocessableEntity}
	case o == nil:
		return s.insert(op)
	case op.UID != 0 && op.UID != o.uid:
		return Result{Status: http.StatusConflict}
	case op.Version == 0:
		return Result{Status: http.StatusUnprocessableEntity}
	case op.Version != o.version:
		return Result{Status: http.StatusConflict}
	case !valid(&op.Record):
		return Result{Status: http.StatusUnprocessableEntity}
	}
	record := stored(op.Record)
	changed := record != o.record
	if changed {
		s.version++
		o.version, o.record = s.version, record
	}
	r := o.result(http.StatusOK)
	r.Changed = changed
	return r
}

func (o *object) result(status int) Result {
	return Result{Status: status, UID: o.uid, Version: o.version, Record: o.record}
}

func valid(r *machine.Record) bool { return r.DurationSeconds > 0 && r.Transitions >= 0 }

// stored is what is left of a record on the wire: times have microseconds (metav1.MicroTime).
func stored(r machine.Record) machine.Record {
	r.Acquire = r.Acquire.Truncate(time.Microsecond)
	r.Renew = r.Renew.Truncate(time.Microsecond)
	return r
}
