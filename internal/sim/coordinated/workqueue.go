package coordinated

import "time"

// enqueue marks the member's key as to be worked on. The worker takes the key at once if it is open and free.
func (m *member) enqueue() {
	m.key.dirty = true
	m.workOn()
}

// workOn makes the worker take the key, if the key is marked and the worker is open and free.
func (m *member) workOn() {
	for m.open && m.key.dirty && !m.key.busy {
		m.key.dirty, m.key.busy = false, true
		m.work()
	}
}

// done ends the work on the key. If the key was marked meanwhile, the worker takes it again.
func (m *member) done() {
	m.key.busy = false
	m.workOn()
}

// addAfter schedules the next mark of the member's key, after d on the member's clock, unless one is due no later anyway.
func (m *member) addAfter(d time.Duration) {
	due := m.Clock.Mono(m.Now).Add(d)
	if m.key.wake != 0 && m.key.due <= due {
		return
	}
	m.key.due = due
	m.rearm()
}

// rearm schedules the entry of the run's queue that marks the member's key at m.key.due, by the present rate of the member's clock;
// now, if that is past. It replaces the entry that was scheduled before, if there is one.
func (m *member) rearm() {
	m.key.wake = m.Schedule(max(m.Clock.When(m.key.due), m.Now), wakeDue, m.Index)
}
