package explain

import "time"

// deadline returns the sum that makes the end of the first candidate's work: the last acknowledgement, the wait, the time that it tried to renew, its
// release and its drain. It is nil where something else ended the work, or nothing has.
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
		sum = t.lasts(sum, "renewDeadline", about.RenewDeadline, h.renewal.sentAt, w.cancelledAt)
	case h.triedAt == never || h.failedAt == never:
		return nil
	default:
		sum = instant("acknowledged", h.ackedAt)
		sum = t.lasts(sum, "retryPeriod", about.RetryPeriod, h.ackedAt, h.triedAt)
		sum = t.lasts(sum, "renewDeadline", about.RenewDeadline, h.triedAt, h.failedAt)
		sum = t.and(sum, "release", h.failedAt, w.cancelledAt)
	}
	return t.and(sum, "drain", w.cancelledAt, w.endedAt)
}

// lasts adds a term for a stretch that should last d on the candidate's clock. The term's name says so where drift or another end changed it, and a
// freeze is a term of its own.
func (t *teller) lasts(sum []Summand, name string, d time.Duration, from, to int64) []Summand {
	long, whole := to-from, int64(d)
	clock := &t.f.candidates[t.first.Candidate].clock
	if onClock := clock.trueTime(whole); onClock != whole && long >= onClock && clock.since <= from {
		name += " on " + t.a + "'s clock"
		whole = onClock
	}
	frozen := t.first.frozenIn(from, to)
	switch {
	case long > whole && frozen > 0:
		return append(sum, Summand{name, whole}, Summand{"frozen", long - whole})
	case long != whole:
		name = map[string]string{"retryPeriod": "until it renewed again", "renewDeadline": "until it gave up"}[name]
	}
	return t.and(sum, name, from, to)
}

// and adds a term for the time between two instants, unless that is 0.
func (t *teller) and(sum []Summand, name string, from, to int64) []Summand {
	if to == from {
		return sum
	}
	return append(sum, Summand{name, to - from})
}
