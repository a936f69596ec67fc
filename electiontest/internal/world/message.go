package world

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// message is a request on its way to the service, and afterwards its answer on the way back.
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

// tries tells whether the message is a request to create or update a lock.
func (m *message) tries() bool { return m.lock && m.op != machine.Get }

// note adds an event of the message to the trace, even if the sender has crashed since. It adds none for a message whose id is
// 0, which is not on a lock. The caller holds w.mu.
func (m *message) note(e trace.Event) {
	if m.id == 0 {
		return
	}
	e.Request, e.Verb, e.Object = m.id, trace.Verb(m.op), m.object
	e.Candidate, e.Incarnation = int32(m.part.seat.index), m.process.incarnation
	m.process.node.world.note(e)
}

// execute returns the server's answer to the request, and never nil. A watch ends with the request's context; any other request
// is executed even if its sender has given it up or crashed. An error of the transport becomes status 504.
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

// peek returns the body of an answer, and replaces it by a copy that can be read again. It returns an error if the body cannot
// be read to its end.
func peek(r *http.Response) ([]byte, error) {
	text, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(text))
	return text, err
}
