package witness

import (
	"math/rand/v2"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/fate"
	"interregnum/internal/sim"
	"interregnum/internal/sim/network"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// key identifies a request in a run: candidates number their own requests.
type key struct {
	candidate int
	id        uint64
}

// world is the director of a run in which all happens as its plan says. It writes down what happens in run.
type world struct {
	run *Run
	// from has for each candidate what chance decides of it.
	from  []*rand.Rand
	calls map[key]*Call
	// inForce has the faults that have begun and not ended, with the candidates that each is on; nil for all.
	inForce map[int32][]int32
	// record and version are those of the lock's object.
	record  machine.Record
	version uint64
}

var _ sim.Director = (*world)(nil)

// faults returns the faults in force on requests of the i-th candidate, in the plan's order.
func (w *world) faults(i int) (all []*plan.Fault) {
	for f := range w.run.Plan.Faults {
		on, active := w.inForce[int32(f)]
		if active && (on == nil || slices.Contains(on, int32(i))) {
			all = append(all, &w.run.Plan.Faults[f])
		}
	}
	return all
}

// carry draws what becomes of a message of the i-th candidate on that leg. It advances the candidate's random stream.
func (w *world) carry(i int, leg plan.Leg) fate.Way {
	o := network.NewOdds(&w.run.Plan.Network, leg)
	for _, f := range w.faults(i) {
		o.Meet(f)
	}
	chance := func() *rand.Rand { return w.from[i] }
	return fate.Way{Delay: o.Takes(chance), Lost: o.Lost(chance)}
}

// Called implements sim.Director: it adds the request to run.Calls, and holds it back for as long as the longest limiter's wait
// of the faults in force on the i-th candidate. The faults that it returns are always nil.
func (w *world) Called(i int, id uint64, op *simlock.Op, _ time.Duration) (hold time.Duration, _ []plan.Fault) {
	c := &Call{Candidate: i, ID: id, Op: *op}
	w.calls[key{i, id}] = c
	w.run.Calls = append(w.run.Calls, c)
	for _, f := range w.faults(i) {
		hold = max(hold, f.Limiter)
	}
	return hold, nil
}

// Sent implements sim.Director: it keeps that the i-th candidate's request was sent at the time at, since the start, and draws
// how long it takes and whether it is lost (see carry).
func (w *world) Sent(i int, id uint64, at time.Duration) fate.Way {
	w.calls[key{i, id}].Sent = at
	return w.carry(i, plan.RequestLeg)
}

// Arrived implements sim.Director: it keeps that the i-th candidate's request arrived at the time at, since the start, and
// draws when the server logs that it received it. It returns the refusal of the last fault in force that refuses the request,
// the zero Refusal if none does.
func (w *world) Arrived(i int, id uint64, at time.Duration) (refused fate.Refusal, _ []sim.Start) {
	c := w.calls[key{i, id}]
	c.Arrived, c.Reached = at, true
	c.Received = at - w.share(i, at-c.Sent)
	for _, f := range w.faults(i) {
		if network.Refuses(f, c.Op.Verb) {
			refused = network.RefusalBy(f)
		}
	}
	return refused, nil
}

// Answered implements sim.Director: it draws how long the answer to the i-th candidate's request takes, and whether it is lost
// (see carry). It also draws when, after the time at, since the start, the server logs that it answered.
func (w *world) Answered(i int, id uint64, at time.Duration) fate.Way {
	way := w.carry(i, plan.ResponseLeg)
	w.calls[key{i, id}].Answered = at + w.share(i, way.Delay)
	return way
}

// share returns a part of d, drawn evenly for the i-th candidate, from 0 to below d. It is how long before or after a message
// the server's own stamp is.
func (w *world) share(i int, d time.Duration) time.Duration {
	return time.Duration(w.from[i].Float64() * float64(d))
}

// Jitter implements sim.Director: it returns the plan's jitter for the i-th candidate, or one drawn evenly from 0 to below 1 if
// the plan has none.
func (w *world) Jitter(i int) float64 {
	if j := w.run.Plan.Candidates[i].Jitter; j != nil {
		return *j
	}
	return w.from[i].Float64()
}

// Returned implements sim.Director: each Run of the i-th candidate begins again after the plan's rejoin, which the plan must
// have.
func (w *world) Returned(i int) (later time.Duration, again bool) {
	return *w.run.Plan.Candidates[i].Rejoin, true
}

// Observe implements trace.Sink: it adds a copy of the event to run.Events, keeps which faults are in force, and stores in the
// call what the server has answered.
func (w *world) Observe(e *trace.Event) {
	own := *e
	own.On = slices.Clone(e.On)
	w.run.Events = append(w.run.Events, own)
	switch e.Kind {
	case trace.FaultBegan:
		w.inForce[e.Fault] = own.On
	case trace.FaultEnded:
		delete(w.inForce, e.Fault)
	case trace.RequestApplied, trace.Written:
		w.applied(e)
	case trace.RequestRefused:
		c := w.calls[key{int(e.Candidate), e.Request}]
		c.Status, c.Version, c.Record = int(e.Status), 0, machine.Record{}
	}
}

// applied stores in the event's call what the server has answered to the request, and keeps the object's present record and
// version.
func (w *world) applied(e *trace.Event) {
	c := w.calls[key{int(e.Candidate), e.Request}]
	c.Status, c.Changed = int(e.Status), e.Kind == trace.Written
	if c.Changed {
		w.record, w.version = kept(c.Op.Object, c.Op.Record), e.Version
		c.Written = e.Version
	}
	if c.Status == 200 || c.Status == 201 {
		c.Version, c.Record = w.version, w.record
	}
}

// kept returns a record as such an object has it: a Lease keeps microseconds, others whole seconds.
func kept(o simlock.Object, r machine.Record) machine.Record {
	unit := time.Second
	if trace.Object(o) == trace.Lease {
		unit = time.Microsecond
	}
	r.Acquire, r.Renew = r.Acquire.Truncate(unit), r.Renew.Truncate(unit)
	return r
}
