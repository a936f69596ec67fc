package world

import (
	"context"
	"errors"
	"net/http"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// await returns the answer to a request that was sent at the time sent. It returns ctx's error when ctx ends. A request that is
// not on the lock fails with errLost after plan.LongestStall, when client-go would close the connection; one on the lock waits
// for ever, as in a simulated run. Once the process is gone or the run is over it returns what silence does. An answer at the
// very instant of the deadline is too late: timers go first.
//
// It adds to the trace whether an answer was handled or the request given up, and marks the candidate as disturbed after a
// deadline or an errLost. After a successful write of the lock's last object it sets p.version, p.renewed, p.led and ledAt of the seat; it counts in
// w.free the answers that there is no lock.
func (m *message) await(ctx context.Context, sent time.Time) (*http.Response, error) {
	w := m.process.node.world
	var give <-chan time.Time
	if !m.lock {
		timer := time.NewTimer(plan.LongestStall)
		defer timer.Stop()
		give = timer.C
	}
	var r *http.Response
	select {
	case r = <-m.answer:
	case <-ctx.Done():
	case <-m.process.dead:
		return m.process.silence(m.request)
	case <-w.over:
		return m.process.silence(m.request)
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
	case m.op == machine.Get:
		if r.StatusCode == http.StatusNotFound {
			w.free++
		}
	case r.StatusCode >= http.StatusBadRequest || !w.header.Candidates[p.seat.index].Last(m.object):
	default:
		p.version = m.version
		if p.renewed && m.holder != "" {
			p.led = true
			if !p.seat.led() {
				p.seat.ledAt = w.now()
			}
		}
		p.renewed = m.holder != ""
	}
	return r, nil
}

// cause returns the cause by which a request was given up: trace.TimedOut if ctx's deadline is the scenario's requestTimeout
// after sent, else trace.ContextEnded.
func (m *message) cause(ctx context.Context, sent time.Time) trace.Cause {
	at, ok := ctx.Deadline()
	if timeout := m.part.seat.plan.RequestTimeout; ok && timeout > 0 && at.Sub(sent) == timeout {
		return trace.TimedOut
	}
	return trace.ContextEnded
}
