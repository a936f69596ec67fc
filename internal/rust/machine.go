package rust

import (
	"time"

	"interregnum/elector/machine"
)

// Machine is one candidate's Run: the program's loop around the library. It takes the inputs of machine.Machine and gives its
// outputs. Use New; a Machine must not be copied once it has started.
type Machine struct {
	cfg machine.Config
	now machine.Now
	out []machine.Output

	request  machine.Request
	requests uint64
	// waiting: a request is in flight. armed: the loop sleeps.
	waiting, armed bool
	// cancelled: the program is to end. steppingDown: it gives up the lock.
	cancelled, steppingDown bool
	// leads is what the last call that was no error has returned: the work runs.
	leads bool
}

// New returns a machine that has not started. Of the profile nothing counts. New does not check the configuration.
func New(cfg machine.Config) Machine { return Machine{cfg: cfg} }

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
		m.fired()
	case machine.Responded:
		m.responded(&in.Response)
	}
	out, m.out = m.out, nil
	return out
}

// Again prepares for another Run: a new loop, which remembers nothing.
func (m *Machine) Again() { *m = New(m.cfg) }

// IsLeader tells whether the program was told last that it leads; the library has no such question.
func (m *Machine) IsLeader() bool { return m.leads }

// Healthy returns true: the library has no health check.
func (m *Machine) Healthy(machine.Mono, time.Duration) bool { return true }

// start begins the loop with a read of the record. If the program was told to end before, the Run returns instead.
func (m *Machine) start() {
	if m.cancelled {
		m.emit(machine.Return)
		return
	}
	m.send(machine.Get)
}

// fired begins the next call after the sleep. It does nothing if the loop does not sleep.
func (m *Machine) fired() {
	if m.armed {
		m.armed = false
		m.send(machine.Get)
	}
}

// responded goes on with the call under way after an answer. It ignores an answer that nothing waits for.
func (m *Machine) responded(r *machine.Response) {
	if !m.waiting || r.ID != m.request.ID {
		return
	}
	m.waiting = false
	switch {
	case m.steppingDown:
		m.stepDown(r)
	case m.request.Verb == machine.Get:
		m.got(r)
	case r.Outcome == machine.Done:
		m.returned(true)
	default:
		m.sleep()
	}
}

// got goes on with a call that has read the record (try_acquire_or_renew). If there is none, it sends a Create; if the record is
// the candidate's own or has run out, a Patch. If another's lease counts, the call returns that the candidate does not lead.
// After an error, or a record without a renewTime, the call ends and changes nothing.
func (m *Machine) got(r *machine.Response) {
	switch {
	case r.Outcome == machine.NotFound:
		m.write(machine.Create, machine.Record{Holder: m.cfg.Identity, Acquire: m.now.Wall}, 0)
	case r.Outcome != machine.Done:
		m.sleep()
	case r.Record.Holder == m.cfg.Identity:
		m.write(machine.Patch, machine.Record{Holder: m.cfg.Identity}, 0)
	case r.Record.Renew == machine.NoTime:
		m.sleep() // an error, since there is no renewTime
	case m.expired(r.Record):
		next := machine.Record{Holder: m.cfg.Identity, Acquire: m.now.Wall, Transitions: r.Record.Transitions + 1}
		m.write(machine.Patch, next, machine.PatchesHolder|machine.PatchesTransitions)
	default:
		m.returned(false)
	}
}

// expired tells whether the candidate's wall clock shows more than renewTime and the duration in the record (has_lease_expired).
func (m *Machine) expired(r *machine.Record) bool {
	return m.now.Wall > r.Renew+machine.Wall(time.Duration(r.DurationSeconds)*time.Second)
}

// returned stores what the call has returned. The work starts or ends by that, if it is not as before. Then the loop sleeps.
func (m *Machine) returned(leads bool) {
	switch {
	case leads && !m.leads:
		m.emit(machine.StartWork)
	case m.leads && !leads:
		m.emit(machine.StopWork)
		m.emit(machine.Stopped)
	}
	m.leads = leads
	m.sleep()
}

// sleep ends a call: the next one follows after RetryPeriod. If the program was told to end, it ends instead.
func (m *Machine) sleep() {
	if m.cancelled {
		m.end()
		return
	}
	m.armed = true
	o := m.emit(machine.SetTimer)
	o.Timer, o.At, o.Wait = machine.Retry, m.now.Mono, m.cfg.RetryPeriod
}

// cancel tells the program to end. If it is to release the lock and a call is under way, it ends only after that call; before
// the start, only start ends it; otherwise it ends at once.
func (m *Machine) cancel() {
	if m.cancelled {
		return
	}
	m.cancelled = true
	if m.armed {
		m.armed = false
		m.emit(machine.StopTimer).Timer = machine.Retry
	}
	switch {
	case m.requests == 0: // the loop has not begun
	case m.waiting && m.cfg.ReleaseOnCancel:
	default:
		m.end()
	}
}

// end gives the lock up, if the program does so and leads; otherwise it ends the program.
func (m *Machine) end() {
	if m.cfg.ReleaseOnCancel && m.leads {
		m.steppingDown = true
		m.send(machine.Get)
		return
	}
	m.finish()
}

// stepDown goes on giving the lock up after an answer (step_down). If the answer shows that the lock is still the candidate's
// own, it sends the patch that names nobody. After any other answer, that to the patch included, it ends the program.
func (m *Machine) stepDown(r *machine.Response) {
	if m.request.Verb != machine.Get || r.Outcome != machine.Done || r.Record.Holder != m.cfg.Identity {
		m.finish()
		return
	}
	m.request.Record = machine.Record{DurationSeconds: 1, Acquire: m.now.Wall, Renew: m.now.Wall}
	m.request.Fields = machine.PatchesHolder
	m.send(machine.Patch)
}

// finish ends the program, and its work if that runs.
func (m *Machine) finish() {
	m.waiting = false
	if m.leads {
		m.leads = false
		m.emit(machine.StopWork)
		m.emit(machine.Stopped)
	}
	m.emit(machine.Return)
}

// write sends the write of a call: the record r with the time of now as renewTime, and with the candidate's own duration. Of
// a Patch, fields says what else it writes.
func (m *Machine) write(verb machine.Verb, r machine.Record, fields machine.Fields) {
	r.Renew, r.DurationSeconds = m.now.Wall, int64(m.cfg.LeaseDuration/time.Second)
	m.request.Record, m.request.Fields = r, fields
	m.send(verb)
}

// send sends the next request. It has no context: only an answer or the client's timeout ends it.
func (m *Machine) send(verb machine.Verb) {
	m.requests++
	m.request.ID, m.request.Verb, m.request.Scope = m.requests, verb, machine.ScopeNone
	m.waiting = true
	m.emit(machine.Send).Request = &m.request
}

// emit appends an output of that kind and returns it, so that the caller can fill in its other fields.
func (m *Machine) emit(k machine.OutputKind) *machine.Output { return machine.Emit(&m.out, k) }
