package search

import (
	"iter"
	"slices"
	"time"

	"interregnum/plan"
	"interregnum/scenarios"
)

// edit is one change of the scenario for which it was made, or of a copy of it.
type edit func(*scenarios.Scenario)

// stretch is some of a scenario's candidates that follow each other: from the first on, and before the last.
type stretch struct{ first, last int }

// everyone returns the stretch of all candidates of the scenario.
func everyone(s *scenarios.Scenario) stretch { return stretch{0, len(s.Candidates)} }

// of returns the candidates of s that the stretch x names. They are those of s, and no copies.
func (x stretch) of(s *scenarios.Scenario) []scenarios.Candidate { return s.Candidates[x.first:x.last] }

// each returns the edit that applies change to each candidate of the stretch.
func (x stretch) each(change func(*scenarios.Candidate)) edit {
	return func(s *scenarios.Scenario) {
		some := x.of(s)
		for i := range some {
			change(&some[i])
		}
	}
}

// networkDelays are where a scenario has the delays of its network.
var networkDelays = []func(*scenarios.Scenario) *plan.Delay{
	func(s *scenarios.Scenario) *plan.Delay { return &s.Network.Request },
	func(s *scenarios.Scenario) *plan.Delay { return &s.Network.Response },
}

// roundJitter is the jitter of scenarios that need no particular one.
const roundJitter = 0.5

// numbersOf are where a candidate has its numbers.
var numbersOf = candidateNumbers()

// candidateNumbers returns functions that each return where a candidate has one of its numbers: a duration that it always has, or a
// part of its clock.
func candidateNumbers() (all []func(*scenarios.Candidate) *int64) {
	for _, field := range plan.CandidateFields() {
		switch field.In(&usualCandidate).(type) {
		case *time.Duration:
			all = append(all, func(c *scenarios.Candidate) *int64 { return (*int64)(field.In(c).(*time.Duration)) })
		case *plan.Clock:
			all = append(all, func(c *scenarios.Candidate) *int64 { return (*int64)(&c.Clock.Offset) },
				func(c *scenarios.Candidate) *int64 { return &c.Clock.DriftPPM })
		}
	}
	return all
}

// plainer returns edits of a scenario that each remove a setting, or make one plainer.
func plainer(s *scenarios.Scenario) []edit {
	edits := plainCandidates(s, everyone(s))
	for i := range s.Candidates {
		edits = append(edits, plainCandidates(s, stretch{i, i + 1})...)
	}
	for process := range processes(s) {
		edits = append(edits, plainCandidates(s, process)...)
	}
	for _, d := range networkDelays {
		edits = append(edits, func(s *scenarios.Scenario) { *d(s) = plan.Delay{Min: time.Millisecond, Max: time.Millisecond} },
			func(s *scenarios.Scenario) { d(s).Max = d(s).Min }, func(s *scenarios.Scenario) { d(s).Min = d(s).Max })
	}
	for i := range s.Faults {
		for _, change := range plainFault(&s.Faults[i]) {
			edits = append(edits, func(s *scenarios.Scenario) { change(&s.Faults[i]) })
		}
	}
	if s.Service != (scenarios.Clock{}) {
		edits = append(edits, func(s *scenarios.Scenario) { s.Service.Offset = 0 }, func(s *scenarios.Scenario) { s.Service.DriftPPM = 0 })
	}
	return edits
}

// plainCandidates returns the edits that each set one setting of all candidates of the stretch x to its default.
func plainCandidates(s *scenarios.Scenario, x stretch) []edit {
	jitter := roundJitter
	changes := []func(*scenarios.Candidate){
		func(c *scenarios.Candidate) { c.Timings = usualCandidate.Timings },
		func(c *scenarios.Candidate) { c.ReleaseOnCancel = false },
		func(c *scenarios.Candidate) { c.Identity = "" },
		func(c *scenarios.Candidate) { c.Clock = scenarios.Clock{} },
		func(c *scenarios.Candidate) { c.OnLoss = "" },
		func(c *scenarios.Candidate) { c.LivenessProbe = nil },
		func(c *scenarios.Candidate) { c.Rejoin, c.SameElector = nil, false },
		func(c *scenarios.Candidate) { c.SameElector = false },
		func(c *scenarios.Candidate) { c.Jitter = &jitter },
	}
	changes = append(changes, plainClient(x.of(s))...)
	for _, number := range numbersOf {
		changes = append(changes, func(c *scenarios.Candidate) { *number(c) = *number(&usualCandidate) })
	}
	var edits []edit
	for _, change := range changes {
		edits = append(edits, x.each(change))
	}
	return edits
}

// plainClient returns changes that each make a candidate's client plainer: no client; a client without limits; a client without one of
// its other fields, such as retries; or a client without one entry of its other traffic. Among these
// candidates, the client with the most other traffic says how many changes of the last sort there are. It returns nil if none
// of them has a client.
func plainClient(some []scenarios.Candidate) (changes []func(*scenarios.Candidate)) {
	with := func(change func(*plan.Client)) {
		changes = append(changes, func(c *scenarios.Candidate) {
			if c.Client != nil {
				c.Client = c.Client.Clone()
				change(c.Client)
			}
		})
	}
	most := -1
	for i := range some {
		if c := some[i].Client; c != nil {
			most = max(most, len(c.Other))
		}
	}
	if most < 0 {
		return nil
	}
	changes = append(changes, func(c *scenarios.Candidate) { c.Client = nil })
	with(func(l *plan.Client) { l.QPS, l.Burst, l.Other = 0, 0, nil })
	for _, field := range plan.ClientFields() {
		if !slices.Contains([]string{"kind", "qps", "burst", "other"}, field.Name) {
			with(field.Clear)
		}
	}
	for i := range most {
		with(func(l *plan.Client) {
			if i < len(l.Other) {
				l.Other = slices.Delete(l.Other, i, i+1)
			}
		})
	}
	return changes
}

// plainFault returns changes that each make a fault plainer: without one of its fields or of its names, or with a fixed
// delay.
func plainFault(f *scenarios.Fault) (changes []func(*scenarios.Fault)) {
	for _, field := range plan.FaultFields() {
		if !field.Always && field.Set(f) {
			changes = append(changes, field.Clear)
		}
	}
	if f.Seats > 0 { // without seats the other fields about them are refused
		changes = append(changes, func(f *scenarios.Fault) { f.Seats, f.Takes, f.Queue, f.Every = 0, 0, 0, 0 })
	}
	for i := range f.On {
		changes = append(changes, func(f *scenarios.Fault) { f.On = slices.Delete(f.On, i, i+1) })
	}
	for _, field := range delays(f) {
		d := **delayIn(field, f)
		changes = append(changes, func(f *scenarios.Fault) { *delayIn(field, f) = &plan.Delay{Min: d.Min, Max: d.Min} },
			func(f *scenarios.Fault) { *delayIn(field, f) = &plan.Delay{Min: d.Max, Max: d.Max} })
	}
	return changes
}

// delays returns the fields of a fault that hold delays, and are set.
func delays(f *scenarios.Fault) (all []*plan.FaultField) {
	for _, field := range plan.FaultFields() {
		if d, ok := field.In(f).(**plan.Delay); ok && *d != nil {
			all = append(all, field)
		}
	}
	return all
}

// delayIn returns a pointer to the field of the fault f, which must be one that holds a delay.
func delayIn(field *plan.FaultField, f *scenarios.Fault) **plan.Delay {
	return field.In(f).(**plan.Delay)
}

// rounder returns edits of a scenario that each give numbers fewer digits.
func rounder(s *scenarios.Scenario) []edit {
	var edits []edit
	round := func(at func(*scenarios.Scenario) *int64) {
		for _, r := range rounded(*at(s)) {
			edits = append(edits, func(s *scenarios.Scenario) { *at(s) = r })
		}
	}
	durations := func(at func(*scenarios.Scenario) **time.Duration) {
		if *at(s) == nil {
			return
		}
		for _, r := range rounded(int64(**at(s))) {
			edits = append(edits, func(s *scenarios.Scenario) { *at(s) = new(time.Duration(r)) })
		}
	}
	round(func(s *scenarios.Scenario) *int64 { return (*int64)(&s.Horizon) })
	for _, d := range networkDelays {
		round(func(s *scenarios.Scenario) *int64 { return (*int64)(&d(s).Min) })
		for _, x := range roundedDelay(d(s)) {
			edits = append(edits, func(s *scenarios.Scenario) { *d(s) = x })
		}
	}
	for i := range s.Candidates {
		edits = append(edits, roundCandidates(s, stretch{i, i + 1})...)
		durations(func(s *scenarios.Scenario) **time.Duration { return &s.Candidates[i].Rejoin })
	}
	// Candidates that are alike stay alike, and so do the entries of a process.
	edits = append(edits, roundCandidates(s, everyone(s))...)
	for process := range processes(s) {
		edits = append(edits, roundCandidates(s, process)...)
	}
	round(func(s *scenarios.Scenario) *int64 { return (*int64)(&s.Service.Offset) })
	round(func(s *scenarios.Scenario) *int64 { return &s.Service.DriftPPM })
	for i := range s.Faults {
		round(func(s *scenarios.Scenario) *int64 { return (*int64)(&s.Faults[i].At) })
		round(func(s *scenarios.Scenario) *int64 { return (*int64)(&s.Faults[i].Jump) })
		durations(func(s *scenarios.Scenario) **time.Duration { return &s.Faults[i].Until })
		for _, field := range delays(&s.Faults[i]) {
			for _, x := range roundedDelay(*delayIn(field, &s.Faults[i])) {
				edits = append(edits, func(s *scenarios.Scenario) { *delayIn(field, &s.Faults[i]) = new(x) })
			}
		}
	}
	return edits
}

// roundCandidates returns edits that each set one number of all candidates of the stretch x to the same value. The values are
// those of the first candidate, with fewer digits.
func roundCandidates(s *scenarios.Scenario, x stretch) (edits []edit) {
	for _, number := range numbersOf {
		for _, r := range rounded(*number(&x.of(s)[0])) {
			edits = append(edits, x.each(func(c *scenarios.Candidate) { *number(c) = r }))
		}
	}
	return edits
}

// roundedDelay returns delays near d whose Max has fewer digits than that of d. A fixed delay stays fixed.
func roundedDelay(d *plan.Delay) (all []plan.Delay) {
	for _, r := range rounded(int64(d.Max)) {
		x := plan.Delay{Min: min(d.Min, time.Duration(r)), Max: time.Duration(r)}
		if d.Min == d.Max {
			x.Min = x.Max
		}
		all = append(all, x)
	}
	return all
}

// rounded returns the numbers near n with fewer digits, the roundest first. It is nil if there are none.
func rounded(n int64) []int64 {
	if n == 0 {
		return nil
	}
	var all []int64
	unit := int64(1)
	for unit <= max(n, -n)/10 {
		unit *= 10
	}
	for ; unit > 1; unit /= 10 {
		for _, r := range []int64{n / unit * unit, (n/unit + 1) * unit} {
			if r != n && !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}

// processes yields the candidates of each process that takes part in several elections.
func processes(s *scenarios.Scenario) iter.Seq[stretch] {
	return func(yield func(stretch) bool) {
		for i, n := 0, 0; i < len(s.Candidates); i += n {
			if n = entries(s, i); n > 1 && !yield(stretch{i, i + n}) {
				return
			}
		}
	}
}

// entries returns how many of the scenario's candidates, from the i-th on, belong to one process: one for each of its
// elections.
func entries(s *scenarios.Scenario, i int) int {
	n := 1
	for i+n < len(s.Candidates) && s.Candidates[i+n].ID == s.Candidates[i].ID {
		n++
	}
	return n
}
