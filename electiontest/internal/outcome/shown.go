package outcome

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/electiontest/internal/world"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Unshown returns why the run does not show what its scenario, or a property named in only, is for, such as a fault that met
// nobody; "" if it shows all. It is not for random scenarios, which often miss something.
func (o *Outcome) Unshown(only []string) string {
	faults := o.Scenario.Faults
	if len(o.Result.Void) > 0 {
		v := o.Result.Void[0]
		return fmt.Sprintf("faults[%d] (%s, at %v) found nobody, so that the run shows nothing of it: want it at a time, and on a "+
			"candidate, for which there is something to do%s", v.Fault, v.Kind, time.Duration(v.AtNs), o.ended(v.AtNs))
	}
	if len(faults) > 0 && !o.Met {
		return fmt.Sprintf("none of the scenario's %d faults met anything: no request was sent or answered while one was in force. "+
			"Want them where and when the candidates ask", len(faults))
	}
	if len(o.Result.Terms) == 0 && o.Scenario.Expect[check.Liveness] != scenarios.ExpectViolated {
		return "no work was guarded by anybody, so that single-work held of nothing: want a leader, and Guard around its work; or " +
			"liveness: violated among what the scenario expects"
	}
	if len(o.Result.Terms) > 0 && !o.Worked() {
		return "all guarded work was over at the instant at which it had begun, so that none could have overlapped: want Guard " +
			"around the work in goroutines that OnStartedLeading begins, or an OnStartedLeading that waits for them"
	}
	if why := o.oneSided(); why != "" {
		return why
	}
	if why := o.cutShort(); why != "" {
		return why
	}
	for _, name := range only {
		if p := check.Named(o.Result.Properties, name); p != nil && p.Verdict == check.Inconclusive && o.Given.Expect[name] == "" {
			return fmt.Sprintf("Options.Only names %s, and %s", name, o.undecided(name))
		}
	}
	return ""
}

// undecided returns why there is no verdict on a property; never "".
func (o *Outcome) undecided(property string) string {
	switch {
	case property == check.Liveness && o.Idle != "":
		return o.Idle
	case property == check.FencedWrites:
		return "nobody could have seen a violation of it: want calls of Wrote"
	case property == check.SingleBelief:
		return "nobody could have seen a violation of it: want a call of Observe in each candidate before it asks for the lock"
	}
	return "the run ends too early for a verdict: want faults that end, and a later horizon"
}

// ShowsNothing marks the run as one that shows nothing, for the reason because, which it stores in o.Blind, so that the test fails;
// with "" it does nothing. Properties that held become inconclusive. Violated ones stay violated, except liveness, which becomes
// inconclusive, without violations: perhaps somebody led and it could not be seen.
func (o *Outcome) ShowsNothing(because string) {
	if because == "" {
		return
	}
	o.Blind, o.Result.AsExpected = because, false
	for i := range o.Result.Properties {
		p := &o.Result.Properties[i]
		if p.Name == check.Liveness {
			p.Violations = nil
		}
		if p.Verdict == check.Held || p.Name == check.Liveness {
			p.Verdict = check.Inconclusive
		}
	}
}

// Worked tells whether some guarded work lasted for any time at all. Work that had not ended at the end of the run counts.
func (o *Outcome) Worked() bool {
	return slices.ContainsFunc(o.Result.Terms, func(t scenarios.Term) bool {
		return t.EndedNs == nil || *t.EndedNs > t.StartedNs
	})
}

// OnlyWorker returns the ID of the only candidate that ever worked, if the run has other candidates. It returns "" if two or
// more worked, if nobody did, if there is one candidate, and in runs of several elections.
func (o *Outcome) OnlyWorker() string {
	terms := o.Result.Terms
	if len(o.Header.Candidates) < 2 || len(o.Header.Elections) > 0 || len(terms) == 0 {
		return ""
	}
	if slices.ContainsFunc(terms, func(t scenarios.Term) bool { return t.Candidate != terms[0].Candidate }) {
		return ""
	}
	return terms[0].Candidate
}

// oneSided returns why single-work is not shown although it is expected to hold: another candidate than the only one that ever
// worked led for a LeaseDuration or longer, and did nothing, whatever the only one did meanwhile. It returns "" otherwise.
func (o *Outcome) oneSided() string {
	if !o.wantsSingleWork() {
		return ""
	}
	worker, since := o.OnlyWorker(), map[int32]int64{}
	if worker == "" {
		return ""
	}
	for who, at := range o.acknowledged {
		c := &o.Header.Candidates[who]
		first, led := since[who]
		switch {
		case c.ID == worker:
		case !led:
			since[who] = at
		case at-first >= int64(c.LeaseDuration):
			return fmt.Sprintf("only %s ever worked, although %s led from %v to %v or longer: work of both at once could not have been seen. Want work "+
				"for each leader: guard something that lasts as long as a candidate leads, or let there be something to do after the change",
				worker, c.ID, time.Duration(first), time.Duration(at))
		}
	}
	return ""
}

// ended returns an end for a message that names the candidates that did not run at an instant, in ns since the run began. It
// returns "" if all ran.
func (o *Outcome) ended(at int64) string {
	running := make([]bool, len(o.Header.Candidates))
	for i := range o.Events {
		switch e := &o.Events[i]; {
		case e.At > at || e.Candidate == trace.Nobody:
		case e.Kind == trace.RunStarted:
			running[e.Candidate] = true
		case e.Kind == trace.RunReturned || e.Kind == trace.Crashed:
			running[e.Candidate] = false
		}
	}
	var names []string
	for i, runs := range running {
		if !runs {
			names = append(names, o.Header.Candidates[i].Name())
		}
	}
	if names == nil {
		return ""
	}
	return ". Not running at that time: " + strings.Join(names, ", ")
}

// returned returns a remark if overlapping work went on after its candidate's function had returned, else "". A real program
// perhaps exits at that return, and then has no such overlap.
func (o *Outcome) returned(all []world.Outlived) string {
	for i := range o.Result.Properties {
		p := &o.Result.Properties[i]
		if p.Name != check.SingleWork {
			continue
		}
		for _, v := range p.Violations {
			for _, out := range all {
				c := &o.Header.Candidates[out.Seat]
				if int64(out.At) < v.ToNs && v.Election == c.Election && slices.Contains(v.Candidates, c.ID) {
					return fmt.Sprintf("the function of candidate %s had returned at %v, and its guarded work went on. Where the "+
						"real program exits then (os.Exit, log.Fatal, the end of main), let the function call Candidate.Exit: the "+
						"work ends with the process", c.Name(), out.At)
				}
			}
		}
	}
	return ""
}
