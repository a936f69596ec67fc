package rest

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// lastStart is when the last process has started.
const lastStart = 3 * time.Second

// drawer draws plans. Its times are at nanoseconds that look random, so that two things hardly ever happen at one instant: there
// the library itself is not reproducible.
type drawer struct{ *rand.Rand }

func (d drawer) between(low, high time.Duration) time.Duration {
	return low + time.Duration(d.Int64N(int64(high-low)))
}

// one returns true once in so many times.
func (d drawer) one(in int) bool { return d.IntN(in) == 0 }

// planOf returns the plan with that seed, for candidates of that profile.
func planOf(seed uint64, profile machine.Profile) *plan.Plan {
	d := drawer{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	common := d.timings()
	p := &plan.Plan{Seed: 1, Horizon: d.between(4*common.LeaseDuration, 8*common.LeaseDuration) + 20*time.Second}
	p.Network = plan.Network{Request: d.delay(40), Response: d.delay(40)}
	for i := range 1 + d.IntN(3) {
		p.Candidates = append(p.Candidates, d.candidate(p, i, common))
		p.Candidates[i].Profile = profile
	}
	for range 1 + d.IntN(8) {
		p.Faults = append(p.Faults, d.fault(p))
	}
	return p
}

// delay returns one of up to so many milliseconds.
func (d drawer) delay(ms int64) plan.Delay {
	x := d.between(1, time.Duration(ms)*time.Millisecond)
	return plan.Delay{Min: x, Max: x}
}

// timings returns timings of about a second to a minute.
func (d drawer) timings() machine.Timings {
	most := []time.Duration{800 * time.Millisecond, 2500 * time.Millisecond, 10 * time.Second}[d.IntN(3)]
	retry := d.between(most/5, most)
	renew := d.between(0, 4*most) + time.Duration(machine.JitterFactor*float64(retry)) + time.Millisecond
	renew |= 1 // half of it, twice, is not all of it
	lease := d.between(renew+time.Millisecond, renew+most)
	return machine.Timings{LeaseDuration: max(lease, time.Second), RenewDeadline: renew, RetryPeriod: retry}
}

func (d drawer) candidate(p *plan.Plan, i int, common machine.Timings) plan.Candidate {
	jitter := d.Float64()
	c := plan.Candidate{
		ID: string(rune('a' + i)), Lock: plan.Lease, Timings: common, Jitter: &jitter,
		ReleaseOnCancel: d.one(2), StartAt: d.between(0, lastStart), Client: &plan.Client{Retries: true, HTTP1: true},
	}
	if d.one(5) {
		c.Timings = d.timings()
	}
	switch d.IntN(4) {
	case 0:
		c.RequestTimeout = plan.HalfOf(c.RenewDeadline)
	case 1:
		c.RequestTimeout = d.between(50*time.Millisecond, c.RenewDeadline)
	}
	if d.one(2) {
		rejoin := d.between(time.Millisecond, 10*time.Second)
		c.Rejoin = &rejoin
	}
	if d.one(3) {
		c.OnLoss = plan.LossExit
	}
	if !d.one(6) {
		d.limit(c.Client, p.Horizon)
	}
	return c
}

// limit gives a client a bucket of 0.05 to 50 tokens a second, and other traffic that takes about as many.
func (d drawer) limit(c *plan.Client, horizon time.Duration) {
	c.QPS = 0.05 * math.Pow(1000, d.Float64())
	c.Burst = 1 + d.IntN(20)
	for range d.IntN(3) {
		t := plan.Traffic{At: d.between(0, horizon/2), Count: 1 + d.IntN(2*c.Burst)}
		if !d.one(3) {
			every := float64(t.Count) / c.QPS * (0.4 + 2*d.Float64()) * float64(time.Second)
			t.Every = max(time.Duration(every), horizon*time.Duration(t.Count)/500) | 1
			if d.one(2) {
				until := t.At + d.between(time.Second, horizon/2)
				t.Until = &until
			}
		}
		c.Other = append(c.Other, t)
	}
}

var kinds = []plan.FaultKind{
	plan.FaultThrottle, plan.FaultThrottle, plan.FaultThrottle, plan.FaultError, plan.FaultError, plan.FaultError,
	plan.FaultDelay, plan.FaultDelay, plan.FaultLose, plan.FaultPartition, plan.FaultOutage,
	plan.FaultCancel, plan.FaultCancel, plan.FaultCrash, plan.FaultRestart, plan.FaultDelete,
}

func (d drawer) fault(p *plan.Plan) plan.Fault {
	f := plan.Fault{Kind: kinds[d.IntN(len(kinds))], At: d.between(0, p.Horizon)}
	if f.Kind.OfProcess() {
		f.At = d.between(lastStart, p.Horizon)
	}
	if f.Kind.Window() && !d.one(12) {
		until := f.At + d.between(time.Millisecond, []time.Duration{2 * time.Second, 20 * time.Second, time.Minute}[d.IntN(3)])
		f.Until = &until
	}
	if f.Kind != plan.FaultOutage && f.Kind != plan.FaultDelete && (!f.Kind.Window() || d.one(2)) {
		f.On = []string{p.Candidates[d.IntN(len(p.Candidates))].ID}
	}
	verbs := []machine.Verb{0, 0, machine.Get, machine.Create, machine.Update, machine.Update}
	switch f.Kind {
	case plan.FaultThrottle:
		f.Verb = verbs[d.IntN(len(verbs))]
		if !d.one(3) {
			f.RetryAfter = d.retryAfter()
		}
	case plan.FaultError:
		f.Verb, f.Applied = verbs[d.IntN(len(verbs))], !d.one(3)
		f.Status = []int{403, 404, 409, 422, 429, 500, 503, 504, 400 + d.IntN(200)}[d.IntN(9)]
		if !d.one(3) {
			f.RetryAfter = d.retryAfter()
		}
	case plan.FaultLose:
		f.Leg = []plan.Leg{plan.BothLegs, plan.RequestLeg, plan.ResponseLeg}[d.IntN(3)]
	case plan.FaultDelay:
		d.delays(&f)
	case plan.FaultRestart:
		f.Identity = []plan.Identity{plan.SameIdentity, plan.NewIdentity}[d.IntN(2)]
	}
	return f
}

func (d drawer) retryAfter() *time.Duration {
	after := time.Duration([]int{0, 0, 0, 1, 1, 1, 2, 3, 5, 12}[d.IntN(10)]) * time.Second
	return &after
}

func (d drawer) delays(f *plan.Fault) {
	which := 1 + d.IntN(3)
	if which&1 != 0 {
		x := d.delay(8000)
		f.Request = &x
	}
	if which&2 != 0 {
		x := d.delay(8000)
		f.Response = &x
	}
}

func describe(p *plan.Plan) string {
	text, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
