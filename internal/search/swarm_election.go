package search

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// split has each process take part in several elections: the first of them in all. Each election has timings of its own
// where the target leaves them open, and each process may be probed. What a loss does is up to the process or to the
// election: a file cannot say what differs by both.
func (w *swarm) split() {
	n := w.target.Elections
	if n == 0 {
		return
	}
	timings, losses, ownLosses := make([]machine.Timings, n), make([]plan.OnLoss, n), w.one(2)
	for i := range timings {
		w.s.Elections = append(w.s.Elections, fmt.Sprintf("e%d", i+1))
		if timings[i] = w.timings; i > 0 && w.target.Timings == (machine.Timings{}) {
			// With a shorter RetryPeriod than that for which the network was drawn nobody might ever lead.
			if own := w.anyTimings(); own.RetryPeriod > w.timings.RetryPeriod {
				timings[i] = own
			}
		}
		losses[i] = w.loss()
	}
	processes := w.s.Candidates
	w.s.Candidates = nil
	for p := range processes {
		probe, loss := w.probe(), w.loss()
		if processes[p].Rejoin == nil {
			rejoin := w.spread(time.Millisecond, 10*time.Second)
			processes[p].Rejoin = &rejoin
		}
		for i, name := range w.s.Elections {
			if p > 0 && i > 0 && w.one(4) {
				continue
			}
			c := processes[p]
			c.Election, c.LivenessProbe, c.Timings, c.OnLoss = name, probe, timings[i], loss
			if ownLosses {
				c.OnLoss = losses[i]
			}
			w.s.Candidates = append(w.s.Candidates, c)
		}
	}
}

// loss draws what a process does that has lost an election.
func (w *swarm) loss() plan.OnLoss {
	return []plan.OnLoss{"", plan.LossExit, plan.LossIgnore}[w.IntN(3)]
}

// probe draws a liveness probe, none in half of the draws.
func (w *swarm) probe() *plan.LivenessProbe {
	if w.one(2) {
		return nil
	}
	return &plan.LivenessProbe{
		Period: w.spread(time.Second, 10*time.Second), FailureThreshold: 1 + w.IntN(3), Tolerance: w.even(20 * time.Second),
		RestartAfter: w.even(5 * time.Second),
	}
}

// inElection names one election in those faults that must be about a single one, as faults on a leader must, and at random in others.
func (w *swarm) inElection(faults []scenarios.Fault) {
	names := w.s.Elections
	if len(names) == 0 {
		return
	}
	name, narrows := names[w.IntN(len(names))], w.one(2)
	for i := range faults {
		f := &faults[i]
		role := len(f.On) > 0 && (f.On[0] == plan.RoleLeader || f.On[0] == plan.RoleFollower)
		if role || narrows && !f.Kind.OfProcess() {
			f.Election = name
		}
	}
}
