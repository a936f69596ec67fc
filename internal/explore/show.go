package explore

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

const (
	// leg is how long a message takes one way in a scenario: far below a step of time, yet long enough to tell messages
	// apart.
	leg = time.Microsecond
	// nudge is by how much things are moved apart that happen at one instant.
	nudge = 2 * time.Millisecond
)

// show returns a scenario that shows what led to the state w, nil where it finds none. It tries every order of candidates that
// start together, and delays that are as planned, a little shorter, or a little longer. The error is that of a scenario which
// cannot be run.
func show(c *Config, w *world) (*scenarios.Scenario, error) {
	for _, off := range []time.Duration{0, -5 * nudge, 5 * nudge} {
		for _, order := range permutations(indices(c.Candidates)) {
			r := &replay{cfg: c, world: w, off: off, order: order}
			s, err := r.scenario()
			if s != nil || err != nil {
				return s, err
			}
		}
	}
	return nil, nil
}

// replay makes a scenario of the trail of a state.
type replay struct {
	cfg   *Config
	world *world
	off   time.Duration
	order []int
	s     *scenarios.Scenario
	// cuts has, for each candidate, the index of the partition that lasts among the faults, plus 1; 0 where none lasts.
	cuts [maxCandidates]int
}

// scenario builds a scenario of everything that led to the state, and runs it. It returns nil where the state cannot be shown in
// this order, or where the run does not show the violation. The error is that of a scenario which cannot be run.
func (r *replay) scenario() (*scenarios.Scenario, error) {
	r.begin()
	for _, t := range r.world.trail.path() {
		if done, err := r.add(t); !done || err != nil {
			return nil, err
		}
	}
	result, err := scenarios.Run(r.s, scenarios.Options{Brief: true})
	if err != nil {
		return nil, err
	}
	return r.judge(result), nil
}

// path returns the events of the trail in order of time. It replaces fates that were left open by what became of
// them.
func (t *trail) path() []*trail {
	var path []*trail
	type request struct{ node, number int }
	open := map[request]*trail{}
	var all []*trail
	for ; t != nil; t = t.before {
		all = append(all, t)
	}
	for _, t := range slices.Backward(all) {
		met := open[request{t.node, t.request}]
		switch {
		case t.event == reached:
			met.fate = fate{kind: unheard, out: t.at - met.at}
		case t.event == replied:
			met.fate.kind, met.fate.back = answered, t.at-met.at-met.fate.out
		case t.event == failed && met.fate.kind == unheard:
			met.fate.kind, met.fate.back = hidden, t.at-met.at-met.fate.out
		case t.event == failed:
			met.fate = fate{kind: refused, back: t.at - met.at}
		default:
			path = append(path, t.settled(func(c *trail) { open[request{t.node, t.request}] = c }))
		}
	}
	return path
}

// settled returns a copy of an event in which an open fate is a loss, and passes the copy to keep, so that later events
// can change it. It returns any other event as it is.
func (t *trail) settled(keep func(*trail)) *trail {
	if t.event != met || t.fate.kind != open {
		return t
	}
	c := *t
	c.fate = fate{kind: lost}
	keep(&c)
	return &c
}

// judge makes the scenario expect the verdicts of its result, and returns it; nil where the violation is not among
// them.
func (r *replay) judge(result *scenarios.Result) *scenarios.Scenario {
	r.s.Expect = map[string]scenarios.Expectation{}
	for _, p := range result.Properties {
		if p.Verdict != check.Held {
			r.s.Expect[p.Name] = scenarios.Expectation(p.Verdict)
		}
	}
	if p := check.Named(result.Properties, check.SingleWork); p == nil || !slices.ContainsFunc(p.Violations, r.counts) {
		return nil
	}
	return r.s
}

// counts tells whether a violation is longer than the configuration allows and, with Bystanders, of candidates that
// no fault was on.
func (r *replay) counts(v check.Violation) bool {
	for i, n := range r.world.all() {
		if r.cfg.Bystanders && n.hit && slices.Contains(v.Candidates, ids[i]) {
			return false
		}
	}
	return v.ToNs-v.FromNs > int64(r.cfg.Exceeds)
}

// begin sets r.s to a scenario with the candidates and a network without faults. It moves the starts of the candidates apart,
// in the order r.order.
func (r *replay) begin() {
	always := scenarios.Delay{Min: leg, Max: leg}
	end := r.world.now + r.cfg.limit()
	r.s = &scenarios.Scenario{Name: "explored", Plan: scenarios.Plan{
		Seed: 1, Network: scenarios.Network{Request: always, Response: always},
		Horizon: (end + time.Second).Truncate(time.Second),
	}}
	for i, n := range r.world.all() {
		jitter := jitterFor(r.cfg.RetryPeriod, n.wait)
		r.s.Candidates = append(r.s.Candidates, scenarios.Candidate{
			ID: ids[i], Profile: r.cfg.Profile, Lock: plan.Lease, Timings: r.cfg.Timings,
			ReleaseOnCancel: r.cfg.ReleaseOnCancel, RequestTimeout: r.cfg.RequestTimeout,
			Jitter:  &jitter,
			StartAt: n.start + time.Duration(r.order[i])*nudge,
		})
		if r.cfg.Rerun {
			last := &r.s.Candidates[len(r.s.Candidates)-1]
			last.Rejoin, last.SameElector = new(r.cfg.Grid), true
		}
	}
}

// jitterFor returns the draw of jitter with which a RetryPeriod becomes that wait, to within a few nanoseconds.
func jitterFor(period, wait time.Duration) float64 {
	return (float64(wait)/float64(period) - 1) / machine.JitterFactor
}

// add adds an event of the trail to the scenario. To find out when the event's request is sent, it runs the scenario so far. It
// returns false where the scenario does not have that request. The error is that of a scenario which cannot be run.
func (r *replay) add(t *trail) (bool, error) {
	if t.event == cancelled {
		at := max(0, t.at-nudge/2) // before all else there
		r.s.Faults = append(r.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: at, On: []string{ids[t.node]}})
		return true, nil
	}
	sent := &sending{node: int32(t.node), request: uint64(t.request)}
	if _, err := sim.Run(&r.s.Plan, sent); err != nil || !sent.found {
		return false, err
	}
	if t.event == healed {
		r.heal(t.node, sent.at)
		return true, nil
	}
	r.meet(t, sent.at)
	return true, nil
}

// heal ends, at the time at, the partition of a candidate in the scenario, if there is one.
func (r *replay) heal(node int, at time.Duration) {
	if cut := r.cuts[node]; cut > 0 {
		r.s.Faults[cut-1].Until = &at
		r.cuts[node] = 0
	}
}

// meet adds the faults to the scenario that give a request the fate in t. The request is sent at the time sent. Each fault
// lasts for the nanosecond in which its leg begins, except a partition, which heal ends.
func (r *replay) meet(t *trail, sent time.Duration) {
	fault := func(at time.Duration, f scenarios.Fault) {
		until := at + 1
		f.At, f.Until, f.On = at, &until, []string{ids[t.node]}
		r.s.Faults = append(r.s.Faults, f)
	}
	arrives := sent + leg
	if t.fate.out > 0 {
		out := r.delay(t.fate.out)
		fault(sent, scenarios.Fault{Kind: plan.FaultDelay, Request: out})
		arrives = sent + out.Min
	}
	if t.fate.back > 0 {
		fault(arrives, scenarios.Fault{Kind: plan.FaultDelay, Response: r.delay(t.fate.back)})
	}
	switch t.fate.kind {
	case refused, hidden:
		fault(arrives, scenarios.Fault{Kind: plan.FaultError, Status: refusedStatus, Applied: t.fate.kind == hidden})
	case lost:
		r.cut(t.node, sent)
	case unheard:
		r.cut(t.node, sent+1)
	}
}

// cut adds a partition of a candidate to the scenario, from the time at until heal ends it.
func (r *replay) cut(node int, at time.Duration) {
	r.s.Faults = append(r.s.Faults, scenarios.Fault{Kind: plan.FaultPartition, At: at, On: []string{ids[node]}})
	r.cuts[node] = len(r.s.Faults)
}

// delay returns a fixed delay of that length, changed by the offset that this replay tries.
func (r *replay) delay(d time.Duration) *scenarios.Delay {
	d += r.off
	return &scenarios.Delay{Min: d, Max: d}
}

// sending finds out when a candidate sends a request.
type sending struct {
	node    int32
	request uint64
	at      time.Duration
	found   bool
}

var _ trace.Sink = (*sending)(nil)

// Observe stores the time of the event if it is the request that s looks for.
func (s *sending) Observe(e *trace.Event) {
	if e.Kind == trace.RequestSent && e.Candidate == s.node && e.Request == s.request {
		s.at, s.found = time.Duration(e.At), true
	}
}
