package perfetto

import "interregnum/internal/trace"

// request is a request that is under way. It is shown by a flow of arrows from the sender to the service and back, and by a
// slice (wait) for as long as the sender waits. Either may end first: waits and flying tell that they have not.
type request struct {
	*file
	wait          async
	name, sender  string
	waits, flying bool
}

// newRequest writes the start of a request called name, and returns it. e is the event of its sending. pid and sender are
// the sender's process id and name.
func newRequest(f *file, pid int, sender, name string, e *trace.Event) *request {
	r := &request{file: f, wait: async{pid, "request", name, f.nextID()}, name: name, sender: sender, waits: true, flying: true}
	f.beginAsync(r.wait, args{"request": e.Request, "holder": e.Holder})
	r.step(pid, "s", "send "+name, nil)
	return r
}

// advance writes the step of the request that e reports.
func (r *request) advance(e *trace.Event) {
	switch e.Kind {
	case trace.RequestLost:
		r.step(servicePID, "f", r.name+" of "+r.sender+" is lost", nil)
	case trace.RequestQueued:
		r.step(servicePID, "t", r.name+" of "+r.sender+" needs a seat", args{"delayNs": e.Amount})
	case trace.RequestRefused:
		r.step(servicePID, "t", r.name+" of "+r.sender+" is refused", args{"status": e.Status})
	case trace.RequestApplied, trace.Written:
		r.step(servicePID, "t", r.name+" of "+r.sender, args{
			"status": e.Status, "version": e.Version, "base": e.Base, "holder": e.Holder, "changed": e.Kind == trace.Written,
		})
	case trace.ResponseLost:
		r.step(servicePID, "f", "answer to "+r.sender+" is lost", nil)
	case trace.ResponseHandled:
		r.step(r.wait.pid, "f", "answer to "+r.name, args{"status": e.Status})
		r.stopWaiting()
	case trace.ResponseLate:
		r.step(r.wait.pid, "f", "late answer to "+r.name, nil)
	case trace.GaveUp:
		r.instant(r.wait.pid, markThread, "gives up "+r.name, args{"cause": e.Cause.String()})
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
		Name: r.name, Category: "message", Phase: phase, PID: pid, TID: tid(pid, requestThread), ID: r.wait.id,
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
	r.step(r.wait.pid, "f", r.name+" is still under way", nil)
	r.stopWaiting()
}
