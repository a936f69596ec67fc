package reports

import "interregnum/internal/trace"

// perfettoRequest is a request that is under way: the flow goes from where it is sent to the service and back, the
// wait is for how long its sender waits for the answer. Either may end first.
type perfettoRequest struct {
	wait          perfettoAsync
	name          string
	candidate     int32
	waits, flying bool
}

// request shows a step of a request: a slice of no length where it takes place, bound to those before by a flow.
func (p *Perfetto) request(e *trace.Event) {
	c := &p.candidates[e.Candidate]
	if e.Kind == trace.RequestSent {
		name := e.Verb.String()
		if p.objects != nil {
			name += " of the " + e.Object.String()
		}
		r := &perfettoRequest{
			name: name, candidate: e.Candidate, waits: true, flying: true,
			wait: perfettoAsync{pidOf(e.Candidate), "request", name, p.nextID()},
		}
		c.requests[e.Request] = r
		p.beginAsync(r.wait, args{"request": e.Request, "holder": e.Holder})
		p.step(r, r.wait.pid, "s", "send "+r.name, nil)
		return
	}
	r := c.requests[e.Request]
	if r == nil {
		return
	}
	p.advance(r, e)
	if !r.waits && !r.flying {
		delete(c.requests, e.Request)
	}
}

// advance takes a request one step on.
func (p *Perfetto) advance(r *perfettoRequest, e *trace.Event) {
	who := p.header.Candidates[r.candidate].Name()
	switch e.Kind {
	case trace.RequestLost:
		p.step(r, servicePID, "f", r.name+" of "+who+" is lost", nil)
	case trace.RequestRefused:
		p.step(r, servicePID, "t", r.name+" of "+who+" is refused", args{"status": e.Status})
	case trace.RequestApplied, trace.Written:
		p.step(r, servicePID, "t", r.name+" of "+who, args{
			"status": e.Status, "version": e.Version, "base": e.Base, "holder": e.Holder, "changed": e.Kind == trace.Written,
		})
	case trace.ResponseLost:
		p.step(r, servicePID, "f", "answer to "+who+" is lost", nil)
	case trace.ResponseHandled:
		p.step(r, r.wait.pid, "f", "answer to "+r.name, args{"status": e.Status})
		p.stopWaiting(r)
	case trace.ResponseLate:
		p.step(r, r.wait.pid, "f", "late answer to "+r.name, nil)
	case trace.GaveUp:
		p.instant(r.wait.pid, markThread, "gives up "+r.name, args{"cause": e.Cause.String()})
		p.stopWaiting(r)
	}
}

// step writes a slice of no length and ties the request's flow to it. The phase is that of the flow: s begins it, t
// goes on, f ends it. Once the flow has ended, step does nothing.
func (p *Perfetto) step(r *perfettoRequest, pid int, phase, name string, a args) {
	if !r.flying {
		return
	}
	var s perfettoSlice
	p.begin(&s, pid, requestThread, name, a)
	flow := chromeEvent{
		Name: r.name, Category: "message", Phase: phase, PID: pid, TID: tid(pid, requestThread), ID: r.wait.id,
	}
	if phase == "f" {
		flow.Binding, r.flying = "e", false
	}
	p.emit(flow)
	p.end(&s)
}

// stopWaiting ends the slice that shows how long the sender waits for an answer.
func (p *Perfetto) stopWaiting(r *perfettoRequest) {
	if r.waits {
		p.endAsync(r.wait)
	}
	r.waits = false
}

// closeRequest ends a request that is still under way, or waited for, at the end of the run.
func (p *Perfetto) closeRequest(r *perfettoRequest) {
	p.step(r, r.wait.pid, "f", r.name+" is still under way", nil)
	p.stopWaiting(r)
}
