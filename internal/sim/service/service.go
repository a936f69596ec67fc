// Package service is the lock service of a run: the objects of each election, and who watches them.
package service

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/reuse"
	"interregnum/internal/sim/clock"
	"interregnum/plan"
	"interregnum/simlock"
)

// Service holds the objects. A lock that expires by itself expires by the service's clock.
type Service struct {
	elections []string
	names     []names
	clock     clock.Clock
	records   simlock.Store
	// Requests is how many requests were executed.
	Requests uint64
	// keys and rows are by election.
	keys []key
	rows []simlock.RowStore
	// candidacies are in order of name.
	candidacies []Candidacy
}

// Reset makes s a service without any object, whose clock is c. elections are the names of the elections, "" if there is only
// one.
func (s *Service) Reset(c plan.Clock, elections []string) {
	s.elections, s.clock, s.Requests = elections, clock.New(c), 0
	s.records.Reset()
	s.keys = reuse.Sized(s.keys, len(elections))
	for i := range s.keys {
		k := &s.keys[i]
		*k = key{looked: clock.Never, watchers: k.watchers[:0], woken: k.woken[:0]}
	}
	s.rows = reuse.Zeroed(s.rows, len(elections))
	s.candidacies = s.candidacies[:0]
	s.nameObjects()
}

// nameObjects names the objects of all elections. Names that are as they were are left.
func (s *Service) nameObjects() {
	s.names = reuse.Sized(s.names, len(s.elections))
	for i, election := range s.elections {
		n := &s.names[i]
		if n.objects[0] != "" && n.election == election {
			continue
		}
		n.election = election
		for o := range n.objects {
			n.objects[o] = Name(simlock.Object(o), election)
		}
	}
}

// names are the names of an election's objects, by kind.
type names struct {
	election string
	objects  [simlock.Objects]string
}

// NameOf returns the name of an election's object of that kind.
func (s *Service) NameOf(o simlock.Object, election int32) string {
	return s.names[election].objects[o]
}

// Name returns the name of an election's object of kind o. election is "" if there is only one.
func Name(o simlock.Object, election string) string {
	if election == "" {
		return o.String()
	}
	return o.String() + "/" + election
}

// Round says in which precision a candidate's row keeps times. If it is called several times for an election, the coarsest
// precision counts.
func (s *Service) Round(election int32, precision time.Duration) {
	row := &s.rows[election]
	row.Precision = max(row.Precision, precision)
}

// Apply executes the request op about an object of that election, counts it in s.Requests, and stores the answer in r. now is
// true time.
func (s *Service) Apply(now clock.Instant, election int32, op *simlock.Op, r *simlock.Result) {
	s.Requests++
	switch op.Object {
	case simlock.Key:
		s.keys[election].Apply(s.clock.Mono(now), op, r)
	case simlock.Row:
		s.rows[election].Apply(s.clock.Now(now).Wall, op, r)
	default:
		s.records.ApplyTo(op, r)
	}
}

// Records returns the store of all objects that do not expire by themselves.
func (s *Service) Records() *simlock.Store { return &s.records }

// Holder returns the holder that an election's object of that kind names, "" for nobody.
func (s *Service) Holder(o simlock.Object, election int32) string {
	switch o {
	case simlock.Key:
		return s.keys[election].Holder()
	case simlock.Row:
		return s.rows[election].Holder()
	}
	return s.records.Holder(s.NameOf(o, election))
}

// Delete deletes an election's object of that kind, and tells whether there was one.
func (s *Service) Delete(o simlock.Object, election int32) bool {
	switch o {
	case simlock.Key:
		return s.keys[election].Delete()
	case simlock.Row:
		return s.rows[election].Delete()
	}
	return s.records.Delete(s.NameOf(o, election))
}

// ChangeClock changes the service's clock as the fault f says, and returns the clock's drift from then on, in parts per
// million.
func (s *Service) ChangeClock(now clock.Instant, f *plan.Fault) (driftPPM int32) {
	s.clock.Change(now, f.DriftPPM, machine.Wall(f.Jump))
	return s.clock.DriftPPM()
}
