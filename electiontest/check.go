package electiontest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"interregnum/electiontest/internal/outcome"
	"interregnum/electiontest/internal/refusal"
	"interregnum/electiontest/internal/report"
	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/search"
	"interregnum/plan"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
)

// Check runs random scenarios of an environment on the code under test, as many as -rapid.checks says. It shrinks a
// scenario that fails, candidate by candidate, fault by fault and digit by digit, ends the test as failed with the smallest one
// that fails, and writes the reports of that one alone to where Options.Reports says. The test also fails if no guarded work lasted
// for any time in any of the scenarios.
//
// No two candidates share an identity, no clock jumps, and clocks have offset and drift only where Options.Clock is set.
// The test fails at once if the environment has freezes, several elections, or locks that expire by themselves. MaxDrain is
// what the code under test needs at most to stop; it decides when liveness expects a leader. A profile need not be given: it
// is client-go's then.
func Check(t *testing.T, e scenariotest.Environment, run func(context.Context, *Candidate)) {
	t.Helper()
	Options{}.Check(t, e, run)
}

// Check runs random scenarios of an environment as the function Check does, with options. The test fails at once if Server is
// not nil, since each run has its own (Options.NewServer), or if Only has a name that is no property. It also fails if a property in Only had no
// verdict in any of the scenarios.
func (o Options) Check(t *testing.T, e scenariotest.Environment, run func(context.Context, *Candidate)) {
	t.Helper()
	if o.Server != nil || e.Freezes || e.Elections || slices.ContainsFunc(e.Locks, plan.Lock.Expires) {
		t.Fatal("electiontest: Check has a new server for each run, no freezes, one election and the locks of Kubernetes: want " +
			"Options.NewServer in place of Options.Server, Environment.Freezes and Environment.Elections unset, and no others in Environment.Locks")
	}
	if err := o.valid(); err != nil {
		t.Fatalf("electiontest: %v", err)
	}
	f := &failure{Options: o, run: run}
	defer f.tell(t) // rapid ends the test's goroutine
	all := o.scenarios(e)
	rapid.Check(t, func(rt *rapid.T) {
		if problem := f.try(t, all.Draw(rt, "scenario").scenario); problem != "" {
			rt.Fatal(problem)
		}
	})
}

// failure is the state of one call of Check: what its runs have shown so far, and the first scenario that failed, if any.
type failure struct {
	Options
	run func(context.Context, *Candidate)
	// first is nil where none has failed; text is its scenario.
	first *outcome.Outcome
	text  string
	// worked: some guarded work lasted for a while in one of the runs.
	worked bool
	// released: the code has released the lock in one of the runs. doubted is the first scenario, of those before, that is a failure if it does.
	released bool
	doubted  *scenarios.Scenario
	// decided are the properties named by Only on which there was a verdict in one of the runs.
	decided []string
}

// playOne runs a scenario on the code and judges it. Until the code has released the lock in a run (f.released), perhaps it
// never does: what would be a failure only of code that releases is then no failure, but sets Doubted of the outcome.
func (f *failure) playOne(t *testing.T, s *scenarios.Scenario) *outcome.Outcome {
	return f.playDrawn(t, s, f.run, !f.released)
}

// try runs a scenario and returns what is wrong with the code in it, "" for nothing. When the code releases the lock for the
// first time, and that run is as expected, try runs f.doubted again, if there is one, and returns what is wrong in that. try keeps in f what the
// runs have shown, and the first scenario that fails in f.first. After that failure it runs nothing: it returns the same problem
// for that scenario and "" for all others, since tell shrinks it better than rapid would.
func (f *failure) try(t *testing.T, s *scenarios.Scenario) string {
	var text strings.Builder
	if err := s.WriteYAML(&text); err != nil {
		return err.Error()
	}
	switch {
	case f.first != nil && f.text == text.String():
		return f.first.Problem()
	case f.first != nil:
		return ""
	}
	out := f.playOne(t, s)
	if out.Doubted && f.doubted == nil {
		f.doubted = s
	}
	if out.Released && !f.released {
		f.released = true
		if f.doubted != nil && out.Result.AsExpected {
			out = f.playOne(t, f.doubted)
		}
	}
	for _, name := range f.Only {
		if p := check.Named(out.Result.Properties, name); p != nil && p.Verdict != check.Inconclusive && !slices.Contains(f.decided, name) {
			f.decided = append(f.decided, name)
		}
	}
	f.worked = f.worked || out.Worked()
	if !out.Result.AsExpected {
		f.first, f.text = out, text.String()
		return out.Problem()
	}
	return ""
}

// tell fails the test if a scenario has failed: it shrinks that scenario, and writes the reports of the smallest. A run that was
// stuck it does not shrink. If none has failed, tell still fails a test in which no guarded work lasted for any time, or in
// which a property of Only had no verdict in any run.
func (f *failure) tell(t *testing.T) {
	if f.first == nil {
		if !f.worked && !t.Failed() {
			t.Error("electiontest: no work was guarded in any of the scenarios, for any time at all, so that nothing was shown: want " +
				"Guard around the work, or an OnStartedLeading that waits for it, and code that leads some time")
		}
		for _, name := range f.Only {
			if !slices.Contains(f.decided, name) && !t.Failed() {
				t.Errorf("electiontest: Options.Only names %s, on which there was no verdict in any of the scenarios: for fenced-writes want calls of "+
					"Wrote, for single-belief one of Observe, and for liveness faults that end before the horizon", name)
			}
		}
		return
	}
	out := f.first
	if !out.Stuck { // each smaller one would be given up after as many seconds
		out = f.shrink(t)
	}
	command := report.Command(t.Name())
	files, err := report.Files(t, out, f.Reports, command)
	var text strings.Builder
	if err := errors.Join(err, out.Given.WriteYAML(&text)); err != nil {
		t.Errorf("electiontest: the reports could not be written: %v", err)
	}
	t.Errorf("%s\n%s\nreports, with the scenario for RunFile: %s\n%s; to show it again:\n%s",
		report.Text(out, ""), &text, files, out.Problem(), command)
}

// worthless is the name of a property that runs do not have: shrink marks it as violated in a run that shows nothing.
const worthless = "run"

// shrink returns the outcome of the smallest scenario that still violates one property that f.first violates: single-work if it
// is among them, else the first. If f.first shows nothing (Blind), shrink returns the smallest scenario that shows nothing
// either. If what is unexpected in f.first is no violation, shrink returns f.first itself.
func (f *failure) shrink(t *testing.T) *outcome.Outcome {
	var property string
	ran := func(out *outcome.Outcome) *scenarios.Result {
		r := *out.Result
		r.Properties = slices.DeleteFunc(slices.Clone(r.Properties), func(p check.Property) bool { return out.Scenario.Fulfils(&p) })
		if out.Blind != "" {
			r.Properties = []check.Property{{Name: worthless, Verdict: check.Violated}}
		}
		return &r
	}
	for i, p := range ran(f.first).Properties {
		if i == 0 || p.Name == check.SingleWork {
			property = p.Name
		}
	}
	small, err := search.ShrinkRun(f.first.Given, property, func(s *scenarios.Scenario) (*scenarios.Result, error) {
		s.Expect = f.first.Given.Expect
		if err := refusal.Of(s, f.Clock); err != nil {
			return nil, err
		}
		return ran(f.playOne(t, s)), nil
	})
	if err != nil {
		return f.first // it was not violated, but is not as expected
	}
	small.Scenario.Expect = f.first.Given.Expect
	return f.playOne(t, small.Scenario)
}

// unprinted is a scenario that rapid does not print.
type unprinted struct{ scenario *scenarios.Scenario }

// GoString returns what rapid prints for the scenario.
func (unprinted) GoString() string { return "below, made smaller" }

// scenarios returns a generator of random scenarios of the environment, with client-go's profile if e has none, without what
// cannot be applied to the code under test: shared identities, SameElector, clock faults and, unless o.Clock is set, clocks with
// offset or drift. Drain of each candidate is e.MaxDrain.
func (o Options) scenarios(e scenariotest.Environment) *rapid.Generator[unprinted] {
	if e.Profile.Name == "" {
		e.Profile = machine.ClientGo
	}
	return rapid.Map(scenariotest.Random(e), func(s *scenarios.Scenario) unprinted {
		for i := range s.Candidates {
			c := &s.Candidates[i]
			c.Identity, c.Drain, c.SameElector = "", e.MaxDrain, false
			if !o.Clock {
				c.Clock = scenarios.Clock{}
			}
		}
		s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool { return f.Kind == plan.FaultClock })
		return unprinted{s}
	})
}
