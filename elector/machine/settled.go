package machine

// This file has whole attempts in one go, for a simulation, in which nearly all attempts are like that: a leader's first
// request renews its lease, or a follower finds a lease that counts, and nothing else happens before the answer. From then
// on the machine does what it does after the two Steps that such an attempt stands for: Fired with Retry, and Responded with
// Done. It has not counted the request, and waits for Retry all the while.

// Settled tells which single request an attempt makes that begins now, when Retry is due, if the lock's record is r and nothing
// else happens before the answer. It is Update for a leader that renews its lease: the host then calls Renewal and Renewed. It
// is Get for a follower that finds a lease which counts: the host then calls LookedOn. It is 0 if neither is certain.
func (m *Machine) Settled(now Mono, r *Record) Verb {
	switch {
	case m.phase == Renewing && m.renewsAtOnce(now):
		return Update // the program has heard of it: see report
	case m.leavesAlone(r) && m.leaseValid(now):
		return Get
	}
	return 0
}

// leavesAlone tells whether a candidate whose observed lease counts goes on waiting, without a call of OnNewLeader, once it
// has read the record r. That is so if r names another holder, who was reported before. It is false for a leader that waits for
// Retry: it has reported itself when it began to lead, and reports another holder only where it then stops leading. It is false if
// m.own is true: an attempt that an earlier Run has left can have made it so.
func (m *Machine) leavesAlone(r *Record) bool {
	return m.another && r.Holder == m.reported && !m.own && r.DurationSeconds > 0
}

// LookedOn stores what an attempt of a follower stores whose Get is answered at the time answered with r, the record of another
// candidate, which it leaves alone. If r looks new, or the lock object was gone, r becomes the record last observed. object is
// the number of the lock object (see Response.Object). The host sets Retry, with jitter, for a RetryPeriod from answered on.
func (m *Machine) LookedOn(answered Now, r *Record, object uint64) {
	m.now = answered
	m.expired, m.forgot = false, false
	m.object = object
	if m.differs(r) || m.gone {
		m.saw(r, answered.Mono) // and m.own stays false
	}
	m.isThere()
}

// Renewal begins an attempt that renews the lease, and returns the record that it writes. The record is good until the next
// attempt. Once the write was accepted, the host calls Renewed.
func (m *Machine) Renewal(now Now) *Record {
	m.now = now
	m.expired, m.buffered = false, false
	m.startAttempt()
	m.keepTerm()
	m.attempt.sentAt = now.Mono
	m.stamp()
	return &m.request.Record
}

// Renewed ends the attempt that Renewal began, whose write was accepted and answered at the time answered. object is the number
// of the lock object (see Response.Object). It returns a time, from which the host then sets its timers: if the profile counts
// from the last renewal, Deadline for a RenewDeadline, and in any case Retry for a RetryPeriod.
func (m *Machine) Renewed(answered Now, object uint64) (from Mono) {
	m.now = answered
	m.object = object
	m.accepted()
	if m.cfg.Profile.FromRenewal {
		return m.attempt.startedAt
	}
	return answered.Mono
}
