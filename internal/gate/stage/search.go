package stage

import (
	"errors"
	"time"

	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// Agree is the difference from which on the overlap that a scenario shows, and the computed one, no longer agree.
const Agree = time.Millisecond

// mayWait is how many calls of a witness, counted from the first, are tried with and without other traffic that makes them wait.
const mayWait = 4

// Search looks for the scenario that shows the longest overlap, where an upper bound of it is computed and no plan that shows it.
type Search struct {
	Config      *bound.Config
	Environment *bound.Environment
	// Result is the result for Config in Environment.
	Result *bound.Result
	// Closing is the configuration with which closings of connections are played; nil if none count.
	Closing *bound.Config
	// Play runs a scenario, and returns the overlap that it shows; 0 if it shows none, or none that counts.
	Play func(*scenarios.Scenario) (time.Duration, error)

	best    stage
	longest time.Duration
	err     error
}

// Longest plays several scenarios, those with closings last, and returns the one that shows the longest overlap, and that overlap; nil and 0
// if they show nothing. Once one shows the whole bound it plays no more. It returns all errors of Play.
func (s *Search) Longest() (*scenarios.Scenario, time.Duration, error) {
	if r := s.Result.Playable(); !r.Safe() {
		s.witnesses(r)
	}
	s.try(s.Config, func(x *stage) {
		if x.tries() {
			x.tried(s.longest)
		}
	})
	if s.Closing != nil && closable(s.Closing) {
		for _, complete := range closedCourses {
			s.try(s.Closing, complete)
		}
	}
	return s.best.s, s.longest, s.err
}

// witnesses plays witnesses of the playable result r, and of those without waits or with few: with other traffic before all calls that it can
// have wait, before some of them, and a little earlier.
func (s *Search) witnesses(r *bound.Result) {
	s.witness(r, others{})
	s.witness(s.Result.Calm().Playable(), others{})
	plans := []*bound.Result{r}
	if steady := s.Result.Steady(); steady != s.Result {
		plans = append(plans, steady)
		s.witness(steady, others{})
	}
	for quiet := uint(1); quiet < 1<<mayWait && s.Environment.MostAtOnce() > 0; quiet++ {
		for _, plan := range plans {
			s.witness(plan, others{quiet: quiet})
		}
	}
	whole := s.best
	for _, early := range whole.sooner {
		for later := range mayWait {
			for _, plan := range plans {
				s.witness(plan, others{whole.quiet, early, later})
			}
		}
	}
}

// witness plays the witness of r with other traffic as o says.
func (s *Search) witness(r *bound.Result, o others) {
	s.try(s.Config, func(x *stage) {
		x.others = o
		x.witness(r)
		x.others = o // which the witness has changed
	})
}

// try plays what complete makes of a new stage, unless the longest overlap so far is the whole bound. It keeps the stage with the longest.
func (s *Search) try(c *bound.Config, complete func(*stage)) {
	if s.Result.Overlap-s.longest < Agree {
		return
	}
	x := newStage(c, s.Environment)
	if complete(x); len(x.s.Candidates) == 0 {
		return
	}
	shown, err := s.Play(x.s)
	s.err = errors.Join(s.err, err)
	if shown > s.longest {
		s.best, s.longest = *x, shown
	}
}
