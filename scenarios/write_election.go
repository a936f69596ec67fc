package scenarios

import (
	"reflect"
	"slices"

	"interregnum/plan"
)

// A plan has an entry for each candidate in each of its elections. A file has one for each candidate and one for each
// election, and a field of the candidate replaces that of the election. So a field that has the same value in all elections
// of a candidate is written for the candidate, and every other field for the elections.

// electionsForm is how a file gives the candidates of several elections.
type electionsForm struct {
	// elections and candidates are the fields to write for each.
	elections, candidates []members
	// seats are the plan's entries of each candidate.
	seats []seats
}

// seat is a candidate in one election, with all its fields that differ from the default.
type seat struct {
	election string
	client   *plan.Client
	all      members
}

// seats are all seats of one candidate, in the order of its elections.
type seats []seat

// electionMembers appends to m the fields elections and candidates of a scenario with several elections.
func (m *members) electionMembers(s *Scenario) {
	form, _ := s.electionsForm()
	m.add(true, "elections", entries(slices.Values(form.elections)))
	m.add(true, "candidates", entries(slices.Values(form.candidates)))
}

// unwritable returns why no file can describe the scenario's candidates, or "" if one can.
func (s *Scenario) unwritable() string {
	if len(s.Elections) == 0 {
		return ""
	}
	_, problem := s.electionsForm()
	return problem
}

// electionsForm divides the candidates' fields between the elections and the candidates of a file. If that is not possible,
// problem says why, and form must not be used. Otherwise problem is "".
func (s *Scenario) electionsForm() (form electionsForm, problem string) {
	for i := range s.Candidates {
		if i == 0 || s.Candidates[i].ID != s.Candidates[i-1].ID {
			form.seats = append(form.seats, nil)
		}
		last := len(form.seats) - 1
		c := &s.Candidates[i]
		form.seats[last] = append(form.seats[last], seat{c.Election, c.Client, candidateMembers(c)})
	}
	for _, name := range s.Elections {
		form.elections = append(form.elections, members{{"name", name}})
	}
	for _, p := range form.seats {
		own := slices.DeleteFunc(slices.Clone(p[0].all), func(m member) bool { return slices.Contains(electionFields, m.name) })
		if len(p) < len(s.Elections) {
			var names []string
			for i := range p {
				names = append(names, p[i].election)
			}
			own = append(own, member{"elections", names})
		}
		form.candidates = append(form.candidates, own)
	}
	for _, field := range electionFields[1:] {
		if !form.place(s, field) && !(field == "client" && form.placeClients(s)) {
			problem = "what candidates have for " + field + " differs both by candidate and by election, which no file can say"
		}
	}
	return form, problem
}

// place adds a field to the entries of elections or of candidates, in form. It returns false if no file can give all of them
// their values of that field; what form has then must not be written, except for the field client, for which place has added
// nothing.
func (form *electionsForm) place(s *Scenario, field string) bool {
	ofElection := map[string]any{}
	for _, p := range form.seats {
		if _, alike := sameValue(p, field); alike {
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
		form.elections[i].add(value != nil, field, value)
	}
	for i, p := range form.seats {
		value, alike := sameValue(p, field)
		if !alike {
			continue
		}
		overrides := slices.ContainsFunc(p, func(e seat) bool { return ofElection[e.election] != nil })
		if value == nil && overrides {
			if value = valueOf(placeOf(plan.CandidateFields(), field, &usualCandidate)); value == nil {
				return false
			}
		}
		form.candidates[i].add(value != nil, field, value)
	}
	return true
}

// sameValue returns the value that a field has in all seats, which are those of one candidate, and true; nil and false if
// they differ.
func sameValue(seats []seat, field string) (value any, same bool) {
	value = seats[0].value(field)
	for i := range seats {
		if !reflect.DeepEqual(value, seats[i].value(field)) {
			return nil, false
		}
	}
	return value, true
}

// value returns the value of a field, nil if it is the default.
func (e *seat) value(field string) any {
	for _, m := range e.all {
		if m.name == field {
			return m.value
		}
	}
	return nil
}
