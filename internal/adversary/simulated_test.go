package adversary

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/fate"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// Simulated runs plans in the simulated world. It is faster than the library, and shows more.
type Simulated struct{}

// run runs a plan in the simulated world, and returns its outcome. A run that fails sets Outcome.Err. If the environment does not
// allow the plan, it is run all the same, but Outcome.Works is nil.
func (Simulated) run(c *Case, g *Genome) *Outcome { return newStaging(c, g).run() }

// newStaging returns a staging for a run of the plan g in the case c. It runs nothing.
func newStaging(c *Case, g *Genome) *staging {
	s := &staging{c: c, g: g, out: newOutcome(g), actors: make([]actor, len(g.Parts))}
	s.out.Sent = make([]Request, 0, usual*len(g.Parts))
	for i := range s.actors {
		s.actors[i].asked = make([]asked, 0, usual)
	}
	return s
}

// run runs the plan in the simulated world, and returns its outcome. A run that fails sets Outcome.Err. If the environment does not
// allow the plan, Outcome.Works is nil. A staging can be run once.
func (s *staging) run() *Outcome {
	s.base = s.plan()
	s.void = s.c.wallsApart(s.base)
	s.said = append(s.said, s.base.Faults...)
	if _, err := sim.RunDirected(s.base, s, s); err != nil {
		s.out.Err = err
	}
	return s.finish()
}

// usual is how many requests a candidate sends in a run, as a rule.
const usual = 64

// staging is one run of a plan: it directs the simulated world, and reads the trace. For the order of a run, see sim.RunDirected.
type staging struct {
	c      *Case
	g      *Genome
	out    *Outcome
	actors []actor
	// said are all faults of the run: those that are known before it, and those that were added while it went on.
	said []plan.Fault
	// base is the simulator's plan, with the faults that are known before the run.
	base *plan.Plan
	// void: the environment does not allow the plan.
	void bool
}

// actor is what the staging remembers of a candidate.
type actor struct {
	life
	freezes
	// asked are its requests, by the simulator's number.
	asked []asked
	// begun are faults that the plan ties to the beginning of a phase that has begun since the candidate's last request. They are
	// added with its next request.
	begun []plan.Fault
	// begunIn is how many of its Runs had returned when it last sent a request.
	begunIn int
	// busy counts its requests of the instant at, and total all its requests.
	at          time.Duration
	busy, total int
}

// asked is a request as the staging knows it. index is its place in Outcome.Sent.
type asked struct {
	fate  Fate
	index int
	// called is when the client was called for it, and sent is when it left the client, both in true time; never where that did
	// not happen. hold is its wait in the client's limiter, on the client's clock.
	called, sent, hold time.Duration
}

// plan returns the simulator's plan: the candidates, and the faults that are known before the run. Called adds the other faults
// while the run goes on.
func (s *staging) plan() *plan.Plan {
	c := s.c
	p := &plan.Plan{Seed: 1, Horizon: s.g.Horizon}
	zero := time.Duration(0)
	for i := range s.g.Parts {
		part := &s.g.Parts[i]
		x := plan.Candidate{
			ID: name(i), Profile: c.Config.Profile, Lock: c.Config.Lock, Timings: c.Config.Timings,
			ReleaseOnCancel: c.Config.ReleaseOnCancel, RequestTimeout: c.Config.RequestTimeout, Drain: c.Env.Drain,
			StartAt: part.Start, Clock: plan.Clock{Offset: part.Offset},
		}
		if c.Config.Lock.ByWallClock() {
			x.Now, x.Precision = c.Config.Now, c.Config.Precision
		}
		if c.Env.Reruns {
			x.Rejoin, x.SameElector = &zero, true
		}
		if s.out.Starts[i] == never {
			x.StartAt = p.Horizon
		} else {
			p.Faults = append(p.Faults, s.anchored(i, part.Start)...)
		}
		p.Candidates = append(p.Candidates, x)
	}
	if c.Config.Lock.Expires() {
		p.Service = plan.Clock{Offset: s.g.Service.Offset}
		p.Faults = append(p.Faults, s.g.Service.faults(c.Env.MaxDriftPPM)...)
	}
	return p
}

// anchored returns the faults that the plan ties to the step that the i-th candidate has taken at now: freezes, changes of its
// clock's rate, and a cancel. The cancel is that of the present Run. It cuts rates to MaxDriftPPM, and freezes to what remains of
// MaxPause, and adds the freezes to the actor's freezes.
func (s *staging) anchored(i int, now time.Duration) (faults []plan.Fault) {
	p, a := &s.g.Parts[i], &s.actors[i]
	on := []string{name(i)}
	for k := range p.Freezes {
		f := &p.Freezes[k]
		if f.Step != s.actors[i].step {
			continue
		}
		length := min(f.Length, s.c.Env.MaxPause-a.spent())
		if length <= 0 {
			continue
		}
		at := f.Anchor.instant(now)
		until := at + length
		a.all = append(a.all, span{at, until})
		faults = append(faults, plan.Fault{Kind: plan.FaultPause, On: on, At: at, Until: &until, AnswersFirst: f.AnswersFirst})
	}
	for k := range p.Rates {
		if r := &p.Rates[k]; r.Step == a.step {
			ppm := min(max(r.PPM, -s.c.Env.MaxDriftPPM), s.c.Env.MaxDriftPPM)
			faults = append(faults, plan.Fault{Kind: plan.FaultClock, On: on, At: r.Anchor.instant(now), DriftPPM: &ppm})
		}
	}
	if a.runs < len(p.Cancels) && p.Cancels[a.runs].Step == a.step {
		faults = append(faults, plan.Fault{Kind: plan.FaultCancel, On: on, At: p.Cancels[a.runs].instant(now)})
	}
	return faults
}

// verbsOf returns the set with the kind of request v alone; Others for any kind but Get, Create and Update.
func verbsOf(v machine.Verb) Verbs {
	switch v {
	case machine.Get:
		return Gets
	case machine.Create:
		return Creates
	case machine.Update:
		return Updates
	}
	return Others
}

// Called implements sim.Director. It records the request as the candidate's next step, and decides its fate. It returns the wait
// in the client's limiter, on the client's clock, and the faults that the plan ties to this step, or to a phase that has begun
// since the last one. If the candidate has sent too many requests (standstill, enough), the request is lost. Of the faults that
// come too late, it drops the cancel of a Run that has returned, and lets the others begin a nanosecond after now.
func (s *staging) Called(i int, id uint64, op *simlock.Op, at time.Duration) (time.Duration, []plan.Fault) {
	a, verb := &s.actors[i], op.Verb
	a.step.Number++
	if at != a.at {
		a.at, a.busy = at, 0
	}
	f := s.c.allow(s.g.Parts[i].fate(a.step, verbsOf(verb)), verbsOf(verb))
	a.total++
	if a.busy++; a.busy > standstill || a.total > enough {
		f.Out.Lost = true
	}
	for uint64(len(a.asked)) <= id {
		a.asked = append(a.asked, asked{called: never})
	}
	a.asked[id] = asked{fate: f, index: len(s.out.Sent), called: at, sent: never}
	s.out.Sent = append(s.out.Sent, Request{
		Candidate: i, Step: a.step, Verb: verbsOf(verb), Sent: at, Arrived: never, Handled: never,
		Holds: op.Record.Holder != "", Renew: time.Duration(op.Record.Renew),
	})
	hold := bound.Local(f.Hold, -s.c.Env.MaxDriftPPM) // as long as that in true time where its clock is slow, and never longer
	faults := append(a.begun, s.anchored(i, at)...)
	faults = slices.DeleteFunc(faults, func(f plan.Fault) bool {
		return f.Kind == plan.FaultCancel && f.At <= at && a.runs > a.begunIn // that Run is over
	})
	a.begunIn = a.runs
	for k := range faults {
		if f := &faults[k]; f.At <= at { // what hangs on a phase's beginning, which is over
			if f.Until != nil {
				*f.Until += at + 1 - f.At
			}
			f.At = at + 1
		}
	}
	a.begun = nil
	s.said = append(s.said, faults...)
	a.asked[id].hold = hold
	return hold, faults
}

var watch = simlock.Op{Verb: machine.Watch}

// Sent implements sim.Director. It returns how long the request travels, or that it is lost, and records when it left the client.
// A request for which Called was not called is a watch, for which it calls Called first. It cuts the delays so that the round
// trip, including the wait in the limiter but no freeze, is no longer than MaxRoundTrip.
func (s *staging) Sent(i int, id uint64, at time.Duration) fate.Way {
	if uint64(len(s.actors[i].asked)) <= id {
		s.Called(i, id, &watch, at) // a watch does not pass the limiter
	}
	q := &s.actors[i].asked[id]
	q.sent = at
	left := max(0, s.c.Env.MaxRoundTrip-(at-q.called)+frozen(s.said, name(i), q.called, at))
	q.fate.Out.Delay = min(q.fate.Out.Delay, max(0, left-s.c.leastLeg()))
	q.fate.Back.Delay = min(q.fate.Back.Delay, left-q.fate.Out.Delay)
	return q.fate.Out
}

// Arrived implements sim.Director. It records the instant. It returns the error with which the request is answered, a status of 0
// for none, and the candidates that start after it.
func (s *staging) Arrived(i int, id uint64, at time.Duration) (fate.Refusal, []sim.Start) {
	q := &s.actors[i].asked[id]
	s.out.Sent[q.index].Arrived = at
	return q.fate.Refusal, s.followers(i, s.out.Sent[q.index].Step, at)
}

// followers returns the candidates that the plan starts some time after a request of that candidate and step, which has just
// arrived at the instant at. It also records when they start, and prepares the faults that the plan ties to that start.
func (s *staging) followers(of int, step Step, at time.Duration) (starts []sim.Start) {
	for i := range s.g.Parts {
		if e := s.g.follows(i); e != nil && e.Of == of && e.Step == step && s.out.Starts[i] == never {
			s.out.Starts[i] = e.instant(at)
			s.base.Candidates[i].StartAt = s.out.Starts[i]
			s.actors[i].begun = s.anchored(i, s.out.Starts[i])
			starts = append(starts, sim.Start{Candidate: i, Later: s.out.Starts[i] - at})
		}
	}
	return starts
}

// Answered implements sim.Director: it returns how long the answer travels, or that it is lost.
func (s *staging) Answered(i int, id uint64, _ time.Duration) fate.Way {
	return s.actors[i].asked[id].fate.Back
}

// Jitter implements sim.Director. It returns the plan's draw for the wait after the candidate's last step, and records the step
// in Outcome.Drew.
func (s *staging) Jitter(i int) float64 {
	at := s.actors[i].step
	s.out.Drew[i] = append(s.out.Drew[i], at)
	return s.g.Parts[i].jitter(at)
}

// Returned implements sim.Director. It counts the Run, and returns after how long the plan lets the candidate run again; 0 and
// false if it does not.
func (s *staging) Returned(i int) (time.Duration, bool) {
	run := s.actors[i].runs
	s.actors[i].runs++
	if run >= len(s.g.Parts[i].Reruns) {
		return 0, false
	}
	return max(0, s.g.Parts[i].Reruns[run]), true
}

// stagingKinds are the kinds of events at which a staging looks.
var stagingKinds = trace.KindsOf(trace.EventRecorded, trace.MetricSet, trace.CancelAsked, trace.RunStarted, trace.WorkStarted,
	trace.WorkEnded, trace.Written, trace.ResponseHandled)

// Wants implements trace.Selective: it returns stagingKinds.
func (s *staging) Wants() trace.KindSet { return stagingKinds }

// Observe implements trace.Sink. It updates the candidate's phase, and adds to the actor's begun the faults that the plan ties to
// a phase that begins. It stores in s.out the Runs, the works, and which requests wrote and when they were handled, and adds an
// answer to the actor's wins if it wins or renews the lease. It ignores events of no candidate.
func (s *staging) Observe(e *trace.Event) {
	if e.Candidate < 0 {
		return
	}
	a, at := &s.actors[e.Candidate], time.Duration(e.At)
	if a.observe(e) { // what hangs on its beginning waits for its first request: that is as soon as the simulated world asks
		a.begun = append(a.begun, s.anchored(int(e.Candidate), at)...)
	}
	switch e.Kind {
	case trace.RunStarted:
		s.out.Runs[e.Candidate]++
	case trace.WorkStarted:
		s.out.Works = append(s.out.Works, Work{Candidate: int(e.Candidate), Term: int(e.Term), Start: at, End: never})
	case trace.WorkEnded:
		for k := range s.out.Works {
			if w := &s.out.Works[k]; w.Candidate == int(e.Candidate) && w.Term == int(e.Term) {
				w.End = at
			}
		}
	case trace.Written:
		s.out.Sent[a.asked[e.Request].index].Wrote = true
	case trace.ResponseHandled:
		q := &s.out.Sent[a.asked[e.Request].index]
		q.Handled = at
		if q.Holds && q.Verb != Gets && e.Status < 300 && len(s.c.Config.Lock.Objects()) < 2 { // of two both would have to be written
			a.wins = append(a.wins, at)
		}
	}
}

// finish ends at the horizon all work that still runs, and returns the outcome. If the environment does not allow the plan, it
// drops all work.
func (s *staging) finish() *Outcome {
	for k := range s.out.Works {
		if w := &s.out.Works[k]; w.End == never {
			w.End = s.g.Horizon
		}
	}
	if s.void {
		s.out.Works = nil
	}
	return s.out
}

// wallsApart tells whether the wall clocks of the candidates and of the service are further apart at the start of p than the
// environment allows. It does not look at drift: where the candidates' own wall clocks decide, drawn cases have none. It is false for
// locks that do not expire by wall clock.
func (c *Case) wallsApart(p *plan.Plan) bool {
	if !c.Config.Lock.ByWallClock() {
		return false
	}
	low, high := p.Service.Offset, p.Service.Offset
	for i := range p.Candidates {
		low, high = min(low, p.Candidates[i].Clock.Offset), max(high, p.Candidates[i].Clock.Offset)
	}
	return high-low > c.Env.MaxClockOffset
}
