package world

import (
	"fmt"
	"slices"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// blind returns why the run's verdicts would mean nothing, such as that nobody asked for the lock; "" if they mean
// something. hindered tells that faults are perhaps the reason.
func (w *world) blind() (why string, hindered bool) {
	unasked := slices.Index(w.asked, false)
	switch {
	case w.problem != "":
		return w.problem, false
	case unasked >= 0:
		return fmt.Sprintf("nobody asked for the lock %s: want the code to lock that one (Candidate.LockKey), or "+
			"Options.Lock to name another, and its requests to go through Candidate.RESTConfig; in a scenario of several "+
			"elections, one elector for each of Candidate.Elections%s", w.locks[unasked], w.insteadWords()), !w.guarded && w.silent() == ""
	case w.askew() && !w.clocked:
		return "the scenario's clocks have offset or drift, and nobody took Candidate.Clock: want Options.Clock unset, or that clock in the code", false
	case w.silent() != "":
		return w.silent(), false
	case w.free > 1 && !w.tried:
		return fmt.Sprintf("the lock %s was free, and nobody took it: want LeaderElectionConfig.Coordinated unset, for one; "+
			"there is no coordinator here", w.locks[0]), false
	case !w.guarded && slices.ContainsFunc(w.seats, (*seat).led):
		return "somebody led, and no work was guarded: want Guard around the work, with a context that derives from the " +
			"candidate's, or the callbacks of Candidate.Config", !slices.ContainsFunc(w.seats, (*seat).ledInPeace)
	}
	return "", false
}

// led tells whether the candidate has taken the lock and renewed it.
func (s *seat) led() bool { return s.ledAt > 0 }

// ledInPeace tells whether the candidate has led, from a LeaseDuration before the horizon or earlier, and nothing was in its way.
func (s *seat) ledInPeace() bool {
	return s.led() && !s.node.disturbed && s.node.world.scenario.Horizon-s.ledAt >= s.plan.LeaseDuration
}

// askew tells whether a candidate's clock has an offset or drift.
func (w *world) askew() bool {
	return slices.ContainsFunc(w.scenario.Candidates, func(c scenarios.Candidate) bool { return c.Clock != scenarios.Clock{} })
}

// silent returns a message about the first candidate that never asked for its lock although nothing kept it from that, "" for
// none. A candidate does not count that never began, that a fault has met, or that starts less than a LeaseDuration before the
// horizon.
func (w *world) silent() string {
	for _, s := range w.seats {
		n := s.node
		if s.asked || n.process == nil || n.disturbed || w.scenario.Horizon-n.plan.StartAt < s.plan.LeaseDuration {
			continue
		}
		return fmt.Sprintf("candidate %s never asked for the lock %s, so that nothing was shown of it: want its function to begin "+
			"an election on that lock (Candidate.LockKey), and its errors given to t.Error; or a later horizon, if it starts late", s.name(), s.key)
	}
	return ""
}

// name returns what reports call the candidate.
func (s *seat) name() string {
	return (&trace.Candidate{ID: s.plan.ID, Election: s.plan.Election}).Name()
}
