package electiontest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"interregnum/internal/sim"
	"interregnum/internal/trace"
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

// connectionLost is when client-go gives up a connection that nothing comes from: it pings it after 30 s, and waits for
// 15 s (k8s.io/apimachinery/pkg/util/net). Requests on the lock wait for ever, as the contract of scenarios has it.
const connectionLost = 45 * time.Second

var (
	errOver = errors.New("the scenario is over")
	// errLost has the words of net/http.
	errLost = errors.New("http2: client connection lost")
)

// RoundTrip answers a request. A request of a process that has crashed never leaves, and has no answer.
func (t *transport) RoundTrip(q *http.Request) (*http.Response, error) {
	p, ctx := t.process, q.Context()
	w := p.node.world
	body, err := read(q)
	if err != nil {
		return nil, err
	}
	m := &message{call: newCall(q, body, w.options.lock()), process: p, request: q, answer: make(chan *http.Response, 1)}
	if p.gone() {
		return nil, w.silence(ctx, nil)
	}
	if err := ctx.Err(); err != nil {
		if m.lock {
			p.tell(trace.Event{Kind: trace.LocalError, Verb: m.event, Cause: trace.ContextEnded})
		}
		return nil, err
	}
	sent := time.Now()
	t.send(m)
	r, err := m.await(ctx, sent)
	if p.gone() {
		return nil, w.silence(ctx, nil)
	}
	mover.Store(int32(p.node.index))
	w.touch()
	return r, err
}

// silence is what a process that has crashed hears.
func (w *world) silence(ctx context.Context, give <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-w.over:
		return errOver
	case <-give:
		return errLost
	}
}

// send puts a request on its way.
func (t *transport) send(m *message) {
	p := m.process
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.node.stands() {
		return
	}
	lost, delay := w.leg(p.node, m.object, sim.RequestLeg)
	if m.lock {
		p.node.requests++
		m.id = p.node.requests
		w.asked = true
		m.holder = p.calls(m.holder)
		m.note(trace.Event{Kind: trace.RequestSent, Holder: m.holder, Amount: int64(delay)})
	}
	if lost {
		m.note(trace.Event{Kind: trace.RequestLost})
		return
	}
	go func() {
		time.Sleep(delay)
		t.arrive(m)
	}()
}

// await waits for the answer. What comes at the very instant of the deadline is too late.
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
		give = nil
		if at, ok := ctx.Deadline(); ok && time.Now().Equal(at) {
			select {
			case <-ctx.Done():
			case <-time.After(1): // it is a deadline by another clock
			}
		}
	case <-ctx.Done():
	case <-m.process.dead:
		return nil, errOver
	case <-w.over:
		return nil, errOver
	case <-give:
		return nil, errLost
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		m.left = true
		m.note(trace.Event{Kind: trace.GaveUp, Cause: m.cause(ctx, sent)})
		if r != nil {
			m.note(trace.Event{Kind: trace.ResponseLate})
		}
		return nil, err
	}
	m.note(trace.Event{Kind: trace.ResponseHandled, Status: int16(r.StatusCode)})
	if m.lock && r.StatusCode < http.StatusBadRequest && m.event != trace.Get {
		m.process.version = m.version
		w.led = w.led || m.process.renewed && m.holder != ""
		m.process.renewed = m.holder != ""
	}
	return r, nil
}

func (m *message) cause(ctx context.Context, sent time.Time) trace.Cause {
	at, ok := ctx.Deadline()
	if timeout := m.process.node.plan.RequestTimeout; ok && timeout > 0 && at.Sub(sent) == timeout {
		return trace.TimedOut
	}
	return trace.ContextEnded
}

// arrive is a request's arrival at the service, which acts at once, and the way of its answer.
func (t *transport) arrive(m *message) {
	p := m.process
	w := p.node.world
	w.serving <- struct{}{}
	r, lost, delay := t.serve(m)
	<-w.serving
	if lost {
		if r != nil {
			r.Body.Close()
		}
		return
	}
	time.Sleep(delay)
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.left || p.gone() {
		m.note(trace.Event{Kind: trace.ResponseLate})
		r.Body.Close()
		return
	}
	m.answer <- r
}

// serve executes a request. The caller holds w.serving.
func (t *transport) serve(m *message) (r *http.Response, lost bool, delay time.Duration) {
	p := m.process
	w := p.node.world
	if w.isOver() {
		return nil, true, 0
	}
	w.mu.Lock()
	status, applied := w.refusal(p.node, m.object, m.verb)
	w.mu.Unlock()
	if status == 0 || applied {
		r = m.execute(t.server)
		w.mu.Lock()
		m.applied(r)
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
	if lost, delay = w.leg(p.node, m.object, sim.ResponseLeg); lost {
		m.note(trace.Event{Kind: trace.ResponseLost})
	} else if m.verb == "watch" {
		r.Body = &stalled{r.Body, p}
	}
	return r, lost, delay
}

// execute has the server answer. Its only errors are of contexts, and this one has no end but the watch's.
func (m *message) execute(server http.RoundTripper) *http.Response {
	ctx := context.WithoutCancel(m.request.Context())
	if m.verb == "watch" {
		ctx = m.request.Context()
	}
	q := m.request.Clone(ctx)
	q.Body = io.NopCloser(bytes.NewReader(m.body))
	r, err := server.RoundTrip(q)
	if err != nil {
		r = &http.Response{
			StatusCode: http.StatusGatewayTimeout, Body: http.NoBody, Header: http.Header{}, Request: m.request,
		}
	}
	return r
}

// note adds an event of the message. The caller holds world.mu. What a process has sent goes on without it.
func (m *message) note(e trace.Event) {
	if m.id == 0 {
		return
	}
	e.Request, e.Verb = m.id, m.event
	e.Candidate, e.Incarnation = int32(m.process.node.index), m.process.incarnation
	m.process.node.world.note(e)
}

// stalled is the answer to a watch: while answers are lost nothing comes, and afterwards what has come meanwhile.
type stalled struct {
	io.ReadCloser
	process *process
}

// stallStep is how often a stalled watch is tried again.
const stallStep = 100 * time.Millisecond

func (s *stalled) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	w := s.process.node.world
	for err == nil {
		w.mu.Lock()
		cut := w.cut(s.process.node)
		w.mu.Unlock()
		if !cut && !s.process.gone() || w.isOver() {
			break
		}
		time.Sleep(stallStep)
	}
	return n, err
}

func read(q *http.Request) ([]byte, error) {
	if q.Body == nil {
		return nil, nil
	}
	defer q.Body.Close()
	return io.ReadAll(q.Body)
}
