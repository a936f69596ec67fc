package sim

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

const (
	ms   = time.Millisecond
	year = 365 * 24 * time.Hour
	sec  = time.Second

	get, create, update = machine.Get, machine.Create, machine.Update
)

// aPlan is candidates with 15/10/2 s, no jitter and a network that takes no time: whoever leads renews every
// 2 s from the start of its work, whoever follows looks every 2 s from its own start.
func aPlan(horizon time.Duration, candidates ...plan.Candidate) *plan.Plan {
	return &plan.Plan{Seed: 1, Horizon: horizon, Candidates: candidates}
}

// who is a candidate of aPlan.
func who(id string, startAt time.Duration, changes ...func(*plan.Candidate)) plan.Candidate {
	c := plan.Candidate{
		ID: id, Profile: machine.ClientGo, Lock: plan.Lease, Jitter: new(float64), StartAt: startAt,
		Timings: machine.Timings{LeaseDuration: 15 * sec, RenewDeadline: 10 * sec, RetryPeriod: 2 * sec},
	}
	for _, change := range changes {
		change(&c)
	}
	return c
}

func timings(ld, rd, rp time.Duration) func(*plan.Candidate) {
	return func(c *plan.Candidate) {
		c.Timings = machine.Timings{LeaseDuration: ld, RenewDeadline: rd, RetryPeriod: rp}
	}
}

func drift(ppm int64) func(*plan.Candidate) {
	return func(c *plan.Candidate) { c.Clock.DriftPPM = ppm }
}
func offset(d time.Duration) func(*plan.Candidate) {
	return func(c *plan.Candidate) { c.Clock.Offset = d }
}
func timeout(d time.Duration) func(*plan.Candidate) {
	return func(c *plan.Candidate) { c.RequestTimeout = d }
}
func drains(d time.Duration) func(*plan.Candidate) { return func(c *plan.Candidate) { c.Drain = d } }
func rejoins(after time.Duration) func(*plan.Candidate) {
	return func(c *plan.Candidate) { c.Rejoin = &after }
}
func releases(c *plan.Candidate) { c.ReleaseOnCancel = true }

func fixed(d time.Duration) plan.Delay { return plan.Delay{Min: d, Max: d} }

// fault is one without an end.
func fault(k plan.FaultKind, at time.Duration, on ...string) plan.Fault {
	return plan.Fault{Kind: k, At: at, On: on}
}

// window is a fault that ends.
func window(k plan.FaultKind, at, until time.Duration, on ...string) plan.Fault {
	return plan.Fault{Kind: k, At: at, Until: &until, On: on}
}

// tape is what a run left behind.
type tape struct {
	plan   *plan.Plan
	events []trace.Event
	stats  Stats
}

func (p *tape) Observe(e *trace.Event) { p.events = append(p.events, *e) }

func play(t require.TestingT, plan *plan.Plan) *tape {
	p := &tape{plan: plan}
	var err error
	p.stats, err = Run(plan, p)
	require.NoError(t, err)
	return p
}

// at returns when a candidate had an event of that kind and, if one is given, of that verb.
func (p *tape) at(id string, k trace.Kind, verbs ...machine.Verb) []time.Duration {
	var out []time.Duration
	for i := range p.events {
		e := &p.events[i]
		if e.Kind != k || p.name(e) != id || len(verbs) > 0 && e.Verb != trace.Verb(verbs[0]) {
			continue
		}
		out = append(out, time.Duration(e.At))
	}
	return out
}

// on returns the candidates that a fault was on when it began.
func (p *tape) on(fault int32) []int32 {
	for i := range p.events {
		if e := &p.events[i]; e.Kind == trace.FaultBegan && e.Fault == fault {
			return e.On
		}
	}
	return nil
}

func (p *tape) name(e *trace.Event) string {
	if e.Candidate == trace.Nobody {
		return "-"
	}
	return (&trace.Candidate{ID: p.plan.Candidates[e.Candidate].ID, Election: p.plan.Candidates[e.Candidate].Election}).Name()
}

// talk is of kinds that no test of times looks at.
func talk(k trace.Kind) bool {
	switch k {
	case trace.MetricSet, trace.EventRecorded, trace.LeaderReported, trace.BeliefBegan, trace.BeliefEnded:
		return true
	}
	return false
}

// story returns the events in [from, to], one a line, without talk.
func (p *tape) story(from, to time.Duration) string {
	var b strings.Builder
	for i := range p.events {
		e := &p.events[i]
		if at := time.Duration(e.At); at < from || at > to || talk(e.Kind) {
			continue
		}
		b.WriteString(p.line(e) + "\n")
	}
	return b.String()
}

func (p *tape) line(e *trace.Event) string {
	parts := []string{time.Duration(e.At).String(), p.name(e), e.Kind.String()}
	add := func(set bool, text string) {
		if set {
			parts = append(parts, text)
		}
	}
	add(e.Verb != 0, e.Verb.String())
	add(e.Status != 0, fmt.Sprint(e.Status))
	add(e.Cause != 0, e.Cause.String())
	add(e.Term != 0, fmt.Sprintf("term %d", e.Term))
	add(e.Incarnation > 1, fmt.Sprintf("incarnation %d", e.Incarnation))
	add(e.Kind == trace.Written, fmt.Sprintf("v%d", e.Version))
	add(e.Candidate == trace.Nobody, fmt.Sprintf("fault %d", e.Fault))
	add(e.Kind == trace.ClockChanged, fmt.Sprintf("%v %+dppm", time.Duration(e.Amount), e.Rate))
	add(e.Holder != "" && e.Kind != trace.RequestSent && e.Kind != trace.RequestApplied, e.Holder)
	return strings.Join(parts, " ")
}

// lines is a story written down in a test.
func lines(text ...string) string { return strings.Join(text, "\n") + "\n" }

// opens asserts what a run's story is from an instant on, as far as that is written down.
func opens(t *testing.T, p *tape, from time.Duration, text ...string) {
	want, got := lines(text...), p.story(from, p.plan.Horizon)
	assert.Equal(t, want, got[:min(len(want), len(got))])
}

// TestTape is the plan that most tests are a variation of.
func TestTape(t *testing.T) {
	p := play(t, round(aPlan(5*sec, who("a", 0)), ms))
	require.Equal(t, lines(
		"0s a runStarted a",
		"0s a requestSent get",
		"1ms a requestApplied get 404",
		"2ms a responseHandled get 404",
		"2ms a requestSent create",
		"3ms a written create 201 v1 a",
		"4ms a responseHandled create 201",
		"4ms a workStarted term 1",
		"4ms a requestSent update",
		"5ms a written update 200 v2 a",
		"6ms a responseHandled update 200",
		"2.006s a requestSent update",
		"2.007s a written update 200 v3 a",
		"2.008s a responseHandled update 200",
		"4.008s a requestSent update",
		"4.009s a written update 200 v4 a",
		"4.01s a responseHandled update 200",
	), p.story(0, 5*sec))
}

// round gives the plan a network that takes as long on both ways.
func round(p *plan.Plan, oneWay time.Duration) *plan.Plan {
	p.Network = plan.Network{Request: fixed(oneWay), Response: fixed(oneWay)}
	return p
}

// with adds faults.
func with(p *plan.Plan, faults ...plan.Fault) *plan.Plan {
	p.Faults = append(p.Faults, faults...)
	return p
}

// but returns a fault with changes.
func but(f plan.Fault, changes ...func(*plan.Fault)) plan.Fault {
	for _, change := range changes {
		change(&f)
	}
	return f
}

func lost(leg plan.Leg) func(*plan.Fault)       { return func(f *plan.Fault) { f.Leg = leg } }
func jumps(d time.Duration) func(*plan.Fault)   { return func(f *plan.Fault) { f.Jump = d } }
func drifts(ppm int64) func(*plan.Fault)        { return func(f *plan.Fault) { f.DriftPPM = &ppm } }
func answers(status int) func(*plan.Fault)      { return func(f *plan.Fault) { f.Status = status } }
func of(v machine.Verb) func(*plan.Fault)       { return func(f *plan.Fault) { f.Verb = v } }
func applied(f *plan.Fault)                     { f.Applied = true }
func named(i plan.Identity) func(*plan.Fault)   { return func(f *plan.Fault) { f.Identity = i } }
func withChance(p float64) func(*plan.Fault)    { return func(f *plan.Fault) { f.Probability = &p } }
func request(d time.Duration) func(*plan.Fault) { return requestIn(d, d) }
func response(d time.Duration) func(*plan.Fault) {
	return func(f *plan.Fault) { x := fixed(d); f.Response = &x }
}
func requestIn(min, max time.Duration) func(*plan.Fault) {
	return func(f *plan.Fault) { f.Request = &plan.Delay{Min: min, Max: max} }
}
func in(election string) func(*plan.Fault)  { return func(f *plan.Fault) { f.Election = election } }
func about(object string) func(*plan.Fault) { return func(f *plan.Fault) { f.Object = object } }

func until(p *plan.Plan, horizon time.Duration) *plan.Plan {
	p.Horizon = horizon
	return p
}
