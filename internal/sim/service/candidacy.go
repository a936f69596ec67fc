package service

import (
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/coordinator"
	"interregnum/internal/sim/clock"
	"interregnum/simlock"
)

// Candidacy is a LeaseCandidate. One with Version 0 is not in the store.
type Candidacy struct {
	coordinator.Candidate
	Version uint64
}

// These are the statuses of answers to requests about LeaseCandidates.
const (
	StatusOK       = 200
	StatusConflict = 409
)

// Candidacies counts as a request, and returns the LeaseCandidates in the store: the one with that name, or all of them for
// "".
func (s *Service) Candidacies(name string) (all []Candidacy) {
	s.Requests++
	for i := range s.candidacies {
		if c := &s.candidacies[i]; c.Version != 0 && (name == "" || c.Name == name) {
			all = append(all, *c)
		}
	}
	return all
}

// Lease returns what a read of the Lease finds, in a run with only one election. It is not counted in Requests.
func (s *Service) Lease() simlock.Result {
	return s.records.Apply(&simlock.Op{Verb: machine.Get, Object: simlock.Lease, Key: simlock.Lease.String()})
}

// Nominate creates, updates or deletes (machine.Resign) a LeaseCandidate at the true time now, and on success stores in object
// what the store then has. It counts as a request. It returns the HTTP status and whether the store changed. Creating one that
// exists is a conflict. So is updating or deleting one that is missing or has another version.
func (s *Service) Nominate(now clock.Instant, verb machine.Verb, object *Candidacy) (status int, changed bool) {
	s.Requests++
	c := s.candidacy(object.Name)
	switch exists := c.Version != 0; {
	case verb == machine.Create && exists, verb != machine.Create && (!exists || c.Version != object.Version):
		return StatusConflict, false
	case verb == machine.Resign:
		c.Version = 0
		s.records.Bump()
		*object = *c
		return StatusOK, true
	case verb == machine.Create:
		object.Created = (clock.Epoch + machine.Wall(now)).Truncate(time.Second)
	default:
		object.Created = c.Created
	}
	object.Ping, object.Renew = object.Ping.Truncate(time.Microsecond), object.Renew.Truncate(time.Microsecond)
	if changed = object.Candidate != c.Candidate || c.Version == 0; changed {
		c.Candidate, c.Version = object.Candidate, s.records.Bump()
	}
	*object = *c
	return StatusOK, changed
}

// candidacy returns the LeaseCandidate of that name. Where there is none it adds an entry with version 0. The result is good
// until the next entry is added.
func (s *Service) candidacy(name string) *Candidacy {
	i, found := slices.BinarySearchFunc(s.candidacies, name, func(c Candidacy, s string) int {
		return strings.Compare(c.Name, s)
	})
	if !found {
		s.candidacies = slices.Insert(s.candidacies, i, Candidacy{Candidate: coordinator.Candidate{Name: name}})
	}
	return &s.candidacies[i]
}
