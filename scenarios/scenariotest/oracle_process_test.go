package scenariotest

import (
	"time"

	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// processes knows, by the plan alone, when a process has to end, that it takes all of its elections with it, and which Runs
// follow no loss. It is independent of the code that ends them.
type processes struct {
	plan    *plan.Plan
	entries []processEntry
	// byFirst is what is known of each process, by its first entry.
	byFirst map[int]*processState
	broken  string
}

type processEntry struct {
	first, size                 int
	running, cancelled, retired bool
	incarnation                 int32
}

type processState struct {
	// owed is when it has to exit, ended when its entries ended last, and how many of them; -1 for never.
	owed, ended int64
	endings     int
	// doomed is by when its probe has to have ended it, -1 while it is not frozen.
	doomed int64
}

func newProcesses(s *scenarios.Scenario) *processes {
	p := &processes{plan: &s.Plan, byFirst: map[int]*processState{}}
	for i := range s.Candidates {
		if i == 0 || s.Candidates[i].ID != s.Candidates[i-1].ID {
			p.byFirst[i] = &processState{owed: -1, ended: -1, doomed: -1}
			p.entries = append(p.entries, processEntry{first: i, size: 1})
			continue
		}
		first := p.entries[i-1].first
		p.entries[first].size++
		p.entries = append(p.entries, processEntry{first: first})
	}
	return p
}

func (p *processes) fail(why string) {
	if p.broken == "" {
		p.broken = why
	}
}

// Observe takes in an event.
func (p *processes) Observe(e *trace.Event) {
	p.until(e.At)
	if e.Candidate < 0 || int(e.Candidate) >= len(p.entries) {
		return
	}
	n, c := &p.entries[e.Candidate], &p.plan.Candidates[e.Candidate]
	of := p.byFirst[n.first]
	switch e.Kind {
	case trace.RunStarted:
		if n.retired && n.incarnation == e.Incarnation {
			p.fail("a Run that nothing was to follow was followed by another")
		}
		n.running, n.cancelled, n.retired, n.incarnation = true, false, false, e.Incarnation
	case trace.CancelAsked:
		n.cancelled = true
	case trace.RunReturned:
		n.running, n.retired = false, c.Rejoin == nil || c.OnLoss == plan.LossIgnore
		if c.OnLoss == plan.LossExit && !n.cancelled {
			of.owed = e.At
		}
	case trace.Crashed:
		p.ended(n, of, e)
	case trace.Paused:
		if c.LivenessProbe != nil && n.running && of.doomed < 0 {
			of.doomed = e.At + int64(time.Duration(c.LivenessProbe.FailureThreshold)*c.LivenessProbe.Period)
		}
	case trace.Resumed:
		of.doomed = -1
	}
}

func (p *processes) ended(n *processEntry, of *processState, e *trace.Event) {
	if e.Cause == trace.Exited && of.owed != e.At {
		p.fail("a process exited that had lost nothing")
	}
	if of.ended != e.At {
		of.ended, of.endings = e.At, 0
	}
	if of.endings++; of.endings%p.entries[n.first].size == 0 {
		of.owed = -1
	}
	n.running, of.doomed = false, -1
}

// until tells what has not happened before an instant, and should have.
func (p *processes) until(at int64) {
	for first, of := range p.byFirst {
		switch {
		case of.owed >= 0 && at > of.owed:
			p.fail("a process that should have exited did not")
		case of.endings%p.entries[first].size != 0 && at > of.ended:
			p.fail("of a process only some elections ended")
		case of.doomed >= 0 && at > of.doomed:
			p.fail("a frozen process was not killed by its probe")
		}
	}
}
