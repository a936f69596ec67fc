// Package service is the lock service of a run: the objects of each election, and who watches them.
package service

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// Service holds the objects. A lock that expires by itself expires by the service's clock.
type Service struct {
	elections []string
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

// New returns the service of elections with these names, "" if there is only one. It has no object yet.
func New(c plan.Clock, elections []string) Service {
	s := Service{
		elections: elections, clock: clock.New(c),
		keys: make([]key, len(elections)), rows: make([]simlock.RowStore, len(elections)),
	}
	for i := range s.keys {
		s.keys[i].looked = clock.Never
	}
	return s
}

// Name returns the name of an election's object of that kind; the election is "" if there is only one.
func Name(o simlock.Object, election string) string {
	if election == "" {
		return o.String()
	}
	return o.String() + "/" + election
}

// Round has an election's row keep times in multiples of precision, unless it keeps them in larger ones already.
func (s *Service) Round(election int32, precision time.Duration) {
	row := &s.rows[election]
	row.Precision = max(row.Precision, precision)
}

// Apply executes a request about an object of that election.
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

// Holder returns the holder that an election's object of that kind names, "" for nobody.
func (s *Service) Holder(o simlock.Object, election int32) string {
	switch o {
	case simlock.Key:
		return s.keys[election].Holder()
	case simlock.Row:
		return s.rows[election].Holder()
	}
	return s.records.Holder(Name(o, s.elections[election]))
}

// Delete deletes an election's object of that kind, and tells whether there was one.
func (s *Service) Delete(o simlock.Object, election int32) bool {
	switch o {
	case simlock.Key:
		return s.keys[election].Delete()
	case simlock.Row:
		return s.rows[election].Delete()
	}
	return s.records.Delete(Name(o, s.elections[election]))
}

// ChangeClock sets the service's clock as a fault says, and returns its rate from then on.
func (s *Service) ChangeClock(now clock.Instant, f *plan.Fault) (driftPPM int32) {
	s.clock.Change(now, f.DriftPPM, machine.Wall(f.Jump))
	return s.clock.DriftPPM()
}
