package sim

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/draw"
	"interregnum/internal/draw/drawtest"
	"interregnum/plan"
)

// anyPlan draws every kind of plan, with pauses, drift and jumps too, which the library cannot run. Its times are
// multiples of 250 ms, so that much happens at once.
func anyPlan() *rapid.Generator[*plan.Plan] { return planOf(false) }

// clientPlan is anyPlan, with clients and the faults about them.
func clientPlan() *rapid.Generator[*plan.Plan] { return planOf(true) }

func planOf(clients bool) *rapid.Generator[*plan.Plan] {
	return rapid.Custom(func(t *rapid.T) *plan.Plan {
		s := &draw.Space{
			Profile: machine.ClientGo, Timings: who("", 0).Timings, Candidates: rapid.IntRange(1, 4).Draw(t, "candidates"), Restless: true,
			Limits: draw.Limits{
				MaxDriftPPM: -half, MaxPause: plan.MaxDuration, MaxDrain: 20 * sec, MaxClockOffset: 10 * sec, Shared: true, Deleted: true,
				Rollouts: true, Clients: clients,
			},
		}
		s.Lock = rapid.SampledFrom([]plan.Lock{plan.Lease, plan.Lease, plan.KVTTL, plan.SQLTTL}).Draw(t, "lock")
		s.Now = rapid.SampledFrom([]plan.Now{"", plan.DatabaseNow}).Draw(t, "now")
		s.Elections = rapid.SampledFrom([]int{0, 1, 1, 1, 2, 3}).Draw(t, "elections")
		p := drawtest.Plan(t, s)
		p.Seed = rapid.Uint64().Draw(t, "seed")
		if s.Elections == 1 && rapid.IntRange(0, 3).Draw(t, "named") > 0 {
			unname(p)
		}
		varyCandidates(t, p)
		varyFaults(t, p)
		if slices.ContainsFunc(p.Candidates, func(c plan.Candidate) bool { return c.Profile.Client == machine.OfPython }) {
			p.Faults = slices.DeleteFunc(p.Faults, func(f plan.Fault) bool { return f.InPlainText() }) // they are refused
		}
		align(p)
		return p
	})
}

// unname takes the name from the only election of a plan, and keeps what is drawn only for elections with names.
func unname(p *plan.Plan) {
	p.Elections = nil
	for i := range p.Candidates {
		p.Candidates[i].Election = ""
	}
	for i := range p.Faults {
		p.Faults[i].Election = ""
	}
}

// varyCandidates draws what a space has the same for all candidates, or not at all: profiles, clocks twice as fast,
// starts at once, more Runs in the same process.
func varyCandidates(t *rapid.T, p *plan.Plan) {
	awaited := successors(p)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if i > 0 && c.ID == p.Candidates[i-1].ID {
			same := &p.Candidates[i-1]
			c.Profile, c.Clock, c.StartAt = same.Profile, same.Clock, same.StartAt
		} else {
			profile := rapid.SampledFrom(machine.Profiles()).Draw(t, "profile")
			if mayHave(p, c, profile) {
				c.Profile = profile
			}
			c.Clock.DriftPPM = rapid.SampledFrom([]int64{0, half, twice, c.Clock.DriftPPM}).Draw(t, "driftPPM")
			if late := time.Duration(rapid.IntRange(0, 3).Draw(t, "start")); !slices.Contains(awaited, c.ID) {
				c.StartAt *= late
			}
		}
		if c.Rejoin != nil && rapid.IntRange(0, 3).Draw(t, "rejoins") == 0 {
			c.Rejoin, c.OnLoss = new(time.Duration), plan.LossRejoin
		}
	}
}

// mayHave tells whether c, of plan p, may have that profile. If anybody has a client, or a reset was drawn, as in a plan
// where one had it, faults are on clients of Kubernetes.
func mayHave(p *plan.Plan, c *plan.Candidate, profile machine.Profile) bool {
	other := *c
	other.Profile = profile
	clients := slices.ContainsFunc(p.Candidates, func(c plan.Candidate) bool { return c.Client != nil }) ||
		slices.ContainsFunc(p.Faults, func(f plan.Fault) bool { return f.Kind == plan.FaultReset || f.Kind == plan.FaultThrottle })
	return c.Lock.TakenBy(&profile) && (profile.TimesOut() || c.RequestTimeout == 0) && (!clients || other.RefusesClient() == "")
}

// varyFaults changes some faults into such as no space has: edits of the record, and faults on an object that does not
// exist.
func varyFaults(t *rapid.T, p *plan.Plan) {
	for i := range p.Faults {
		f := &p.Faults[i]
		switch {
		case f.Kind == plan.FaultDelete && !p.Candidates[0].Lock.Expires() && rapid.Bool().Draw(t, "edit"):
			f.Kind, f.Holder = plan.FaultEdit, new(rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "holder"))
			if len(p.Elections) > 0 {
				f.Election = p.Elections[0]
			}
		case f.Status == 500:
			f.Status = 404
		}
	}
}

// align makes the times of a plan multiples of 250 ms, those of messages a millisecond otherwise.
func align(p *plan.Plan) {
	up := func(d *time.Duration) { *d = (*d + 250*ms - 1).Truncate(250 * ms) }
	delay := func(d *plan.Delay) {
		most := max(ms, d.Min.Round(250*ms))
		*d = plan.Delay{Min: most, Max: most + min(20*ms, d.Max-d.Min)}
	}
	delay(&p.Network.Request)
	delay(&p.Network.Response)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		for _, d := range []*time.Duration{&c.StartAt, &c.RequestTimeout, &c.Drain, &c.Clock.Offset} {
			up(d)
		}
		if c.Rejoin != nil {
			c.Rejoin = new(*c.Rejoin)
			up(c.Rejoin)
		}
		if c.LivenessProbe != nil {
			probe := *c.LivenessProbe
			up(&probe.Period)
			up(&probe.Tolerance)
			up(&probe.RestartAfter)
			c.LivenessProbe = &probe
		}
	}
	for i := range p.Faults {
		f := &p.Faults[i]
		up(&f.At)
		if f.Until != nil {
			f.Until = new(max(*f.Until, f.At+1))
			up(f.Until)
		}
		if f.Jump = f.Jump.Round(250 * ms); f.Kind == plan.FaultClock && f.DriftPPM == nil && f.Jump == 0 {
			f.Jump = sec
		}
		for _, d := range []*plan.Delay{f.Request, f.Response} {
			if d != nil {
				delay(d)
			}
		}
	}
}

// drawTime draws a multiple of 250 ms.
func drawTime(t *rapid.T, name string, most time.Duration) time.Duration {
	return time.Duration(rapid.Int64Range(1, int64(most/(250*ms))).Draw(t, name)) * 250 * ms
}

// copyPlan returns a copy of a plan whose candidates and faults can be changed without changing p's.
func copyPlan(p *plan.Plan) *plan.Plan {
	q := *p
	q.Candidates, q.Faults = slices.Clone(p.Candidates), slices.Clone(p.Faults)
	return &q
}
