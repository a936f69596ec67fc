package world

import (
	"interregnum/internal/fate"
	"interregnum/internal/sim/network"
	"interregnum/plan"
	"interregnum/scenarios"
)

// leg draws, from the call's streams, what becomes of a message that is sent on that leg now, by the network and the faults in
// force. For each fault that acts it calls meets. The caller holds w.mu.
func (w *world) leg(c *call, leg plan.Leg) fate.Way {
	odds := network.NewOdds(&w.scenario.Network, leg)
	for _, f := range w.inForce(c) {
		if odds.Meet(f) {
			w.meets(c)
		}
	}
	return odds.Draw(c.stream(c.part.seat.losses), c.stream(c.part.seat.delays))
}

// refusal returns the answer with which a fault in force makes the service refuse a call: that of the last such fault, or the
// zero Refusal if none does. Only a get, create or update is ever refused. For each such fault it calls meets. The caller holds
// w.mu.
func (w *world) refusal(c *call) (answer fate.Refusal) {
	if c.op == 0 {
		return answer // the contract knows no other verbs
	}
	for _, f := range w.inForce(c) {
		if network.Refuses(f, c.op) {
			w.meets(c)
			answer = network.RefusalBy(f)
		}
	}
	return answer
}

// cut tells whether the faults in force lose all answers to the process now, whatever the requests are about: faults on one object
// or one election do not count. The caller holds w.mu.
func (w *world) cut(p *process) bool {
	odds := network.NewOdds(&w.scenario.Network, plan.ResponseLeg)
	for _, f := range w.inForce(&call{part: p.parts[0]}) {
		odds.Meet(f)
	}
	return odds.Never()
}

// meets records that a fault did something to a request of c's process: it sets w.met and marks the candidate as disturbed. The
// caller holds w.mu.
func (w *world) meets(c *call) {
	w.met = true
	c.part.process.disturb()
}

// inForce returns the faults with a window that act now on messages of that call, in the scenario's order. A window includes its
// first instant and excludes its last; only the time decides, whether or not begin and end have been called at this instant. The
// caller holds w.mu.
func (w *world) inForce(c *call) (rules []*scenarios.Fault) {
	now := w.now()
	for i := range w.scenario.Faults {
		f := &w.scenario.Faults[i]
		if !f.Kind.Window() || now < f.At || f.Until != nil && now >= *f.Until || f.Object != "" && f.Object != c.kind ||
			f.Election != "" && !c.lock && !c.edits || !w.targets[i].Has(int32(c.part.seat.index)) {
			continue
		}
		rules = append(rules, f)
	}
	return rules
}
