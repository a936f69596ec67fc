package electiontest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// outcome is what became of a run.
type outcome struct {
	// given is the scenario, which scenario is but that it expects nothing of what nobody could see.
	given, scenario *scenarios.Scenario
	header          *trace.Header
	events          []trace.Event
	result          *scenarios.Result
	// blind says what made the run worthless, "" for nothing.
	blind string
	// remarks say more of what is not as expected.
	remarks []string
	// met are the faults that something has met.
	met []bool
	// stuck: the run was given up.
	stuck bool
	// left are goroutines that were left when the run was over, "" for none.
	left string
}

// judge makes of the events the outcome of the run, as a simulated run does of its own events: the properties, whether
// all is as expected, and how overlaps came about.
func (w *world) judge() *outcome {
	s := *w.scenario
	s.Expect = w.options.expectations(s.Expect)
	o := &outcome{given: w.scenario, scenario: &s, header: w.header, events: inOrder(w.events), blind: w.blind(), met: w.met}
	judge := scenarios.NewJudge(&s, false)
	sinks := judge.Sinks()
	for i := range o.events {
		e := &o.events[i]
		e.Seq = uint64(i + 1)
		for _, sink := range sinks {
			if selective, ok := sink.(trace.Selective); !ok || selective.Wants(e.Kind) {
				sink.Observe(e)
			}
		}
	}
	stats := scenarios.Stats{Events: uint64(len(o.events)), StoreOps: w.storeOps, VirtualNs: int64(s.Horizon)}
	o.result = judge.Result(stats, hashOf(o.events))
	o.unseen(check.SingleBelief, w.observed)
	o.unseen(check.FencedWrites, w.wrote)
	unfulfilled := func(p check.Property) bool { return !s.Fulfils(&p) }
	o.result.AsExpected = o.blind == "" && !slices.ContainsFunc(o.result.Properties, unfulfilled)
	o.explain()
	o.remarks = slices.DeleteFunc([]string{o.returned(w.outlived), w.refusals()}, func(s string) bool { return s == "" })
	return o
}

// expectations are those of the scenario. With Options.Only, of a property that does not count anything is expected,
// unless the scenario says what.
func (o *Options) expectations(given map[string]scenarios.Expectation) map[string]scenarios.Expectation {
	all := maps.Clone(given)
	if len(o.Only) == 0 {
		return all
	}
	if all == nil {
		all = map[string]scenarios.Expectation{}
	}
	for _, name := range check.Names() {
		if _, said := given[name]; !said && !slices.Contains(o.Only, name) {
			all[name] = scenarios.ExpectAny
		}
	}
	return all
}

// hashOf is a hash of the events that is the same whatever order goroutines ran in at one instant.
func hashOf(events []trace.Event) string {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b trace.Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Candidate, b.Candidate), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Term, b.Term), cmp.Compare(a.Holder, b.Holder))
	})
	hash := trace.NewHash()
	for i := range events {
		hash.Observe(&events[i])
	}
	return hash.Sum()
}

// blind says why the verdicts would mean nothing, as where nobody asked for the lock; "" where they mean something.
func (w *world) blind() string {
	unasked := slices.Index(w.asked, false)
	switch {
	case w.problem != "":
		return w.problem
	case unasked >= 0:
		return fmt.Sprintf("nobody asked for the lock %s: want the code to lock that one (Candidate.LockKey), or "+
			"Options.Lock to name another, and its requests to go through Candidate.RESTConfig; in a scenario of several "+
			"elections, one elector for each of Candidate.Elections", w.locks[unasked])
	case w.silent() != "":
		return w.silent()
	case w.free > 1 && !w.tried:
		return fmt.Sprintf("the lock %s was free, and nobody took it: want LeaderElectionConfig.Coordinated unset, for one; "+
			"there is no coordinator here", w.locks[0])
	case w.led && !w.guarded:
		return "somebody led, and no work was guarded: want Guard around the work, with a context that derives from the " +
			"candidate's, or the callbacks of Candidate.Config"
	}
	return ""
}

// unseen makes the verdict on a property inconclusive where it held, and nobody could have seen that it did not.
// Nothing is expected of it then.
func (o *outcome) unseen(property string, seen bool) {
	for i := range o.result.Properties {
		p := &o.result.Properties[i]
		if p.Name == property && p.Verdict == check.Held && !seen {
			p.Verdict = check.Inconclusive
			if o.scenario.Expect == nil {
				o.scenario.Expect = map[string]scenarios.Expectation{}
			}
			o.scenario.Expect[property] = scenarios.ExpectAny
		}
	}
}
