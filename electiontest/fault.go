package electiontest

import (
	"math/rand/v2"
	"slices"
	"time"

	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

func (w *world) noteFault(kind trace.Kind, i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(trace.Event{Kind: kind, Candidate: trace.Nobody, Fault: int32(i)})
}

// begin is the beginning of a fault.
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
	w.noteFault(trace.FaultBegan, i)
	found := false
	switch f.Kind {
	case sim.FaultCrash:
		for _, n := range w.processesOf(targets) {
			found = n.crash() || found
		}
	case sim.FaultCancel:
		for _, n := range w.processesOf(targets) {
			found = n.shutDown() || found
		}
	case sim.FaultRestart:
		for _, n := range w.processesOf(targets) {
			n.restart(f.Identity)
		}
		found = true
	case sim.FaultDelete:
		found = w.deleteLocks(i)
	case sim.FaultEdit:
		found = w.editLease(i)
	default:
		found = true
	}
	if !found {
		w.noteFault(trace.FaultVoid, i)
	}
}

func (w *world) end(i int) {
	if !w.void[i] {
		w.noteFault(trace.FaultEnded, i)
	}
}

// processesOf are the candidates whose seats these are.
func (w *world) processesOf(seats []int) (nodes []*node) {
	for _, i := range seats {
		if n := w.seats[i].node; !slices.Contains(nodes, n) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// resolve finds whom a fault is on. The caller holds w.mu.
func (w *world) resolve(f *scenarios.Fault) (on []int) {
	for i, s := range w.seats {
		ours := f.Election == "" || s.plan.Election == f.Election
		runs := ours && s.node.runs() && s.part.runs
		leads := runs && slices.Contains(w.holders[s.election][:], s.node.process.identity)
		if ours && len(f.On) == 0 || (ours || f.Kind.OfProcess()) && slices.Contains(f.On, s.plan.ID) ||
			runs && leads && slices.Contains(f.On, sim.RoleLeader) ||
			runs && !leads && slices.Contains(f.On, sim.RoleFollower) {
			on = append(on, i)
		}
	}
	return on
}

// inForce are the rules for messages about such a call, in the order of the file. The caller holds w.mu. A window
// is told by the time alone, so that all that happens at the instant of its beginning or its end is on the right side.
func (w *world) inForce(c *call) (rules []*scenarios.Fault) {
	now, s := w.now(), c.part.seat
	for i := range w.scenario.Faults {
		f := &w.scenario.Faults[i]
		if !f.Kind.Window() || now < f.At || f.Until != nil && now >= *f.Until || f.Object != "" && f.Object != c.kind ||
			f.Election != "" && (!c.lock && !c.edits || f.Election != s.plan.Election) {
			continue
		}
		if len(f.On) == 0 || slices.Contains(f.On, s.plan.ID) || namesRole(f) && slices.Contains(w.targets[i], s.index) {
			rules = append(rules, f)
		}
	}
	return rules
}

// leg is what becomes of a message that is on that leg now. The caller holds w.mu.
func (w *world) leg(c *call, leg sim.Leg) (lost bool, delay time.Duration) {
	d := w.scenario.Network.Request
	if leg == sim.ResponseLeg {
		d = w.scenario.Network.Response
	}
	probability := 0.0
	for _, f := range w.inForce(c) {
		switch f.Kind {
		case sim.FaultPartition, sim.FaultOutage:
			return true, 0
		case sim.FaultLose:
			if f.Leg == sim.BothLegs || f.Leg == leg {
				probability = 1
				if f.Probability != nil {
					probability = *f.Probability
				}
			}
		case sim.FaultDelay:
			if leg == sim.RequestLeg && f.Request != nil {
				d = *f.Request
			} else if leg == sim.ResponseLeg && f.Response != nil {
				d = *f.Response
			}
		}
	}
	if probability >= 1 || probability > 0 && c.part.seat.losses.Float64() < probability {
		return true, 0
	}
	return false, drawn(c.part.seat.delays, d)
}

// cut tells whether all answers to the process are lost now. The caller holds w.mu.
func (w *world) cut(p *process) bool {
	return slices.ContainsFunc(w.inForce(&call{part: p.parts[0]}), func(f *scenarios.Fault) bool {
		switch f.Kind {
		case sim.FaultPartition, sim.FaultOutage:
			return true
		}
		return f.Kind == sim.FaultLose && f.Leg != sim.RequestLeg && (f.Probability == nil || *f.Probability >= 1)
	})
}

func drawn(r *rand.Rand, d scenarios.Delay) time.Duration {
	if d.Max <= d.Min {
		return d.Min
	}
	return d.Min + time.Duration(r.Int64N(int64(d.Max-d.Min)+1))
}

// refusal is the error that the service answers now, 0 for none. The caller holds w.mu.
func (w *world) refusal(c *call) (status int, applied bool) {
	switch c.verb {
	case "get", "create", "update":
	default:
		return 0, false // the contract knows no other verbs
	}
	for _, f := range w.inForce(c) {
		if f.Kind == sim.FaultError && (f.Verb == 0 || f.Verb.String() == c.verb) {
			status, applied = f.Status, f.Applied
		}
	}
	return status, applied
}
