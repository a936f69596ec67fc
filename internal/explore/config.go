// Package explore tries every schedule of a small world: all that few candidates, whole steps of time and at most so many
// faults allow. It drives the same machine and the same store as the simulator, but instead of drawing what happens it
// branches. Of each state it remembers a hash, with times relative to now, so that a schedule may go on for ever and the
// search still ends. docs/search.md says what is covered.
//
// Words of this package: a world is a state, and a node is a candidate in it. A fate is what becomes of a request; an open
// fate is one that is decided as late as possible. A node is cut after a request of it was lost, until one gets through, and
// hit once a fault was on it. A trail is what happened before a state and need not have happened. A layer has the states with
// one number of faults.
package explore

import (
	"errors"
	"fmt"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
)

// Config is a small world to explore, with the bounds of the search.
type Config struct {
	bound.Config
	// Candidates is how many take part; all of them are alike.
	Candidates int
	// Grid is the step of time: all starts, waits, delays and cancels are at whole multiples of it.
	Grid time.Duration
	// MaxRoundTrip bounds the round trip of a request that is answered.
	MaxRoundTrip time.Duration
	// Waits is how many of the jittered waits are tried, the shortest first; 0 tries all of them. A candidate keeps to one
	// wait.
	Waits int
	// Rerun: a candidate whose Run has returned runs the same elector again, a step of the grid later.
	Rerun bool
	// Faults is how many faults a schedule has at most.
	Faults int
	// Exceeds is the longest time for which two candidates may work at once without a violation.
	Exceeds time.Duration
	// Bystanders: work counts only where no fault was on its candidate.
	Bystanders bool
	// MaxStates ends the search unfinished; 0 is no limit.
	MaxStates int
	// Unreduced explores every order of simultaneous events, and does not take candidates for equal that differ in their
	// names alone. It costs several times as much.
	Unreduced bool
	// Progress, if not nil, is called now and then with how far the search has come.
	Progress func(Progress)
}

// Progress is how far a search has come.
type Progress struct {
	// Faults is the number of faults of the present layer. States is how many states are known; Frontier is how many of
	// this layer wait to be explored, and Next how many of the next layer.
	Faults, States, Frontier, Next int
}

// maxCandidates keeps the number of orders of the candidates small.
const maxCandidates = 4

// ProfileNames returns the names of the profiles that the search can explore.
func ProfileNames() (names []string) {
	for _, p := range machine.Profiles() {
		if canExplore(&p) == nil {
			names = append(names, p.Name)
		}
	}
	return names
}

// canExplore returns an error that says why the search cannot explore the profile, or nil if it can.
func canExplore(p *machine.Profile) error {
	switch {
	case p.OtherClient():
		return fmt.Errorf("profile %s is of another client than client-go, which is not explored", p.Name)
	case !p.CarriesContext():
		return fmt.Errorf("profile %s leaves attempts running, which is not explored", p.Name)
	}
	return nil
}

// Validate returns an error for a configuration that the search cannot explore, otherwise nil. It names fields as the flags of
// simulate explore are called.
func (c *Config) Validate() error {
	if err := canExplore(&c.Profile); err != nil {
		return err
	}
	switch {
	case c.Candidates < 2 || c.Candidates > maxCandidates:
		return fmt.Errorf("--candidates %d: want 2 to %d", c.Candidates, maxCandidates)
	case c.Grid < 10*time.Millisecond || c.Grid%time.Millisecond != 0:
		return fmt.Errorf("--grid %v: want whole milliseconds, 10ms or more", c.Grid)
	case c.Faults < 0:
		return fmt.Errorf("--faults %d: want 0 or more", c.Faults)
	case c.Waits < 0:
		return fmt.Errorf("--waits %d: want 0 or more", c.Waits)
	case c.Exceeds < 0:
		return fmt.Errorf("--exceeds %v: want 0s or more", c.Exceeds)
	case c.MaxStates < 0:
		return fmt.Errorf("--max-states %d: want 0 or more", c.MaxStates)
	}
	return errors.Join(c.onGrid(), bound.Refused(&c.Config))
}

// onGrid returns one error for all times that are negative or no multiples of the grid, nil if there are none.
func (c *Config) onGrid() error {
	var broken []error
	for _, d := range []struct {
		name string
		time time.Duration
	}{
		{"lease-duration", c.LeaseDuration}, {"renew-deadline", c.RenewDeadline}, {"retry-period", c.RetryPeriod},
		{"request-timeout", c.RequestTimeout}, {"max-round-trip", c.MaxRoundTrip},
	} {
		if d.time < 0 || d.time%c.Grid != 0 {
			broken = append(broken, fmt.Errorf("--%s %v: want a multiple of the grid, %v", d.name, d.time, c.Grid))
		}
	}
	return errors.Join(broken...)
}

// limit returns the age from which on it makes no difference how old a reading of a clock is. An attempt makes at most three
// requests, and if it takes longer than these can, it waits for ever.
func (c *Config) limit() time.Duration {
	each := max(c.RenewDeadline, c.MaxRoundTrip, c.RequestTimeout)
	return c.LeaseDuration + time.Second + c.RetryPeriod + 4*each
}

// waits returns the jittered waits that the search tries for a follower, the shortest first: RetryPeriod, and whole steps of
// the grid more, below the longest wait. Unless c.Waits is 0, it returns only so many of them.
func (c *Config) waits() []time.Duration {
	longest := machine.Jittered(c.RetryPeriod, 1)
	var waits []time.Duration
	for w := c.RetryPeriod; w < longest; w += c.Grid {
		waits = append(waits, w)
	}
	if c.Waits > 0 {
		waits = waits[:min(c.Waits, len(waits))]
	}
	return waits
}
