package scenarios

import (
	"reflect"
	"slices"
)

// A plan has an entry for each candidate in each of its elections; a file says of each candidate and of each election what
// is its own, and a candidate's own value wins. What a candidate has alike in all of its elections is thus its own, and
// the rest is the election's.

// ballots is a scenario's candidates as a file has them.
type ballots struct {
	elections []members
	// processes are the entries of each candidate.
	processes [][]ballotEntry
	own       []members
}

// ballotEntry is what a candidate says of itself in one election.
type ballotEntry struct {
	election string
	all      members
}

// electionMembers adds the fields elections and candidates of a scenario with several elections.
func (m *members) electionMembers(s *Scenario) {
	b, _ := s.ballots()
	m.add(true, "elections", entries(slices.Values(b.elections)))
	m.add(true, "candidates", entries(slices.Values(b.own)))
}

// writable says why no file can say what the candidates are in their elections; "" where one can.
func (s *Scenario) writable() string {
	if len(s.Elections) == 0 {
		return ""
	}
	_, problem := s.ballots()
	return problem
}

// ballots divides what the candidates are between the elections and the candidates of a file. It also says why no
// file can say that, "" where one can.
func (s *Scenario) ballots() (b ballots, problem string) {
	for i := range s.Candidates {
		if i == 0 || s.Candidates[i].ID != s.Candidates[i-1].ID {
			b.processes = append(b.processes, nil)
		}
		last := len(b.processes) - 1
		c := &s.Candidates[i]
		b.processes[last] = append(b.processes[last], ballotEntry{c.Election, candidateMembers(c)})
	}
	for _, name := range s.Elections {
		b.elections = append(b.elections, members{{"name", name}})
	}
	for _, p := range b.processes {
		own := slices.DeleteFunc(slices.Clone(p[0].all), func(m member) bool { return slices.Contains(electionFields, m.name) })
		if len(p) < len(s.Elections) {
			var names []string
			for i := range p {
				names = append(names, p[i].election)
			}
			own = append(own, member{"elections", names})
		}
		b.own = append(b.own, own)
	}
	for _, field := range electionFields[1:] {
		if !b.field(s, field) {
			problem = "what candidates have for " + field + " differs both by candidate and by election, which no file can say"
		}
	}
	return b, problem
}

// field gives a field to the elections or to the candidates, and tells whether a file can say that.
func (b *ballots) field(s *Scenario, field string) bool {
	ofElection := map[string]any{}
	for _, p := range b.processes {
		if _, alike := sameIn(p, field); alike {
			continue
		}
		for i := range p {
			value := p[i].value(field)
			if other, known := ofElection[p[i].election]; known && !reflect.DeepEqual(other, value) {
				return false
			}
			ofElection[p[i].election] = value
		}
	}
	for i, name := range s.Elections {
		value := ofElection[name]
		b.elections[i].add(value != nil, field, value)
	}
	for i, p := range b.processes {
		value, alike := sameIn(p, field)
		if !alike {
			continue
		}
		overrides := slices.ContainsFunc(p, func(e ballotEntry) bool { return ofElection[e.election] != nil })
		if value == nil && overrides {
			if value = usualValue(field); value == nil {
				return false
			}
		}
		b.own[i].add(value != nil, field, value)
	}
	return true
}

// sameIn returns what a candidate has for a field, and whether that is the same in all of its elections.
func sameIn(p []ballotEntry, field string) (value any, alike bool) {
	value = p[0].value(field)
	for i := range p {
		if !reflect.DeepEqual(value, p[i].value(field)) {
			return nil, false
		}
	}
	return value, true
}

// value returns what the entry has for a field, nil where that is as by default.
func (e *ballotEntry) value(field string) any {
	for _, m := range e.all {
		if m.name == field {
			return m.value
		}
	}
	return nil
}

// usualValue returns how a file says explicitly that a field is as by default; nil where it can say so only by leaving the field out.
func usualValue(field string) any {
	usual := builtinCandidate()
	switch field {
	case "profile":
		return usual.Profile.Name
	case "lock":
		return string(usual.Lock)
	case "leaseDuration":
		return durationText(usual.LeaseDuration)
	case "renewDeadline":
		return durationText(usual.RenewDeadline)
	case "retryPeriod":
		return durationText(usual.RetryPeriod)
	case "releaseOnCancel":
		return literal("false")
	case "requestTimeout", "drain", "writeEvery", "precision":
		return durationText(0)
	}
	return nil
}
