package machine

import "slices"

// This file is what only old versions of the library do: those before requests carried a context (v0.17), and those whose
// release reads nothing (v0.24 and before).

// leftover is an attempt that a Run has left running, with its request.
type leftover struct {
	attempt attempt
	request Request
}

// leave leaves the attempt under way running. Nothing waits for it any more.
func (m *Machine) leave() {
	m.left = append(m.left, leftover{m.attempt, m.request})
	m.emit(Detach)
}

// leftResponded handles an answer to an attempt that was left running. That attempt shares the lock and the observed record with
// the Run in progress, but has a step and a request of its own, and is one of a Run that has returned. The answer is ignored if no
// such attempt has sent its request.
func (m *Machine) leftResponded(r *Response) {
	i := slices.IndexFunc(m.left, func(l leftover) bool { return l.request.ID == r.ID })
	if i < 0 {
		return
	}
	l, phase, await, awaited, sent := &m.left[i], m.phase, m.await, m.awaited, len(m.out)
	m.swap(l)
	m.phase = Returned
	m.attemptResponded(r)
	m.phase, m.await, m.awaited = phase, await, awaited
	m.swap(l)
	for o := range m.out[sent:] {
		if out := &m.out[sent+o]; out.Kind == Send {
			out.Request = &l.request
			return
		}
	}
	m.left = slices.Delete(m.left, i, i+1)
}

// swap exchanges the attempt and request in progress with those that a Run has left.
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
