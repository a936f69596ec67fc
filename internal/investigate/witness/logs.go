package witness

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/trace"
)

// Level is the level of an audit policy: how much the audit log says of a request.
type Level string

// The levels.
const (
	Metadata        Level = "Metadata"
	Request         Level = "Request"
	RequestResponse Level = "RequestResponse"
)

// Habits say what is logged of a run, and how much of that is lost.
type Habits struct {
	Level Level
	// Verbosity is the -v of the processes. Structured: they write the messages of client-go v0.37, otherwise those of v0.33.
	Verbosity  int
	Structured bool
	// Vague: they say the same of a deadline and of being told to stop, as those of v0.24.
	Vague bool
	// Observes: the program logs each new leader. Says: it logs that it leads no longer.
	Observes, Says bool
	// Chats: the processes log about other things too.
	Chats bool
	// JSON: the processes log by zap as controller-runtime sets it up, in JSON and with stamps in whole seconds.
	JSON bool
	// Mixed: what the program says itself it logs so, and client-go by klog, to the microsecond.
	Mixed bool
	// Events are there, of which the server has not taken that share, and so many snapshots.
	Events     bool
	EventsLost float64
	Snapshots  int
	// Scraping is how Prometheus looked at the processes, nil if there is none.
	Scraping *Scraping
	// Whole: nothing is lost of the audit log and the process logs.
	Whole bool
	// First and Last are when the audit log begins and ends; what is before or after was rotated away.
	First, Last time.Duration
	// Lost is the share of the audit log's lines that are lost at random.
	Lost float64
	// Absent are the candidates of which there is no log. Cut is for each when its log begins.
	Absent []bool
	Cut    []time.Duration
}

// DrawHabits returns random habits for a run, drawn from its seed. In a third of the draws nothing is lost of the audit log and
// the process logs, the level is RequestResponse, and there are no events, snapshots or metrics.
func DrawHabits(r *Run) *Habits {
	from := rand.New(rand.NewPCG(r.Seed, 3))
	h := &Habits{Level: RequestResponse, Verbosity: 2, Structured: from.IntN(2) == 0, Observes: from.IntN(2) == 0, Says: from.IntN(2) == 0, Chats: from.IntN(4) > 0,
		Whole: true, Last: r.Plan.Horizon, Absent: make([]bool, len(r.Plan.Candidates)), Cut: make([]time.Duration, len(r.Plan.Candidates))}
	h.Vague = !h.Structured && r.Seed%3 == 0
	if from.IntN(3) == 0 {
		return h
	}
	h.Level = []Level{Metadata, Request, RequestResponse}[from.IntN(3)]
	h.Verbosity = []int{0, 2, 4}[from.IntN(3)]
	h.Events, h.Snapshots = from.IntN(2) == 0, from.IntN(4)
	h.Whole, h.JSON = false, from.IntN(6) == 0
	if from.IntN(3) == 0 {
		h.First = time.Duration(from.Int64N(int64(r.Plan.Horizon / 2)))
	}
	if from.IntN(3) == 0 {
		h.Last = r.Plan.Horizon/2 + time.Duration(from.Int64N(int64(r.Plan.Horizon/2)))
	}
	if from.IntN(4) == 0 {
		h.Lost = from.Float64() / 2
	}
	for i := range h.Absent {
		h.Absent[i] = from.IntN(3) == 0
		if from.IntN(3) == 0 {
			h.Cut[i] = time.Duration(from.Int64N(int64(r.Plan.Horizon)))
		}
	}
	h.EventsLost = max(0, from.Float64()-0.5)
	if from.IntN(2) == 0 {
		h.Scraping = drawScraping(from)
	}
	h.Mixed = from.IntN(3) == 0
	return h
}

// Logs are all that was logged of a run, each list in the order of time.
type Logs struct {
	Run    *Run
	Habits *Habits
	// Audit are the requests of which there is a line, by when they were answered.
	Audit []*Call
	// Processes are the logs of processes.
	Processes []*Process
	// Seen are what somebody has read of the lock.
	Seen []Seen
}

// Process is what one process has logged.
type Process struct {
	Candidate, Incarnation int
	Lines                  []Line
	// Notices are the Kubernetes events that it has reported.
	Notices []evidence.Notice
}

// Line is a line of a process's log; without a Step it says nothing of the election. At is by the process's clock, to the microsecond, and True by the server's.
type Line struct {
	At, True time.Time
	Step     evidence.Step
	Identity string
	Text     string
}

// Start returns the time that the server's clock showed when the run began.
func (l *Logs) Start() time.Time { return start }

// stamped returns the stamp of a line of a process's log: its time, cut down to the precision of the program that writes it.
func (h *Habits) stamped(line *Line) time.Time {
	return line.At.Truncate(h.unit(line))
}

// unit returns the precision of a line's stamp: a second if zap writes the line, otherwise a microsecond.
func (h *Habits) unit(line *Line) time.Duration {
	if h.zap(line) {
		return time.Second
	}
	return time.Microsecond
}

// zap tells whether a line is written by zap; otherwise klog writes it.
func (h *Habits) zap(line *Line) bool {
	return h.JSON || h.Mixed && (line.Step == "" || line.Step == evidence.Observed || line.Step == evidence.Ends)
}

// Seen is a Lease as somebody has read it.
type Seen struct {
	At   time.Time
	Call *Call
}

// NewLogs returns what is logged of a run with such habits. What is lost is drawn from the run's seed.
func NewLogs(r *Run, h *Habits) *Logs {
	l := &Logs{Run: r, Habits: h}
	from := rand.New(rand.NewPCG(r.Seed, 4))
	for _, c := range r.Calls {
		if c.Reached && c.Answered >= h.First && c.Answered < h.Last && from.Float64() >= h.Lost {
			l.Audit = append(l.Audit, c)
		}
	}
	slices.SortStableFunc(l.Audit, func(a, b *Call) int { return int(a.Answered - b.Answered) })
	p := newPrinter(l)
	for i := range r.Events {
		p.observe(i)
	}
	p.chat(r.Plan.Horizon)
	for _, q := range p.processes {
		if !h.Absent[q.Candidate] {
			q.Notices = l.delivered(q.Notices)
			l.Processes = append(l.Processes, q)
		}
	}
	l.look(from)
	return l
}

// delivered returns the Kubernetes events of a process as the server has them: one for each text that has reached it. client-go
// reports an event with the text of an earlier one by raising its count, and goes on counting if the server has not taken one.
// Which ones it has not taken is drawn from the run's seed.
func (l *Logs) delivered(notices []evidence.Notice) (all []evidence.Notice) {
	from := rand.New(rand.NewPCG(l.Run.Seed, uint64(6+len(notices))))
	for _, leads := range []bool{true, false} {
		var shown, counted evidence.Notice
		for _, n := range notices {
			if n.Leads != leads {
				continue
			}
			if counted.Count == 0 {
				counted = n
			}
			counted.At = n.At
			counted.Count++
			if from.Float64() >= l.Habits.EventsLost {
				shown = counted
			}
		}
		if shown.Count > 0 {
			all = append(all, shown)
		}
	}
	return all
}

// look adds as many snapshots of the lock to l.Seen as the habits say. Each is the object right after a write drawn at random.
// Half of them say when they were read, by a clock that is not the server's. If no write has changed the object it adds none. It
// draws from the stream from.
func (l *Logs) look(from *rand.Rand) {
	var writes []*Call
	for _, c := range l.Run.Calls {
		if c.Changed {
			writes = append(writes, c)
		}
	}
	for range l.Habits.Snapshots {
		if len(writes) == 0 {
			return
		}
		s := Seen{Call: writes[from.IntN(len(writes))]}
		if from.IntN(2) == 0 {
			s.At = start.Add(s.Call.Arrived + time.Duration(from.Int64N(int64(maxOffset))))
		}
		l.Seen = append(l.Seen, s)
	}
}

// pod returns the name of the pod of the candidate with that id.
func pod(id string) string { return "manager-" + id }

// identity returns the name in logs and records of the process that the simulated run calls holder; "" for "".
func identity(holder string) string {
	if holder == "" {
		return ""
	}
	id, _, _ := strings.Cut(holder, "-") // a-2 is the second process of the pod of a
	return fmt.Sprintf("%s_0c5f1b2e-%x", pod(id), holder)
}

// clockOf returns the clock of the candidate with that index, as at the start of a run.
func clockOf(r *Run, candidate int) trace.Clock {
	c := &r.Plan.Candidates[candidate].Clock
	return trace.NewClock(c.Offset, c.DriftPPM)
}
