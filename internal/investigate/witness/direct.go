package witness

import (
	"fmt"
	"strconv"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/evidence"
	"interregnum/internal/sim/clock"
	"interregnum/plan"
)

// lockOf returns the resource, the namespace and the name of the lock of a run. The resource is that of the first candidate's
// kind of lock.
func lockOf(r *Run) evidence.Lock {
	resource := map[plan.Lock]string{plan.Lease: "leases", plan.ConfigMap: "configmaps", plan.Endpoints: "endpoints"}[r.Plan.Candidates[0].Lock]
	return evidence.Lock{Resource: resource, Namespace: namespace, Name: lockName}
}

// Lock returns the resource, the namespace and the name of the lock that the logs are about.
func (l *Logs) Lock() evidence.Lock { return lockOf(l.Run) }

// Evidence returns the evidence that readers would find in the logs, without writing and reading the texts.
func (l *Logs) Evidence() *evidence.Evidence {
	e := &evidence.Evidence{}
	l.audit(e)
	for _, p := range l.Processes {
		l.process(e, p)
	}
	l.notices(e)
	l.snapshots(e)
	l.samples(e)
	return e
}

// audit adds the audit log to e, as a source and its requests. At the level Request the requests say what was written, at the
// level RequestResponse also what the server answered. Without lines it adds nothing.
func (l *Logs) audit(e *evidence.Evidence) {
	if len(l.Audit) == 0 {
		return
	}
	s := evidence.Source{File: "audit.log", Kind: evidence.Audit, Lines: int64(len(l.Audit))}
	for i, c := range l.Audit {
		q := evidence.Request{
			Place: evidence.Place{Source: len(e.Sources), Line: i + 1}, Lock: l.Lock(), Verb: verbs[c.Op.Verb],
			User: "system:serviceaccount:" + namespace + ":manager", Agent: agent, From: address(c.Candidate),
			Received: stamp(c.Received), Answered: stamp(c.Answered), Status: c.Status,
		}
		if c.Op.Verb == machine.Update && c.Op.Version > 0 && c.read() {
			q.Sent = strconv.FormatUint(c.Op.Version, 10)
		}
		q.Decision = c.decision()
		if l.Habits.Level != Metadata && c.Op.Verb != machine.Get && c.read() {
			q.Wrote = recordOf(kept(c.Op.Object, c.Op.Record))
		}
		if l.Habits.Level == RequestResponse && c.Version > 0 {
			q.Saw, q.Got = recordOf(c.Record), strconv.FormatUint(c.Version, 10)
		}
		widen(&s, q.Answered)
		e.Requests = append(e.Requests, q)
	}
	e.Sources = append(e.Sources, s)
}

// read tells whether the server has read the body of the request. It does not read a request that it refuses with 429 or 403.
func (c *Call) read() bool { return c.Status != 429 && c.Status != 403 }

// decision returns what the authorizer said of the request, as the audit log has it; "" if it was not asked.
func (c *Call) decision() string {
	switch c.Status {
	case 429:
		return ""
	case 403:
		return "forbid"
	}
	return "allow"
}

// verbs are the names of the verbs in audit logs.
var verbs = map[machine.Verb]string{machine.Get: "get", machine.Create: "create", machine.Update: "update"}

// agent is client-go's user agent.
const agent = "manager/v1.4.2 (linux/amd64) kubernetes/$Format/leader-election"

// address returns the IP address of the pod of the candidate with that index.
func address(candidate int) string { return fmt.Sprintf("10.0.0.%d", candidate+1) }

// stamp returns a time, given since the run began, as the server writes it down: in microseconds.
func stamp(at time.Duration) time.Time { return start.Add(at).Truncate(time.Microsecond) }

// recordOf returns a record of the simulated world as it stands in an object.
func recordOf(r machine.Record) *evidence.Record {
	return &evidence.Record{
		Holder: identity(r.Holder), Duration: r.Duration(), Acquire: shown(r.Acquire), Renew: shown(r.Renew), Transitions: int(r.Transitions),
	}
}

// shown returns a reading of a simulated wall clock as a time; the zero time for NoTime.
func shown(w machine.Wall) time.Time {
	if w == machine.NoTime {
		return time.Time{}
	}
	return start.Add(time.Duration(w - clock.Epoch))
}

// widen extends the source's First and Last so that they include at.
func widen(s *evidence.Source, at time.Time) {
	if s.First.IsZero() || at.Before(s.First) {
		s.First = at
	}
	s.Last = later(s.Last, at)
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// process adds the log of a process to e, as a source, its lines about the election, and its silences of a second or longer. Without lines it
// adds nothing.
func (l *Logs) process(e *evidence.Evidence, p *Process) {
	if len(p.Lines) == 0 {
		return
	}
	name := pod(l.Run.Plan.Candidates[p.Candidate].ID)
	s := evidence.Source{
		File: fmt.Sprintf("%s.%d.log", name, p.Incarnation), Kind: evidence.Log, Process: name, Lines: int64(len(p.Lines)),
	}
	for i, line := range p.Lines {
		at := l.Habits.stamped(&line)
		if i > 0 {
			if before := l.Habits.stamped(&p.Lines[i-1]); at.Sub(before) >= time.Second {
				e.Silences = append(e.Silences, evidence.Silence{Place: evidence.Place{Source: len(e.Sources), Line: i + 1}, From: before, Until: at})
			}
		}
		widen(&s, at)
		if line.Step == "" {
			continue
		}
		e.Sayings = append(e.Sayings, evidence.Saying{
			Place: evidence.Place{Source: len(e.Sources), Line: i + 1}, At: at, Unit: l.Habits.unit(&line),
			Lock: evidence.Lock{Namespace: namespace, Name: lockName}, Step: line.Step, Identity: line.Identity, Text: line.Text,
		})
	}
	e.Sources = append(e.Sources, s)
}

// notices adds the Kubernetes events of all processes to e, as one source. Without events it adds nothing.
func (l *Logs) notices(e *evidence.Evidence) {
	s := evidence.Source{File: "events.json", Kind: evidence.Events}
	for _, p := range l.Processes {
		for _, n := range p.Notices {
			s.Lines++
			n.Place = evidence.Place{Source: len(e.Sources), Line: int(s.Lines)}
			widen(&s, n.At)
			e.Notices = append(e.Notices, n)
		}
	}
	if s.Lines > 0 {
		e.Sources = append(e.Sources, s)
	}
}

// snapshots adds to e what somebody has read of the lock's object, as one source. Without any it adds nothing.
func (l *Logs) snapshots(e *evidence.Evidence) {
	s := evidence.Source{File: "lease.yaml", Kind: evidence.Objects, Lines: int64(len(l.Seen))}
	for i, n := range l.Seen {
		e.Snapshots = append(e.Snapshots, evidence.Snapshot{
			Place: evidence.Place{Source: len(e.Sources), Line: i + 1}, At: n.At, Lock: l.Lock(),
			Record: *recordOf(kept(n.Call.Op.Object, n.Call.Op.Record)), Version: strconv.FormatUint(n.Call.Written, 10),
		})
	}
	if len(l.Seen) > 0 {
		e.Sources = append(e.Sources, s)
	}
}

// source returns the process whose log has the index at among the sources of the evidence, nil if that source is no such log.
func (l *Logs) source(at int) *Process {
	next := min(1, len(l.Audit))
	for _, p := range l.Processes {
		if len(p.Lines) == 0 {
			continue
		}
		if next == at {
			return p
		}
		next++
	}
	return nil
}
