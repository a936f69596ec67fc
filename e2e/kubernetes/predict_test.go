package kubernetes_test

import (
	"fmt"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios"
)

// runs is how many seeds a prediction is of: each draws the followers' jitter and the network's delays anew.
const runs = 400

// tolerance is how far from the predicted interval may lie what was seen. It is for what the simulation knows nothing of:
// a machine that has other things to do, the requests that are slower than nine in ten, and the time that signals take.
const tolerance = 300 * time.Millisecond

// term is a stretch of one candidate's work, since the start of the scenario. Simulated and real ones look the same.
type term struct {
	who string
	// start is when OnStartedLeading was called; end when the work had ended, the horizon where it went on.
	start, end time.Duration
}

// outcome is what a fault led to.
type outcome struct {
	// taken: a term began after it. What follows is 0 where none did.
	taken bool
	// stop is from the fault to the end of the term that it met, failover to the start of the next.
	stop, failover time.Duration
}

// overlap is for how long two worked; negative where nobody did in between.
func (o outcome) overlap() time.Duration { return o.stop - o.failover }

// outcomeOf is what followed an instant. The error is that nobody, or not a, was working then.
func outcomeOf(terms []term, at time.Duration) (o outcome, err error) {
	slices.SortFunc(terms, func(x, y term) int { return int(x.start - y.start) })
	met := slices.IndexFunc(terms, func(x term) bool { return x.start <= at && x.end >= at })
	if met < 0 || terms[met].who != "a" {
		return o, fmt.Errorf("expected a to work at %v, got the terms %v", at, terms)
	}
	next := slices.IndexFunc(terms, func(x term) bool { return x.start > at })
	if next < 0 {
		return o, nil
	}
	return outcome{true, terms[met].end - at, terms[next].start - at}, nil
}

// span is the times of many runs: the shortest, the middle one and the longest.
type span struct{ min, median, max time.Duration }

func spanOf(all []time.Duration) (s span) {
	if n := len(all); n > 0 {
		slices.Sort(all)
		s = span{all[0], all[n/2], all[n-1]}
	}
	return s
}

func (s span) near(d time.Duration) bool { return d >= s.min-tolerance && d <= s.max+tolerance }

// prediction is what the simulation says of a scenario.
type prediction struct {
	// none is in how many runs nobody took over; the spans are of the others.
	none                    int
	stop, failover, overlap span
}

// predict simulates a scenario with many seeds.
func predict(s scenarios.Scenario) (p prediction, err error) {
	var stops, failovers, overlaps []time.Duration
	for seed := range uint64(runs) {
		s.Seed = seed
		result, err := scenarios.Run(&s, scenarios.Options{})
		if err != nil {
			return p, err
		}
		o, err := outcomeOf(simulated(result, s.Horizon), fault(&s).At)
		if err != nil {
			return p, fmt.Errorf("seed %d: %w", seed, err)
		}
		if !o.taken {
			p.none++
			continue
		}
		stops, failovers, overlaps = append(stops, o.stop), append(failovers, o.failover), append(overlaps, o.overlap())
	}
	p.stop, p.failover, p.overlap = spanOf(stops), spanOf(failovers), spanOf(overlaps)
	return p, nil
}

// fault is the fault that times count from: the first that is no delay.
func fault(s *scenarios.Scenario) *scenarios.Fault {
	return &s.Faults[slices.IndexFunc(s.Faults, func(f scenarios.Fault) bool { return f.Kind != "delay" })]
}

func simulated(r *scenarios.Result, horizon time.Duration) (terms []term) {
	for _, t := range r.Terms {
		end := horizon
		if t.EndedNs != nil {
			end = time.Duration(*t.EndedNs)
		}
		terms = append(terms, term{t.Candidate, time.Duration(t.StartedNs), end})
	}
	return terms
}

// refutes says in what the outcome is not as predicted, "" where it is.
func (p *prediction) refutes(o outcome) string {
	switch {
	case !o.taken && p.none == 0:
		return "expected a takeover, as in all runs, got none"
	case !o.taken:
		return ""
	case p.none == runs:
		return fmt.Sprintf("expected no takeover, as in all runs, got one after %v", o.failover)
	}
	for _, m := range []struct {
		what string
		span
		seen time.Duration
	}{
		{"the old leader to stop after", p.stop, o.stop},
		{"a takeover after", p.failover, o.failover},
		{"an overlap of", p.overlap, o.overlap()},
	} {
		if !m.near(m.seen) {
			return fmt.Sprintf("expected %s %v to %v, got %v", m.what, m.min, m.max, m.seen)
		}
	}
	return ""
}

// withProfile is a scenario whose candidates are of that profile, as elector runs them: where they stand again, they do so at
// once with client-go, and after a while with strict.
func withProfile(s scenarios.Scenario, profile string) scenarios.Scenario {
	known, _ := machine.ProfileNamed(profile)
	return changed(s, func(c *scenarios.Candidate) {
		c.Profile = known
		if c.Rejoin == nil {
			return
		}
		rejoin := time.Duration(0)
		if profile == "strict" {
			rejoin = c.RetryPeriod
		}
		c.Rejoin = &rejoin
	})
}

// longerLease is a scenario whose leases last a second longer.
func longerLease(s scenarios.Scenario) scenarios.Scenario {
	return changed(s, func(c *scenarios.Candidate) { c.LeaseDuration += time.Second })
}

// changed is a copy with other candidates.
func changed(s scenarios.Scenario, change func(*scenarios.Candidate)) scenarios.Scenario {
	s.Candidates = slices.Clone(s.Candidates)
	for i := range s.Candidates {
		change(&s.Candidates[i])
	}
	s.Faults = slices.Clone(s.Faults)
	return s
}

// replay has the simulated leader renew when the real one did, until the first fault: how long before it the last renewal was, and in
// which second, decides more than the jitter of the others. With client-go, which waits for RetryPeriod after each answer, the times
// between two renewals tell how long requests took; leg is for those that nothing tells of.
func replay(s *scenarios.Scenario, renewals []time.Duration, leg time.Duration) error {
	a := &s.Candidates[0]
	first := s.Faults[0].At
	renewals = slices.DeleteFunc(renewals, func(at time.Duration) bool { return at >= first })
	if len(renewals) < 3 {
		return fmt.Errorf("expected three renewals at least before %v, got %v", first, renewals)
	}
	delays := []scenarios.Fault{delayOfA(0, leg)}
	if !a.Profile.CountsFromRenewal() {
		// The first attempt is a Get and a Create, and the next follows at once.
		a.StartAt = renewals[0]
		delays[0] = delayOfA(0, (renewals[1]-renewals[0])/4)
		for i, at := range renewals[1 : len(renewals)-1] {
			delays = append(delays, delayOfA(at-a.RetryPeriod/4, (renewals[i+2]-at-a.RetryPeriod)/2))
		}
		delays = append(delays, delayOfA(renewals[len(renewals)-1]-a.RetryPeriod/4, leg))
	}
	s.Faults = append(delays, s.Faults...) // of several delays the last one wins
	return align(s, renewals[len(renewals)-1], leg)
}

func delayOfA(from, leg time.Duration) scenarios.Fault {
	from, leg = max(from, 0), max(leg, 0)
	constant := &scenarios.Delay{Min: leg, Max: leg}
	return scenarios.Fault{Kind: "delay", At: from, On: []string{"a"}, Request: constant, Response: constant}
}

// align moves the leader's start such that it sends a renewal at that instant: a strict one keeps to a grid, but for what it is
// late each time.
func align(s *scenarios.Scenario, renewed, leg time.Duration) error {
	result, err := scenarios.Run(s, scenarios.Options{})
	if err != nil {
		return err
	}
	by := s.Horizon
	for _, w := range result.Writes {
		if d := renewed - (time.Duration(w.AtNs) - leg); w.Candidate == "a" && d.Abs() < by.Abs() {
			by = d
		}
	}
	if by.Abs() > s.Candidates[0].RetryPeriod {
		return fmt.Errorf("expected a renewal by a close to %v, got the writes %v", renewed, result.Writes)
	}
	s.Candidates[0].StartAt += by
	return nil
}
