package electiontest

import (
	"slices"
	"time"

	"interregnum/internal/sim/network"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// noteFault adds an event about the fault i to the trace; on are the seats that it is on.
func (w *world) noteFault(kind trace.Kind, i int, on ...int32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(trace.Event{Kind: kind, Candidate: trace.Nobody, Fault: int32(i), On: on})
}

// whom lists the seats that a fault is on, as the trace has them: nil where it is on everybody, and all seats of a
// process where it is on whole processes.
func (w *world) whom(f *scenarios.Fault, targets []int) (on []int32) {
	if f.Everybody() {
		return nil
	}
	processes := w.processesOf(targets)
	for i, s := range w.seats {
		if slices.Contains(targets, i) || f.Kind.OfProcess() && slices.Contains(processes, s.node) {
			on = append(on, int32(i))
		}
	}
	return on
}

// begin is the beginning of the fault i: it finds whom the fault is on, does what the fault does at that instant, and
// notes it. A fault that finds nobody, or nothing to do, is noted as void.
func (w *world) begin(i int) {
	f := &w.scenario.Faults[i]
	w.mu.Lock()
	targets := w.resolve(f)
	w.targets[i], w.void[i] = targets, len(targets) == 0
	w.mu.Unlock()
	if len(targets) == 0 {
		w.noteFault(trace.FaultVoid, i)
		return
	}
	w.noteFault(trace.FaultBegan, i, w.whom(f, targets)...)
	found := false
	switch f.Kind {
	case plan.FaultCrash:
		for _, n := range w.processesOf(targets) {
			found = n.crash() || found
		}
	case plan.FaultCancel:
		for _, n := range w.processesOf(targets) {
			found = n.shutDown() || found
		}
	case plan.FaultRestart:
		for _, n := range w.processesOf(targets) {
			n.restart(f.Identity)
		}
		found = true
	case plan.FaultDelete:
		found = w.deleteLocks(i)
	case plan.FaultEdit:
		found = w.editLease(i)
	default:
		found = true
	}
	if !found {
		w.noteFault(trace.FaultVoid, i)
		return
	}
	if !f.Kind.Window() {
		w.mu.Lock()
		w.met[i] = true
		w.mu.Unlock()
	}
}

// end notes that the fault i is over, unless it was void.
func (w *world) end(i int) {
	if !w.void[i] {
		w.noteFault(trace.FaultEnded, i)
	}
}

// processesOf are the candidates, each once, that the seats with these indices belong to.
func (w *world) processesOf(seats []int) (nodes []*node) {
	for _, i := range seats {
		if n := w.seats[i].node; !slices.Contains(nodes, n) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// resolve finds the indices of the seats that a fault is on: by the candidates and roles that it names, of the leader
// and the followers at this moment; all where it names none. The caller holds w.mu.
func (w *world) resolve(f *scenarios.Fault) (on []int) {
	for i, s := range w.seats {
		ours := f.Election == "" || s.plan.Election == f.Election
		runs := ours && s.node.runs() && s.part.runs
		leads := runs && slices.Contains(w.holders[s.election][:], s.node.process.identity)
		if ours && len(f.On) == 0 || (ours || f.Kind.OfProcess()) && slices.Contains(f.On, s.plan.ID) ||
			runs && leads && slices.Contains(f.On, plan.RoleLeader) ||
			runs && !leads && slices.Contains(f.On, plan.RoleFollower) {
			on = append(on, i)
		}
	}
	return on
}

// inForce are the faults that are rules now for messages about such a call, in the order of the file. The caller holds
// w.mu. A window is told by the time alone, so that all that happens at the instant of its beginning or its end is on
// the right side.
func (w *world) inForce(c *call) (rules []*scenarios.Fault) {
	now, s := w.now(), c.part.seat
	for i := range w.scenario.Faults {
		f := &w.scenario.Faults[i]
		if !f.Kind.Window() || now < f.At || f.Until != nil && now >= *f.Until || f.Object != "" && f.Object != c.kind ||
			f.Election != "" && (!c.lock && !c.edits || f.Election != s.plan.Election) {
			continue
		}
		if len(f.On) == 0 || slices.Contains(f.On, s.plan.ID) || f.NamesRole() && slices.Contains(w.targets[i], s.index) {
			rules = append(rules, f)
		}
	}
	return rules
}

// meets notes that a fault did something to a request of a call's process. The caller holds w.mu.
func (w *world) meets(f *scenarios.Fault, c *call) {
	for i := range w.scenario.Faults {
		w.met[i] = w.met[i] || f == &w.scenario.Faults[i]
	}
	c.part.process.disturb()
}

// leg decides, by the network and the faults in force, what becomes of a message that is sent on that leg now: whether
// it is lost, or else how long it takes. The caller holds w.mu.
func (w *world) leg(c *call, leg plan.Leg) (lost bool, delay time.Duration) {
	odds := network.NewOdds(&w.scenario.Network, leg)
	for _, f := range w.inForce(c) {
		if odds.Meet(f) {
			w.meets(f, c)
		}
	}
	if odds.Lost(c.losses) {
		return true, 0
	}
	return false, odds.Takes(c.delays)
}

// cut tells whether a fault in force loses all answers to the process now. The caller holds w.mu.
func (w *world) cut(p *process) bool {
	return slices.ContainsFunc(w.inForce(&call{part: p.parts[0]}), func(f *scenarios.Fault) bool {
		odds := network.NewOdds(&w.scenario.Network, plan.ResponseLeg)
		odds.Meet(f)
		return odds.Never()
	})
}

// refusal is the error status that the faults in force make the service answer to a call, 0 for none; applied tells
// whether the service executes the call all the same. The caller holds w.mu.
func (w *world) refusal(c *call) (status int, applied bool) {
	switch c.verb {
	case "get", "create", "update":
	default:
		return 0, false // the contract knows no other verbs
	}
	for _, f := range w.inForce(c) {
		if f.Kind == plan.FaultError && (f.Verb == 0 || f.Verb.String() == c.verb) {
			w.meets(f, c)
			status, applied = f.Status, f.Applied
		}
	}
	return status, applied
}
