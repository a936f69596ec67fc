package explain

import (
	"fmt"
	"slices"

	"interregnum/internal/trace"
)

// end returns the terms that add up to the end of the first candidate's work, nil if there are none, and a text that says why
// that candidate still worked. It adds the steps of that end to t.steps.
func (t *teller) end() (sum []Summand, still string) {
	w := t.first
	t.frozenSteps()
	t.renewalSteps()
	t.endSteps()
	switch {
	case w.cancelledAt != never && w.cancelledAt <= t.from:
		return t.drains()
	case t.hold.end == trace.ProbeFailed:
		return nil, t.stillProbed()
	case t.hold.ackedAt > t.from:
		return t.deadline(), fmt.Sprintf("%s still worked because its renewals went on being acknowledged, the last at %s",
			t.a, seconds(t.hold.ackedAt))
	case t.hold.released.appliedAt != never &&
		(t.hold.failedAt != never || t.about().ByRenewTime && t.hold.released.appliedAt <= t.from):
		return t.deadline(), t.stillReleasing()
	}
	if at := t.hold.stoppedAt; at != never && at <= t.from && (t.hold.failedAt == never || at > t.hold.failedAt) {
		t.step(at, w.Candidate, trace.Stopped, t.a+" has stopped leading, and its work goes on")
		return nil, fmt.Sprintf("%s still worked because its work went on, though it had stopped leading at %s: nothing had told that work to end",
			t.a, seconds(at))
	}
	return t.deadline(), t.stillRenewing()
}

// renewalSteps adds the last renewal that was acknowledged, and what followed it, to t.steps. It adds nothing if no renewal was
// acknowledged.
func (t *teller) renewalSteps() {
	h, a := &t.hold, t.first.Candidate
	if h.ackedAt == never {
		return
	}
	t.step(h.renewal.sentAt, a, trace.RequestSent, t.a+" sends the last renewal that is to be acknowledged")
	applied := t.a + "'s renewal is applied"
	if h.renewal.appliedAs == trace.RequestApplied {
		applied += ", and changes nothing: the record says the same already"
	}
	t.step(h.renewal.appliedAt, a, h.renewal.appliedAs, applied)
	counts := ""
	if !t.about().DeadlineFromRenewal && !t.about().NoDeadline {
		counts = fmt.Sprintf(", and %s counts from here", t.a)
	}
	t.step(h.ackedAt, a, trace.ResponseHandled, "its answer comes"+counts)
	again := fmt.Sprintf("%s begins to renew again, for %s", t.a, seconds(int64(t.about().RenewDeadline)))
	switch {
	case t.about().Expires():
		again = t.a + " tries to refresh it again"
	case t.about().ByRenewTime:
		again = t.a + " tries to renew again"
	}
	if slices.ContainsFunc(h.held, func(r heldRequest) bool { return r.refused && r.at == h.triedAt }) {
		again += ", but " + t.unsent()
	}
	t.step(h.triedAt, a, h.triedAs, again)
	t.heldSteps()
	t.step(h.toldAt, a, trace.ResponseHandled, fmt.Sprintf("%s is told that the lock is no longer its own", t.a))
	if h.sawAt != never {
		t.step(h.sawAt, a, trace.ResponseHandled, fmt.Sprintf("%s reads that the lock is another's", t.a))
	}
}

// heldSteps adds the requests that the first candidate's client kept back or did not send, after its last acknowledgement, to t.steps.
func (t *teller) heldSteps() {
	for _, r := range t.hold.held {
		kind, text := trace.RequestHeld, fmt.Sprintf("%s's client keeps a request back for %s, ", t.a, seconds(r.wait))
		switch {
		case r.refused:
			kind, text = trace.LocalError, t.unsent()
		case r.status != 0:
			text += fmt.Sprintf("as the Retry-After of an answer %d says", r.status)
		default:
			text += "in its limiter"
		}
		t.step(r.at, t.first.Candidate, kind, text)
	}
}

// unsent returns a text that says that the first candidate's client refuses to send a request.
func (t *teller) unsent() string {
	return t.a + "'s client does not send a request, which would wait in its limiter beyond the end of its context"
}

// frozenSteps adds the freezes of the first candidate's process that begin before the end of the overlap to t.steps.
func (t *teller) frozenSteps() {
	for _, s := range t.first.frozen {
		if s.from < t.to {
			t.step(s.from, t.first.Candidate, trace.Paused, t.a+"'s process is frozen")
			t.step(s.to, t.first.Candidate, trace.Resumed, t.a+"'s process goes on")
		}
	}
}

// endSteps adds how the first candidate's work ended to t.steps: asked to stop, failed to renew, released, told to
// end, ended.
func (t *teller) endSteps() {
	h, w := &t.hold, t.first
	t.step(h.askedAt, w.Candidate, trace.CancelAsked, t.a+" is asked to stop")
	t.step(h.failedAt, w.Candidate, trace.MetricSet, t.a+" has failed to renew, and gives up")
	if h.failedAt != never || t.about().ByRenewTime {
		t.step(h.released.appliedAt, w.Candidate, trace.Written, t.a+"'s release is applied")
	}
	t.step(w.cancelledAt, w.Candidate, trace.WorkCancelled, t.a+t.told())
	if w.endedAt != w.cancelledAt {
		t.step(w.endedAt, w.Candidate, trace.WorkEnded, t.a+"'s work has ended")
	}
}

// told returns how the first candidate's work was ended, as the rest of a sentence that begins with the candidate's name: it begins
// with 's, and belongs directly after t.a.
func (t *teller) told() string {
	switch t.hold.end {
	case trace.Exited:
		return "'s process exits, since it lost another election"
	case trace.ProbeFailed:
		return "'s process is killed, since its liveness probe failed too often"
	case trace.Killed:
		return "'s process is killed, since its grace period is over"
	}
	return "'s work is told to end"
}

// stillProbed returns a text that says why the first candidate still worked, where its process ended only when its
// liveness probe had failed too often.
func (t *teller) stillProbed() string {
	w, frozen := t.first, ""
	if n := len(w.frozen); n > 0 && (w.frozen[n-1].to == never || w.frozen[n-1].to >= w.cancelledAt) {
		frozen = fmt.Sprintf("its process was frozen from %s on, and ", seconds(w.frozen[n-1].from))
	}
	return fmt.Sprintf("%s still worked because %sits liveness probe failed too often only at %s", t.a, frozen, seconds(w.cancelledAt))
}

// drains explains work that had been told to end by the time that the other candidate's started. It returns the terms
// that add up to the end of the work, nil if it has not ended, and a text that says why it went on.
func (t *teller) drains() ([]Summand, string) {
	w := t.first
	if w.endedAt == never {
		return nil, fmt.Sprintf("%s still worked because its work had not ended, though it was told to at %s",
			t.a, seconds(w.cancelledAt))
	}
	sum := instant("told to end", w.cancelledAt)
	return t.addSpan(sum, "drain", w.cancelledAt, w.endedAt),
		fmt.Sprintf("%s still worked because its work, which was told to end at %s, took %s to",
			t.a, seconds(w.cancelledAt), seconds(w.endedAt-w.cancelledAt))
}

// stillReleasing returns a text that says that the first candidate still worked because it ends its work only after
// its release.
func (t *teller) stillReleasing() string {
	h := &t.hold
	answer := "its answer had not come"
	switch h.answer {
	case trace.ResponseLost:
		answer = "its answer was lost"
	case trace.ResponseHandled:
		answer = fmt.Sprintf("its answer came at %s", seconds(t.first.cancelledAt))
	}
	return fmt.Sprintf("%s still worked because it ends its work only after the release, which was applied at %s: %s",
		t.a, seconds(h.released.appliedAt), answer)
}

// stillRenewing returns a text that says why the first candidate still believed in its lease, and what it met
// meanwhile.
func (t *teller) stillRenewing() string {
	h, w := &t.hold, t.first
	switch {
	case h.ackedAt == never && t.about().ByRenewTime:
		return t.a + " still worked because it had read its own name, and no deadline runs until it has acquired the lock"
	case h.ackedAt == never:
		return t.a + " still worked"
	}
	if t.about().NoDeadline && h.toldAt == never {
		return fmt.Sprintf("%s still worked because no attempt of it has succeeded since %s, and only one that succeeds tells it that the lock is another's",
			t.a, seconds(h.ackedAt))
	}
	text := fmt.Sprintf("%s still worked because its acknowledgement came at %s and it counts from there", t.a, seconds(h.ackedAt))
	if t.about().DeadlineFromRenewal {
		text = fmt.Sprintf("%s still worked because it counts from its last renewal, sent at %s", t.a, seconds(h.renewal.sentAt))
	}
	if h.toldAt != never {
		text = fmt.Sprintf("%s still worked because it was told at %s that it had lost the lock", t.a, seconds(h.toldAt))
	}
	for _, s := range w.frozen {
		if s.to != never && s.to > h.ackedAt && s.to <= t.to {
			text += fmt.Sprintf("; it was frozen from %s to %s", seconds(s.from), seconds(s.to))
		}
	}
	if h.sawAt != never && h.sawAt < t.to {
		text += fmt.Sprintf("; it read at %s that the lock was another's, and went on", seconds(h.sawAt))
	}
	if w.cancelledAt != never && h.failedAt != never && w.cancelledAt > h.failedAt {
		text += fmt.Sprintf("; it gave up renewing at %s, and ended its work only after trying to release", seconds(h.failedAt))
	}
	return text
}
