package electiontest

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"interregnum/internal/check"
	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// Options change what a run does. Run and RunFile run with the zero value.
type Options struct {
	// Lock is where the Lease is, or another object, whose holder leads: default/lock where it has no name. Of several elections
	// each has an object of its own, under the election's name, in the same namespace.
	Lock types.NamespacedName
	// Clock says that the code under test takes its time from Candidate.Clock. Only then can the clocks of a scenario have
	// an offset or drift.
	Clock bool
	// Only names the properties that count, such as single-work; all count where it is empty. What a scenario itself expects of a
	// property counts too.
	Only []string
	// Server is the API server, for a test that puts objects there before or looks at them afterwards; nil is a new one.
	// It must not be used in two runs at once.
	Server *fakekube.Server
	// NewServer makes the API server of each run, with the resources and objects that the program needs. It takes the place of Server where
	// there are many runs, as in Check. It is called on the test's own goroutine.
	NewServer func() *fakekube.Server
	// Reports is a directory for the reports of every run; of Check's runs, only of the smallest that fails. Where it is empty only
	// a run that fails leaves reports: in the test's artifact directory under go test -artifacts, else in the directory for
	// temporary files, where their names begin with electiontest, package and test.
	Reports string
}

// valid returns an error for a name in Only that is no property, and for two servers.
func (o *Options) valid() error {
	if o.Server != nil && o.NewServer != nil {
		return errors.New("Options.Server and Options.NewServer are both set; want one of them")
	}
	for _, name := range o.Only {
		if !slices.Contains(check.Names(), name) {
			return fmt.Errorf("Options.Only: want names among %s, got %q", strings.Join(check.Names(), ", "), name)
		}
	}
	return nil
}

// server returns the API server of a run, nil for a new one that is empty.
func (o *Options) server() *fakekube.Server {
	if o.NewServer != nil {
		return o.NewServer()
	}
	return o.Server
}

// lock returns the place of the lock in a scenario with one election: Options.Lock, or default/lock if that has no name.
func (o *Options) lock() types.NamespacedName {
	if o.Lock.Name == "" {
		return types.NamespacedName{Namespace: "default", Name: "lock"}
	}
	return o.Lock
}

// seed is the value of the flag -electiontest.seed, as text. If it is not "", it replaces the seed of every scenario.
var seed = flag.String("electiontest.seed", "", "seed in place of the scenarios'")

// seeded returns a copy of the scenario with the seed of the flag -electiontest.seed, or the scenario itself without that flag.
// It returns an error if the flag is no whole number.
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
