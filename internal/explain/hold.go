package explain

import (
	"interregnum/internal/trace"
)

// hold is what a candidate's term rests on: its last renewal, and what happened to the term since.
type hold struct {
	// renewal is the last renewal that was acknowledged, and ackedAt is when the answer came.
	renewal request
	ackedAt int64
	// triedAt is when it next asked for the lock after that. triedAs tells a request that was sent from one that was
	// not.
	triedAt int64
	triedAs trace.Kind
	// sawAt is when it first read another holder after that, and saw is what it read.
	sawAt int64
	saw   record
	// failedAt is when it gave up renewing.
	failedAt int64
	// stoppedAt is when it stopped leading: when its OnStoppedLeading was called.
	stoppedAt int64
	// toldAt is when it was told that an entry that expires by itself is no longer its own.
	toldAt int64
	// released is its release, applied at released.appliedAt. answer is what became of the answer.
	released request
	answer   trace.Kind
	askedAt  int64
	// held are the waits for which its client has kept requests back since the acknowledgement, and those that it has not sent.
	held    []heldRequest
	crashed bool
	// end is why its process ended, if no fault ended it.
	end trace.Cause
}

// newHold returns the hold of a Run that is about to begin: nothing has happened yet.
func newHold() hold {
	return hold{
		ackedAt: never, triedAt: never, sawAt: never, failedAt: never, stoppedAt: never, toldAt: never, askedAt: never, released: request{appliedAt: never},
	}
}

// acknowledged stores r as the last renewal that was acknowledged, and at, in nanoseconds of true time, as when its answer came.
// It forgets what was tried and read since the one before. It does nothing after the candidate gave up.
func (h *hold) acknowledged(r *request, at int64) {
	if h.failedAt != never {
		return // an attempt that was left running
	}
	h.renewal, h.ackedAt = *r, at
	h.triedAt, h.sawAt, h.stoppedAt = never, never, never
	h.held = nil
}

// heldRequest is a request that the candidate's client keeps back for wait, a time on the candidate's clock, or that it never
// sends, if refused is true. status is that of the answer whose Retry-After it obeys, 0 if its limiter keeps the request
// back.
type heldRequest struct {
	at, wait int64
	status   int16
	refused  bool
}

// kept stores that the client of the candidate about keeps back a request, if that takes long, or does not send it.
func (h *hold) kept(e *trace.Event, about *trace.Candidate) {
	if about.KeepsBack(e) {
		h.held = append(h.held, heldRequest{e.At, e.Amount, e.Status, e.Kind == trace.LocalError})
	}
}

// tries stores when the candidate first asked for the lock again after the last acknowledgement: at is that time in nanoseconds
// of true time, and as is RequestSent or, if the request could not be sent, LocalError. Later tries change nothing, nor does one
// before an acknowledgement or after the candidate gave up.
func (h *hold) tries(at int64, as trace.Kind) {
	if h.ackedAt != never && h.triedAt == never && h.failedAt == never {
		h.triedAt, h.triedAs = at, as
	}
}

// read stores the first record of another holder that the candidate has read since the last acknowledgement, and when (at, in
// nanoseconds of true time). r is the request that has read. identity is the candidate's own name as a holder.
func (h *hold) read(r *request, at int64, identity string) {
	if h.sawAt == never && r.read.holder != "" && r.read.holder != identity {
		h.sawAt, h.saw = at, r.read
	}
}

// releaseAnswered stores as, which says what became of the answer to r, in h.answer, if r is the release that was applied.
// Otherwise it does nothing.
func (h *hold) releaseAnswered(r *request, as trace.Kind) {
	if r.id == h.released.id {
		h.answer = as
	}
}
