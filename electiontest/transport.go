package electiontest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
	"interregnum/simlock/fakekube"
)

// transport is the way of one process's HTTP requests to the service, through the scenario's network.
type transport struct {
	process *process
	server  http.RoundTripper
}

// message is a request on its way, then its answer on its way back.
type message struct {
	*call
	process *process
	request *http.Request
	// id is 0 where it is not about the lock: then it leaves no events.
	id     uint64
	answer chan *http.Response
	// left: nobody waits for the answer any more. Guarded by world.mu.
	left bool
}

// RoundTrip answers a request. A request of a process that has crashed never leaves, and has no answer.
func (t *transport) RoundTrip(q *http.Request) (*http.Response, error) {
	p, ctx := t.process, q.Context()
	w := p.node.world
	body, err := read(q)
	if err != nil {
		return nil, err
	}
	m := &message{call: newCall(q, body, p), process: p, request: q, answer: make(chan *http.Response, 1)}
	if p.gone() {
		return w.silence(q)
	}
	if discovers(q) && ctx.Err() == nil {
		return t.discover(q)
	}
	if err := ctx.Err(); err != nil {
		if m.lock {
			m.part.tell(trace.Event{Kind: trace.LocalError, Verb: m.event, Object: m.object, Cause: trace.ContextEnded})
		}
		return nil, err
	}
	sent := time.Now()
	t.send(m)
	r, err := m.await(ctx, sent)
	if p.gone() {
		return w.silence(q)
	}
	id, _ := goroutine()
	w.mu.Lock()
	w.answered = m.part.seat
	if m.lock {
		w.askers[id] = m.part.seat
	}
	w.mu.Unlock()
	w.touch()
	return r, err
}

// send puts a request on its way through the network, where it may be lost, and notes it in the trace if it is about a
// lock.
func (t *transport) send(m *message) {
	p, seat := m.process, m.part.seat
	w := p.node.world
	w.bubble.sent.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.node.stands() {
		return
	}
	lost, delay := w.leg(m.call, plan.RequestLeg)
	if m.lock {
		if p.running {
			m.part.join()
		}
		seat.requests++
		m.id = seat.requests
		w.asked[seat.election], seat.asked = true, true
		w.tried = w.tried || m.tries()
		m.disguise()
		m.holder = p.calls(m.holder)
		m.note(trace.Event{Kind: trace.RequestSent, Holder: m.holder, Amount: int64(delay)})
	}
	if lost {
		m.note(trace.Event{Kind: trace.RequestLost})
		return
	}
	w.post.send(w.now(), delay, seat.index, m.order(), func() { t.arrive(m) })
}

// tries tells whether it is an attempt to write a lock.
func (m *message) tries() bool { return m.lock && m.event != trace.Get }

// await waits for the answer to a request, or for what ends that wait: the request's context, a crash, the end of the
// run or, except for the lock, connectionLost. What comes at the very instant of the deadline is too late: timers go
// first.
func (m *message) await(ctx context.Context, sent time.Time) (*http.Response, error) {
	w := m.process.node.world
	var give <-chan time.Time
	if !m.lock {
		timer := time.NewTimer(connectionLost)
		defer timer.Stop()
		give = timer.C
	}
	var r *http.Response
	select {
	case r = <-m.answer:
	case <-ctx.Done():
	case <-m.process.dead:
		return w.silence(m.request)
	case <-w.over:
		return over(m.request), nil
	case <-give:
		w.mu.Lock()
		defer w.mu.Unlock()
		m.process.disturb()
		return nil, errLost
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		m.left = true
		if errors.Is(err, context.DeadlineExceeded) { // else the code itself has ended it
			m.process.disturb()
		}
		m.note(trace.Event{Kind: trace.GaveUp, Cause: m.cause(ctx, sent)})
		if r != nil {
			m.note(trace.Event{Kind: trace.ResponseLate})
		}
		return nil, err
	}
	m.note(trace.Event{Kind: trace.ResponseHandled, Status: int16(r.StatusCode)})
	p := m.part
	switch {
	case !m.lock:
	case m.event == trace.Get:
		if r.StatusCode == http.StatusNotFound {
			w.free++
		}
	case r.StatusCode >= http.StatusBadRequest || !w.header.Candidates[p.seat.index].Last(m.object):
	default:
		p.version = m.version
		w.led = w.led || p.renewed && m.holder != ""
		p.renewed = m.holder != ""
	}
	return r, nil
}

// cause tells whether a request that was given up had run into its own timeout, or else its context had ended.
func (m *message) cause(ctx context.Context, sent time.Time) trace.Cause {
	at, ok := ctx.Deadline()
	if timeout := m.part.seat.plan.RequestTimeout; ok && timeout > 0 && at.Sub(sent) == timeout {
		return trace.TimedOut
	}
	return trace.ContextEnded
}

// arrive is called when a request arrives at the service: it executes the request at once, or answers with the error of
// a fault, and puts the answer on its way.
func (t *transport) arrive(m *message) {
	p := m.process
	w := p.node.world
	if w.isOver() || t.holdsBack(m) {
		return
	}
	w.mu.Lock()
	status, applied := w.refusal(m.call)
	w.mu.Unlock()
	var r *http.Response
	if status == 0 || applied {
		r = m.execute(t.server)
		w.mu.Lock()
		m.applied(r)
		m.recognize(r)
		w.refuses(m.request, r)
		w.mu.Unlock()
	}
	if status != 0 {
		if r != nil {
			r.Body.Close()
		}
		remove := w.server.Inject(fakekube.Fault{User: p.node.plan.ID, Status: status, Times: 1})
		r = m.execute(t.server)
		remove()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if status != 0 {
		m.note(trace.Event{Kind: trace.RequestRefused, Status: int16(status)})
	}
	lost, delay := w.leg(m.call, plan.ResponseLeg)
	if lost {
		m.note(trace.Event{Kind: trace.ResponseLost})
		r.Body.Close()
		return
	}
	if m.verb == "watch" {
		r.Body = &stalled{r.Body, p}
	}
	w.post.send(w.now(), delay, m.part.seat.index, m.order(), func() { m.come(r) })
}

// come is called when the answer arrives at the candidate: it hands it to whoever waits for it, or drops it where
// nobody does.
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

// execute has the server answer the request, whatever has become of the one who asked; only a watch ends with its
// context. An error, which only that can bring about, becomes a status.
func (m *message) execute(server http.RoundTripper) *http.Response {
	ctx := context.WithoutCancel(m.request.Context())
	if m.verb == "watch" {
		ctx = m.request.Context()
	}
	q := m.request.Clone(ctx)
	q.Body = io.NopCloser(bytes.NewReader(m.body))
	if m.inJSON {
		q.Header.Set("Content-Type", "application/json")
		q.ContentLength = int64(len(m.body))
	}
	r, err := server.RoundTrip(q)
	if err != nil {
		r = &http.Response{
			StatusCode: http.StatusGatewayTimeout, Body: http.NoBody, Header: http.Header{}, Request: m.request,
		}
	}
	return r
}

// note adds an event of the message, if it is about a lock. It does so even where the process that sent it has crashed
// since. The caller holds world.mu.
func (m *message) note(e trace.Event) {
	if m.id == 0 {
		return
	}
	e.Request, e.Verb, e.Object = m.id, m.event, m.object
	e.Candidate, e.Incarnation = int32(m.part.seat.index), m.process.incarnation
	m.process.node.world.note(e)
}

// stalled is the answer to a watch: while answers are lost nothing comes, and afterwards what has come meanwhile.
type stalled struct {
	io.ReadCloser
	process *process
}

// stallStep is how often a stalled watch is tried again.
const stallStep = 100 * time.Millisecond

// Read implements io.Reader. It keeps what it has read to itself for as long as answers to the process are lost.
func (s *stalled) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	w := s.process.node.world
	for err == nil {
		w.mu.Lock()
		cut := w.cut(s.process)
		w.mu.Unlock()
		if !cut && !s.process.gone() || w.isOver() {
			break
		}
		time.Sleep(stallStep)
	}
	return n, err
}

// read reads the whole body of a request.
func read(q *http.Request) ([]byte, error) {
	if q.Body == nil {
		return nil, nil
	}
	defer q.Body.Close()
	return io.ReadAll(q.Body)
}
