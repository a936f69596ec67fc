package parity

import (
	"encoding/json"
	"slices"
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// drawer draws from rapid what a plan is made of, and puts times at nanoseconds that look random, so that two
// things hardly ever happen at one instant: there the library itself is not reproducible.
type drawer struct {
	t     *rapid.T
	drawn uint64
}

func (d *drawer) between(what string, low, high time.Duration) time.Duration {
	d.drawn++
	x := rapid.Uint64().Draw(d.t, what) + d.drawn*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return low + time.Duration((x^x>>31)%uint64(high-low))
}

func (d *drawer) one(in int, what string) bool {
	return rapid.IntRange(0, in-1).Draw(d.t, what) == in-1
}

// plans generates what the library can show as well: no pause, drift or jump.
var plans = rapid.Custom(func(t *rapid.T) *plan.Plan {
	d := &drawer{t: t}
	p := &plan.Plan{Seed: 1, Horizon: d.between("horizon", 30*time.Second, 90*time.Second)}
	p.Network = plan.Network{Request: d.delay("request", 40), Response: d.delay("response", 40)}
	common := d.timings()
	n := rapid.IntRange(2, 5).Draw(t, "candidates")
	for i := range n {
		p.Candidates = append(p.Candidates, d.candidate(i, common))
	}
	for range d.between("faults", 0, 11) {
		p.Faults = append(p.Faults, d.fault(p))
	}
	return p
})

func (d *drawer) delay(what string, ms int64) plan.Delay {
	x := d.between(what, 0, time.Duration(ms)*time.Millisecond)
	return plan.Delay{Min: x, Max: x}
}

func (d *drawer) timings() machine.Timings {
	retry := d.between("retryPeriod", 200*time.Millisecond, 2500*time.Millisecond)
	least := time.Duration(machine.JitterFactor*float64(retry)) + time.Millisecond
	renew := d.between("renewDeadline", least, least+8*time.Second)
	if d.one(3, "tight") {
		renew = d.between("renewDeadline", least, least+200*time.Millisecond)
	}
	lease := d.between("leaseDuration", renew+time.Millisecond, renew+6*time.Second)
	return machine.Timings{LeaseDuration: max(lease, 950*time.Millisecond), RenewDeadline: renew, RetryPeriod: retry}
}

func (d *drawer) candidate(i int, common machine.Timings) plan.Candidate {
	jitter := d.between("jitter", 0, time.Second).Seconds()
	c := plan.Candidate{
		ID: string(rune('a' + i)), Profile: machine.ClientGo, Lock: plan.Lease, Timings: common, Jitter: &jitter,
		ReleaseOnCancel: rapid.Bool().Draw(d.t, "release"),
		StartAt:         d.between("startAt", 0, 5*time.Second),
	}
	if d.one(5, "own timings") {
		c.Timings = d.timings()
	}
	if d.one(2, "offset") {
		c.Clock.Offset = d.between("offset", -time.Hour, time.Hour)
	}
	if d.one(2, "timeout") {
		c.RequestTimeout = d.between("requestTimeout", 5*time.Millisecond, c.RenewDeadline)
	}
	if d.one(2, "drain") {
		c.Drain = d.between("drain", time.Millisecond, 10*time.Second)
	}
	if d.one(2, "rejoin") {
		rejoin := d.between("rejoin", time.Millisecond, 10*time.Second)
		c.Rejoin = &rejoin
		c.SameElector = d.one(2, "same elector")
	}
	if i > 0 && d.one(12, "same identity") {
		c.Identity = "a"
	}
	return c
}

var kinds = []plan.FaultKind{
	plan.FaultDelay, plan.FaultDelay, plan.FaultPartition, plan.FaultLose, plan.FaultLose, plan.FaultOutage, plan.FaultError,
	plan.FaultError, plan.FaultCrash, plan.FaultRestart, plan.FaultCancel, plan.FaultDelete,
}

func (d *drawer) fault(p *plan.Plan) plan.Fault {
	f := plan.Fault{Kind: rapid.SampledFrom(kinds).Draw(d.t, "kind"), At: d.between("at", 0, p.Horizon)}
	if f.Kind.Window() && !d.one(6, "to the end") {
		until := f.At + d.between("length", time.Millisecond, 15*time.Second)
		f.Until = &until
	}
	if f.Kind != plan.FaultOutage && f.Kind != plan.FaultDelete {
		f.On = d.targets(p, f.Kind.Window())
	}
	switch f.Kind {
	case plan.FaultDelay:
		d.delays(&f)
	case plan.FaultLose:
		f.Leg = rapid.SampledFrom([]plan.Leg{plan.BothLegs, plan.RequestLeg, plan.ResponseLeg}).Draw(d.t, "leg")
	case plan.FaultError:
		f.Status = rapid.SampledFrom([]int{403, 404, 409, 429, 500, 504}).Draw(d.t, "status")
		f.Applied = rapid.Bool().Draw(d.t, "applied")
		f.Verb = rapid.SampledFrom([]machine.Verb{0, machine.Get, machine.Create, machine.Update}).Draw(d.t, "verb")
	case plan.FaultRestart:
		f.Identity = rapid.SampledFrom([]plan.Identity{plan.SameIdentity, plan.NewIdentity}).Draw(d.t, "identity")
	}
	return f
}

func (d *drawer) delays(f *plan.Fault) {
	which := rapid.IntRange(1, 3).Draw(d.t, "legs")
	if which&1 != 0 {
		x := d.delay("request", 12_000)
		f.Request = &x
	}
	if which&2 != 0 {
		x := d.delay("response", 12_000)
		f.Response = &x
	}
}

// targets names whom a fault is on. What happens to a process at an instant happens to one: several would send
// their next requests at one instant, in an order that the library does not define.
func (d *drawer) targets(p *plan.Plan, several bool) []string {
	choice := rapid.IntRange(0, 5).Draw(d.t, "targets")
	unique := !slices.ContainsFunc(p.Candidates, func(c plan.Candidate) bool { return c.Identity != "" })
	switch {
	case choice == 0 && several:
		return nil
	case choice == 1 && (several || unique):
		return []string{plan.RoleLeader}
	case choice == 2 && several:
		return []string{plan.RoleFollower}
	}
	return []string{p.Candidates[rapid.IntRange(0, len(p.Candidates)-1).Draw(d.t, "target")].ID}
}

// instants returns when beliefs are looked at.
func instants(p *plan.Plan, seed uint64) []time.Duration {
	var out []time.Duration
	for i := range uint64(40) {
		x := (seed+i)*0x9e3779b97f4a7c15 ^ 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		out = append(out, time.Duration((x^x>>31)%uint64(p.Horizon)))
	}
	return out
}

func describe(p *plan.Plan) string {
	text, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
