package world

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// message is a request on its way, then its answer on its way back.
type message struct {
	*call
	process *process
	request *http.Request
	// id is 0 for a request that is not on the lock and leaves no events.
	id uint64
	// server executes it.
	server http.RoundTripper
	answer chan *http.Response
	// left: nobody waits for the answer any more. Guarded by w.mu.
	left bool
}

// tries tells whether it is an attempt to write a lock.
func (m *message) tries() bool { return m.lock && m.op != machine.Get }

// note adds an event of the message, if it is about a lock. It does so even where the process that sent it has crashed
// since. The caller holds w.mu.
func (m *message) note(e trace.Event) {
	if m.id == 0 {
		return
	}
	e.Request, e.Verb, e.Object = m.id, trace.Verb(m.op), m.object
	e.Candidate, e.Incarnation = int32(m.part.seat.index), m.process.incarnation
	m.process.node.world.note(e)
}

// execute has the server answer the request, whatever has become of the one who asked. Only a watch ends with its context; the error
// that it ends with becomes a status.
func (m *message) execute() *http.Response {
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
	r, err := m.server.RoundTrip(q)
	if err != nil {
		r = &http.Response{
			StatusCode: http.StatusGatewayTimeout, Body: http.NoBody, Header: http.Header{}, Request: m.request,
		}
	}
	return r
}
