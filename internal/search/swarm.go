package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// maxHorizon keeps a run short: many short runs find more than a few long ones.
const maxHorizon = 2 * time.Minute

// Scenario is the run of a seed: a pure function of target and seed. Each has a random subset of the kinds of fault, at a
// rate of its own, in a storm that is over before the end (after Groce et al., Swarm Testing, ISSTA 2012).
func (t *Target) Scenario(seed uint64) *scenarios.Scenario {
	w := &swarm{Rand: rand.New(rand.NewPCG(seed, 0x73776172)), target: t}
	s := &scenarios.Scenario{Name: name(seed), About: "A random run."}
	s.Seed = seed
	w.s = s
	w.timings = t.Timings
	if w.timings == (machine.Timings{}) {
		w.timings = w.anyTimings()
	}
	s.Horizon = min(maxHorizon, 8*w.timings.LeaseDuration)
	w.network()
	w.offset = time.Minute
	if t.callersNow() {
		w.offset = w.even(t.Limits.MaxClockOffset)
	}
	n := 2 + w.IntN(3)
	s.Candidates = make([]scenarios.Candidate, 0, n)
	for i := range n {
		s.Candidates = append(s.Candidates, w.candidate(i))
	}
	w.split()
	w.service()
	w.storm()
	return s
}

func name(seed uint64) string { return fmt.Sprintf("swarm-%d", seed) }

// swarm draws one scenario.
type swarm struct {
	*rand.Rand
	target  *Target
	s       *scenarios.Scenario
	timings machine.Timings
	// frozen is how long each candidate has been frozen in all.
	frozen time.Duration
	// offset is the largest of a wall clock at the start, and apart how far clocks that decide may still be set.
	offset, apart time.Duration
}

// spread draws a duration from low to high, each order of magnitude as likely.
func (w *swarm) spread(low, high time.Duration) time.Duration {
	if high <= low {
		return high
	}
	return time.Duration(math.Exp(w.Float64()*(math.Log(float64(high))-math.Log(float64(low)))) * float64(low))
}

// even draws a duration from 0 to high, each as likely.
func (w *swarm) even(high time.Duration) time.Duration {
	return time.Duration(w.Int64N(int64(high) + 1))
}

// one is true once in so many draws.
func (w *swarm) one(in int) bool { return w.IntN(in) == 0 }

// anyTimings draws valid timings for a run: in half of the draws those of Kubernetes, otherwise any.
func (w *swarm) anyTimings() machine.Timings {
	if w.one(2) {
		return machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}
	}
	retry := w.spread(100*time.Millisecond, 5*time.Second)
	deadline := retry*6/5 + 1 + w.spread(10*time.Millisecond, 6*retry)
	lease := max(time.Second, deadline+1+w.spread(time.Millisecond, 2*deadline))
	if w.one(2) {
		lease = (lease + time.Second - 1).Truncate(time.Second)
	}
	if w.target.Lock == plan.SQLTTL {
		lease = (lease + time.Millisecond - 1).Truncate(time.Millisecond)
	}
	return machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: retry}
}

// most returns the longest delay that one leg of a message may have.
func (w *swarm) most() time.Duration {
	if limit := w.target.Limits.MaxRoundTrip; limit > 0 {
		return limit / 2
	}
	return w.timings.RenewDeadline + w.timings.RetryPeriod
}

// network draws the delays of both legs of a message without a fault.
func (w *swarm) network() {
	// A call on two objects is up to three requests, one after the other.
	calls := time.Duration(2*len(w.target.Kind().Objects()) - 1)
	if w.target.Elections > 0 {
		// An election that no renewal reaches in time, and that ends its process, would never let another of its elections lead.
		calls *= 8
	}
	leg := func() scenarios.Delay {
		low := w.spread(100*time.Microsecond, min(w.most(), w.timings.RetryPeriod/8/calls))
		if w.one(2) {
			return scenarios.Delay{Min: low, Max: low}
		}
		return scenarios.Delay{Min: low, Max: min(w.most(), 4*low)}
	}
	w.s.Network = scenarios.Network{Request: leg(), Response: leg()}
}

// candidate draws the i-th candidate: its start, jitter, timeout, clock, drain and what it does after a loss.
func (w *swarm) candidate(i int) scenarios.Candidate {
	c := scenarios.Candidate{
		ID: fmt.Sprintf("%c", 'a'+i), Profile: w.target.Profile, Lock: w.target.Kind(), Timings: w.timings,
		Now: w.target.Now, Precision: w.target.Precision,
		StartAt: time.Duration(i) * w.spread(time.Millisecond, w.timings.RetryPeriod),
	}
	if w.one(2) {
		jitter := w.Float64()
		c.Jitter = &jitter
	}
	c.ReleaseOnCancel = w.one(2)
	if w.one(2) {
		// Longer than a round trip without a fault, or nobody would ever lead.
		trip := w.s.Network.Request.Max + w.s.Network.Response.Max + time.Millisecond
		c.RequestTimeout = trip + w.spread(w.timings.RetryPeriod/4, w.timings.RenewDeadline)
	}
	c.Clock.Offset = w.even(w.offset)
	limits := &w.target.Limits
	if d := limits.MaxDriftPPM; d > 0 {
		c.Clock.DriftPPM = w.Int64N(2*d+1) - d
	}
	if limits.MaxDrain > 0 && w.one(2) {
		c.Drain = w.even(limits.MaxDrain)
	}
	if limits.MaxPause > 0 {
		c.WriteEvery = w.spread(50*time.Millisecond, 2*time.Second)
	}
	if w.one(2) {
		rejoin := w.spread(time.Millisecond, 10*time.Second)
		c.Rejoin = &rejoin
		c.SameElector = rejoin%2 == 1 // no draw of its own, which would shift all that follow
	}
	if limits.Shared && i > 0 && w.one(4) {
		c.Identity = "a"
	}
	return c
}

// service draws the clock of a service whose locks expire by themselves.
func (w *swarm) service() {
	w.apart = w.target.Limits.MaxClockOffset - w.target.apart(w.s)
	if !w.target.Kind().Expires() {
		return
	}
	w.s.Service.Offset = w.even(time.Minute)
	if d := w.target.Limits.MaxDriftPPM; d > 0 {
		w.s.Service.DriftPPM = w.Int64N(2*d+1) - d
	}
}

// storm draws the faults: few or many, from a subset of the kinds, within the first two thirds.
func (w *swarm) storm() {
	all := w.target.Limits.kinds()
	kinds := make([]plan.FaultKind, 0, len(all))
	for _, k := range all {
		if w.one(2) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return
	}
	calm := w.s.Horizon * 2 / 3
	n := int(w.spread(1, 25))
	w.s.Faults = make([]scenarios.Fault, 0, n)
	for range n {
		w.s.Faults = append(w.s.Faults, w.fault(kinds[w.IntN(len(kinds))], calm))
	}
	if w.one(8) {
		bye := w.goodbye(calm)
		w.inElection(bye)
		w.s.Faults = append(w.s.Faults, bye...)
	}
}
