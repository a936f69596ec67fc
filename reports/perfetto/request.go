package perfetto

import "interregnum/internal/trace"

// request is a request that is under way. A flow of arrows shows its way from the sender to the service and back, and a slice
// (wait) how long the sender waits. Each can end before the other: waits and flying tell that wait, and the flow, have not ended.
type request struct {
	*candidate
	wait          async
	waits, flying bool
}

// newRequest writes the start of a request of c called name, and returns it. e is the event of its sending.
func newRequest(c *candidate, name string, e *trace.Event) *request {
	r := &request{candidate: c, wait: async{c.pid, "request", name, c.nextID()}, waits: true, flying: true}
	c.beginAsync(r.wait, args{"request": e.Request, "holder": e.Holder})
	r.step(c.pid, "s", "send "+name, nil)
	return r
}

// advance writes the step of the request that e reports. An answer that is handled, or the end of waiting for one, also ends the
// slice of the wait.
func (r *request) advance(e *trace.Event) {
	name := r.wait.name
	switch e.Kind {
	case trace.RequestLost:
		r.step(servicePID, "f", name+" of "+r.candidate.name+" is lost", nil)
	case trace.RequestQueued:
		r.step(servicePID, "t", name+" of "+r.candidate.name+" needs a seat", args{"delayNs": e.Amount})
	case trace.RequestRefused:
		r.step(servicePID, "t", name+" of "+r.candidate.name+" is refused", args{"status": e.Status})
	case trace.RequestApplied, trace.Written:
		r.step(servicePID, "t", name+" of "+r.candidate.name, args{
			"status": e.Status, "version": e.Version, "base": e.Base, "holder": e.Holder, "changed": e.Kind == trace.Written,
		})
	case trace.ResponseLost:
		r.step(servicePID, "f", "answer to "+r.candidate.name+" is lost", nil)
	case trace.ResponseHandled:
		r.step(r.pid, "f", "answer to "+name, args{"status": e.Status})
		r.stopWaiting()
	case trace.ResponseLate:
		r.step(r.pid, "f", "late answer to "+name, nil)
	case trace.GaveUp:
		r.instant(r.pid, markThread, "gives up "+name, args{"cause": e.Cause.String()})
		r.stopWaiting()
	}
}

// step writes a slice of no length, to which the request's flow leads. The phase is that of the flow: s begins, t continues,
// f ends it. Once the flow has ended, step does nothing.
func (r *request) step(pid int, phase, name string, a args) {
	if !r.flying {
		return
	}
	var s slice
	r.begin(&s, pid, requestThread, name, a)
	flow := chromeEvent{
		Name: r.wait.name, Category: "message", Phase: phase, PID: pid, TID: tid(pid, requestThread), ID: r.wait.id,
	}
	if phase == "f" {
		flow.Binding, r.flying = "e", false
	}
	r.emit(flow)
	r.end(&s)
}

// stopWaiting ends the slice that shows how long the sender waits for an answer.
func (r *request) stopWaiting() {
	if r.waits {
		r.endAsync(r.wait)
	}
	r.waits = false
}

// close ends the flow and the wait of a request at the end of the run.
func (r *request) close() {
	r.step(r.pid, "f", r.wait.name+" is still under way", nil)
	r.stopWaiting()
}
