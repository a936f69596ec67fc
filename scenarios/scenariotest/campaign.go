package scenariotest

import (
	"fmt"
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Campaign counts, over many runs, in how many each witness was seen: something that must happen in some run. If, say, no
// run lost an answer after its write had taken effect, the campaign is blind: it proves nothing that no property was
// violated. The zero value has no runs. A Campaign is not safe for concurrent use.
type Campaign struct {
	allowed []string
	tally   check.Tally
}

// Witnesses returns the names of the witnesses that scenarios of the environment can show, and so a campaign must show.
func (e Environment) Witnesses() []string {
	return slices.DeleteFunc(check.Witnesses(), func(name string) bool {
		if check.OfClients(name) {
			return !e.Clients || e.expires()
		}
		switch name {
		case check.PauseAcrossExpiry:
			return !e.Freezes
		case check.ExpiredByDrift:
			return e.MaxDriftPPM == 0
		case check.ConflictOnFastPath:
			return e.Profile.ReadsFirst()
		case check.LocalFailure:
			return e.expires()
		}
		return false
	})
}

// In adds the witnesses of the environment to those that the campaign must show.
func (c *Campaign) In(e Environment) {
	c.allowed = append(c.allowed, e.Witnesses()...)
}

// Run runs a scenario with scenarios.Run, and counts the run if it succeeds.
func (c *Campaign) Run(s *scenarios.Scenario, o scenarios.Options) (*scenarios.Result, error) {
	coverage := check.NewCoverage(s.Header())
	o.Sinks = append(slices.Clip(o.Sinks), trace.Sink(coverage))
	r, err := scenarios.Run(s, o)
	if err == nil {
		c.tally.Add(coverage)
	}
	return r, err
}

// Blind returns an error that lists the witnesses that the campaign must show and no run has shown; nil if there are none.
func (c *Campaign) Blind() error {
	missing := c.tally.Missing(c.allowed)
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("blind: none of %d runs showed %s", c.tally.Runs(), strings.Join(missing, ", "))
}

// String returns the number of runs and, for each witness, in how many of them it was seen.
func (c *Campaign) String() string { return c.tally.String() }
