package electiontest

import (
	"cmp"
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
}

// judge makes of the events what a simulated run makes of its own.
func (w *world) judge() *outcome {
	slices.SortStableFunc(w.events, func(a, b trace.Event) int { return cmp.Compare(a.At, b.At) })
	s := *w.scenario
	s.Expect = maps.Clone(s.Expect)
	o := &outcome{given: w.scenario, scenario: &s, header: s.Header(), events: w.events, blind: w.blind()}
	suite := check.NewSuite(o.header)
	h := history{header: o.header, open: map[[3]int32]int{}}
	for i := range o.events {
		e := &o.events[i]
		e.Seq = uint64(i + 1)
		if suite.Wants(e.Kind) {
			suite.Observe(e)
		}
		h.observe(e)
	}
	r := &scenarios.Result{
		Scenario: s.Name, Seed: s.Seed, TraceHash: hashOf(o.events),
		Stats: scenarios.Stats{Events: uint64(len(o.events)), StoreOps: w.storeOps, VirtualNs: int64(s.Horizon)},
		Terms: h.terms, Writes: h.writes, Properties: suite.Properties(int64(s.Horizon)),
	}
	for _, i := range h.void {
		r.Void = append(r.Void, scenarios.VoidFault{AtNs: int64(s.Faults[i].At), Fault: i, Kind: string(s.Faults[i].Kind)})
	}
	if resource := suite.Resource(); resource.Writes > 0 {
		r.Resource = &resource
	}
	o.result = r
	o.unseen(check.SingleBelief, w.observed)
	o.unseen(check.FencedWrites, w.wrote)
	r.AsExpected = o.blind == "" && !slices.ContainsFunc(r.Properties, func(p check.Property) bool { return !s.Fulfils(&p) })
	o.explain()
	return o
}

// hashOf is the same whatever order goroutines ran in at one instant.
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

// blind says why the verdicts would mean nothing.
func (w *world) blind() string {
	lock := w.options.lock()
	switch {
	case w.stuck != "":
		return w.stuck
	case !w.asked:
		return "nobody asked for the Lease " + lock.String() + ": want the code to lock that one (Candidate.LockKey), or " +
			"Options.Lock to name another, and its requests to go through Candidate.RESTConfig"
	case w.led && !w.guarded:
		return "somebody led, and no work was guarded: want Guard around the work, with a context that derives from the " +
			"candidate's, or the callbacks of Candidate.Config"
	}
	return ""
}

// unseen takes the verdict of a property back where nobody could see whether it held.
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

// history gathers terms, writes, and the faults that found nobody.
type history struct {
	header *trace.Header
	terms  []scenarios.Term
	writes []scenarios.Write
	void   []int
	open   map[[3]int32]int
}

func (h *history) observe(e *trace.Event) {
	key := [3]int32{e.Candidate, e.Incarnation, e.Term}
	switch e.Kind {
	case trace.FaultVoid:
		h.void = append(h.void, int(e.Fault))
	case trace.Written:
		h.writes = append(h.writes, scenarios.Write{
			AtNs: e.At, Candidate: h.header.Candidates[e.Candidate].ID, Verb: e.Verb.String(), Holder: e.Holder,
			Version: e.Version, Transitions: e.Transitions,
		})
	case trace.WorkStarted:
		h.open[key] = len(h.terms)
		h.terms = append(h.terms, scenarios.Term{
			Candidate: h.header.Candidates[e.Candidate].ID, Incarnation: e.Incarnation, StartedNs: e.At,
		})
	case trace.WorkCancelled, trace.WorkEnded, trace.Stopped:
		i, ok := h.open[key]
		if !ok {
			return
		}
		switch t := &h.terms[i]; e.Kind {
		case trace.WorkCancelled:
			t.CancelledNs = &e.At
		case trace.WorkEnded:
			t.EndedNs = &e.At
		default:
			t.StoppedNs = &e.At
		}
	}
}
