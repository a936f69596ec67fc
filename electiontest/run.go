package electiontest

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"interregnum/internal/check"
	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// Options are what a run may do otherwise. The zero value is what Run and RunFile have.
type Options struct {
	// Lock is the Lease, or another object, whose holder leads; without a name default/lock. Of several elections each has
	// its own, under its name, in the same namespace.
	Lock types.NamespacedName
	// Clock says that the code under test takes its time from Candidate.Clock. Only then can the clocks of a scenario have
	// an offset or drift.
	Clock bool
	// Only names the properties that count, such as single-work; none for all. Of the others a scenario may still expect
	// something itself.
	Only []string
	// Server is the API server, for a test that puts objects there before or looks at them afterwards; nil is a new one.
	// It must not be used in two runs at once.
	Server *fakekube.Server
	// Reports is a directory that the reports of every run are written to; without one, those of a run that fails go to
	// the test's artifact directory under go test -artifacts, else to the directory for temporary files, by names that
	// begin with electiontest, package and test.
	Reports string
}

// lock is where the lock of a scenario with one election is: at Options.Lock, or by default at default/lock.
func (o *Options) lock() types.NamespacedName {
	if o.Lock.Name == "" {
		return types.NamespacedName{Namespace: "default", Name: "lock"}
	}
	return o.Lock
}

// seed takes the place of every scenario's where it was given.
var seed = flag.String("electiontest.seed", "", "seed in place of the scenarios'")

// Run runs a scenario on the code under test, and fails the test where the result is not as the scenario expects. Each
// candidate's process is a call of run, which returns when it is over, as after its context has ended.
//
// It must not be called from inside a bubble of testing/synctest. Runs of one program wait for each other.
func Run(t *testing.T, s *scenarios.Scenario, run func(context.Context, *Candidate)) *scenarios.Result {
	t.Helper()
	return Options{}.Run(t, s, run)
}

// RunFile is Run of a scenario file, or of a scenario that ships, by its name: see simulate list.
func RunFile(t *testing.T, fileOrName string, run func(context.Context, *Candidate)) *scenarios.Result {
	t.Helper()
	return Options{}.RunFile(t, fileOrName, run)
}

// RunFile is Run of a scenario file, or of a scenario that ships, by its name.
func (o Options) RunFile(t *testing.T, fileOrName string, run func(context.Context, *Candidate)) *scenarios.Result {
	t.Helper()
	s, err := load(fileOrName)
	if err != nil {
		t.Fatalf("electiontest: %v", err)
	}
	return o.runNamed(t, fileOrName, s, run)
}

// load reads a scenario file, or a scenario that ships: a name that is no file and has no extension.
func load(fileOrName string) (*scenarios.Scenario, error) {
	if _, err := os.Stat(fileOrName); err == nil || filepath.Ext(fileOrName) != "" {
		return scenarios.ReadFile(fileOrName)
	}
	return scenarios.Named(fileOrName)
}

// Run is Run with options.
func (o Options) Run(t *testing.T, s *scenarios.Scenario, run func(context.Context, *Candidate)) *scenarios.Result {
	t.Helper()
	if s == nil {
		t.Fatal("electiontest: the scenario is nil; want one of Scenario, or of scenarios.ReadFile")
	}
	return o.runNamed(t, "scenario "+s.Name, s, run)
}

// runNamed runs a scenario as Run does; name is what errors call it.
func (o Options) runNamed(
	t *testing.T, name string, s *scenarios.Scenario, run func(context.Context, *Candidate),
) *scenarios.Result {
	t.Helper()
	if virtual() {
		t.Fatal("electiontest: a run inside of a bubble of testing/synctest, such as another run; want it outside of any")
	}
	s, err := seeded(s)
	if err == nil {
		err = cmp.Or(o.valid(), o.applicable(s))
	}
	if err != nil {
		t.Fatalf("electiontest: %s: %v", name, err)
	}
	if run == nil {
		t.Fatalf("electiontest: %s: the function to run is nil", name)
	}
	out := o.play(t, s, run)
	out.conclude(t, o.Reports)
	return out.result
}

// valid returns an error for options that cannot be meant.
func (o *Options) valid() error {
	for _, name := range o.Only {
		if !slices.Contains(check.Names(), name) {
			return fmt.Errorf("Options.Only: want names among %s, got %q", strings.Join(check.Names(), ", "), name)
		}
	}
	return nil
}

// seeded is the scenario with the seed of the command line.
func seeded(s *scenarios.Scenario) (*scenarios.Scenario, error) {
	if *seed == "" {
		return s, nil
	}
	n, err := strconv.ParseUint(*seed, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("-electiontest.seed: want a whole number from 0 to 2^64-1, got %q", *seed)
	}
	other := *s
	other.Seed = n
	return &other, nil
}

// play runs a scenario that can be applied, on virtual time, and judges it. Runs of one program wait for each other.
func (o Options) play(t *testing.T, s *scenarios.Scenario, run func(context.Context, *Candidate)) *outcome {
	running.Lock()
	defer running.Unlock()
	_ = t.Context().Done() // a channel made in the bubble could not be closed outside of it
	var w *world
	b := newBubble(s.Name)
	b.run(t, func() {
		w = newWorld(s, o, run, b)
		stop := w.seedJitter()
		defer stop()
		w.live()
	})
	if b.stuck != "" {
		w.mu.Lock() // what is left of the run rests, but is there
		defer w.mu.Unlock()
		w.standsFor(b.stuck)
	}
	out := w.judge()
	out.left, out.stuck = b.left, b.stuck != ""
	return out
}

// virtual tells whether this is the time of a bubble, which begins in the year 2000.
func virtual() bool { return time.Now().Year() < 2020 }
