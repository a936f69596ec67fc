package world

import (
	"io"
	"net/http"
	"slices"
	"time"

	"k8s.io/client-go/rest"

	"interregnum/electiontest/internal/goroutines"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// RESTConfig returns a configuration for clients of the server. The clients' requests go through the scenario's network and
// faults.
func (p *Part) RESTConfig() *rest.Config {
	config := p.world().server.ConfigFor(p.seat.plan.ID)
	config.Transport = &transport{process: p.process, server: config.Transport}
	return config
}

// transport carries one process's HTTP requests to the service, through the scenario's network.
type transport struct {
	process *process
	server  http.RoundTripper
}

// RoundTrip sends a request through the scenario's network and returns its answer, or the error with which nobody waits for it
// any more: see await. A request of a process that is gone never leaves, and gets no answer before its context ends or the run
// is over: see silence. A request for API discovery goes to discover. A request whose context has ended is not sent, and RoundTrip
// returns the context's error; if it is on a lock, the trace gets a local error. A request whose body cannot be read is not sent
// either.
func (t *transport) RoundTrip(q *http.Request) (*http.Response, error) {
	p, ctx := t.process, q.Context()
	w := p.node.world
	body, err := read(q)
	if err != nil {
		return nil, err
	}
	m := &message{call: newCall(q, body, p), process: p, request: q, server: t.server, answer: make(chan *http.Response, 1)}
	w.mu.Lock()
	m.relabels()
	w.mu.Unlock()
	if p.gone() && discovers(q) {
		return nil, errUnreached // its caller holds a mutex: see discover
	}
	if p.gone() {
		return p.silence(q)
	}
	if discovers(q) && ctx.Err() == nil {
		return m.discover()
	}
	if err := ctx.Err(); err != nil {
		if m.lock {
			m.part.tell(trace.Event{Kind: trace.LocalError, Verb: trace.Verb(m.op), Object: m.object, Cause: trace.ContextEnded})
		}
		return nil, err
	}
	m.aidesWork()
	defer m.forgottenWorks()()
	sent := time.Now()
	m.send()
	r, err := m.await(ctx, sent)
	if p.gone() {
		return p.silence(q)
	}
	id, _ := goroutines.Current()
	w.mu.Lock()
	w.answered = m.part.seat
	if m.lock {
		m.part.flying--
		w.askers[id] = m.part.seat
	}
	w.mu.Unlock()
	w.touch()
	return r, err
}

// send puts a request on its way through the network, or loses it. If the candidate spins, send does nothing. It keeps in
// w.instead the object of a request that could have been a lock and is none. For a request on a lock it begins a Run if none is
// going on, gives the request its id, adds it to the trace, and notes that this lock was asked for (w.asked, w.tried,
// w.unseen). A holder in it that is the host's name becomes the candidate's identity: see disguise.
func (m *message) send() {
	p, seat := m.process, m.part.seat
	w := p.node.world
	w.bubble.Sent()
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.node.spins() {
		return
	}
	way := w.leg(m.call, plan.RequestLeg)
	if !m.lock && m.asks != "" && !slices.Contains(w.instead, m.asks) {
		w.instead = append(w.instead, m.asks)
	}
	if m.lock {
		if p.running {
			m.part.leaveFor(m.request.Context())
			m.part.join()
		}
		seat.requests++
		m.id = seat.requests
		m.part.flying++
		w.asked[seat.election], seat.asked, p.asks = true, true, true
		w.tried = w.tried || m.tries()
		w.unseen = w.unseen || m.tries() && m.part.elector == nil
		m.disguise()
		m.holder = p.calls(m.holder)
		m.note(trace.Event{Kind: trace.RequestSent, Holder: m.holder, Amount: int64(way.Delay)})
	}
	if way.Lost {
		m.note(trace.Event{Kind: trace.RequestLost})
		return
	}
	w.post.Send(w.now(), way.Delay, seat.index, m.order(), m.arrive)
}

// read returns the whole body of a request, nil if it has none, and closes it.
func read(q *http.Request) ([]byte, error) {
	if q.Body == nil {
		return nil, nil
	}
	defer q.Body.Close()
	return io.ReadAll(q.Body)
}
