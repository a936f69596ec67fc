package sim

import (
	"time"

	"interregnum/internal/fate"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/network"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// jitter returns the node's next draw, in [0,1), for a timer. It is the director's, if there is one; else the value that the
// plan gives for this draw, if it gives one; else a draw from the seed.
func (w *world) jitter(n *node) float64 {
	if w.director != nil {
		return w.director.Jitter(int(n.Index))
	}
	if jitter, ok := n.Plan.JitterOf(n.jitters); ok {
		n.jitters++
		return jitter
	}
	return n.jitterStream.Open(w.seed, "jitter", n.Index).Float64()
}

// calm tells whether there is no director and no fault on messages in force. Then no request is refused, and a node without a
// client sends each request at once.
func (w *world) calm() bool { return w.director == nil && w.network.Calm() }

// limited returns how long the request numbered ref, about to be sent, waits in the client's rate limiter, on the candidate's
// clock: for a token, and for as long as faults say. A director, where there is one, decides that alone, and limited schedules
// the faults that it adds. limited returns false if the limiter refuses the request; a director never does. The process waits: a
// freeze delays the request, and if its context ends it is never sent. The client's timeout starts only after that wait
// (k8s.io/client-go rest/request.go).
func (w *world) limited(n *node, ref int32) (wait time.Duration, ok bool) {
	m := w.messages.At(ref)
	if w.director == nil {
		wait, ok = w.tokenWait(n)
		return wait + w.network.Holds(&n.Line, m.op.Object), ok
	}
	wait, faults := w.director.Called(int(n.Index), m.id, &m.op, time.Duration(w.Now))
	for i := range faults {
		w.addFault(&faults[i])
	}
	return wait, true
}

// addFault adds a fault that was not in the plan, and schedules its beginning and its end, neither of them before now.
func (w *world) addFault(f *plan.Fault) {
	i := int32(len(w.faults))
	w.faults = append(w.faults, activeFault{Fault: f})
	w.Schedule(max(w.Now, clock.Instant(f.At)), faultBegins, i)
	if f.Until != nil {
		w.Schedule(max(w.Now, clock.Instant(*f.Until)), faultEnds, i)
	}
}

// carry draws what becomes of message m of node n on that leg; a director, where there is one, decides that. It adds the stall of the
// message's connection. If m waits for the end of a stall, carry stores in m.keptBack what becomes of it if the connection is reset.
func (w *world) carry(n *node, m *message, leg plan.Leg) (lost bool, d clock.Instant) {
	var way fate.Way
	switch {
	case w.director == nil:
		way = w.network.Carry(&n.Line, leg, m.op.Object)
	case leg == plan.RequestLeg:
		way = w.director.Sent(int(n.Index), m.id, time.Duration(w.Now))
	default:
		way = w.director.Answered(int(n.Index), m.id, time.Duration(w.Now))
	}
	lost, d = way.Lost, clock.Instant(way.Delay)
	if n.client != nil {
		longer, never := n.client.delays(m.connection, w.Now)
		if lost, d = lost || never, d+longer; !lost && longer > 0 {
			m.keptBack = trace.RequestLost
			if leg == plan.ResponseLeg {
				m.keptBack = trace.ResponseLost
			}
		}
	}
	return lost, d
}

// arrival returns how the service refuses request m of node n; Status is 0 if it does not. A director, where there is one,
// decides that, and arrival schedules the starts that it adds. Otherwise a request that got no seat (m.turnedAway) is throttled,
// and for all others the rules in force decide.
func (w *world) arrival(n *node, m *message) fate.Refusal {
	if w.director != nil {
		refused, starts := w.director.Arrived(int(n.Index), m.id, time.Duration(w.Now))
		for _, s := range starts {
			w.scheduleStart(&w.nodes[s.Candidate], w.Now+clock.Instant(s.Later))
		}
		return refused
	}
	if m.turnedAway {
		after := w.memory.waits.Put(w.network.Seats(&n.Line, m.op.Object).RetryAfter(w.Now))
		return network.RefusalBy(&plan.Fault{Kind: plan.FaultThrottle, RetryAfter: after})
	}
	return w.network.Refuses(&n.Line, &m.op)
}

// rejoins tells whether node n, whose plan has a Rejoin, runs again after a Run has returned, and how much later. A director,
// where there is one, decides that; otherwise it always does, after the plan's Rejoin.
func (w *world) rejoins(n *node) (later time.Duration, again bool) {
	if w.director != nil {
		return w.director.Returned(int(n.Index))
	}
	return *n.Plan.Rejoin, true
}
