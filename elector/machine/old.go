package machine

import "slices"

// This file is what only old versions of the library do: those before requests carried a context (v0.17), and those whose
// release reads nothing (v0.24 and before).

// leftover is an attempt that an earlier Run has left running, with its request.
type leftover struct {
	attempt attempt
	request Request
}

// leftResponded handles an answer to an attempt that an earlier Run has left. That attempt shares the lock and the observed
// record with the Run in progress, but has a step and a request of its own. The answer is ignored if no such attempt has sent
// its request.
func (m *Machine) leftResponded(r *Response) {
	for i := range m.left {
		l := &m.left[i]
		if l.request.ID != r.ID {
			continue
		}
		detached, sent := m.detached, len(m.out)
		m.swap(l)
		m.detached = true
		m.attemptResponded(r)
		goesOn := m.detached
		m.detached = detached
		m.swap(l)
		for o := range m.out[sent:] {
			if m.out[sent+o].Kind == Send {
				m.out[sent+o].Request = &l.request
			}
		}
		if !goesOn {
			m.left = slices.Delete(m.left, i, i+1)
		}
		return
	}
}

// swap exchanges the attempt and request in progress with those that an earlier Run has left.
func (m *Machine) swap(l *leftover) {
	m.attempt, l.attempt = l.attempt, m.attempt
	m.request, l.request = l.request, m.request
}

// releaseBlindly writes the release without reading the record first. If the candidate does not hold the lease, or the
// machine knows that the lock has no object, it ends Run at once instead. No timer bounds it: its request ends only
// with its answer.
func (m *Machine) releaseBlindly() {
	if !m.own || m.forgot && m.cfg.Profile.Object != ObjectOfLock {
		m.finish()
		return
	}
	m.sendRelease(m.observed.Transitions)
}
