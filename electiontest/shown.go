package electiontest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// disturb notes that a fault, or a lost message, has met a request of the process: what it does from then on may come of
// that. The caller holds world.mu.
func (p *process) disturb() { p.node.disturbed = true }

// early fails the run where a candidate ended by itself before its work began, with nothing in its way; how is the way
// it ended. A main that was refused at its start does so, and would otherwise pass for a follower that never led. The
// caller holds world.mu.
func (p *process) early(ctx context.Context, how string) {
	w := p.node.world
	worked := slices.ContainsFunc(p.parts, func(p *part) bool { return p.terms > p.termsBefore })
	if worked || p.node.disturbed || p.gone() || w.isOver() || ctx.Err() != nil {
		return
	}
	w.fail("candidate %s %s at %v by itself: nobody had told it to end, no fault had met it, and no work of it had "+
		"been guarded, so that it was no candidate at all. Want the error that it ended with, such as that of NewManager or "+
		"Start, given to t.Error; want a function that waits for what it begins; where no fault is needed to end it, leave "+
		"the candidate out", p.node.plan.ID, how, w.now())
}

// outlives notes that guarded work goes on after the function has returned, where a real program may have exited. The caller
// holds world.mu.
func (p *process) outlives() {
	w := p.node.world
	for _, part := range p.parts {
		if len(part.open) > 0 && !p.gone() && !w.isOver() {
			w.outlived = append(w.outlived, outlived{int32(part.seat.index), w.now()})
		}
	}
}

// outlived is a candidate whose function had returned at an instant, while its guarded work went on.
type outlived struct {
	seat int32
	at   time.Duration
}

// silent says which candidate never asked for its lock although nothing kept it from that, "" for none.
func (w *world) silent() string {
	for _, s := range w.seats {
		n := s.node
		if s.asked || n.process == nil || n.disturbed || w.scenario.Horizon-n.plan.StartAt < s.plan.LeaseDuration {
			continue
		}
		return fmt.Sprintf("candidate %s never asked for the lock %s, so that nothing was shown of it: want its function to begin "+
			"an election on that lock (Candidate.LockKey), and its errors given to t.Error", s.name(), s.key)
	}
	return ""
}

// name is what reports call the candidate.
func (s *seat) name() string {
	return (&trace.Candidate{ID: s.plan.ID, Election: s.plan.Election}).Name()
}

// unshown says what the scenario was to show and the run did not, "" for nothing. A random scenario may well miss.
func (o *outcome) unshown() string {
	faults := o.scenario.Faults
	if len(o.result.Void) > 0 {
		v := o.result.Void[0]
		return fmt.Sprintf("faults[%d] (%s, at %v) found nobody, so that the run shows nothing of it: want it at a time, and on a "+
			"candidate, for which there is something to do%s", v.Fault, v.Kind, time.Duration(v.AtNs), o.ended(v.AtNs))
	}
	if len(faults) > 0 && !slices.Contains(o.met, true) {
		return fmt.Sprintf("none of the scenario's %d faults met anything: no request was sent or answered while one was in force. "+
			"Want them where and when the candidates ask", len(faults))
	}
	if len(o.result.Terms) == 0 && o.scenario.Expect[check.Liveness] != scenarios.ExpectViolated {
		return "no work was guarded by anybody, so that single-work held of nothing: want a leader, and Guard around its work; or " +
			"liveness: violated among what the scenario expects"
	}
	return ""
}

// ended names the candidates that did not run at an instant, for the end of a message; "" for none.
func (o *outcome) ended(at int64) string {
	running := make([]bool, len(o.header.Candidates))
	for i := range o.events {
		switch e := &o.events[i]; {
		case e.At > at || e.Candidate == trace.Nobody:
		case e.Kind == trace.RunStarted:
			running[e.Candidate] = true
		case e.Kind == trace.RunReturned || e.Kind == trace.Crashed:
			running[e.Candidate] = false
		}
	}
	var names []string
	for i, runs := range running {
		if !runs {
			names = append(names, o.header.Candidates[i].Name())
		}
	}
	if names == nil {
		return ""
	}
	return ". Not running at that time: " + strings.Join(names, ", ")
}

// returned is a remark, where an overlap is one of work whose function had returned: if the real program exits then,
// there is no such overlap. It is "" where there is none.
func (o *outcome) returned(all []outlived) string {
	for i := range o.result.Properties {
		p := &o.result.Properties[i]
		if p.Name != check.SingleWork {
			continue
		}
		for _, v := range p.Violations {
			for _, out := range all {
				c := &o.header.Candidates[out.seat]
				if int64(out.at) <= v.ToNs && v.Election == c.Election && slices.Contains(v.Candidates, c.ID) {
					return fmt.Sprintf("the function of candidate %s had returned at %v, and its guarded work went on. Where the "+
						"real program exits then (os.Exit, log.Fatal, the end of main), let the function call Candidate.Exit: the "+
						"work ends with the process", c.Name(), out.at)
				}
			}
		}
	}
	return ""
}
