package scenarios

import (
	"reflect"
	"slices"
	"strconv"

	"interregnum/internal/check"
)

// members returns the fields of the scenario to write to its file, in order.
func (s *Scenario) members() members {
	var m members
	var shared members
	if len(s.Elections) == 0 {
		shared = s.shared()
	}
	m.add(true, "name", s.Name)
	m.add(s.About != "", "about", prose(s.About))
	m.add(s.Seed != builtinSeed, "seed", literal(strconv.FormatUint(s.Seed, 10)))
	m.add(true, "horizon", durationText(s.Horizon))
	m.add(len(shared) > 0, "defaults", shared)
	if len(s.Elections) > 0 {
		m.electionMembers(s)
	}
	m.add(len(s.Elections) == 0, "candidates", entries(func(yield func(members) bool) {
		for i := range s.Candidates {
			if !yield(without(candidateMembers(&s.Candidates[i]), shared)) {
				return
			}
		}
	}))
	usual := builtinNetwork()
	legs := membersOf(networkFields, &s.Network, &usual)
	m.add(len(legs) > 0, "network", legs)
	service := membersOf(clockFields, &s.Service, &Clock{})
	m.add(len(service) > 0, "service", members{{"clock", service}})
	if s.Coordinator != nil {
		m.add(true, "coordinator", coordinatorMembers(s.Coordinator))
	}
	m.add(len(s.Faults) > 0, "faults", entries(func(yield func(members) bool) {
		for i := range s.Faults {
			if !yield(faultMembers(&s.Faults[i])) {
				return
			}
		}
	}))
	var expect members
	for _, property := range check.Names() {
		e, set := s.Expect[property]
		expect.add(set, property, string(e))
	}
	m.add(len(expect) > 0, "expect", expect)
	return m
}

// shared returns the fields that have the same value in all candidates, for the file's defaults; none if there is only one
// candidate.
func (s *Scenario) shared() members {
	if len(s.Candidates) < 2 {
		return nil
	}
	common := slices.DeleteFunc(candidateMembers(&s.Candidates[0]), func(m member) bool { return m.name == "id" })
	for i := range s.Candidates[1:] {
		if len(common) == 0 {
			break
		}
		own := candidateMembers(&s.Candidates[i+1])
		common = slices.DeleteFunc(common, func(m member) bool { return !contains(own, m) })
	}
	return common
}

// without returns all fields except those that shared has with the same value. It reuses the memory of all.
func without(all, shared members) members {
	return slices.DeleteFunc(all, func(m member) bool { return contains(shared, m) })
}

// contains tells whether all has a field with the name and the value of m.
func contains(all members, m member) bool {
	return slices.ContainsFunc(all, func(other member) bool {
		return other.name == m.name && reflect.DeepEqual(other.value, m.value)
	})
}
