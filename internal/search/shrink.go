// Package search looks for scenarios that violate a property, and makes those that it finds small.
package search

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/internal/check"
	"interregnum/scenarios"
)

// Shrunk is the result of Shrink.
type Shrunk struct {
	// Scenario is the smallest scenario that was found. It expects the verdicts that it shows.
	Scenario *scenarios.Scenario
	// Runs is how many scenarios were tried.
	Runs int
}

// Shrink makes a scenario that violates a property smaller: fewer elections, candidates and faults, then fewer
// settings, then rounder numbers. The result violates the same property, and is minimal: no single further step keeps
// the violation. It is an error where the scenario does not violate the property, or cannot be run.
func Shrink(s *scenarios.Scenario, property string) (*Shrunk, error) {
	return ShrinkRun(s, property, simulated)
}

// ShrinkRun makes a scenario that violates a property smaller, as Shrink does, but runs scenarios with the function run. It is an
// error where the scenario does not violate the property, or where run returns one for it.
func ShrinkRun(
	s *scenarios.Scenario, property string, run func(*scenarios.Scenario) (*scenarios.Result, error),
) (*Shrunk, error) {
	violates := func(r *scenarios.Result) bool { return slices.Contains(violated(r.Properties), property) }
	return (&shrinker{properties: []string{property}, run: run, keeps: violates}).shrink(s)
}

// simulated runs a scenario in the simulated world, and keeps only what shrinking needs.
func simulated(s *scenarios.Scenario) (*scenarios.Result, error) {
	return scenarios.Run(s, scenarios.Options{Brief: true})
}

// Shrink makes a scenario smaller that violates these properties, and no others whose violation is a failure (see Asks). The
// result violates just the same ones. It is an error if the scenario does not, or cannot be run. properties must be in the order
// of check.Names.
func (t *Target) Shrink(s *scenarios.Scenario, properties []string) (*Shrunk, error) {
	violates := func(r *scenarios.Result) bool { return slices.Equal(t.broken(nil, r.Properties), properties) }
	return (&shrinker{properties: properties, run: simulated, keeps: violates}).shrink(s)
}

// ShrinkWhile makes a scenario smaller as long as keeps returns true for its result. run runs each scenario that is tried. It is
// an error where keeps returns false for the scenario itself, or where run returns one for it.
func ShrinkWhile(
	s *scenarios.Scenario, run func(*scenarios.Scenario) (*scenarios.Result, error), keeps func(*scenarios.Result) bool,
) (*Shrunk, error) {
	return (&shrinker{run: run, keeps: keeps}).shrink(s)
}

// shrink makes the scenario smaller. It is an error where k.keeps returns false for the scenario itself, or where that cannot
// be run.
func (k *shrinker) shrink(s *scenarios.Scenario) (*Shrunk, error) {
	not, shows := "it is not what is to be kept", "what was to be kept"
	if named := strings.Join(k.properties, ", "); named != "" {
		not, shows = named+" is not violated", "a violation of "+named
	}
	holds, err := k.violates(s)
	if err != nil {
		return nil, err
	}
	if !holds {
		return nil, fmt.Errorf("%s: %s: there is nothing to shrink", s.Name, not)
	}
	k.best, k.size = clone(s), measure(s)
	for k.sweep() {
	}
	k.best.About = fmt.Sprintf("What is left of %s, with %s.", s.Name, shows)
	if err := k.expectWhatHappens(); err != nil {
		return nil, err
	}
	return &Shrunk{Scenario: k.best, Runs: k.runs}, nil
}

// shrinker holds the smallest scenario so far.
type shrinker struct {
	// properties are violated, none if that is not what is looked for; keeps tells whether a result is as it should be.
	properties []string
	run        func(*scenarios.Scenario) (*scenarios.Result, error)
	keeps      func(*scenarios.Result) bool
	best       *scenarios.Scenario
	size       size
	runs       int
}

// Violated runs a scenario and returns the properties that it violates.
func Violated(s *scenarios.Scenario) ([]string, error) {
	result, err := simulated(s)
	if err != nil {
		return nil, err
	}
	return violated(result.Properties), nil
}

// violates runs a scenario, counts the run, and returns true if it still has the violation that is looked for.
func (k *shrinker) violates(s *scenarios.Scenario) (bool, error) {
	k.runs++
	result, err := k.run(s)
	return err == nil && k.keeps(result), err
}

// try makes a scenario k.best if it is smaller than that and still has the violation, and tells whether it did. It
// does not keep a scenario that cannot be run, or one of several elections that no file can express.
func (k *shrinker) try(s *scenarios.Scenario) bool {
	m := measure(s)
	if m.compare(k.size) >= 0 {
		return false
	}
	if violates, err := k.violates(s); err != nil || !violates {
		return false
	}
	if _, err := s.MarshalJSON(); len(s.Elections) > 0 && err != nil {
		return false // no file can say what differs by candidate and by election
	}
	k.best, k.size = s, m
	return true
}

// sweep tries, once each, all kinds of step that can make k.best smaller. It tells whether one or more made it smaller.
func (k *shrinker) sweep() bool {
	before := k.size
	k.withoutElections()
	k.withoutFaults()
	k.withoutCandidates()
	k.shorter()
	k.edit(plainer)
	k.edit(rounder)
	return k.size.compare(before) < 0
}

// withoutFaults tries to remove faults from k.best: all at once, then half of them, then a quarter, and in the end
// single ones.
func (k *shrinker) withoutFaults() {
	for n := len(k.best.Faults); n > 0; n /= 2 {
		for i := 0; i < len(k.best.Faults); {
			s := clone(k.best)
			s.Faults = append(s.Faults[:i], s.Faults[min(i+n, len(s.Faults)):]...)
			if !k.try(s) {
				i += n
			}
		}
	}
}

// withoutCandidates tries to remove from k.best each candidate by itself, with all its entries and with the faults that were
// on it alone. It never removes the last one.
func (k *shrinker) withoutCandidates() {
	for i := 0; i < len(k.best.Candidates) && len(k.best.Candidates) > 1; {
		s := clone(k.best)
		id, n := s.Candidates[i].ID, entries(s, i)
		s.Candidates = slices.Delete(s.Candidates, i, i+n)
		without(s, id)
		if !k.try(s) {
			i += n
		}
	}
}

// withoutElections tries to remove each election from k.best, with the faults that were about it alone and the
// processes that took part in no other. The last one that is left has no name.
func (k *shrinker) withoutElections() {
	for i := 0; i < len(k.best.Elections); {
		s := clone(k.best)
		if len(s.Elections) > 1 {
			withoutElection(s, i)
		}
		if len(s.Elections) == 1 {
			unnamed(s)
		}
		if !k.try(s) {
			i++
		}
	}
}

// edit tries the edits of k.best, one by one. Where a result is kept, it becomes k.best, and edit goes on with the edits of
// that, from the same index on.
func (k *shrinker) edit(edits func(*scenarios.Scenario) []edit) {
	all := edits(k.best)
	for i := 0; i < len(all); {
		s := clone(k.best)
		all[i](s)
		if k.try(s) {
			all = edits(s)
		} else {
			i++
		}
	}
}

// expectWhatHappens runs k.best and makes it expect the verdicts that it shows, except held ones. The properties that are
// judged only on request, and that k.best has named in Expect, are judged here too.
func (k *shrinker) expectWhatHappens() error {
	s := k.best
	s.Expect = check.KeepAsked(s.Expect, scenarios.ExpectAny)
	result, err := k.run(s)
	if err != nil {
		return err
	}
	s.Expect = map[string]scenarios.Expectation{}
	for _, p := range result.Properties {
		if p.Verdict != check.Held {
			s.Expect[p.Name] = scenarios.Expectation(p.Verdict)
		}
	}
	return nil
}

// clone copies a scenario as deeply as edits change it. What pointers point to is shared, since edits replace it and
// never change it.
func clone(s *scenarios.Scenario) *scenarios.Scenario {
	c := *s
	c.Candidates = append([]scenarios.Candidate(nil), s.Candidates...)
	c.Faults = append([]scenarios.Fault(nil), s.Faults...)
	for i := range c.Faults {
		c.Faults[i].On = append([]string(nil), c.Faults[i].On...)
	}
	return &c
}

// shorter tries to end k.best soon after the end of the first violation of the first of k.properties, at the roundest time that
// still shows it. It does nothing if no property is looked for, or if k.best cannot be run.
func (k *shrinker) shorter() {
	if k.properties == nil {
		return
	}
	result, err := k.run(k.best)
	if err != nil {
		return
	}
	for i := range result.Properties {
		p := &result.Properties[i]
		if p.Name != k.properties[0] || p.Verdict != check.Violated || len(p.Violations) == 0 {
			continue
		}
		end := time.Duration(p.Violations[0].ToNs)
		for _, unit := range []time.Duration{time.Minute, 10 * time.Second, time.Second, time.Millisecond, 1} {
			s := clone(k.best)
			s.Horizon = end.Truncate(unit) + unit
			if s.Horizon < k.best.Horizon && k.try(s) {
				return
			}
		}
	}
}
