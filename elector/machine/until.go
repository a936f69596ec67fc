package machine

// This file has what kubernetes/kubernetes#139991 changes for a leader that releases the lock: it renews until its work
// has returned.

// untilReturn tells whether the return of the work ends the renewals, instead of the end of Run's context.
func (m *Machine) untilReturn() bool {
	return m.cfg.ReleaseOnCancel && m.cfg.Profile.UntilReturned
}

// awaitWork ends the work's context after a lost lease, and waits for the work to return, however long that takes.
func (m *Machine) awaitWork() {
	m.stopWork()
	m.phase = Draining
}
