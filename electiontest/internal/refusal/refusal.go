// Package refusal tells which scenarios cannot be applied to code that is not simulated.
package refusal

import (
	"fmt"

	"k8s.io/utils/ptr"

	"interregnum/plan"
	"interregnum/scenarios"
)

// Of returns an error for a scenario that cannot be applied to code that is not simulated, else nil. If the scenario is valid in
// itself, the error is a *plan.FieldError for the first field that cannot be applied; otherwise it is that of Validate. clocks
// is true if the code takes its time from its candidate's clock.
func Of(s *scenarios.Scenario, clocks bool) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if s.Coordinator != nil {
		return refused("coordinator", "electiontest has no coordinated elections; leave it out")
	}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if err := candidate(fmt.Sprintf("candidates[%d]", i), c, clocks); err != nil {
			return err
		}
		if i > 0 && s.Candidates[i-1].ID == c.ID && !ptr.Equal(s.Candidates[i-1].Rejoin, c.Rejoin) {
			return refused("elections", fmt.Sprintf("the function of candidate %s is called again as a whole, and rejoin "+
				"differs between its elections; want one for all", c.ID))
		}
	}
	for i := range s.Faults {
		if err := fault(fmt.Sprintf("faults[%d]", i), &s.Faults[i]); err != nil {
			return err
		}
	}
	return nil
}

// candidate returns an error for the first setting of a candidate that cannot be applied to code that is not simulated, else
// nil. path is where the candidate is in the scenario; clocks is as in Of.
func candidate(path string, c *scenarios.Candidate, clocks bool) error {
	switch {
	case c.Lock.Expires():
		return refused(path+".lock", fmt.Sprintf("electiontest has an API server, and nothing that keeps a %s; want lease, "+
			"configmap, endpoints, configmapsleases or endpointsleases", c.Lock))
	case c.Coordinated:
		return refused(path+".coordinated", "electiontest has no coordinated elections; leave it out")
	case c.OnLoss != "" && c.OnLoss != plan.LossRejoin:
		return refused(path+".onLoss", "the code under test decides that itself, by Candidate.Exit for one; leave it out")
	case c.Client != nil && len(c.Client.Other) > 0:
		return refused(path+".client.other", "the requests of the code under test share its client; leave it out")
	case c.Client != nil && !c.Client.Retries:
		return refused(path+".client.retries", "the real client sends requests again after a Retry-After; want true")
	case c.SameElector:
		return refused(path+".sameElector", "the code under test decides that itself; leave it out")
	case c.LivenessProbe != nil:
		return refused(path+".livenessProbe", "electiontest probes nothing; leave it out, and have a restart fault")
	case c.Clock != (scenarios.Clock{}) && !clocks:
		return refused(path+".clock", "no clock can be moved for code that asks time.Now; leave it out, or let the code "+
			"take its time from Candidate.Clock and set Options.Clock")
	}
	return nil
}

// fault returns an error for the first field of a fault that cannot be applied to code that is not simulated, else nil. path is
// where the fault is in the scenario.
func fault(path string, f *scenarios.Fault) error {
	switch f.Kind {
	case plan.FaultPartition, plan.FaultLose, plan.FaultOutage, plan.FaultError, plan.FaultThrottle,
		plan.FaultCrash, plan.FaultRestart, plan.FaultDelete:
		return nil
	case plan.FaultBrownout:
		if f.Seats != 0 {
			return refused(path+".seats", "electiontest's API server has as many as are asked for; want a factor alone")
		}
		return nil
	case plan.FaultDelay:
		if f.Limiter != 0 {
			return refused(path+".limiter", "electiontest runs the real client, which has its own rate limiter; leave it out")
		}
		return nil
	case plan.FaultCancel:
		if f.Election != "" {
			return refused(path+".election", "the function of a candidate has one context for all its elections; leave it out")
		}
		return nil
	case plan.FaultEdit:
		if f.PreferredHolder != nil || f.Strategy != nil {
			return refused(path, "electiontest has no coordinated elections; want holder and leaseDuration alone")
		}
		return nil
	case plan.FaultPause:
		return refused(path+".kind", "electiontest cannot freeze a goroutine from outside; want a partition, which holds "+
			"back its network, or let the code itself sleep")
	case plan.FaultClock:
		return refused(path+".kind", "electiontest cannot set or speed up a clock while the code runs: Go's times carry a "+
			"monotonic reading that a jump would move too; want clock.offset and clock.driftPPM of the candidate")
	}
	return refused(path+".kind", fmt.Sprintf("electiontest has no fault %s; want delay, partition, lose, outage, error, throttle, brownout, "+
		"crash, restart, cancel, delete or edit", f.Kind))
}

// refused returns the error that names the field at path and says why it cannot be applied.
func refused(path, problem string) error { return &plan.FieldError{Path: path, Problem: problem} }
