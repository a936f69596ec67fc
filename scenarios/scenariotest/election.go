package scenariotest

import (
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// split replaces each candidate by entries for several elections. The first process takes part in all of them, every
// process in the first election. Each election has timings of its own where the environment leaves them open, and
// each process loses in its own way and may be probed.
func (d *drawer) split(s *scenarios.Scenario) {
	s.Elections = []string{"x", "y", "z"}[:rapid.IntRange(2, 3).Draw(d.t, "elections")]
	timings := make([]machine.Timings, len(s.Elections))
	for i := range timings {
		if timings[i] = d.env.Timings; timings[i] == (machine.Timings{}) {
			timings[i] = d.timings()
		}
	}
	processes := s.Candidates
	s.Candidates = nil
	for p := range processes {
		probe := d.probe()
		for i, name := range s.Elections {
			if p > 0 && i > 0 && d.one(4, "abstains") {
				continue
			}
			c := processes[p]
			c.Election, c.LivenessProbe = name, probe
			if !d.env.expires() {
				c.Timings = timings[i]
			}
			if d.env.MaxDrain > 0 {
				c.Drain = d.between("drain", 0, d.env.MaxDrain)
			}
			if c.OnLoss = rapid.SampledFrom([]plan.OnLoss{"", plan.LossExit, plan.LossIgnore}).Draw(d.t, "onLoss"); c.OnLoss != "" && c.Rejoin == nil {
				c.Rejoin = new(d.between("rejoin", time.Millisecond, 10*time.Second))
			}
			s.Candidates = append(s.Candidates, c)
		}
	}
}

func (d *drawer) probe() *plan.LivenessProbe {
	if !d.one(2, "probed") {
		return nil
	}
	return &plan.LivenessProbe{
		Period:           d.between("period", time.Second, 5*time.Second),
		FailureThreshold: rapid.IntRange(1, 3).Draw(d.t, "failureThreshold"),
		Tolerance:        d.between("tolerance", 0, 10*time.Second),
		RestartAfter:     d.between("restartAfter", 0, 3*time.Second),
	}
}

// inElection limits faults to one of several elections: those on a role have to be, others may be.
func (d *drawer) inElection(s *scenarios.Scenario, faults []scenarios.Fault) []scenarios.Fault {
	if len(s.Elections) == 0 {
		return faults
	}
	name := rapid.SampledFrom(s.Elections).Draw(d.t, "election")
	narrows := d.one(2, "in one election")
	for i := range faults {
		f := &faults[i]
		role := len(f.On) > 0 && (f.On[0] == plan.RoleLeader || f.On[0] == plan.RoleFollower)
		if role || narrows && !f.Kind.OfProcess() {
			f.Election = name
		}
	}
	return faults
}
