package scenariotest

import (
	"fmt"
	"slices"
	"strings"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Campaign counts what many runs have shown of what can go wrong. A campaign in which, say, no answer was ever lost
// after its write had taken effect is blind: that nothing was violated in it means nothing. The zero value is a campaign
// of no run. It is not safe for concurrent use.
type Campaign struct {
	allowed []string
	tally   check.Tally
}

// Witnesses returns the names of the witnesses that scenarios of the environment can show, and that a campaign in it must show.
func (e Environment) Witnesses() []string {
	return slices.DeleteFunc(check.Witnesses(), func(name string) bool {
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

// In has the campaign expect what the environment allows, besides that of environments named before.
func (c *Campaign) In(e Environment) {
	c.allowed = append(c.allowed, e.Witnesses()...)
}

// Run runs a scenario as a part of the campaign. The error is that of scenarios.Run.
func (c *Campaign) Run(s *scenarios.Scenario, o scenarios.Options) (*scenarios.Result, error) {
	coverage := check.NewCoverage(s.Header())
	o.Sinks = append(slices.Clip(o.Sinks), trace.Sink(coverage))
	r, err := scenarios.Run(s, o)
	if err == nil {
		c.tally.Add(coverage)
	}
	return r, err
}

// Blind says what the campaign's environments allow and none of its runs has shown; nil where it has seen all.
func (c *Campaign) Blind() error {
	missing := c.tally.Missing(c.allowed)
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("blind: none of %d runs showed %s", c.tally.Runs(), strings.Join(missing, ", "))
}

// String lists in how many runs each witness was seen.
func (c *Campaign) String() string { return c.tally.String() }
