package witness

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/evidence"
	"interregnum/internal/trace"
)

// namespace and lockName are those of the lock.
const (
	namespace = "shop"
	lockName  = "manager"
)

// printer writes the logs of processes, from the events of a run.
type printer struct {
	l         *Logs
	processes []*Process
	clocks    []trace.Clock
	calls     map[key]*Call
	states    []state
	// chatted is when processes log about other things next.
	chatted time.Duration
}

// state is what the printer knows of a candidate's process.
type state struct {
	// told: somebody has asked the process to stop in this Run.
	told    bool
	process *Process
	// name is what the process calls itself in records.
	name string
	// strict is what the process runs; leads tells whether it has said that it leads.
	strict, leads, running bool
	// releases: it has given up renewing, and all that it asks for is to release the lock.
	releases bool
	// dead: the process has ended; paused: it stands still.
	dead, paused bool
}

// newPrinter returns a printer for the run of l, before its first event.
func newPrinter(l *Logs) *printer {
	p := &printer{l: l, calls: map[key]*Call{}}
	for i := range l.Run.Plan.Candidates {
		p.clocks = append(p.clocks, clockOf(l.Run, i))
		p.states = append(p.states, state{strict: l.Run.Plan.Candidates[i].Profile == machine.Strict})
	}
	for _, c := range l.Run.Calls {
		p.calls[key{c.Candidate, c.ID}] = c
	}
	return p
}

// others are lines about other things than the election, some in the words of elections: other programs have leases of their own.
var others = []string{
	"The cache has been synchronized",
	`"Failed to update lease" err="leases.coordination.k8s.io \"health\" is forbidden"`,
	`Failed to renew lease`,
	`"Successfully acquired lease" blob="backup-1"`,
	`Failed to update lock: Put "https://10.0.0.1/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n?timeout=10s": context deadline exceeded`,
	`"Lock failed" key="orders" err="i/o timeout"`,
	`Failed to update lock: Operation cannot be fulfilled on leases.coordination.k8s.io "health": it was modified`,
	`Attempting to acquire leader lease...`,
}

// chat writes a line about something other than elections into each living process's log, every two seconds, up to until, a
// time since the start, which is excluded. It does nothing unless the habits say so. It leaves out processes that stand still.
func (p *printer) chat(until time.Duration) {
	const every = 2 * time.Second
	for ; p.l.Habits.Chats && p.chatted < until; p.chatted += every {
		for i := range p.states {
			if s := &p.states[i]; !s.dead && !s.paused {
				p.say(&trace.Event{Candidate: int32(i), At: int64(p.chatted)}, 0, "", "", others[(int(p.chatted/every)+i)%len(others)])
			}
		}
	}
}

// observe writes the line that a process logs when the i-th event happens, if any, keeps the Kubernetes event that it reports,
// and updates the process's state and clock. Before that it writes the lines about other things that are due until then (see
// chat).
func (p *printer) observe(i int) {
	e := &p.l.Run.Events[i]
	p.chat(time.Duration(e.At))
	if e.Candidate == trace.Nobody {
		return
	}
	s := &p.states[e.Candidate]
	switch e.Kind {
	case trace.ClockChanged:
		p.clocks[e.Candidate].Change(e)
	case trace.RunStarted:
		if s.process == nil || s.process.Incarnation != int(e.Incarnation) {
			s.process = &Process{Candidate: int(e.Candidate), Incarnation: int(e.Incarnation)}
			p.processes = append(p.processes, s.process)
		}
		s.leads, s.releases, s.running, s.told, s.dead = false, false, true, false, false
		s.name = identity(e.Holder)
		p.say(e, 0, evidence.Tries, "", p.pick(s, "Contending for the lease", "Attempting to acquire leader lease...", "attempting to acquire leader lease %s...", ""))
	case trace.CancelAsked:
		s.told = true
	case trace.RunReturned, trace.Crashed:
		s.running, s.leads = false, false
		s.dead = e.Kind == trace.Crashed
	case trace.EventRecorded:
		p.note(e)
		if e.Holder == "became leader" {
			s.leads = true
			p.say(e, 0, evidence.Acquired, "", p.pick(s, "Leading", "Successfully acquired lease", "successfully acquired lease %s", ""))
		}
	case trace.MetricSet:
		if e.Cause == trace.MetricOff && s.leads {
			s.leads, s.releases = false, true
			why := "context deadline exceeded"
			if s.told {
				why = "context canceled"
			}
			if p.l.Habits.Vague {
				why = "timed out waiting for the condition"
			}
			if c := &p.l.Run.Plan.Candidates[e.Candidate]; !s.strict && !s.told && c.RenewDeadline%c.RetryPeriod == 0 {
				tick := *e // the last tick is at the deadline, and its attempt is too late to be sent
				tick.Verb = trace.Get
				p.failed(&tick, s, "client rate limiter Wait returned an error: rate: Wait(n=1) would exceed context deadline")
			}
			p.say(e, 0, evidence.Lost, "", p.pick(s, "Gave up renewing the lease", "Failed to renew lease", "failed to renew lease %s: %s", why))
		}
	case trace.Stopped:
		if p.l.Habits.Says && e.Term > 0 {
			p.say(e, 0, evidence.Ends, "", "leader election lost")
		}
	case trace.Paused, trace.Resumed:
		s.paused = e.Kind == trace.Paused
	case trace.LeaderReported:
		if p.l.Habits.Observes && e.Holder != "" {
			p.say(e, 0, evidence.Observed, identity(e.Holder), "new leader elected: "+identity(e.Holder))
		}
	case trace.ResponseHandled:
		p.answered(i, e, s)
	case trace.GaveUp:
		p.failed(e, s, "context deadline exceeded")
	case trace.LocalError:
		p.failed(e, s, "context canceled")
	}
}

// answered writes the line that the process logs about the i-th event, an answer: a failure, or that another process holds the
// lock. It writes the second one only for a process of client-go that runs, does not lead, and does not go on with a write at
// once. A read that found no object, and any other answer, is not logged.
func (p *printer) answered(i int, e *trace.Event, s *state) {
	switch {
	case e.Verb == trace.Get && e.Status == 404:
	case e.Status >= 300:
		p.failed(e, s, fmt.Sprintf("the server answered %d", e.Status))
	case e.Verb == trace.Get && s.running && !s.leads && !s.strict && !p.goesOn(i):
		if holder := p.calls[key{int(e.Candidate), e.Request}].Record.Holder; holder != "" {
			text := fmt.Sprintf("lock is held by %s and has not yet expired", identity(holder))
			if p.l.Habits.Structured {
				text = fmt.Sprintf("%q lock=%q holder=%q", "Lease is held by and has not yet expired", describe(), identity(holder))
			}
			p.say(e, 4, evidence.Held, identity(holder), text)
		}
	}
}

// goesOn tells whether the process sends another request at the very time of the i-th event.
func (p *printer) goesOn(i int) bool {
	e := &p.l.Run.Events[i]
	for k := i + 1; k < len(p.l.Run.Events) && p.l.Run.Events[k].At == e.At; k++ {
		if n := &p.l.Run.Events[k]; n.Candidate == e.Candidate && n.Kind == trace.RequestSent {
			return true
		}
	}
	return false
}

// failed writes a line that a request has failed, for the reason why.
func (p *printer) failed(e *trace.Event, s *state, why string) {
	texts := map[trace.Verb][2]string{
		trace.Get:    {"Error retrieving lease lock", "error retrieving resource lock %s: %s"},
		trace.Create: {"Error initially creating lease lock", "error initially creating leader election record: %[2]s"},
		trace.Update: {"Failed to update lease", "Failed to update lock: %[2]s"},
	}[e.Verb]
	if c := p.calls[key{int(e.Candidate), e.Request}]; e.Verb == trace.Update && (s.releases || c != nil && c.Op.Record.Holder == "") {
		texts = [2]string{"Failed to release lease", "Failed to release lock: %[2]s"}
	}
	p.say(e, 0, evidence.Failed, "", p.pick(s, "Lock failed", texts[0], texts[1], why))
}

// pick returns a message in the words of the process's elector, with the lock, and with why if that is not "". strict, structured
// and old are the words of this module's elector, of client-go v0.37 and of its v0.33; old is a format.
func (p *printer) pick(s *state, strict, structured, old, why string) string {
	switch {
	case s.strict:
		structured = strict
	case !p.l.Habits.Structured && why == "":
		return fmt.Sprintf(old, describe())
	case !p.l.Habits.Structured:
		return fmt.Sprintf(old, describe(), why)
	}
	text := fmt.Sprintf("%q lock=%q", structured, describe())
	if why != "" {
		text += fmt.Sprintf(" err=%q", why)
	}
	return text
}

// describe returns the lock's name as its method Describe returns it.
func describe() string { return namespace + "/" + lockName }

// say writes a line into the log of the event's process, stamped by the process's clock. who is the identity that the line
// names, "" for none. It writes nothing if the process has not started, if its -v is below verbosity, or if its log is cut
// until after the event.
func (p *printer) say(e *trace.Event, verbosity int, step evidence.Step, who, text string) {
	q := p.states[e.Candidate].process
	if q == nil || verbosity > p.l.Habits.Verbosity || time.Duration(e.At) < p.l.Habits.Cut[e.Candidate] {
		return
	}
	at, wall := start.Add(time.Duration(e.At)), p.clocks[e.Candidate].Wall(e.At)
	q.Lines = append(q.Lines, Line{start.Add(time.Duration(wall)).Truncate(time.Microsecond), at, step, who, text})
}

// note adds the Kubernetes event that a process has recorded to its notices, if the habits have events and the process has
// started.
func (p *printer) note(e *trace.Event) {
	s := &p.states[e.Candidate]
	if s.process == nil || !p.l.Habits.Events {
		return
	}
	at := start.Add(time.Duration(p.clocks[e.Candidate].Wall(e.At)))
	s.process.Notices = append(s.process.Notices, evidence.Notice{
		First: at.Truncate(time.Second), At: at.Truncate(time.Second), Unit: time.Second, Lock: lockOf(p.l.Run), Identity: s.name, Leads: e.Holder == "became leader",
	})
}
