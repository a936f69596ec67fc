package parity

import (
	"fmt"
	"slices"
	"time"

	"interregnum/plan"
)

// leg returns what becomes of a message that is on that leg now.
func (w *world) leg(candidate int, object string, leg plan.Leg) (lost bool, delay time.Duration) {
	delay = w.plan.Network.Request.Min
	if leg == plan.ResponseLeg {
		delay = w.plan.Network.Response.Min
	}
	factor := 1.0
	for _, f := range w.matching(candidate, object) {
		switch f.Kind {
		case plan.FaultPartition, plan.FaultOutage:
			lost = true
		case plan.FaultLose:
			lost = lost || f.Leg == plan.BothLegs || f.Leg == leg
		case plan.FaultDelay:
			if leg == plan.RequestLeg && f.Request != nil {
				delay = f.Request.Min
			}
			if leg == plan.ResponseLeg && f.Response != nil {
				delay = f.Response.Min
			}
		case plan.FaultBrownout:
			factor = *f.Factor
		}
	}
	return lost, time.Duration(float64(delay) * factor)
}

// limiter returns how long a request that a candidate makes now waits before it leaves.
func (w *world) limiter(candidate int) (wait time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.matching(candidate, "lease") {
		if f.Limiter > 0 {
			wait = f.Limiter
		}
	}
	return wait
}

func (w *world) refusal(candidate int, object, verb string) (status int, applied bool) {
	for _, f := range w.matching(candidate, object) {
		if f.Kind == plan.FaultError && (f.Verb == 0 || f.Verb.String() == verb) {
			status, applied = f.Status, f.Applied
		}
	}
	return status, applied
}

func (w *world) setActive(fault int, on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active[fault] = on
}

// begin carries out the beginning of a fault.
func (w *world) begin(i int) {
	f := &w.plan.Faults[i]
	w.mu.Lock()
	w.active[i] = true
	w.targets[i] = w.resolve(f)
	targets := w.targets[i]
	w.mu.Unlock()
	switch f.Kind {
	case plan.FaultCrash:
		for _, c := range targets {
			w.crash(c)
		}
	case plan.FaultRestart:
		for _, c := range targets {
			w.restart(c, f.Identity)
		}
	case plan.FaultCancel:
		for _, c := range targets {
			w.mu.Lock()
			if p := w.processes[c]; p != nil && !p.gone() && p.running {
				p.cancel()
			}
			w.mu.Unlock()
		}
	case plan.FaultDelete:
		w.note(func(*history) { w.service.delete(f.Object) })
	}
}

func (w *world) resolve(f *plan.Fault) []int {
	var out []int
	for i := range w.plan.Candidates {
		p := w.processes[i]
		runs := p != nil && !p.gone() && p.running
		leads := runs && w.service.names(p.identity)
		switch {
		case len(f.On) == 0, slices.Contains(f.On, w.plan.Candidates[i].ID),
			slices.Contains(f.On, plan.RoleLeader) && leads,
			slices.Contains(f.On, plan.RoleFollower) && runs && !leads:
			out = append(out, i)
		}
	}
	return out
}

func (w *world) crash(candidate int) {
	w.note(func(h *history) {
		p := w.processes[candidate]
		if p == nil || p.gone() {
			return
		}
		now := w.now()
		for _, i := range p.terms {
			t := &h.terms[i]
			if t.cancelled == none {
				t.cancelled = now
			}
			if t.ended == none {
				t.ended = now
			}
		}
		close(p.dead)
	})
}

func (w *world) restart(candidate int, identity plan.Identity) {
	w.crash(candidate)
	w.mu.Lock()
	incarnation, name := 1, identityOf(&w.plan.Candidates[candidate])
	if p := w.processes[candidate]; p != nil {
		incarnation, name = p.incarnation+1, p.identity
	}
	if identity == plan.NewIdentity {
		name = fmt.Sprintf("%s-%d", w.plan.Candidates[candidate].ID, incarnation)
	}
	w.mu.Unlock()
	w.spawn(candidate, incarnation, name)
}
