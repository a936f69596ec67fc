package adversary

import (
	"cmp"
	"errors"
	"fmt"
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

// Recorded runs a plan of the simulated world, and returns a plan of the adversary in which each candidate meets the same, by
// phase and request number. A random delay takes its minimum. It returns an error if the run fails, or if the adversary's plan
// cannot express something in the plan, such as a fault on a role.
func Recorded(p *plan.Plan) (*Genome, error) {
	n := len(p.Candidates)
	r := &recorder{p: p, lives: make([]life, n), met: make([][]meeting, n), returned: make([][]time.Duration, n)}
	if err := r.refuse(); err != nil {
		return nil, err
	}
	if _, err := sim.RunDirected(p, r, r); err != nil {
		return nil, err
	}
	g := &Genome{Horizon: p.Horizon, Service: Wall{Offset: p.Service.Offset}}
	if ppm := p.Service.DriftPPM; ppm != 0 {
		g.Service.Rates = []Rate{{PPM: ppm}}
	}
	for i := range p.Faults {
		if f := &p.Faults[i]; onService(f) {
			g.Service.Rates = append(g.Service.Rates, Rate{Anchor{After: f.At}, *f.DriftPPM})
		}
	}
	for i := range p.Candidates {
		g.Parts = append(g.Parts, r.part(i))
	}
	return g, nil
}

// recorder directs a run in which everything happens as its plan says, and records what happens.
type recorder struct {
	p     *plan.Plan
	lives []life
	// met are each candidate's requests, in order.
	met [][]meeting
	// returned has, for each candidate, when its Runs returned, in true time.
	returned [][]time.Duration
}

// meeting is a request and its fate. called is when the client was called for the request, in true time.
type meeting struct {
	Step
	id     uint64
	about  simlock.Object
	verb   machine.Verb
	called time.Duration
	fate   Fate
}

// onService tells whether a fault sets the drift of the service's clock.
func onService(f *plan.Fault) bool {
	return f.Kind == plan.FaultClock && slices.Contains(f.On, plan.ServiceName)
}

// refuse returns an error if the plan has something that no plan of the adversary can express; otherwise nil.
func (r *recorder) refuse() error {
	for i := range r.p.Faults {
		f := &r.p.Faults[i]
		switch f.Kind {
		case plan.FaultDelay, plan.FaultPartition, plan.FaultLose, plan.FaultError, plan.FaultPause, plan.FaultCancel, plan.FaultClock:
		default:
			return fmt.Errorf("a plan of the adversary cannot say a fault of kind %s", f.Kind)
		}
		if f.Probability != nil || f.Jump != 0 {
			return errors.New("a plan of the adversary has no chance and no jumps of a clock")
		}
		for _, name := range f.On {
			known := slices.ContainsFunc(r.p.Candidates, func(c plan.Candidate) bool { return c.ID == name })
			if !known && !(name == plan.ServiceName && onService(f)) {
				return fmt.Errorf("a plan of the adversary has faults on candidates, and on the service's clock: "+
					"this one, of kind %s, is on %s", f.Kind, name)
			}
		}
	}
	for i := range r.p.Candidates {
		if r.p.Candidates[i].Jitter == nil {
			return errors.New("jitter is drawn")
		}
	}
	return nil
}

// inForce calls do for each fault of the plan that is on the i-th candidate and on the object of its request m, and is in force
// at the true time given as at.
func (r *recorder) inForce(i int, m *meeting, at time.Duration, do func(*plan.Fault)) {
	for k := range r.p.Faults {
		f := &r.p.Faults[k]
		if f.At <= at && (f.Until == nil || at < *f.Until) && r.on(f, i) && (f.Object == "" || f.Object == m.about.String()) {
			do(f)
		}
	}
}

// on tells whether a fault is on the i-th candidate. A fault that names nobody is on all candidates.
func (r *recorder) on(f *plan.Fault, i int) bool {
	return len(f.On) == 0 || slices.Contains(f.On, r.p.Candidates[i].ID)
}

// lost tells whether the plan's faults lose the message m of the i-th candidate on that leg, if it is sent at the instant at.
func (r *recorder) lost(i int, m *meeting, leg plan.Leg, at time.Duration) (lost bool) {
	r.inForce(i, m, at, func(f *plan.Fault) {
		lost = lost || f.Kind == plan.FaultPartition || f.Kind == plan.FaultLose && (f.Leg == plan.BothLegs || f.Leg == leg)
	})
	return lost
}

// Called implements sim.Director: it records the request as the candidate's next step, and returns its wait in the client's
// limiter, as the plan's faults say; a watch waits 0. It adds no faults.
func (r *recorder) Called(i int, id uint64, op *simlock.Op, at time.Duration) (hold time.Duration, _ []plan.Fault) {
	r.lives[i].step.Number++
	m := meeting{Step: r.lives[i].step, id: id, about: op.Object, verb: op.Verb, called: at, fate: r.plain()}
	r.inForce(i, &m, at, func(f *plan.Fault) { hold = cmp.Or(f.Limiter, hold) })
	if op.Verb == machine.Watch {
		hold = 0
	}
	m.fate.Hold = hold // unless it leaves before
	r.met[i] = append(r.met[i], m)
	return hold, nil
}

// plain returns the fate of a request that no fault changes.
func (r *recorder) plain() Fate {
	return Fate{Out: fate.Way{Delay: r.p.Network.Request.Min}, Back: fate.Way{Delay: r.p.Network.Response.Min}}
}

// meeting returns the i-th candidate's request to which the simulator has given the number id; nil if there is none.
func (r *recorder) meeting(i int, id uint64) *meeting {
	for k := len(r.met[i]) - 1; k >= 0; k-- {
		if r.met[i][k].id == id {
			return &r.met[i][k]
		}
	}
	return nil
}

// Sent implements sim.Director. It returns how long the request travels, or that it is lost, as the plan's faults say, and
// records it. A request for which Called was not called is a watch, which it records first.
func (r *recorder) Sent(i int, id uint64, at time.Duration) fate.Way {
	if r.meeting(i, id) == nil {
		r.Called(i, id, &watch, at)
	}
	m := r.meeting(i, id)
	m.fate.Hold = at - m.called - frozen(r.p.Faults, r.p.Candidates[i].ID, m.called, at)
	m.fate.Out.Lost = r.lost(i, m, plan.RequestLeg, at)
	r.inForce(i, m, at, func(f *plan.Fault) {
		if f.Request != nil {
			m.fate.Out.Delay = f.Request.Min
		}
	})
	return m.fate.Out
}

// Arrived implements sim.Director. It returns the error with which the plan's faults answer the request, a status of 0 for none,
// and records it. It knows two errors: 409, and 503 in place of any other.
func (r *recorder) Arrived(i int, id uint64, at time.Duration) (fate.Refusal, []sim.Start) {
	m := r.meeting(i, id)
	r.inForce(i, m, at, func(f *plan.Fault) {
		if f.Kind == plan.FaultError && (f.Verb == 0 || f.Verb == m.verb) {
			m.fate.Status, m.fate.Applied = unavailable, f.Applied
			if f.Status == conflict {
				m.fate.Status = conflict
			}
		}
	})
	return m.fate.Refusal, nil
}

// Answered implements sim.Director. It returns how long the answer travels, or that it is lost, as the plan's faults say, and
// records it.
func (r *recorder) Answered(i int, id uint64, at time.Duration) fate.Way {
	m := r.meeting(i, id)
	m.fate.Back.Lost = r.lost(i, m, plan.ResponseLeg, at)
	r.inForce(i, m, at, func(f *plan.Fault) {
		if f.Response != nil {
			m.fate.Back.Delay = f.Response.Min
		}
	})
	return m.fate.Back
}

// Jitter implements sim.Director: it returns the draw that the plan gives for all waits of the i-th candidate.
func (r *recorder) Jitter(i int) float64 { return *r.p.Candidates[i].Jitter }

// Returned implements sim.Director. It counts the Run, and returns after how long the candidate runs again; 0 and false if it
// does not.
func (r *recorder) Returned(i int) (time.Duration, bool) {
	r.lives[i].runs++
	if r.p.Candidates[i].Rejoin == nil {
		return 0, false
	}
	return *r.p.Candidates[i].Rejoin, true
}

// Wants implements trace.Selective. It returns the kinds of events at which a staging looks, and Runs that return.
func (r *recorder) Wants() trace.KindSet { return stagingKinds | trace.KindsOf(trace.RunReturned) }

// Observe implements trace.Sink: it updates the step and the phase in the candidate's life, and stores when its Runs return. It
// ignores events of no candidate.
func (r *recorder) Observe(e *trace.Event) {
	if e.Candidate < 0 {
		return
	}
	r.lives[e.Candidate].observe(e)
	if e.Kind == trace.RunReturned {
		r.returned[e.Candidate] = append(r.returned[e.Candidate], time.Duration(e.At))
	}
}

// part returns what the i-th candidate met in the run, as a part of the adversary's plan. Of freezes, changes of its clock and
// cancels it takes those whose faults name the candidate; a fault on all candidates it leaves out.
func (r *recorder) part(i int) Part {
	x := &r.p.Candidates[i]
	p := Part{Start: x.StartAt, Base: r.plain(), Jitter: *x.Jitter, Segments: r.segments(i)}
	p.Offset = x.Clock.Offset + bound.Local(x.StartAt, x.Clock.DriftPPM) - x.StartAt
	if !x.Lock.Expires() { // then only what of it is below a second matters
		p.Offset = (p.Offset%time.Second + time.Second) % time.Second
	}
	if ppm := x.Clock.DriftPPM; ppm != 0 {
		p.Rates = append(p.Rates, Rate{PPM: ppm})
	}
	if x.Rejoin != nil {
		for range r.lives[i].runs {
			p.Reruns = append(p.Reruns, *x.Rejoin)
		}
	}
	for k := range r.p.Faults {
		f := &r.p.Faults[k]
		if len(f.On) == 0 || !r.on(f, i) {
			continue
		}
		switch f.Kind {
		case plan.FaultPause:
			until := r.p.Horizon
			if f.Until != nil {
				until = *f.Until
			}
			p.Freezes = append(p.Freezes, Freeze{r.anchor(i, f.At), until - f.At, f.AnswersFirst})
		case plan.FaultClock:
			p.Rates = append(p.Rates, Rate{r.anchor(i, f.At), *f.DriftPPM})
		case plan.FaultCancel:
			for run := r.runAt(i, f.At); len(p.Cancels) < run; {
				p.Cancels = append(p.Cancels, Anchor{Step: Step{Phase: most}})
			}
			p.Cancels = append(p.Cancels, r.anchor(i, f.At))
		}
	}
	return p
}

// runAt returns how many Runs of the i-th candidate have returned before an instant.
func (r *recorder) runAt(i int, at time.Duration) int {
	n, _ := slices.BinarySearch(r.returned[i], at)
	return n
}

// anchor returns an instant as an anchor: a time after the last request of the i-th candidate before the instant or, if there is
// none, after the candidate's start.
func (r *recorder) anchor(i int, at time.Duration) Anchor {
	a := Anchor{After: at - r.p.Candidates[i].StartAt}
	for k := range r.met[i] {
		if m := &r.met[i][k]; m.called < at {
			a = Anchor{m.Step, at - m.called}
		}
	}
	return a
}

// segments returns the fates of those requests of the i-th candidate that differ from the fate without a fault; neighbours with
// the same fate share a segment. If requests are lost on their way out up to the last one of a phase, the segment goes on to the
// end of the phase.
func (r *recorder) segments(i int) (all []Segment) {
	for k := range r.met[i] {
		m := &r.met[i][k]
		f := m.fate
		if f.Out.Lost {
			f = Fate{Hold: f.Hold, Out: lost}
		}
		if f == r.plain() {
			continue
		}
		if n := len(all); n > 0 && all[n-1].Phase == m.Phase && all[n-1].To == m.Number-1 && all[n-1].Fate == f {
			all[n-1].To++
			continue
		}
		all = append(all, Segment{m.Phase, m.Number, m.Number, AllVerbs, f})
	}
	for k := range all {
		s := &all[k]
		last := !slices.ContainsFunc(r.met[i], func(m meeting) bool { return m.Phase == s.Phase && m.Number > s.To })
		if s.Fate.Out.Lost && last {
			s.To = most
		}
	}
	return all
}
