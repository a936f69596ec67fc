package rest

import (
	"fmt"
	"slices"
	"time"

	"interregnum/plan"
)

// leg returns what becomes of a message of a candidate that is on that leg now.
func (w *world) leg(candidate int, leg plan.Leg) (lost bool, delay time.Duration) {
	delay = w.plan.Network.Request.Min
	if leg == plan.ResponseLeg {
		delay = w.plan.Network.Response.Min
	}
	factor := 1.0
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.matching(candidate) {
		switch f.Kind {
		case plan.FaultBrownout:
			factor = *f.Factor
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
		}
	}
	return lost, time.Duration(float64(delay) * factor)
}

// refusal returns the status by which the service refuses a request that arrives now, 0 if it does not. The last fault counts.
func (w *world) refusal(candidate int, verb string) (status int, applied bool, retryAfter *time.Duration) {
	for _, f := range w.matching(candidate) {
		if f.Verb != 0 && f.Verb.String() != verb {
			continue
		}
		switch f.Kind {
		case plan.FaultError:
			status, applied, retryAfter = f.Status, f.Applied, f.RetryAfter
		case plan.FaultThrottle:
			second := time.Second
			status, applied, retryAfter = 429, false, &second
			if f.RetryAfter != nil {
				retryAfter = f.RetryAfter
			}
		}
	}
	return status, applied, retryAfter
}

// matching returns the faults in force on a candidate, in the order of the plan.
func (w *world) matching(candidate int) []*plan.Fault {
	var out []*plan.Fault
	for i := range w.plan.Faults {
		f := &w.plan.Faults[i]
		if w.active[i] && (len(f.On) == 0 || slices.Contains(f.On, w.plan.Candidates[candidate].ID)) {
			out = append(out, f)
		}
	}
	return out
}

// begin carries out the beginning of fault i.
func (w *world) begin(i int) {
	w.setActive(i, true)
	f := &w.plan.Faults[i]
	if f.Kind == plan.FaultDelete {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.store.remove()
		return
	}
	for c := range w.plan.Candidates {
		if len(f.On) > 0 && !slices.Contains(f.On, w.plan.Candidates[c].ID) {
			continue
		}
		switch p := w.process(c); f.Kind {
		case plan.FaultCancel:
			p.stop()
		case plan.FaultCrash:
			p.crash()
		case plan.FaultRestart:
			p.crash()
			w.restart(p, f.Identity)
		}
	}
}

// process returns the present process of a candidate.
func (w *world) process(candidate int) *process {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.processes[candidate]
}

// restart begins a new process after p.
func (w *world) restart(p *process, identity plan.Identity) {
	name := p.identity
	if identity == plan.NewIdentity {
		name = fmt.Sprintf("%s-%d", p.plan.ID, p.incarnation+1)
	}
	next := w.newProcess(p.candidate, name, p.incarnation+1)
	w.mu.Lock()
	w.processes[p.candidate] = next
	w.mu.Unlock()
	w.wg.Go(next.live)
}

func (w *world) setActive(fault int, on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active[fault] = on
}
