package world

import (
	"net/http"
	"strconv"
	"time"

	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock/fakekube"
)

// arrive handles a request's arrival at the service: it executes the request, answers with the error of a fault, or does both,
// and sends the answer back through the network. It does nothing when the run is over. If heldBack keeps a write waiting, it
// calls arrive again later.
func (m *message) arrive() {
	p := m.process
	w := p.node.world
	if w.isOver() || m.heldBack(m.arrive) {
		return
	}
	w.mu.Lock()
	refused := w.refusal(m.call)
	w.mu.Unlock()
	var r *http.Response
	if refused.Status == 0 || refused.Applied {
		r = m.execute()
		w.mu.Lock()
		m.applied(r)
		m.recognize(r)
		w.notServed(m.request, r)
		w.mu.Unlock()
	}
	if refused.Status != 0 {
		if r != nil {
			r.Body.Close()
		}
		remove := w.server.Inject(fakekube.Fault{User: p.node.plan.ID, Status: refused.Status, Times: 1})
		r = m.execute()
		remove()
		if after := refused.RetryAfter; after != nil {
			r.Header.Set("Retry-After", strconv.Itoa(int(*after/time.Second)))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if refused.Status != 0 {
		m.note(trace.Event{Kind: trace.RequestRefused, Status: int16(refused.Status)})
	}
	way := w.leg(m.call, plan.ResponseLeg)
	if way.Lost {
		m.note(trace.Event{Kind: trace.ResponseLost})
		r.Body.Close()
		return
	}
	if m.verb == "watch" {
		r.Body = &stalled{r.Body, p}
	}
	w.post.Send(w.now(), way.Delay, m.part.seat.index, m.order(), func() { m.come(r) })
}

// come handles an answer's arrival at the candidate: it hands r to await. If the request was given up or the process is gone, it
// drops r instead, and adds that to the trace.
func (m *message) come(r *http.Response) {
	w := m.process.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.left || m.process.gone() {
		m.note(trace.Event{Kind: trace.ResponseLate})
		r.Body.Close()
		return
	}
	m.answer <- r
}
