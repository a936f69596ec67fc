package elector_test

import (
	"math/rand/v2"
	"sort"
	"time"
)

// script is a plan of everything that can happen to a candidate, for it to happen twice.
type script struct {
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration
	Release, ReallyCrash, Coordinated         bool
	// Raw is what a Get returns beside the record.
	Raw rawKind
	// Jitter is drawn from in turn, from the start in each run.
	Jitter []float64
	Calls  []callPlan
	Others []otherWrite
	Runs   []runPlan
	// Samples are the times at which somebody asks IsLeader, GetLeader and Check.
	Samples []time.Duration
	// StoppedEvent and Stopped are how long the event "stopped leading" and OnStoppedLeading take; the
	// first not nothing, since the end of Run's context goes through to the work's meanwhile.
	StoppedEvent, Stopped time.Duration
	PanicWhenStopped      bool
	// EventPanics is an event that the lock panics at.
	EventPanics string
}

type rawKind int

const (
	rawJSON rawKind = iota
	rawVersion
	rawNone
	rawKinds
)

// runPlan is one Run: how long until its context is cancelled, and whether by a deadline.
type runPlan struct {
	Until    time.Duration
	Deadline bool
	Before   bool // cancelled before it begins
}

// callPlan is what becomes of one call of the lock.
type callPlan struct {
	// Out and Back are how long the call takes to the store and back.
	Out, Back time.Duration
	// Heeds: the call ends with its context.
	Heeds bool
	End   callEnd
	// Applied: the call takes effect although it ends badly.
	Applied bool
}

type callEnd int

const (
	endAnswer callEnd = iota
	endError
	endNotFound
	endConflict
	endPanic
	endGoexit
)

// otherWrite is a write by somebody else.
type otherWrite struct {
	At     time.Duration
	Delete bool
	Holder string
	// Preferred is who shall lead next.
	Preferred string
	Seconds   int
	Renewals  int
	Every     time.Duration
}

func between(r *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(r.Int64N(int64(high-low)+1))
}

func newScript(seed uint64) *script {
	r := rand.New(rand.NewPCG(seed, 0x1e4de4))
	s := &script{
		Release:      r.IntN(2) == 0,
		ReallyCrash:  r.IntN(3) == 0,
		Raw:          rawKind(r.IntN(int(rawKinds))),
		StoppedEvent: between(r, 1, time.Millisecond),
		Stopped:      between(r, 0, time.Second),

		PanicWhenStopped: r.IntN(30) == 0,
	}
	s.RetryPeriod = between(r, 50*time.Millisecond, 3*time.Second)
	s.RenewDeadline = between(r, s.RetryPeriod*5/4+1, s.RetryPeriod*8)
	s.LeaseDuration = between(r, s.RenewDeadline+1, s.RenewDeadline*2)
	for range 5 {
		s.Jitter = append(s.Jitter, r.Float64())
	}
	for range 1 + r.IntN(5)/4 {
		s.Runs = append(s.Runs, runPlan{
			Until:    between(r, s.RetryPeriod, s.LeaseDuration*12),
			Deadline: r.IntN(4) == 0,
			Before:   r.IntN(40) == 0,
		})
	}
	s.planCalls(r)
	s.planOthers(r)
	for range 40 {
		s.Samples = append(s.Samples, between(r, 0, s.LeaseDuration*12))
	}
	sort.Slice(s.Samples, func(i, j int) bool { return s.Samples[i] < s.Samples[j] })
	if s.Coordinated = r.IntN(3) == 0; s.Coordinated {
		s.coordinate(r)
	}
	return s
}

// planCalls draws the rates of faults first: scripts shall differ in kind, not only in detail.
func (s *script) planCalls(r *rand.Rand) {
	rate := func(most float64) float64 {
		if r.IntN(2) == 0 {
			return 0
		}
		return r.Float64() * most
	}
	slow, late, heeds := rate(0.5), rate(0.3), r.Float64()
	bad, conflict, missing, panics, exits := rate(0.5), rate(0.3), rate(0.1), rate(0.1), rate(0.02)
	instant := r.IntN(10) == 0
	for range 400 {
		c := callPlan{Heeds: r.Float64() < heeds, Applied: r.IntN(2) == 0}
		if !instant {
			c.Out, c.Back = between(r, 1, 2*time.Millisecond), between(r, 1, 2*time.Millisecond)
		}
		if r.Float64() < slow {
			c.Out = between(r, 1, s.RetryPeriod*2)
		}
		if r.Float64() < late {
			c.Back = between(r, 1, s.RenewDeadline*5/4)
		}
		switch p := r.Float64(); {
		case p < bad:
			c.End = endError
		case p < bad+conflict:
			c.End = endConflict
		case p < bad+conflict+missing:
			c.End = endNotFound
		case p < bad+conflict+missing+panics:
			c.End = endPanic
		case p < bad+conflict+missing+panics+exits:
			c.End = endGoexit
		}
		s.Calls = append(s.Calls, c)
	}
}

func (s *script) planOthers(r *rand.Rand) {
	holders := []string{"other", "another", "other", "", me}
	at := time.Duration(0)
	for range r.IntN(5) {
		at += between(r, 1, s.LeaseDuration*4)
		s.Others = append(s.Others, otherWrite{
			At:       at,
			Delete:   r.IntN(5) == 0,
			Holder:   holders[r.IntN(len(holders))],
			Seconds:  r.IntN(int(s.LeaseDuration/time.Second) + 2),
			Renewals: r.IntN(4),
			Every:    between(r, 1, s.RetryPeriod),
		})
	}
}

// coordinate has the coordinator appoint this candidate more often than others do, and end its terms.
func (s *script) coordinate(r *rand.Rand) {
	for i := range s.Others {
		o := &s.Others[i]
		o.Delete = o.Delete && r.IntN(2) == 0
		if r.IntN(3) > 0 {
			o.Holder, o.Seconds = me, int(s.LeaseDuration/time.Second)+r.IntN(3)
		}
		if r.IntN(2) == 0 {
			o.Renewals = 0
		}
		if r.IntN(4) == 0 {
			o.Preferred = "another"
		}
	}
}
