package perfetto

import "interregnum/internal/trace"

// request is a request that is under way: the flow goes from where it is sent to the service and back, the wait is for
// how long its sender waits for the answer. Either may end first.
type request struct {
	*file
	wait          async
	name, sender  string
	waits, flying bool
}

// send shows that a request is sent by the candidate that has a process id and a name.
func send(f *file, pid int, sender, name string, e *trace.Event) *request {
	r := &request{file: f, wait: async{pid, "request", name, f.nextID()}, name: name, sender: sender, waits: true, flying: true}
	f.beginAsync(r.wait, args{"request": e.Request, "holder": e.Holder})
	r.step(pid, "s", "send "+name, nil)
	return r
}

// advance takes a request one step on.
func (r *request) advance(e *trace.Event) {
	switch e.Kind {
	case trace.RequestLost:
		r.step(servicePID, "f", r.name+" of "+r.sender+" is lost", nil)
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

// step writes a slice of no length and ties the request's flow to it. The phase is that of the flow: s begins it, t
// goes on, f ends it. Once the flow has ended, step does nothing.
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

// close ends a request that is still under way, or waited for, at the end of the run.
func (r *request) close() {
	r.step(r.wait.pid, "f", r.name+" is still under way", nil)
	r.stopWaiting()
}
