package scenarios

import (
	"slices"
	"time"

	"interregnum/plan"

	"pgregory.net/rapid"
)

func drawLoss(t *rapid.T) plan.OnLoss {
	return rapid.SampledFrom([]plan.OnLoss{"", plan.LossExit, plan.LossRejoin, plan.LossIgnore}).Draw(t, "onLoss")
}

func drawProbe(t *rapid.T) *plan.LivenessProbe {
	if rapid.Bool().Draw(t, "unprobed") {
		return nil
	}
	return &plan.LivenessProbe{
		Period: time.Second + drawTime(t, "period")/2, FailureThreshold: rapid.IntRange(1, 5).Draw(t, "threshold"),
		Tolerance: drawTime(t, "tolerance"), RestartAfter: drawTime(t, "restartAfter"),
	}
}

// drawElections makes a scenario one of several elections. What a candidate has for a field is its own, in all of its
// elections, or else the election's.
func drawElections(t *rapid.T, s *Scenario, precision time.Duration) {
	s.Elections = []string{"x", "0", "true"}[:rapid.IntRange(1, 3).Draw(t, "elections")]
	var bases []Candidate
	for range s.Elections {
		c := drawCandidate(t, "", precision)
		c.Timings.LeaseDuration = c.LeaseDuration.Truncate(time.Millisecond) + time.Millisecond
		if c.Rejoin == nil {
			c.Rejoin = new(drawTime(t, "rejoin"))
		}
		bases = append(bases, c)
	}
	processes := s.Candidates
	s.Candidates = nil
	used := make([]bool, len(s.Elections))
	for p := range processes {
		own := &processes[p]
		owns := rapid.SliceOfN(rapid.Bool(), 7, 7).Draw(t, "owns")
		own.LeaseDuration = own.LeaseDuration.Truncate(time.Millisecond) + time.Millisecond
		only := rapid.IntRange(-1, len(s.Elections)-1).Draw(t, "only")
		for i, name := range s.Elections {
			if p > 0 && only >= 0 && only != i {
				continue
			}
			used[i] = true
			c := bases[i]
			c.ID, c.Identity, c.StartAt, c.Clock, c.LivenessProbe = own.ID, own.Identity, own.StartAt, own.Clock, own.LivenessProbe
			c.Election, c.Coordinated, c.BinaryVersion, c.EmulationVersion, c.Strategy = name, false, "", "", ""
			inherit(&c, own, owns)
			s.Candidates = append(s.Candidates, c)
		}
	}
	if slices.Contains(used, false) {
		t.Fatal("the first candidate takes part in all")
	}
}

func inherit(c, own *Candidate, owns []bool) {
	if owns[0] {
		c.Timings = own.Timings
	}
	if owns[1] {
		c.ReleaseOnCancel = own.ReleaseOnCancel
	}
	if owns[2] {
		c.RequestTimeout = own.RequestTimeout
	}
	if owns[3] {
		c.Drain, c.ReturnsAfter = own.Drain, own.ReturnsAfter
	}
	if owns[4] && own.Jitter != nil {
		c.Jitter, c.FirstJitters = own.Jitter, own.FirstJitters
	}
	if owns[5] && own.Rejoin != nil {
		c.Rejoin = own.Rejoin
	}
	c.SameElector = own.SameElector && c.Rejoin != nil
	if owns[6] && own.OnLoss != "" {
		c.OnLoss = own.OnLoss
	}
}
