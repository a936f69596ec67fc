package electiontest

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"interregnum/electiontest/internal/refusal"
	"interregnum/scenarios"
)

// Run runs a scenario on the code under test and returns the result. Each candidate's process is a call of run, which must return
// when the process is over, such as after its context has ended.
//
// If the result is not as the scenario expects, or if the run shows nothing (see the package comment), Run writes reports to where
// Options.Reports says, and ends the test as failed: it does not return. It also ends the test, without running anything, if the
// scenario has what cannot be applied to code.
//
// Run must not be called from inside a bubble of testing/synctest. Runs of one program wait for each other.
func Run(t *testing.T, s *scenarios.Scenario, run func(context.Context, *Candidate)) *scenarios.Result {
	t.Helper()
	return Options{}.Run(t, s, run)
}

// RunFile runs a scenario on the code under test and returns the result, as Run does. The scenario is in a file, or has the
// name of one that ships: see simulate list. If it cannot be read, RunFile ends the test as failed.
func RunFile(t *testing.T, fileOrName string, run func(context.Context, *Candidate)) *scenarios.Result {
	t.Helper()
	return Options{}.RunFile(t, fileOrName, run)
}

// RunFile runs a scenario from a file, or one that ships, as the function RunFile does, with options. It ends the test as
// failed if Only has a name that is no property.
func (o Options) RunFile(t *testing.T, fileOrName string, run func(context.Context, *Candidate)) *scenarios.Result {
	t.Helper()
	s, err := load(fileOrName)
	if err != nil {
		t.Fatalf("electiontest: %v", err)
	}
	return o.runNamed(t, fileOrName, s, run)
}

// load reads a scenario: fileOrName is a file if such a file exists or if it has an extension; otherwise it is the name of a
// scenario that ships. It returns an error if there is neither.
func load(fileOrName string) (*scenarios.Scenario, error) {
	if _, err := os.Stat(fileOrName); err == nil || filepath.Ext(fileOrName) != "" {
		return scenarios.ReadFile(fileOrName)
	}
	return scenarios.Named(fileOrName)
}

// Run runs a scenario on the code under test as the function Run does, with options. It ends the test as failed if s is nil, or
// if Only has a name that is no property.
func (o Options) Run(t *testing.T, s *scenarios.Scenario, run func(context.Context, *Candidate)) *scenarios.Result {
	t.Helper()
	if s == nil {
		t.Fatal("electiontest: the scenario is nil; want one of Scenario, or of scenarios.ReadFile")
	}
	return o.runNamed(t, "scenario "+s.Name, s, run)
}

// runNamed runs a scenario and returns the result, as Run does. Errors call the scenario by name. It ends the test as failed,
// without a run, inside of a bubble, for a scenario or options that are refused, and for a nil run.
func (o Options) runNamed(
	t *testing.T, name string, s *scenarios.Scenario, run func(context.Context, *Candidate),
) *scenarios.Result {
	t.Helper()
	if virtual() {
		t.Fatal("electiontest: a run inside of a bubble of testing/synctest, such as another run; want it outside of any")
	}
	s, err := seeded(s)
	if err == nil {
		err = cmp.Or(o.valid(), refusal.Of(s, o.Clock))
	}
	if err != nil {
		t.Fatalf("electiontest: %s: %v", name, err)
	}
	if run == nil {
		t.Fatalf("electiontest: %s: the function to run is nil", name)
	}
	out := o.play(t, s, run)
	o.conclude(t, out)
	return out.Result
}

// virtual tells whether the caller is in a bubble of testing/synctest, where time begins in the year 2000.
func virtual() bool { return time.Now().Year() < 2020 }
