package world

import (
	"fmt"

	"interregnum/electiontest/internal/order"
	"interregnum/internal/trace"
)

// note adds an event to the trace at the present instant, unless the run is over. The caller holds w.mu.
func (w *world) note(e trace.Event) {
	if w.isOver() {
		return
	}
	e.At = int64(w.now())
	w.events = append(w.events, order.Event{Event: e, Step: w.step})
}

// fail keeps in w.problem why the run shows nothing, unless an earlier problem is there; in the end the test fails with it. It
// returns, and the run goes on. The caller holds w.mu.
func (w *world) fail(format string, args ...any) {
	if w.problem == "" {
		w.problem = fmt.Sprintf(format, args...)
	}
}

// Fail keeps why the run shows nothing, for Evidence.Blind, unless an earlier problem is there; in the end the test fails with
// it. It returns, and the run goes on.
func (p *Part) Fail(format string, args ...any) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail(format, args...)
}

// disturb marks the candidate as one that a fault or a lost message has met: what it does from then on is perhaps a consequence.
// The caller holds w.mu.
func (p *process) disturb() { p.node.disturbed = true }

// note adds an event of this process and election to the trace at the present instant, unless the process has crashed or the
// run is over. The caller holds w.mu.
func (p *Part) note(e trace.Event) {
	if p.process.gone() {
		return
	}
	e.Candidate, e.Incarnation = int32(p.seat.index), p.process.incarnation
	p.world().note(e)
}

// tell adds an event of this process and election to the trace, for a caller that does not hold w.mu.
func (p *Part) tell(e trace.Event) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	p.note(e)
}

// touch tells look to ask all electors what they believe, once everything of this instant has happened. It never waits.
func (w *world) touch() {
	select {
	case w.touched <- struct{}{}:
	default:
	}
}
