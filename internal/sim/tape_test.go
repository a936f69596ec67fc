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
)

const (
	ms  = time.Millisecond
	sec = time.Second

	get, create, update = machine.Get, machine.Create, machine.Update
)

type verb = machine.Verb

var verbs = []verb{get, create, update}

// aPlan is candidates with 15/10/2 s, no jitter and a network that takes no time: whoever leads renews every
// 2 s from the start of its work, whoever follows looks every 2 s from its own start.
func aPlan(horizon time.Duration, candidates ...Candidate) *Plan {
	return &Plan{Seed: 1, Horizon: horizon, Candidates: candidates}
}

// who is a candidate of aPlan.
func who(id string, startAt time.Duration, changes ...func(*Candidate)) Candidate {
	c := Candidate{
		ID: id, Profile: machine.ClientGo, Lock: Lease, Jitter: new(float64), StartAt: startAt,
		Timings: machine.Timings{LeaseDuration: 15 * sec, RenewDeadline: 10 * sec, RetryPeriod: 2 * sec},
	}
	for _, change := range changes {
		change(&c)
	}
	return c
}

func timings(ld, rd, rp time.Duration) func(*Candidate) {
	return func(c *Candidate) {
		c.Timings = machine.Timings{LeaseDuration: ld, RenewDeadline: rd, RetryPeriod: rp}
	}
}

func drift(ppm int64) func(*Candidate)             { return func(c *Candidate) { c.Clock.DriftPPM = ppm } }
func offset(d time.Duration) func(*Candidate)      { return func(c *Candidate) { c.Clock.Offset = d } }
func timeout(d time.Duration) func(*Candidate)     { return func(c *Candidate) { c.RequestTimeout = d } }
func drains(d time.Duration) func(*Candidate)      { return func(c *Candidate) { c.Drain = d } }
func rejoins(after time.Duration) func(*Candidate) { return func(c *Candidate) { c.Rejoin = &after } }
func releases(c *Candidate)                        { c.ReleaseOnCancel = true }

// round gives the plan a network that takes as long on both ways.
func (p *Plan) round(oneWay time.Duration) *Plan {
	p.Network = Network{Request: fixed(oneWay), Response: fixed(oneWay)}
	return p
}

// with adds faults.
func (p *Plan) with(faults ...Fault) *Plan {
	p.Faults = append(p.Faults, faults...)
	return p
}

func fixed(d time.Duration) Delay { return Delay{Min: d, Max: d} }

// fault is one without an end.
func fault(k FaultKind, at time.Duration, on ...string) Fault { return Fault{Kind: k, At: at, On: on} }

// window is a fault that ends.
func window(k FaultKind, at, until time.Duration, on ...string) Fault {
	return Fault{Kind: k, At: at, Until: &until, On: on}
}

func (f Fault) loses(leg Leg) Fault            { f.Leg = leg; return f }
func (f Fault) jumps(d time.Duration) Fault    { f.Jump = d; return f }
func (f Fault) drifts(ppm int64) Fault         { f.DriftPPM = &ppm; return f }
func (f Fault) answers(status int) Fault       { f.Status = status; return f }
func (f Fault) of(v machine.Verb) Fault        { f.Verb = v; return f }
func (f Fault) applied() Fault                 { f.Applied = true; return f }
func (f Fault) named(i Identity) Fault         { f.Identity = i; return f }
func (f Fault) withChance(p float64) Fault     { f.Probability = &p; return f }
func (f Fault) request(d time.Duration) Fault  { x := fixed(d); f.Request = &x; return f }
func (f Fault) response(d time.Duration) Fault { x := fixed(d); f.Response = &x; return f }
func (f Fault) requestIn(min, max time.Duration) Fault {
	f.Request = &Delay{Min: min, Max: max}
	return f
}

// tape is what a run left behind.
type tape struct {
	plan   *Plan
	events []trace.Event
	stats  Stats
}

func (p *tape) Observe(e *trace.Event) { p.events = append(p.events, *e) }

func play(t require.TestingT, plan *Plan) *tape {
	p := &tape{plan: plan}
	var err error
	p.stats, err = Run(plan, p)
	require.NoError(t, err)
	return p
}

// at is when a candidate had an event of that kind; of a verb, where one is given.
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

// story is the events in [from, to], one a line, without talk.
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
	p := play(t, aPlan(5*sec, who("a", 0)).round(ms))
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
