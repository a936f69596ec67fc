package explain

// deadline returns the terms that add up to the end of the first candidate's work: the last acknowledgement, the wait, the time
// that it tried to renew, its release and its drain. It is nil if the work has not ended, if something else ended it (a crash, a
// cancel, or the news that the lock is lost), or if the events do not show all that it needs: the acknowledgement, the next try
// and the giving up.
func (t *teller) deadline() []Summand {
	h, w := &t.hold, t.first
	if w.endedAt == never || h.crashed || h.askedAt != never || h.ackedAt == never {
		return nil
	}
	about := t.about()
	var sum []Summand
	switch {
	case h.toldAt != never:
		return nil
	case about.Expires() && !about.DeadlineFromRenewal:
		return t.expiringDeadline()
	case about.DeadlineFromRenewal:
		sum = instant("sent", h.renewal.sentAt)
		sum = t.addWait(sum, "renewDeadline", about.RenewDeadline, h.renewal.sentAt, w.cancelledAt)
	case h.triedAt == never || h.failedAt == never:
		return nil
	default:
		sum = instant("acknowledged", h.ackedAt)
		sum = t.addWait(sum, "retryPeriod", about.RetryPeriod, h.ackedAt, h.triedAt)
		sum = t.addWait(sum, "renewDeadline", about.RenewDeadline, h.triedAt, h.failedAt)
		sum = t.addSpan(sum, "release", h.failedAt, w.cancelledAt)
	}
	return t.addSpan(sum, "drain", w.cancelledAt, w.endedAt)
}

// expiringDeadline returns the terms that add up to the end of the first candidate's work, for a lock that expires by itself and
// a deadline that counts from an answer; nil if the candidate was told that the lock is lost, or if it is not known when the
// work's end began.
func (t *teller) expiringDeadline() []Summand {
	h, w := &t.hold, t.first
	end := w.cancelledAt
	if h.failedAt != never {
		end = h.failedAt
	}
	if h.toldAt != never || end == never {
		return nil
	}
	sum := t.addWait(instant("acknowledged", h.ackedAt), "renewDeadline", t.about().RenewDeadline, h.ackedAt, end)
	sum = t.addSpan(sum, "release", end, w.cancelledAt)
	return t.addSpan(sum, "drain", w.cancelledAt, w.endedAt)
}
