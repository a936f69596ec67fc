package sim

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// anyPlan is every kind of plan, those with pauses, drift and jumps included, which the library cannot run.
func anyPlan() *rapid.Generator[*plan.Plan] {
	return rapid.Custom(func(t *rapid.T) *plan.Plan {
		p := aPlan(drawTime(t, "horizon", 60*sec))
		p.Seed = rapid.Uint64().Draw(t, "seed")
		p.Network = plan.Network{Request: drawDelay(t), Response: drawDelay(t)}
		lock := rapid.SampledFrom([]plan.Lock{plan.Lease, plan.Lease, plan.KVTTL, plan.SQLTTL}).Draw(t, "lock")
		for i := range rapid.IntRange(1, 4).Draw(t, "candidates") {
			c := drawCandidate(t, i)
			c.Lock = lock
			if lock == plan.SQLTTL {
				c.Now = rapid.SampledFrom([]plan.Now{"", plan.DatabaseNow}).Draw(t, "now")
			}
			p.Candidates = append(p.Candidates, c)
		}
		if rapid.IntRange(0, 2).Draw(t, "several elections") == 0 {
			p.Elections = []string{"x", "y", "z"}[:rapid.IntRange(1, 3).Draw(t, "elections")]
			drawEntries(t, p)
		}
		for range rapid.IntRange(0, 10).Draw(t, "faults") {
			p.Faults = append(p.Faults, drawFault(t, p))
		}
		return p
	})
}

// drawTime is a multiple of 250 ms, so that much happens at once.
func drawTime(t *rapid.T, name string, most time.Duration) time.Duration {
	return time.Duration(rapid.Int64Range(1, int64(most/(250*ms))).Draw(t, name)) * 250 * ms
}

func drawDelay(t *rapid.T) plan.Delay {
	d := fixed(rapid.SampledFrom([]time.Duration{ms, ms, 250 * ms, sec}).Draw(t, "delay"))
	if rapid.Bool().Draw(t, "uniform") {
		d.Max += 20 * ms
	}
	return d
}

func drawCandidate(t *rapid.T, i int) plan.Candidate {
	c := who(fmt.Sprint("n", i), rapid.SampledFrom([]time.Duration{0, 0, sec, 7 * sec}).Draw(t, "startAt"))
	if rapid.Bool().Draw(t, "random") {
		c.Jitter = nil
	}
	c.Profile = rapid.SampledFrom(machine.Profiles()).Draw(t, "profile")
	c.ReleaseOnCancel = rapid.Bool().Draw(t, "release")
	c.RequestTimeout = rapid.SampledFrom([]time.Duration{0, 500 * ms, 2 * sec, 3 * sec}).Draw(t, "timeout")
	c.Drain = rapid.SampledFrom([]time.Duration{0, 3 * sec, 20 * sec}).Draw(t, "drain")
	c.Clock.DriftPPM = rapid.SampledFrom([]int64{0, 0, half, twice, 123_457}).Draw(t, "driftPPM")
	if rapid.Bool().Draw(t, "rejoins") {
		c.Rejoin = new(rapid.SampledFrom([]time.Duration{0, sec, 4 * sec}).Draw(t, "rejoin"))
		c.SameElector = rapid.Bool().Draw(t, "same elector")
	}
	drawLoss(t, &c)
	if rapid.IntRange(0, 3).Draw(t, "probed") == 0 {
		c.LivenessProbe = &plan.LivenessProbe{
			Period:           rapid.SampledFrom([]time.Duration{sec, 3 * sec}).Draw(t, "period"),
			FailureThreshold: rapid.IntRange(1, 3).Draw(t, "threshold"),
			Tolerance:        rapid.SampledFrom([]time.Duration{0, 2 * sec}).Draw(t, "tolerance"),
			RestartAfter:     rapid.SampledFrom([]time.Duration{0, sec}).Draw(t, "restartAfter"),
		}
	}
	if i > 0 && rapid.IntRange(0, 5).Draw(t, "same identity") == 0 {
		c.Identity = "n0"
	}
	return c
}

// drawLoss draws what becomes of a process that loses an election.
func drawLoss(t *rapid.T, c *plan.Candidate) {
	c.OnLoss = rapid.SampledFrom([]plan.OnLoss{"", plan.LossExit, plan.LossIgnore, plan.LossRejoin}).Draw(t, "onLoss")
	if c.OnLoss == plan.LossRejoin && c.Rejoin == nil {
		c.OnLoss = ""
	}
}

// drawEntries makes an entry for each candidate in each election: the first of them is in all.
func drawEntries(t *rapid.T, p *plan.Plan) {
	processes := p.Candidates
	p.Candidates = nil
	for i := range processes {
		for j, name := range p.Elections {
			c := processes[i]
			if i > 0 && j > 0 && rapid.IntRange(0, 3).Draw(t, "abstains") == 0 {
				continue
			}
			c.Election = name
			if j > 0 {
				drawLoss(t, &c)
				c.Drain = rapid.SampledFrom([]time.Duration{0, 3 * sec}).Draw(t, "drain")
			}
			p.Candidates = append(p.Candidates, c)
		}
	}
}

// drawElection draws which election a fault is about, where it may or has to say so.
func drawElection(t *rapid.T, p *plan.Plan, f *plan.Fault) string {
	role := f.NamesRole()
	switch {
	case len(p.Elections) == 0, f.Kind.OfProcess() && !role:
		return ""
	case !role && f.Kind != plan.FaultEdit && rapid.Bool().Draw(t, "in all elections"):
		return ""
	}
	return rapid.SampledFrom(p.Elections).Draw(t, "election")
}

func drawFault(t *rapid.T, p *plan.Plan) plan.Fault {
	kinds, asked := plan.FaultKinds(), append([]verb{0}, verbs...)
	if p.Candidates[0].Lock.Expires() {
		kinds = slices.DeleteFunc(kinds, func(k plan.FaultKind) bool { return k == plan.FaultEdit })
		asked = []verb{0, get, create, machine.Replace, machine.Refresh, machine.Resign, machine.Watch}
	}
	f := plan.Fault{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	f.At = drawTime(t, "at", p.Horizon+sec) - 250*ms
	if f.Kind.Window() && rapid.Bool().Draw(t, "ends") {
		f.Until = new(f.At + drawTime(t, "length", 20*sec))
	}
	if f.Kind != plan.FaultOutage && f.Kind != plan.FaultDelete && f.Kind != plan.FaultEdit {
		names := []string{plan.RoleLeader, plan.RoleFollower}
		for i := range p.Candidates {
			names = append(names, p.Candidates[i].ID)
		}
		if i := rapid.IntRange(-1, len(names)-1).Draw(t, "on"); i >= 0 {
			f.On = names[i : i+1]
		}
	}
	f.Election = drawElection(t, p, &f)
	switch f.Kind {
	case plan.FaultEdit:
		f.Holder = new(rapid.SampledFrom([]string{"", "n0", "n1"}).Draw(t, "holder"))
	case plan.FaultDelay:
		d := drawDelay(t)
		f.Request, f.Response = &d, rapid.SampledFrom([]*plan.Delay{nil, &d, {Min: 5 * sec, Max: 5 * sec}}).Draw(t, "response")
	case plan.FaultLose:
		f.Leg = rapid.SampledFrom([]plan.Leg{plan.BothLegs, plan.RequestLeg, plan.ResponseLeg}).Draw(t, "leg")
		f.Probability = rapid.SampledFrom([]*float64{nil, new(0.0), new(0.4)}).Draw(t, "probability")
	case plan.FaultError:
		// A 409 to a release would have it try again for as long as the fault lasts.
		f.Status = rapid.SampledFrom([]int{403, 404, 504}).Draw(t, "status")
		f.Verb = rapid.SampledFrom(asked).Draw(t, "verb")
		f.Applied = rapid.Bool().Draw(t, "applied")
	case plan.FaultRestart:
		f.Identity = rapid.SampledFrom([]plan.Identity{"", plan.NewIdentity}).Draw(t, "identity")
	case plan.FaultClock:
		f.Jump = rapid.SampledFrom([]time.Duration{-5 * sec, sec}).Draw(t, "jump")
		f.DriftPPM = rapid.SampledFrom([]*int64{nil, new(int64(half)), new(int64(0))}).Draw(t, "driftPPM")
	}
	return f
}

// copyPlan is a plan whose candidates and faults can be changed without changing p's.
func copyPlan(p *plan.Plan) *plan.Plan {
	q := *p
	q.Candidates, q.Faults = slices.Clone(p.Candidates), slices.Clone(p.Faults)
	return &q
}
