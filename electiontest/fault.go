package electiontest

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
		for _, c := range targets {
			found = w.nodes[c].crash() || found
		}
	case sim.FaultCancel:
		for _, c := range targets {
			found = w.nodes[c].shutDown() || found
		}
	case sim.FaultRestart:
		for _, c := range targets {
			w.nodes[c].restart(f.Identity)
		}
		found = true
	case sim.FaultDelete:
		found = w.deleteLock(i)
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

// resolve finds whom a fault is on. The caller holds w.mu.
func (w *world) resolve(f *scenarios.Fault) (on []int) {
	for i, n := range w.nodes {
		runs := n.process != nil && n.process.running && !n.process.gone()
		leads := runs && n.process.identity == w.holder
		if len(f.On) == 0 || slices.Contains(f.On, n.plan.ID) ||
			runs && leads && slices.Contains(f.On, sim.RoleLeader) ||
			runs && !leads && slices.Contains(f.On, sim.RoleFollower) {
			on = append(on, i)
		}
	}
	return on
}

// deleteLock is somebody deleting the Lease. It tells whether there was one.
func (w *world) deleteLock(i int) bool {
	w.serving <- struct{}{}
	defer func() { <-w.serving }()
	key := w.options.lock()
	leases := w.server.ClientsetFor("electiontest").CoordinationV1().Leases(key.Namespace)
	if err := leases.Delete(context.Background(), key.Name, metav1.DeleteOptions{}); apierrors.IsNotFound(err) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holder = ""
	w.note(trace.Event{Kind: trace.Deleted, Candidate: trace.Nobody, Fault: int32(i), Object: trace.Lease})
	return true
}

// inForce are the rules for messages of n about such an object, in the order of the file. The caller holds w.mu. A window
// is told by the time alone, so that all that happens at the instant of its beginning or its end is on the right side.
func (w *world) inForce(n *node, object string) (rules []*scenarios.Fault) {
	now := w.now()
	for i := range w.scenario.Faults {
		f := &w.scenario.Faults[i]
		if !f.Kind.Window() || now < f.At || f.Until != nil && now >= *f.Until || f.Object != "" && f.Object != object {
			continue
		}
		if len(f.On) == 0 || slices.Contains(f.On, n.plan.ID) || namesRole(f) && slices.Contains(w.targets[i], n.index) {
			rules = append(rules, f)
		}
	}
	return rules
}

// leg is what becomes of a message of n that is on that leg now. The caller holds w.mu.
func (w *world) leg(n *node, object string, leg sim.Leg) (lost bool, delay time.Duration) {
	d := w.scenario.Network.Request
	if leg == sim.ResponseLeg {
		d = w.scenario.Network.Response
	}
	probability := 0.0
	for _, f := range w.inForce(n, object) {
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
	if probability >= 1 || probability > 0 && n.losses.Float64() < probability {
		return true, 0
	}
	return false, drawn(n.delays, d)
}

// cut tells whether all answers to n are lost now. The caller holds w.mu.
func (w *world) cut(n *node) bool {
	return slices.ContainsFunc(w.inForce(n, ""), func(f *scenarios.Fault) bool {
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
func (w *world) refusal(n *node, object, verb string) (status int, applied bool) {
	switch verb {
	case "get", "create", "update":
	default:
		return 0, false // the contract knows no other verbs
	}
	for _, f := range w.inForce(n, object) {
		if f.Kind == sim.FaultError && (f.Verb == 0 || f.Verb.String() == verb) {
			status, applied = f.Status, f.Applied
		}
	}
	return status, applied
}
