package wallclock

import (
	"time"

	"interregnum/elector/machine"
)

// Machine is one candidate's run. It takes the inputs of machine.Machine and gives its outputs. Use New; a Machine must not be
// copied once it has started.
type Machine struct {
	cfg machine.Config
	h   *habits
	now machine.Now
	out []machine.Output

	phase machine.Phase
	// waiting: a request is in flight. renewed: the last attempt has renewed the lease. won: the lock was acquired, and the work
	// is yet to begin. closing: the elector is being closed.
	waiting, renewed, won, closing bool
	// armed tells which timers are set.
	armed [machine.Timers]bool

	attempt
	requests uint64
	// left are the attempts that were left running, and again is when the wait for the next attempt is over.
	left  []attempt
	again machine.Mono
	// until is when the leader stops trying to renew, by its wall clock; only with the habit awaited.
	until machine.Wall

	// observed is the record last seen, if known, and observedAt is when that was.
	observed   machine.Record
	observedAt machine.Wall
	known      bool
	// reported is the holder of whom the program was told last.
	reported string
	// working: the work runs.
	working bool
}

// attempt is a try to acquire or to renew the lock.
type attempt struct {
	request machine.Request
	// began is when the attempt began. renews: it is one to renew.
	began  machine.Wall
	renews bool
}

// The timers that the algorithm has beside Retry, which is the wait for the next attempt, and Deadline, when the time of an
// attempt is up.
const (
	// look is when the thread of run looks whether the lock was acquired.
	look = machine.Tick
	// interrupt is when close waits no longer for the attempt under way.
	interrupt = machine.Tick
)

// New returns a machine that has not started. Of the profile only the client counts. New does not check the configuration.
func New(cfg machine.Config) Machine { return Machine{cfg: cfg, h: habitsOf(cfg.Profile.Client)} }

// Step tells the machine what happened, and appends to out what the host must do about it. Pointers in the outputs are good
// until the next step.
func (m *Machine) Step(now machine.Now, in *machine.Input, out []machine.Output) []machine.Output {
	m.now, m.out = now, out
	switch in.Kind {
	case machine.Started:
		m.start()
	case machine.Cancelled:
		m.cancel()
	case machine.Fired:
		if id := in.Response.ID; id != 0 {
			m.leftAgain(id)
		} else {
			m.fired(in.Timer)
		}
	case machine.Responded:
		m.responded(&in.Response)
	}
	out, m.out = m.out, nil
	return out
}

// Again prepares for another run of the same elector, which still knows the record.
func (m *Machine) Again() {
	m.phase, m.renewed, m.won, m.closing = machine.Idle, false, false, false
}

// IsLeader tells whether the client believes that it leads: whether the work runs, or C#'s IsLeader.
func (m *Machine) IsLeader() bool {
	if m.h.named {
		return m.own()
	}
	return m.working
}

// own tells whether the record last seen is the candidate's own.
func (m *Machine) own() bool { return m.known && m.observed.Holder == m.cfg.Identity }

// Healthy returns true: the clients have no health check.
func (m *Machine) Healthy(machine.Mono, time.Duration) bool { return true }

// start begins to acquire the lock and, with the habit looks, to look every RetryPeriod whether it was acquired. If the process was
// told to end before, the run returns instead.
func (m *Machine) start() {
	if m.phase == machine.Returned {
		m.emit(machine.Return)
		return
	}
	m.phase = machine.Acquiring
	m.tryToAcquire()
	if m.h.looks {
		m.set(look, m.cfg.RetryPeriod)
	}
}

// tryToAcquire begins an attempt to acquire. Its time is limited to RetryPeriod in Java and to 1.2 to 2.4 times that in C#; in
// Python it has no limit.
func (m *Machine) tryToAcquire() {
	m.try()
	switch m.h.late {
	case ended:
		m.set(machine.Deadline, m.cfg.RetryPeriod)
	case left:
		o := m.set(machine.Deadline, m.cfg.RetryPeriod)
		o.At, o.Jitter = o.At.Add(m.cfg.RetryPeriod/5), true
	}
}

// cancel ends the run at once or, if it is to release the lock, closes the elector. Before the start it only makes sure that
// start ends the run. It does nothing if the elector is closed already or the run is over.
func (m *Machine) cancel() {
	switch {
	case m.phase == machine.Idle:
		m.phase = machine.Returned
	case m.closing, m.phase == machine.Returned:
	case m.h.releases && m.cfg.ReleaseOnCancel:
		m.close()
	default:
		if m.phase == machine.Acquiring {
			m.report()
		}
		m.finish(m.h.stopped || m.working && m.h.late != awaited)
	}
}

// finish ends the run at once, and with it the work and all attempts, those that were left running too. If told is true, the
// program is told that it does not lead.
func (m *Machine) finish(told bool) {
	m.waiting, m.left = false, m.left[:0]
	m.stop(machine.Deadline, machine.Tick, machine.Retry)
	m.endWork()
	if told {
		m.emit(machine.Stopped)
	}
	m.phase = machine.Returned
	m.emit(machine.Return)
}

// fired does what the timer t, which is due, is for. Deadline ends an attempt (overdue). Tick looks whether the lock was acquired
// or, while the elector is closed, interrupts what is under way. Retry begins the next attempt or, while the elector is closed,
// tells the program. A timer that was stopped meanwhile is ignored.
func (m *Machine) fired(t machine.Timer) {
	if !m.armed[t] {
		return
	}
	m.armed[t] = false
	switch {
	case t == machine.Deadline:
		m.overdue()
	case t == machine.Tick && m.closing:
		m.interrupted()
	case t == machine.Tick:
		m.looked()
	case m.closing && m.renewed:
		m.told()
	default:
		m.retry()
	}
}

// retry goes on after the wait between two attempts: it begins the next one. If the last attempt has renewed the lease, the
// time to renew in begins anew. With the habit awaited, a leader looks at its deadline only here, and stops if that time is
// over.
func (m *Machine) retry() {
	switch {
	case m.phase == machine.Acquiring:
		m.report()
		m.tryToAcquire()
	case m.renewed:
		m.beginToRenew()
	case m.h.late == awaited && m.shown() >= m.until:
		m.finish(true)
	default:
		m.report()
		m.try()
	}
}

// overdue ends an attempt whose time is up, or leaves it running, as the habit late says. A leader then stops. A candidate
// that acquires tries again: at once if the attempt was left running, otherwise after the wait. If the elector is being
// closed, what is under way is interrupted.
func (m *Machine) overdue() {
	if m.waiting && m.h.late == ended {
		m.emit(machine.Abandon)
	}
	if m.h.late == left {
		m.leave()
	}
	m.waiting = false
	switch {
	case m.closing:
		m.interrupted()
	case m.phase == machine.Renewing:
		m.giveUp()
	case m.h.late == left:
		m.report()
		m.tryToAcquire()
	default:
		m.wait()
	}
}

// giveUp makes the leader stop: the work and the run end, and the program is told. What was left running goes on.
func (m *Machine) giveUp() {
	kept := m.left
	m.left = nil
	m.finish(true)
	m.left = kept
}

// beginToRenew gives the leader RenewDeadline from now, and begins the first attempt.
func (m *Machine) beginToRenew() {
	m.phase, m.renewed = machine.Renewing, false
	if m.h.late == awaited {
		m.until = m.shown() + machine.Wall(m.cfg.RenewDeadline)
	} else {
		m.set(machine.Deadline, m.cfg.RenewDeadline)
	}
	m.try()
}

// ended goes on after an attempt. If the elector is being closed, and no other attempt to renew is to follow, it releases the
// lock. Otherwise a candidate that has acquired the lock works and renews, or waits until the other thread looks. All others
// wait for RetryPeriod.
func (m *Machine) ended(won bool) {
	acquiring := m.phase == machine.Acquiring
	if acquiring || won {
		m.stop(machine.Deadline)
	}
	switch {
	case m.closing && (won || acquiring):
		m.stop(interrupt)
		m.renewed = won && !acquiring
		if m.renewed {
			m.set(machine.Retry, m.cfg.RetryPeriod) // at whose end the program is told
		} else {
			m.tellStopped()
		}
		m.release()
	case won && acquiring && m.h.looks:
		m.won = true
		m.report()
	case won && acquiring:
		m.lead()
	default:
		m.renewed = won
		m.wait()
	}
}

// looked begins the work if the lock was acquired; otherwise it looks again after RetryPeriod.
func (m *Machine) looked() {
	if !m.won {
		m.set(look, m.cfg.RetryPeriod)
		return
	}
	m.won = false
	m.lead()
}

// lead tells the program who leads, if that is news, begins the work, and begins to renew.
func (m *Machine) lead() {
	m.report()
	m.working = true
	m.emit(machine.StartWork)
	m.beginToRenew()
}

// wait waits for RetryPeriod. The wait of a candidate that acquires is longer by a random time, with the habit jitters. In
// Java such a candidate reports first who leads; in C# it does so after the wait.
func (m *Machine) wait() {
	if m.phase == machine.Acquiring && m.h.late == ended {
		m.report()
	}
	o := m.set(machine.Retry, m.cfg.RetryPeriod)
	o.Jitter = m.h.jitters && m.phase == machine.Acquiring
	m.again = o.Due(0)
}

// report tells the program who leads, if that is known and news, and the client is one that reports it.
func (m *Machine) report() {
	if !m.h.reports || !m.known || m.observed.Holder == m.reported {
		return
	}
	m.reported = m.observed.Holder
	m.emit(machine.NewLeader).Text = m.reported
}

// endWork tells the work, if it runs, to end.
func (m *Machine) endWork() {
	if m.working {
		m.working = false
		m.emit(machine.StopWork)
	}
}

// set arms a timer for that wait from now, and returns the output.
func (m *Machine) set(t machine.Timer, wait time.Duration) *machine.Output {
	m.armed[t] = true
	o := m.emit(machine.SetTimer)
	o.Timer, o.At, o.Wait = t, m.now.Mono, wait
	return o
}

// stop disarms those of the timers that are armed.
func (m *Machine) stop(timers ...machine.Timer) {
	for _, t := range timers {
		if m.armed[t] {
			m.armed[t] = false
			m.emit(machine.StopTimer).Timer = t
		}
	}
}

// emit appends an output of that kind and returns it, so that the caller can fill in its other fields.
func (m *Machine) emit(k machine.OutputKind) *machine.Output { return machine.Emit(&m.out, k) }

// shown returns what the wall clock shows, in the unit in which the client counts.
func (m *Machine) shown() machine.Wall { return m.now.Wall.Truncate(m.h.unit) }
