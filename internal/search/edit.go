package search

import (
	"iter"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// edit is one change of the scenario for which it was made.
type edit func()

// roundJitter is the jitter of scenarios that need no particular one.
const roundJitter = 0.5

// numbersOf are a candidate's numbers, each with the value that it has where a file does not give it.
var numbersOf = []struct {
	at     func(*scenarios.Candidate) *int64
	unsaid int64
}{
	{func(c *scenarios.Candidate) *int64 { return (*int64)(&c.LeaseDuration) }, int64(15 * time.Second)},
	{func(c *scenarios.Candidate) *int64 { return (*int64)(&c.RenewDeadline) }, int64(10 * time.Second)},
	{func(c *scenarios.Candidate) *int64 { return (*int64)(&c.RetryPeriod) }, int64(2 * time.Second)},
	{func(c *scenarios.Candidate) *int64 { return (*int64)(&c.RequestTimeout) }, 0},
	{func(c *scenarios.Candidate) *int64 { return (*int64)(&c.Drain) }, 0},
	{func(c *scenarios.Candidate) *int64 { return (*int64)(&c.ReturnsAfter) }, 0},
	{func(c *scenarios.Candidate) *int64 { return (*int64)(&c.WriteEvery) }, 0},
	{func(c *scenarios.Candidate) *int64 { return (*int64)(&c.StartAt) }, 0},
	{func(c *scenarios.Candidate) *int64 { return (*int64)(&c.Clock.Offset) }, 0},
	{func(c *scenarios.Candidate) *int64 { return &c.Clock.DriftPPM }, 0},
}

// plainer returns edits of a scenario that each remove a setting, or make one plainer.
func plainer(s *scenarios.Scenario) []edit {
	edits := plainCandidates(s.Candidates)
	for i := range s.Candidates {
		edits = append(edits, plainCandidates(s.Candidates[i:i+1])...)
	}
	for process := range processes(s) {
		edits = append(edits, plainCandidates(process)...)
	}
	plain := func(d *plan.Delay) {
		edits = append(edits, func() { *d = plan.Delay{Min: time.Millisecond, Max: time.Millisecond} },
			func() { d.Max = d.Min }, func() { d.Min = d.Max })
	}
	plain(&s.Network.Request)
	plain(&s.Network.Response)
	for i := range s.Faults {
		edits = append(edits, plainFault(&s.Faults[i])...)
	}
	if s.Service != (scenarios.Clock{}) {
		edits = append(edits, func() { s.Service.Offset = 0 }, func() { s.Service.DriftPPM = 0 })
	}
	return edits
}

// plainCandidates returns the edits that each set one setting of all these candidates to its default.
func plainCandidates(some []scenarios.Candidate) []edit {
	each := func(change func(*scenarios.Candidate)) edit {
		return func() {
			for i := range some {
				change(&some[i])
			}
		}
	}
	jitter := roundJitter
	edits := []edit{
		each(func(c *scenarios.Candidate) {
			c.Timings = machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
				RetryPeriod: 2 * time.Second}
		}),
		each(func(c *scenarios.Candidate) { c.ReleaseOnCancel = false }),
		each(func(c *scenarios.Candidate) { c.Identity = "" }),
		each(func(c *scenarios.Candidate) { c.Clock = scenarios.Clock{} }),
		each(func(c *scenarios.Candidate) { c.OnLoss = "" }),
		each(func(c *scenarios.Candidate) { c.LivenessProbe = nil }),
		each(func(c *scenarios.Candidate) { c.Rejoin, c.SameElector = nil, false }),
		each(func(c *scenarios.Candidate) { c.SameElector = false }),
		each(func(c *scenarios.Candidate) { c.Jitter = &jitter }),
	}
	for _, change := range plainClient(some) {
		edits = append(edits, each(change))
	}
	for _, f := range numbersOf {
		edits = append(edits, each(func(c *scenarios.Candidate) { *f.at(c) = f.unsaid }))
	}
	return edits
}

// plainClient returns changes that each make a candidate's client plainer: none, without limits, without retries, or without an
// entry of its other traffic. It returns as many as the client with the most traffic has a use for.
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
	with(func(l *plan.Client) { l.Retries = false })
	with(func(l *plan.Client) { l.Dial = 0 })
	with(func(l *plan.Client) { l.HTTP1 = false })
	for i := range most {
		with(func(l *plan.Client) {
			if i < len(l.Other) {
				l.Other = slices.Delete(l.Other, i, i+1)
			}
		})
	}
	return changes
}

// plainFault returns edits that each make a fault plainer: without one of its fields or of its names, or with a fixed
// delay.
func plainFault(f *scenarios.Fault) []edit {
	var edits []edit
	for _, field := range plan.FaultFields() {
		if !field.Always && field.Set(f) {
			edits = append(edits, func() { field.Clear(f) })
		}
	}
	if f.Seats > 0 { // without seats the other fields about them are refused
		edits = append(edits, func() { f.Seats, f.Takes, f.Queue, f.Every = 0, 0, 0, 0 })
	}
	for i := range f.On {
		edits = append(edits, func() { f.On = slices.Delete(f.On, i, i+1) })
	}
	for _, d := range delays(f) {
		if *d != nil {
			lo, hi := plan.Delay{Min: (*d).Min, Max: (*d).Min}, plan.Delay{Min: (*d).Max, Max: (*d).Max}
			edits = append(edits, func() { *d = &lo }, func() { *d = &hi })
		}
	}
	return edits
}

// delays returns pointers to all fields of a fault that hold delays; a field that is not set is nil.
func delays(f *scenarios.Fault) (all []**plan.Delay) {
	for _, field := range plan.FaultFields() {
		if d, ok := field.In(f).(**plan.Delay); ok {
			all = append(all, d)
		}
	}
	return all
}

// rounder returns edits of a scenario that each give numbers fewer digits.
func rounder(s *scenarios.Scenario) []edit {
	var edits []edit
	round := func(n *int64) {
		for _, r := range rounded(*n) {
			edits = append(edits, func() { *n = r })
		}
	}
	durations := func(d **time.Duration) {
		if *d == nil {
			return
		}
		for _, r := range rounded(int64(**d)) {
			x := time.Duration(r)
			edits = append(edits, func() { *d = &x })
		}
	}
	together := func(some []scenarios.Candidate) {
		for _, f := range numbersOf {
			for _, r := range rounded(*f.at(&some[0])) {
				edits = append(edits, func() {
					for i := range some {
						*f.at(&some[i]) = r
					}
				})
			}
		}
	}
	round((*int64)(&s.Horizon))
	for _, d := range []*plan.Delay{&s.Network.Request, &s.Network.Response} {
		round((*int64)(&d.Min))
		round((*int64)(&d.Max))
	}
	for i := range s.Candidates {
		together(s.Candidates[i : i+1])
		durations(&s.Candidates[i].Rejoin)
	}
	// Candidates that are alike stay alike, and so do the entries of a process.
	together(s.Candidates)
	for process := range processes(s) {
		together(process)
	}
	round((*int64)(&s.Service.Offset))
	round(&s.Service.DriftPPM)
	for i := range s.Faults {
		f := &s.Faults[i]
		round((*int64)(&f.At))
		round((*int64)(&f.Jump))
		durations(&f.Until)
		for _, d := range delays(f) {
			if *d == nil {
				continue
			}
			for _, r := range rounded(int64((*d).Max)) {
				x := plan.Delay{Min: min((*d).Min, time.Duration(r)), Max: time.Duration(r)}
				if (*d).Min == (*d).Max {
					x.Min = x.Max
				}
				edits = append(edits, func() { *d = &x })
			}
		}
	}
	return edits
}

// rounded returns the numbers near n with fewer digits, the roundest first.
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
func processes(s *scenarios.Scenario) iter.Seq[[]scenarios.Candidate] {
	return func(yield func([]scenarios.Candidate) bool) {
		for i, n := 0, 0; i < len(s.Candidates); i += n {
			if n = entries(s, i); n > 1 && !yield(s.Candidates[i:i+n]) {
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
