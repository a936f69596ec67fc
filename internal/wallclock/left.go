package wallclock

import (
	"slices"

	"interregnum/elector/machine"
)

// This file is of attempts that were left running. Only those to renew have another one after a failure: the loop in RunAsync, in
// LeaderElector.cs, goes on when RunAsync has returned, until it has written the record once.

// leave leaves the attempt under way running: it goes on in m.left, and the Run does not wait for it. If the time to renew is
// up during the wait between two attempts, the wait and the attempts after it go on.
func (m *Machine) leave() {
	o := m.emit(machine.Detach)
	if !m.waiting {
		o.Timer, o.At = machine.Retry, m.again
	}
	m.left = append(m.left, m.attempt)
}

// leftResponded makes the attempt left[i] go on after an answer. If the attempt is over it leaves m.left. But a renewal that has
// failed stays there, and waits for RetryPeriod.
func (m *Machine) leftResponded(i int, r *machine.Response) {
	var over, won bool
	m.as(i, func() { over, won = m.goOn(r) })
	switch {
	case !over:
	case won || !m.left[i].renews:
		m.left = slices.Delete(m.left, i, i+1)
	default:
		o := m.emit(machine.SetTimer)
		o.Timer, o.At, o.Wait = machine.Retry, m.now.Mono, m.cfg.RetryPeriod
	}
}

// leftAgain begins another attempt in place of the one in m.left whose last request has that number, and whose wait is over.
// It does nothing if a cancellation has ended that one.
func (m *Machine) leftAgain(id uint64) {
	if i := m.leftBy(id); i >= 0 {
		m.report()
		m.as(i, m.begin)
	}
}

// as calls the function does with the attempt left[i] in place of the one in progress. The requests that it sends are that
// attempt's.
func (m *Machine) as(i int, does func()) {
	sent := len(m.out)
	m.attempt, m.left[i] = m.left[i], m.attempt
	does()
	m.attempt, m.left[i] = m.left[i], m.attempt
	for o := range m.out[sent:] {
		if m.out[sent+o].Kind == machine.Send {
			m.out[sent+o].Request = &m.left[i].request
		}
	}
}

// leftBy returns the index of the attempt that was left running and whose last request has that number, -1 for none.
func (m *Machine) leftBy(id uint64) int {
	return slices.IndexFunc(m.left, func(a attempt) bool { return a.request.ID == id })
}
