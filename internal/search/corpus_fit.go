package search

import (
	"fmt"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/results"
	"interregnum/plan"
	"interregnum/scenarios"
)

// A scenario of a corpus keeps to the lengths of drawn runs: mutation needs some room, and a block should be done soon.
const (
	minParent = time.Second
	maxParent = 10 * time.Minute
)

// fit returns a copy of a scenario that fits the target, and texts that say what was changed. The copy has the target's
// profile and lock, its timings if it sets any, and is cut to its limits. A scenario that was changed loses its expectations.
// If the scenario cannot be used, fit returns nil, and the reason as the only text.
func (t *Target) fit(s *scenarios.Scenario) (*scenarios.Scenario, []string) {
	f := &fitting{target: t, s: clone(s)}
	if s.Horizon < minParent {
		return nil, []string{fmt.Sprintf("left out: ends before %v", minParent)}
	}
	if has, want := len(s.Elections), t.Elections; has != want {
		return nil, []string{fmt.Sprintf("left out: has %d elections in a process; want %d", max(1, has), max(1, want))}
	}
	if s.Horizon > maxParent {
		f.s.Horizon = maxParent
		f.say("ends at %v", maxParent)
	}
	for i := range f.s.Candidates {
		f.candidate(&f.s.Candidates[i])
	}
	for i := range f.s.Candidates {
		c := &f.s.Candidates[i]
		if err := bound.Refused(t.Config(c.Timings, c.Profile)); err != nil {
			return nil, []string{fmt.Sprintf("left out: %s refuses its timings: %s", c.Profile.Name,
				results.InOneLine(err))}
		}
	}
	f.network()
	f.faults()
	f.clocks()
	if len(f.done) > 0 {
		f.s.Expect = nil
		if err := f.s.Validate(); err != nil {
			return nil, []string{"left out: " + err.Error()}
		}
	}
	return f.s, f.done
}

// candidate gives a candidate the target's profile, lock and timings, takes away a client that it cannot have then, and cuts
// its drain, drift and identity to what the limits allow.
func (f *fitting) candidate(c *scenarios.Candidate) {
	t := f.target
	if c.Profile != t.Profile {
		f.say("profile %s becomes %s", c.Profile.Name, t.Profile.Name)
		c.Profile = t.Profile
	}
	f.lock(c)
	if c.Client != nil && c.RefusesClient() != "" {
		f.say("without the client, which %s", c.RefusesClient())
		c.Client = nil
	}
	if t.Timings != (machine.Timings{}) && c.Timings != t.Timings {
		f.say("timings become %v/%v/%v", t.Timings.LeaseDuration, t.Timings.RenewDeadline, t.Timings.RetryPeriod)
		c.Timings = t.Timings
	}
	if c.Drain > t.Limits.MaxDrain {
		f.say("drain cut to %v", t.Limits.MaxDrain)
		c.Drain = t.Limits.MaxDrain
	}
	f.drift(&c.Clock.DriftPPM)
	if !t.Limits.Shared && c.Identity != "" && c.Identity != c.ID {
		f.say("identities made different")
		c.Identity = ""
	}
}

// network cuts the delays of the scenario's network to what the target's limits allow.
func (f *fitting) network() {
	f.s.Network.Request = f.delay(f.s.Network.Request)
	f.s.Network.Response = f.delay(f.s.Network.Response)
}

// delay returns the delay of one leg, cut to half of the longest round trip. Without a bound on the round trip (0) it returns d.
func (f *fitting) delay(d plan.Delay) plan.Delay {
	most := f.target.Limits.MaxRoundTrip / 2
	if most > 0 && d.Max > most {
		f.say("delays cut to %v", most)
		d = plan.Delay{Min: min(d.Min, most), Max: most}
	}
	return d
}

// faults removes the scenario's faults of kinds that the target's limits do not allow, and, with a bound on the round
// trip, errors with status 409. It cuts the delays, drifts and freezes of the others.
func (f *fitting) faults() {
	frozen := time.Duration(0)
	f.s.Faults = slices.DeleteFunc(f.s.Faults, func(x scenarios.Fault) bool {
		forged := f.target.Limits.MaxRoundTrip > 0 && x.Status == 409
		if forged || !slices.Contains(f.target.Limits.Kinds(&f.s.Plan), x.Kind) {
			f.say("without %s", x.Kind)
			return true
		}
		return false
	})
	for i := range f.s.Faults {
		x := &f.s.Faults[i]
		for _, d := range []**plan.Delay{&x.Request, &x.Response} {
			if *d != nil {
				cut := f.delay(**d)
				*d = &cut
			}
		}
		if x.DriftPPM != nil {
			drift := *x.DriftPPM
			f.drift(&drift)
			x.DriftPPM = &drift
		}
		if x.Kind == plan.FaultPause {
			frozen += f.pause(x, f.target.Limits.MaxPause-frozen)
		}
	}
}

// pause cuts the freeze x to left, the time for which processes may still be frozen, but to no less than a nanosecond.
// It gives x an end in any case, and returns its length. Where the limits do not allow that answers come first, it takes that away.
func (f *fitting) pause(x *scenarios.Fault, left time.Duration) time.Duration {
	until := max(f.s.Horizon, x.At+1)
	if x.Until != nil {
		until = *x.Until
	}
	if until-x.At > left {
		f.say("pauses cut to %v in all", f.target.Limits.MaxPause)
		until = x.At + max(1, left)
	}
	if x.AnswersFirst && !f.target.Limits.AnswersFirst {
		f.say("pauses without answersFirst")
		x.AnswersFirst = false
	}
	x.Until = &until
	return until - x.At
}
