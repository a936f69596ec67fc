// Package outcome judges what a run of the code under test has left.
package outcome

import (
	"maps"
	"slices"

	"interregnum/electiontest/internal/order"
	"interregnum/electiontest/internal/world"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Outcome is a run and the verdict on it.
type Outcome struct {
	// Given is the scenario that was run. Scenario is the same but for Expect: it expects nothing of what does not count, nor of
	// what nobody could see.
	Given, Scenario *scenarios.Scenario
	Result          *scenarios.Result
	*world.Evidence
	// Remarks say more of what is not as expected.
	Remarks []string
	// Idle says why liveness is inconclusive of a candidate that leads and does nothing, "" where it is not so.
	Idle string
	// intrusion is the first work that began while the lock was another's, nil if there is none.
	intrusion *intrusion
}

// Of judges a run as a simulated run is judged, and returns the outcome: the verdicts on the properties, whether all is as
// expected, and how overlaps came about. Only properties count that are named in only, or of which the scenario itself expects
// something. If only is empty, all properties count.
func Of(given *scenarios.Scenario, only []string, left *world.Evidence) *Outcome {
	s := *given
	s.Expect = expectations(s.Expect, only)
	o := &Outcome{Given: given, Scenario: &s, Evidence: left}
	o.Result = o.judge()
	o.intrude()
	o.idle()
	if !left.Observed {
		o.unseen(check.SingleBelief)
	}
	if !left.Wrote {
		o.unseen(check.FencedWrites)
	}
	unfulfilled := func(p check.Property) bool { return !s.Fulfils(&p) }
	o.Result.AsExpected = o.Blind == "" && !slices.ContainsFunc(o.Result.Properties, unfulfilled)
	o.explain()
	o.ShowsNothing(o.Blind)
	o.Remarks = slices.DeleteFunc([]string{o.returned(left.Outlived), left.Forgotten, left.Unserved, o.waits(), o.intruded(), o.window()}, func(s string) bool { return s == "" })
	return o
}

// judge gives the events their numbers (Seq), shows them to the properties, and returns the result.
func (o *Outcome) judge() *scenarios.Result {
	judge := scenarios.NewJudge(o.Scenario, false)
	sinks := judge.Sinks()
	for i := range o.Events {
		e := &o.Events[i]
		e.Seq = uint64(i + 1)
		for _, sink := range sinks {
			if trace.KindsWanted(sink).Has(e.Kind) {
				sink.Observe(e)
			}
		}
	}
	stats := scenarios.Stats{Events: uint64(len(o.Events)), StoreOps: o.StoreOps, VirtualNs: int64(o.Scenario.Horizon)}
	return judge.Result(stats, order.Hash(o.Events))
}

// expectations returns given, and adds ExpectAny for each property that is neither in given nor in only. If only is empty it
// adds nothing. The map is a copy.
func expectations(given map[string]scenarios.Expectation, only []string) map[string]scenarios.Expectation {
	all := maps.Clone(given)
	if len(only) == 0 {
		return all
	}
	if all == nil {
		all = map[string]scenarios.Expectation{}
	}
	for _, name := range check.Names() {
		if _, said := given[name]; !said && !slices.Contains(only, name) {
			all[name] = scenarios.ExpectAny
		}
	}
	return all
}

// unseen makes the verdict on a property inconclusive if it is held: the code did not call what would show a violation. Other
// verdicts stay.
func (o *Outcome) unseen(property string) {
	if p := check.Named(o.Result.Properties, property); p != nil && p.Verdict == check.Held {
		o.untold(p)
	}
}

// untold makes the verdict on p inconclusive. The scenario then expects nothing of it, unless the given scenario says that it
// should hold.
func (o *Outcome) untold(p *check.Property) {
	p.Verdict = check.Inconclusive
	if o.Given.Expect[p.Name] == scenarios.ExpectHeld {
		return
	}
	if o.Scenario.Expect == nil {
		o.Scenario.Expect = map[string]scenarios.Expectation{}
	}
	o.Scenario.Expect[p.Name], o.Result.Expect[p.Name] = scenarios.ExpectAny, scenarios.ExpectAny
}
