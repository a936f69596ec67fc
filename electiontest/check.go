package electiontest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
)

// Check runs random scenarios of an environment on the code under test, as many as -rapid.checks says. What fails it makes
// smaller, fault by fault and candidate by candidate, and leaves the smallest as Run leaves its scenario.
//
// All candidates have other identities, nothing freezes, no clock jumps, and clocks have offset and drift only where
// Options.Clock is set. MaxDrain is what the code under test needs at most to stop; it decides when liveness expects a
// leader. A profile need not be given: it is client-go's then.
func Check(t *testing.T, e scenariotest.Environment, run func(context.Context, *Candidate)) {
	t.Helper()
	Options{}.Check(t, e, run)
}

// Check is Check with options, but for Server: each run has its own.
func (o Options) Check(t *testing.T, e scenariotest.Environment, run func(context.Context, *Candidate)) {
	t.Helper()
	if o.Server != nil || e.Freezes || len(e.Locks) > 0 {
		t.Fatal("electiontest: Check has a new server for each run, no freezes and no locks but the Lease: want " +
			"Options.Server, Environment.Freezes and Environment.Locks unset")
	}
	all := o.scenarios(e)
	rapid.Check(t, func(rt *rapid.T) {
		out := o.play(t, all.Draw(rt, "scenario"), run)
		if out.result.AsExpected {
			return
		}
		files, err := out.keep(t, o.Reports, out.rerun(t.Name()))
		var text strings.Builder
		if err := errors.Join(err, out.given.WriteYAML(&text)); err != nil {
			rt.Errorf("electiontest: the reports could not be written: %v", err)
		}
		rt.Fatalf("%s\n%s\nreports, with the scenario for RunFile: %s\n%s; to show it again:\n%s",
			out.text(""), &text, files, out.problem(), out.rerun(t.Name()))
	})
}

// scenarios are those of the environment that can be applied.
func (o Options) scenarios(e scenariotest.Environment) *rapid.Generator[*scenarios.Scenario] {
	if e.Profile.Name == "" {
		e.Profile = machine.ClientGo
	}
	return rapid.Map(scenariotest.Random(e), func(s *scenarios.Scenario) *scenarios.Scenario {
		for i := range s.Candidates {
			c := &s.Candidates[i]
			c.Identity, c.Drain = "", e.MaxDrain
			if !o.Clock {
				c.Clock = scenarios.Clock{}
			}
		}
		s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool { return f.Kind == sim.FaultClock })
		return s
	})
}
