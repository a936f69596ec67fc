package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/reuse"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/network"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// scheduleFaults puts the beginnings and ends of faults into the queue. Those of one instant come in the order of the file,
// but windows begin and end before all else: whatever a process does at an instant, it does under the windows that then hold.
// There are two exceptions, which come with the rest: the end of a pause, at which a process acts, and the beginning of a
// window that looks for a role.
func (w *world) scheduleFaults(faults []plan.Fault) {
	w.faults = reuse.Sized(w.faults, len(faults))
	for i := range faults {
		f := &faults[i]
		w.faults[i] = activeFault{
			Fault: f, Scope: network.Scope{Nodes: w.faults[i].Nodes[:0]}, first: f.Kind.Window() && !f.NamesRole(),
		}
	}
	for _, first := range []bool{true, false} {
		for i := range faults {
			f := &w.faults[i]
			if first == f.first {
				w.Schedule(clock.Instant(f.At), faultBegins, int32(i))
			}
			if f.Until != nil && first == (f.Kind != plan.FaultPause) {
				w.Schedule(clock.Instant(*f.Until), faultEnds, int32(i))
			}
		}
	}
}

// beginFault finds the nodes that fault i is on, emits FaultBegan and carries the fault out. A fault on messages becomes one of
// the rules in force. A fault that finds nobody gets FaultVoid in place of FaultBegan. One that changes nothing gets FaultVoid
// too.
func (w *world) beginFault(i int32) {
	f := &w.faults[i]
	w.resolve(f)
	if !f.service && f.Nobody() {
		w.faultEvent(trace.FaultVoid, i)
		return
	}
	w.faultEvent(trace.FaultBegan, i, f.Nodes...)
	switch f.Kind {
	case plan.FaultPause:
		w.eachProcess(f, func(g *group) bool { w.pause(g, i); return true })
	case plan.FaultCrash:
		if !w.eachProcess(f, func(g *group) bool { return w.crash(g, trace.NoCause) }) {
			w.faultEvent(trace.FaultVoid, i)
		}
	case plan.FaultCancel:
		w.eachOrVoid(f, i, w.cancel)
	case plan.FaultReset:
		w.eachOrVoid(f, i, w.breakConnection)
	case plan.FaultStall:
		w.eachOrVoid(f, i, func(n *node) bool { return w.stall(n, f.Until) })
	case plan.FaultFrame:
		w.eachOrVoid(f, i, w.readsFrame)
	case plan.FaultRestart:
		if !w.eachProcess(f, func(g *group) bool { return w.restart(g, f.Identity) }) {
			w.faultEvent(trace.FaultVoid, i)
		}
	case plan.FaultClock:
		w.each(f, func(n *node) { w.changeClock(n, f.Fault) })
		if f.service {
			w.changeService(f.Fault)
		}
	case plan.FaultDelete:
		w.deleteLock(f, i)
	case plan.FaultEdit:
		w.editLease(f, i)
	case plan.FaultRollout:
		w.beginRollout(f, i)
	default:
		w.network.Begin(i, f.Fault, f.Scope)
		if f.Cuts() {
			w.each(f, w.cutOff)
		}
	}
}

// endFault ends fault i and emits FaultEnded. After a pause the processes go on, and after a stall the connections do; any
// other window is removed from the rules in force. If nothing got through in that window, the clients are told that it is over
// (rejoined). It does nothing for a fault that was on nobody.
func (w *world) endFault(i int32) {
	f := &w.faults[i]
	if f.Nobody() {
		return
	}
	w.faultEvent(trace.FaultEnded, i)
	if f.Kind == plan.FaultPause {
		w.eachProcess(f, func(g *group) bool { w.resume(g, i); return true })
		return
	}
	if f.Kind == plan.FaultStall {
		w.each(f, w.unstall)
		return
	}
	w.network.End(i)
	if f.Cuts() {
		w.each(f, w.rejoined)
	}
}

// changeClock sets a node's clock as the fault f says, and emits the event ClockChanged. If the fault sets a rate, it reschedules
// the node's timers, those of its strays, and the node's work in a coordinated election.
func (w *world) changeClock(n *node, f *plan.Fault) {
	n.Clock.Change(w.Now, f.DriftPPM, machine.Wall(f.Jump))
	e := w.Event(trace.ClockChanged, &n.Seat)
	e.Amount, e.Rate = int64(f.Jump), n.Clock.DriftPPM()
	w.Emit(e)
	if f.DriftPPM != nil {
		w.rearm(n)
		w.rearmStrays(n)
		w.coordinated.ClockChanged(n.Index)
	}
}

// deleteLock deletes the lock of fault i's election, or of all elections if the fault names none. If there was no lock,
// it emits the event FaultVoid.
func (w *world) deleteLock(f *activeFault, i int32) {
	found := false
	for e := range w.elections {
		if f.Election == "" || f.Election == w.elections[e] {
			found = w.deleteFrom(int32(e), f, i) || found
		}
	}
	if !found {
		w.faultEvent(trace.FaultVoid, i)
	}
}

// deleteFrom deletes the objects of one election that fault i is about, and tells whether there was any. For each it emits
// Deleted. It answers the watches of a deleted key, and tells the coordinator of a deleted Lease.
func (w *world) deleteFrom(election int32, f *activeFault, i int32) (found bool) {
	for o := range simlock.Object(simlock.Objects) {
		if name := o.String(); f.Object != "" && f.Object != name || !w.service.Delete(o, election) {
			continue
		}
		found = true
		e := w.EventOfNobody(trace.Deleted)
		e.Fault, e.Object, e.Election = i, trace.Object(o), election
		w.Emit(e)
		switch o {
		case simlock.Key:
			w.wake(election)
		case simlock.Lease:
			w.coordinated.TellLease(false, nil)
		}
	}
	return found
}

// editLease carries out fault i, which edits the Lease of its election. If the Lease stays as it was, it emits the event
// FaultVoid. Otherwise it emits Edited and tells the coordinator.
func (w *world) editLease(f *activeFault, i int32) {
	election := w.electionNamed(f.Election)
	r := w.service.Edit(w.Now, election, &f.Edit)
	if !r.Changed {
		w.faultEvent(trace.FaultVoid, i)
		return
	}
	e := w.EventOfNobody(trace.Edited)
	e.Fault, e.Election, e.Version, e.Holder, e.Amount = i, election, r.Version, r.Record.Holder, r.Record.DurationSeconds
	w.Emit(e)
	w.coordinated.TellLease(true, &r.Record)
}

// eachOrVoid calls do for each node that fault i is on. If do returns false for all of them, it emits FaultVoid.
func (w *world) eachOrVoid(f *activeFault, i int32, do func(*node) bool) {
	found := false
	w.each(f, func(n *node) { found = do(n) || found })
	if !found {
		w.faultEvent(trace.FaultVoid, i)
	}
}

// faultEvent emits an event of kind k about fault i. on are the nodes that it says the fault is on, if there are any.
func (w *world) faultEvent(k trace.Kind, i int32, on ...int32) {
	e := w.EventOfNobody(k)
	e.Fault = i
	if len(on) > 0 {
		e.On = on
	}
	w.Emit(e)
}
