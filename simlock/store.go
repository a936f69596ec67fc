package simlock

import (
	"time"

	"interregnum/elector/machine"
)

// Op is one request on an object.
type Op struct {
	Verb machine.Verb
	// Object is the kind of the object. Key is its name, which no two objects share, of whatever kind.
	Object Object
	Key    string
	// UID and Version are the preconditions of an Update; 0 is "not given".
	UID, Version uint64
	// Record is what Create and Update write. Of a Patch, Fields says which fields it writes.
	Record machine.Record
	Fields machine.Fields
	// TTL is how long an entry of a Key or Row lasts.
	TTL time.Duration
}

// Result is the store's answer.
type Result struct {
	// Status is an HTTP status: 200, 201, 404, 405 for a verb that the store does not have, 409, 422 (a Lease only), or 500 for a
	// Create with a Version.
	Status int
	// UID, Version and Record are those of the object after the operation, where Status is 200 or 201.
	UID, Version uint64
	Record       machine.Record
	// Changed tells whether the operation was a write: an Update that changes nothing is none.
	Changed bool
}

// These are HTTP's numbers. The package net/http would be most of a binary that needs nothing else from it.
const (
	statusOK            = 200
	statusCreated       = 201
	statusNotFound      = 404
	statusNotAllowed    = 405
	statusConflict      = 409
	statusInvalid       = 422
	statusInternalError = 500
)

// OK tells whether the operation succeeded.
func (r *Result) OK() bool { return r.Status == statusOK || r.Status == statusCreated }

// Store is a linearizable store of lock objects. The zero value is empty and ready to use.
type Store struct {
	version, lives uint64
	objects        map[string]*object
	// lastKey and last are the object that was written last, nil for none. Most stores have one object, which is then
	// found at once.
	lastKey string
	last    *object
	// spare are objects that are no longer in the store, for new ones to take the memory of.
	spare []*object
}

// object is an object of a store. Its record's times are cut off to what its kind keeps.
type object struct {
	uid, version uint64
	kind         Object
	record       machine.Record
}

// Apply executes an operation, at once and as a whole, and returns the result.
func (s *Store) Apply(op *Op) (r Result) {
	s.ApplyTo(op, &r)
	return r
}

// ApplyTo executes an operation, at once and as a whole, and stores the result in r. What r held before does not count.
func (s *Store) ApplyTo(op *Op, r *Result) {
	o := s.find(op.Key)
	switch op.Verb {
	case machine.Get:
		if o == nil {
			*r = Result{Status: statusNotFound}
			return
		}
		o.result(statusOK, r)
		return
	case machine.Create:
		*r = s.create(o, op)
		return
	case machine.Update:
		s.update(o, op, r)
		return
	case machine.Patch:
		s.patch(o, op, r)
		return
	}
	*r = Result{Status: statusNotAllowed}
}

// find returns the object of a key, nil if there is none. It changes nothing, so any number of goroutines can call it at once as
// long as none writes.
func (s *Store) find(key string) *object {
	switch {
	case s.last != nil && s.lastKey == key:
		return s.last
	case s.last != nil && len(s.objects) == 1:
		return nil
	}
	return s.objects[key]
}

// Reset removes all objects, and starts the versions and UIDs anew. It keeps the objects' memory for new ones.
func (s *Store) Reset() {
	for _, o := range s.objects {
		s.spare = append(s.spare, o)
	}
	clear(s.objects)
	*s = Store{objects: s.objects, spare: s.spare}
}

// Delete removes an object, as if somebody had done it by hand, and tells whether there was one. The deletion takes a version of
// its own.
func (s *Store) Delete(key string) bool {
	o := s.objects[key]
	if o == nil {
		return false
	}
	s.version++
	s.last = nil
	delete(s.objects, key)
	s.spare = append(s.spare, o)
	return true
}

// Bump adds one to the version counter and returns the new value. It stands for a write of an object of another store that
// shares the counter.
func (s *Store) Bump() uint64 {
	s.version++
	return s.version
}

// sameCoordination tells whether a and b are both nil, or both not nil with equal fields.
func sameCoordination(a, b *machine.Coordination) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Holder returns the holder in an object's record, "" if there is no such object or if its record names nobody.
func (s *Store) Holder(key string) string {
	if o := s.find(key); o != nil {
		return o.record.Holder
	}
	return ""
}

// create answers a Create; o is the object that is there already under the key, nil for none.
func (s *Store) create(o *object, op *Op) Result {
	switch {
	case op.Version != 0:
		return Result{Status: statusInternalError}
	case !op.Object.takes(&op.Record):
		return Result{Status: statusInvalid}
	case o != nil:
		return Result{Status: statusConflict}
	}
	return s.insert(op)
}

// insert stores the record of op as a new object, with a UID and a version of its own, and returns the answer 201.
func (s *Store) insert(op *Op) Result {
	s.lives++
	s.version++
	o := s.fresh()
	*o = object{uid: s.lives, version: s.version, kind: op.Object}
	o.write(&op.Record)
	if s.objects == nil {
		s.objects = map[string]*object{}
	}
	s.objects[op.Key], s.lastKey, s.last = o, op.Key, o
	var r Result
	o.result(statusCreated, &r)
	r.Changed = true
	return r
}

// fresh returns memory for an object, with zeros or with the content of an object that is gone. The caller overwrites all of it.
func (s *Store) fresh() *object {
	last := len(s.spare) - 1
	if last < 0 {
		return &object{}
	}
	o := s.spare[last]
	s.spare = s.spare[:last]
	return o
}

// update answers an Update of o, which is nil if the object does not exist, and stores the answer in r. It checks in the order
// of a real server: whether the object exists, its UID, its version, the content. For a kind with createdByUpdate it creates a
// missing object.
func (s *Store) update(o *object, op *Op, r *Result) {
	status := 0
	switch {
	case o == nil && !op.Object.createdByUpdate():
		status = statusNotFound
	case o == nil && op.UID != 0:
		status = statusConflict
	case o == nil && !op.Object.takes(&op.Record):
		status = statusInvalid
	case o == nil:
		*r = s.insert(op)
		return
	case op.UID != 0 && op.UID != o.uid:
		status = statusConflict
	case op.Version == 0 && !op.Object.unconditional():
		status = statusInvalid
	case op.Version != o.version && op.Version > 0:
		status = statusConflict
	case !op.Object.takes(&op.Record):
		status = statusInvalid
	}
	if status != 0 {
		*r = Result{Status: status}
		return
	}
	if s.last != o {
		s.lastKey, s.last = op.Key, o
	}
	changed := s.replace(o, &op.Record)
	o.result(statusOK, r)
	r.Changed = changed
}

// patch answers a Patch of o, which is nil if the object does not exist: a merge patch without resourceVersion. It writes the
// record's Renew and DurationSeconds, Holder and Acquire if op.Fields has PatchesHolder, and Transitions if it has
// PatchesTransitions. A real server reads the object, changes the fields and writes on the version that it read, and repeats
// that if the object was changed meanwhile (patcher.patchResource in k8s.io/apiserver). So it is as if no other write came
// between.
func (s *Store) patch(o *object, op *Op, r *Result) {
	if o == nil {
		*r = Result{Status: statusNotFound}
		return
	}
	var next machine.Record
	next.Set(&o.record)
	next.Renew, next.DurationSeconds = op.Record.Renew, op.Record.DurationSeconds
	if op.Fields&machine.PatchesHolder != 0 {
		next.Holder, next.Acquire = op.Record.Holder, op.Record.Acquire
	}
	if op.Fields&machine.PatchesTransitions != 0 {
		next.Transitions = op.Record.Transitions
	}
	whole := Op{Verb: machine.Update, Object: op.Object, Key: op.Key, UID: o.uid, Version: o.version, Record: next}
	s.update(o, &whole, r)
}

// replace writes a record into an object and tells whether that changes it. If so, the object gets the next version; otherwise
// it keeps its own.
func (s *Store) replace(o *object, r *machine.Record) (changed bool) {
	if changed = o.write(r); changed {
		s.version++
		o.version = s.version
	}
	return changed
}

// result fills r with that status and the object's state, and with Changed false.
func (o *object) result(status int, r *Result) {
	r.Status, r.UID, r.Version, r.Changed = status, o.uid, o.version, false
	r.Record.Set(&o.record)
}

// write stores a record in the object, with its times cut down to what the object keeps, and tells whether that changed
// anything. It leaves the version as it is.
func (o *object) write(r *machine.Record) bool {
	acquire, renew := o.kind.kept(r.Acquire), o.kind.kept(r.Renew)
	old := &o.record
	if old.Renew == renew && old.Acquire == acquire && old.Holder == r.Holder &&
		old.DurationSeconds == r.DurationSeconds && old.Transitions == r.Transitions &&
		sameCoordination(old.Coordination, r.Coordination) {
		return false
	}
	old.Set(r)
	old.Acquire, old.Renew = acquire, renew
	return true
}
