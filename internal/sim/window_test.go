package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// This file reads a plan's windows off the plan, and holds any run's events against them. Windows that look
// for a role are left out of the plans: whom they find is the run's business.

func planOfNames(t *rapid.T) *plan.Plan {
	p := anyPlan().Draw(t, "plan")
	p.Faults = slices.DeleteFunc(p.Faults, func(f plan.Fault) bool { return f.Kind.Window() && f.NamesRole() })
	return p
}

// inForce returns the windows that hold for a candidate at an instant, in the order of the file.
func inForce(p *plan.Plan, i int32, at time.Duration) []*plan.Fault {
	c := &p.Candidates[i]
	var out []*plan.Fault
	for i := range p.Faults {
		f := &p.Faults[i]
		on := len(f.On) == 0 || slices.Contains(f.On, c.ID)
		on = on && (f.Election == "" || f.Election == c.Election)
		if f.Kind.Window() && on && f.At <= at && (f.Until == nil || at < *f.Until) {
			out = append(out, f)
		}
	}
	return out
}

// chance returns how likely a message is lost.
func chance(rules []*plan.Fault, leg plan.Leg) float64 {
	out := 0.0
	for _, f := range rules {
		if f.Kind == plan.FaultLose && (f.Leg == "" || f.Leg == leg) {
			if out = 1; f.Probability != nil {
				out = *f.Probability
			}
		}
	}
	for _, f := range rules {
		if f.Kind == plan.FaultPartition || f.Kind == plan.FaultOutage {
			out = 1
		}
	}
	return out
}

func requireChance(t require.TestingT, chance float64, lost bool, line string) {
	if chance == 0 || chance == 1 {
		require.Equal(t, chance == 1, lost, line)
	}
}

// TestMessagesObeyTheWindows of the plan, in any run.
func TestMessagesObeyTheWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := play(t, planOfNames(t))
		arrivals := map[[2]uint64]int64{}
		n := len(p.events)
		p.events = append(p.events, trace.Event{}) // there is always a next one
		for i := range n {
			e := &p.events[i]
			if e.Candidate == trace.Nobody {
				continue
			}
			id, rules := [2]uint64{uint64(e.Candidate), e.Request}, inForce(p.plan, e.Candidate, time.Duration(e.At))
			switch e.Kind {
			case trace.RequestSent:
				lost := p.events[i+1].Kind == trace.RequestLost
				requireChance(t, chance(rules, plan.RequestLeg), lost, p.line(e))
				if !lost {
					d := delayOf(p.plan, rules)
					require.True(t, d.Min <= time.Duration(e.Amount) && time.Duration(e.Amount) <= d.Max, p.line(e))
					arrivals[id] = e.At + e.Amount
				}
			case trace.RequestApplied, trace.Written, trace.RequestRefused:
				require.Equal(t, arrivals[id], e.At, p.line(e))
				requireAnswer(t, p, i, rules)
			}
		}
	})
}

func delayOf(p *plan.Plan, rules []*plan.Fault) plan.Delay {
	d := p.Network.Request
	for _, f := range rules {
		if f.Kind == plan.FaultDelay && f.Request != nil {
			d = *f.Request
		}
	}
	return d
}

// requireAnswer looks at event i, a request's arrival, and at what comes right after it.
func requireAnswer(t require.TestingT, p *tape, i int, rules []*plan.Fault) {
	e := &p.events[i]
	var refusal *plan.Fault
	for _, f := range rules {
		if f.Kind == plan.FaultError && (f.Verb == 0 || trace.Verb(f.Verb) == e.Verb) {
			refusal = f
		}
	}
	next := &p.events[i+1]
	switch {
	case refusal == nil:
		require.NotEqual(t, trace.RequestRefused, e.Kind, p.line(e))
	case e.Kind != trace.RequestRefused: // applied first
		require.True(t, refusal.Applied, p.line(e))
		require.Equal(t, trace.RequestRefused, next.Kind, p.line(e))
		return
	default:
		require.Equal(t, refusal.Status, int(e.Status), p.line(e))
	}
	if e.Verb == trace.Watch && e.Kind == trace.RequestApplied {
		return // it may wait for a change, and be answered under other rules
	}
	requireChance(t, chance(rules, plan.ResponseLeg), answerLost(p.events[i:]), p.line(e))
}

// answerLost tells whether the answer to the first event's request is lost at once. Answers to what others watch may come between.
func answerLost(events []trace.Event) bool {
	e := &events[0]
	return slices.ContainsFunc(events[1:], func(o trace.Event) bool {
		return o.Kind == trace.ResponseLost && o.At == e.At && o.Candidate == e.Candidate && o.Request == e.Request
	})
}

// killedBy tells whether that which has ended a process ends its pauses too.
func killedBy(c trace.Cause) bool { return c == trace.Killed || c == trace.ProbeFailed }

// TestFrozenProcessesDoNothing, from the first instant of a pause to right before its last.
func TestFrozenProcessesDoNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := play(t, planOfNames(t))
		dead := map[int32]time.Duration{}
		killed, running := map[int32]bool{}, map[int32]bool{}
		for i := range p.events {
			e := &p.events[i]
			if killed[e.Candidate] {
				continue // which ends a pause, also for work that an earlier process has left
			}
			switch e.Kind {
			case trace.Crashed:
				dead[e.Candidate] = time.Duration(e.At)
				killed[e.Candidate], running[e.Candidate] = killedBy(e.Cause), false
			case trace.RunStarted, trace.RequestSent, trace.ResponseHandled, trace.GaveUp, trace.LocalError,
				trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded, trace.Stopped, trace.CancelAsked,
				trace.RunReturned:
				at := time.Duration(e.At)
				if e.Kind == trace.CancelAsked && !running[e.Candidate] {
					continue // a rollout ends a process that is in no Run: it does nothing
				}
				running[e.Candidate] = e.Kind == trace.RunStarted || running[e.Candidate] && e.Kind != trace.RunReturned
				byCrash := dead[e.Candidate] == at && (e.Kind == trace.WorkCancelled || e.Kind == trace.WorkEnded)
				for _, f := range inForce(p.plan, e.Candidate, at) {
					require.True(t, f.Kind != plan.FaultPause || byCrash, p.line(e))
				}
			}
		}
	})
}

// TestDrainsTakeTheirTime: as long as the plan says, pauses not counted.
func TestDrainsTakeTheirTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := play(t, planOfNames(t))
		cancelled := map[[3]int32]time.Duration{}
		dead := map[int32]time.Duration{}
		killed := map[int32]bool{}
		for i := range p.events {
			e := &p.events[i]
			if killed[e.Candidate] {
				continue // which ends a pause, also for work that an earlier process has left
			}
			term := [3]int32{e.Candidate, e.Incarnation, e.Term}
			switch at := time.Duration(e.At); e.Kind {
			case trace.Crashed:
				dead[e.Candidate] = at
				killed[e.Candidate] = killedBy(e.Cause)
			case trace.WorkCancelled:
				cancelled[term] = at
			case trace.WorkEnded:
				if dead[e.Candidate] == at {
					continue
				}
				require.Equal(t, drainedAt(p.plan, e.Candidate, cancelled[term]), at, p.line(e))
			}
		}
	})
}

// drainedAt goes from the end of the work's context from edge to edge of the plan's pauses. Work whose end is due as a pause begins is
// over after it.
func drainedAt(p *plan.Plan, i int32, at time.Duration) time.Duration {
	edges := []time.Duration{time.Duration(clock.Never)}
	for j := range p.Faults {
		edges = append(edges, p.Faults[j].At)
		if until := p.Faults[j].Until; until != nil {
			edges = append(edges, *until)
		}
	}
	slices.Sort(edges)
	left := p.Candidates[i].Drain
	if left == 0 {
		return at
	}
	isPause := func(f *plan.Fault) bool { return f.Kind == plan.FaultPause }
	for {
		next := edges[slices.IndexFunc(edges, func(edge time.Duration) bool { return edge > at })]
		switch {
		case slices.ContainsFunc(inForce(p, i, at), isPause):
			at = next
		case left == 0:
			return at
		default:
			step := min(left, next-at)
			at, left = at+step, left-step
		}
	}
}
