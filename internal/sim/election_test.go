package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/plan"
)

func loses(o plan.OnLoss) func(*plan.Candidate) { return func(c *plan.Candidate) { c.OnLoss = o } }
func probed(p plan.LivenessProbe) func(*plan.Candidate) {
	return func(c *plan.Candidate) { c.LivenessProbe = &p }
}
func (p *tape) is(k trace.Kind, why trace.Cause) (found []time.Duration) {
	for i := range p.events {
		if e := &p.events[i]; e.Kind == k && e.Cause == why {
			found = append(found, time.Duration(e.At))
		}
	}
	return found
}

// inBoth is a plan in which each candidate takes part in the elections x and y.
func inBoth(horizon time.Duration, candidates ...plan.Candidate) *plan.Plan {
	p := aPlan(horizon)
	p.Elections = []string{"x", "y"}
	for _, c := range candidates {
		for _, name := range p.Elections {
			c.Election = name
			p.Candidates = append(p.Candidates, c)
		}
	}
	return p
}

// TestEachElectionHasItsLock: whoever comes first leads in both, each by its own record.
func TestEachElectionHasItsLock(t *testing.T) {
	p := play(t, inBoth(5*sec, who("a", 0), who("b", sec)))
	for _, name := range []string{"a/x", "a/y"} {
		assert.Equal(t, []time.Duration{0}, p.at(name, trace.WorkStarted), name)
	}
	assert.Empty(t, p.at("b/x", trace.WorkStarted))
	one := play(t, aPlan(5*sec, who("a", 0), who("b", sec)))
	assert.Equal(t, 2*one.stats.StoreOps, p.stats.StoreOps)
}

// TestLoss of one election: a reaches x no more from 1 s on. Its last renewal is of 0 s, it polls from 2 s on, and gives
// up at 12 s.
func TestLoss(t *testing.T) {
	cut := but(fault(plan.FaultPartition, sec, "a"), in("x"))
	for name, c := range map[string]struct {
		changes []func(*plan.Candidate)
		x, y    []time.Duration
		worksOn bool
	}{
		"goes on without it":  {nil, []time.Duration{0}, []time.Duration{0}, true},
		"says so":             {[]func(*plan.Candidate){rejoins(sec), loses(plan.LossIgnore)}, []time.Duration{0}, []time.Duration{0}, true},
		"runs it again":       {[]func(*plan.Candidate){rejoins(sec)}, []time.Duration{0, 13 * sec}, []time.Duration{0}, true},
		"runs it again, says": {[]func(*plan.Candidate){rejoins(sec), loses(plan.LossRejoin)}, []time.Duration{0, 13 * sec}, []time.Duration{0}, true},
		"exits":               {[]func(*plan.Candidate){loses(plan.LossExit)}, []time.Duration{0}, []time.Duration{0}, false},
		"exits, comes again":  {[]func(*plan.Candidate){loses(plan.LossExit), rejoins(sec)}, []time.Duration{0, 13 * sec}, []time.Duration{0, 13 * sec}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, with(inBoth(14*sec, who("a", 0, c.changes...), who("b", 100*ms)), cut))
			assert.Equal(t, []time.Duration{12 * sec}, p.at("a/x", trace.WorkEnded))
			assert.Equal(t, c.x, p.at("a/x", trace.RunStarted))
			assert.Equal(t, c.y, p.at("a/y", trace.RunStarted))
			if c.worksOn {
				assert.Empty(t, p.at("a/y", trace.WorkCancelled))
				assert.Empty(t, p.is(trace.Crashed, trace.Exited))
				return
			}
			assert.Equal(t, []time.Duration{12 * sec}, p.at("a/y", trace.WorkEnded))
			assert.Equal(t, []time.Duration{12 * sec, 12 * sec}, p.is(trace.Crashed, trace.Exited))
		})
	}
}

// TestExitCutsTheDrain of everything, and nothing is released: the release of x is lost, and given up after a second;
// client-go ends the work's context only then.
func TestExitCutsTheDrain(t *testing.T) {
	p := play(t, with(inBoth(20*sec, who("a", 0, loses(plan.LossExit), drains(5*sec), timeout(sec), releases)),
		but(fault(plan.FaultPartition, sec, "a"), in("x"))))
	assert.Equal(t, []time.Duration{13 * sec}, p.at("a/x", trace.WorkCancelled))
	assert.Equal(t, []time.Duration{13 * sec}, p.at("a/x", trace.WorkEnded))
	assert.Equal(t, []time.Duration{13 * sec}, p.at("a/y", trace.WorkEnded))
	for i := range p.events {
		if e := &p.events[i]; e.Kind == trace.Written {
			assert.Equal(t, "a", e.Holder, "nothing is released")
		}
	}
}

// TestCancelIsNoLoss: a process whose context is cancelled does not exit for that.
func TestCancelIsNoLoss(t *testing.T) {
	p := play(t, with(inBoth(5*sec, who("a", 0, loses(plan.LossExit))), but(fault(plan.FaultCancel, sec, "a"), in("x"))))
	assert.Equal(t, []time.Duration{sec}, p.at("a/x", trace.RunReturned))
	assert.Empty(t, p.at("a/x", trace.Crashed))
	assert.Empty(t, p.at("a/y", trace.RunReturned))
	p = play(t, with(inBoth(5*sec, who("a", 0, loses(plan.LossExit))), fault(plan.FaultCancel, sec, "a")))
	assert.Equal(t, []time.Duration{sec}, p.at("a/y", trace.RunReturned))
}

// TestFaultsOfElections: those on messages are of one election where they say so, those on processes meet whoever has the
// role in one.
func TestFaultsOfElections(t *testing.T) {
	both := func(faults ...plan.Fault) *tape {
		return play(t, with(inBoth(30*sec, who("a", 0), who("b", 100*ms)), faults...))
	}
	p := both(but(fault(plan.FaultDelete, sec), in("y")))
	assert.Equal(t, []time.Duration{0}, p.at("a/x", trace.Written, create))
	assert.Len(t, append(p.at("a/y", trace.Written, create), p.at("b/y", trace.Written, create)...), 2)
	p = both(but(fault(plan.FaultOutage, sec), in("y")))
	assert.NotEmpty(t, p.at("b/y", trace.RequestLost))
	assert.Empty(t, p.at("a/x", trace.RequestLost))
	p = both(but(fault(plan.FaultCancel, sec), in("y")))
	assert.Len(t, p.at("b/y", trace.RunReturned), 1)
	assert.Empty(t, p.at("b/x", trace.RunReturned))
	// After a has lost y, b leads that, and a still x.
	lost := but(window(plan.FaultPartition, sec, 20*sec, "a"), in("y"))
	p = both(lost, but(fault(plan.FaultCrash, 25*sec, plan.RoleLeader), in("y")))
	assert.Equal(t, []time.Duration{25 * sec}, p.at("b/x", trace.Crashed))
	assert.Empty(t, p.at("a/y", trace.Crashed))
	p = both(lost, but(fault(plan.FaultCrash, 25*sec, plan.RoleLeader), in("x")))
	assert.Equal(t, []time.Duration{25 * sec}, p.at("a/y", trace.Crashed))
	assert.Empty(t, p.at("b/x", trace.Crashed))
}

// TestFaultMeetsAProcessOnce: whoever leads and is named besides is one process all the same.
func TestFaultMeetsAProcessOnce(t *testing.T) {
	jump := but(fault(plan.FaultClock, sec, plan.RoleLeader, "a"), in("x"))
	jump.Jump = sec
	p := play(t, with(inBoth(30*sec, who("a", 0), who("b", 100*ms)), jump))
	for i := range p.events {
		if e := &p.events[i]; e.Kind == trace.FaultBegan {
			assert.Equal(t, []int32{0, 1}, e.On)
		}
	}
	assert.Len(t, p.at("a/x", trace.ClockChanged), 1)
}

var eager = plan.LivenessProbe{Period: sec, FailureThreshold: 3, RestartAfter: sec}

// TestProbeKillsTheFrozen: frozen at 10.5 s for good, a fails at 11, 12 and 13 s, and a new process, which nothing
// freezes, starts at 14 s. It takes its own lease.
func TestProbeKillsTheFrozen(t *testing.T) {
	for name, pause := range map[string]plan.Fault{
		"for good":     fault(plan.FaultPause, 10500*ms, "a"),
		"ends later":   window(plan.FaultPause, 10500*ms, 20*sec, "a"),
		"ends between": window(plan.FaultPause, 10500*ms, 13500*ms, "a"),
	} {
		p := play(t, with(inBoth(30*sec, who("a", 0, probed(eager))), pause))
		assert.Equal(t, []time.Duration{13 * sec, 13 * sec}, p.is(trace.Crashed, trace.ProbeFailed), name)
		assert.Equal(t, []time.Duration{0, 14 * sec}, p.at("a/y", trace.WorkStarted), name)
		assert.Equal(t, []time.Duration{13 * sec}, p.at("a/y", trace.Resumed), name)
	}
	p := play(t, with(inBoth(30*sec, who("a", 0, probed(eager))), window(plan.FaultPause, 10500*ms, 12500*ms, "a")))
	assert.Empty(t, p.at("a/x", trace.Crashed), "three in a row")
}

// TestProbeSparesWhoLeadsNot: all followers are healthy, whatever they cannot do.
func TestProbeSparesWhoLeadsNot(t *testing.T) {
	p := play(t, with(inBoth(60*sec, who("a", 0), who("b", sec, probed(eager))), fault(plan.FaultPartition, 2*sec, "b")))
	assert.Empty(t, p.at("b/x", trace.Crashed))
}

// TestElectionsAreIndependent: what happens in an election is what would happen if there were no other, but for versions.
func TestElectionsAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alone := anyPlan().Filter(func(p *plan.Plan) bool { return len(p.Elections) == 0 }).Draw(t, "plan")
		uncouple(alone)
		other := who("", 0)
		drawLock(t, &other)
		plan := copyPlan(alone)
		plan.Elections, plan.Candidates = []string{"x", "y"}, nil
		for _, c := range alone.Candidates {
			y := c
			c.Election, y.Election = "x", "y"
			y.Timings, y.Drain = other.Timings, other.Drain
			plan.Candidates = append(plan.Candidates, c, y)
		}
		for i := range plan.Faults {
			if plan.Faults[i].NamesRole() {
				plan.Faults[i].Election = "x"
			}
		}
		want, got := play(t, alone), play(t, plan)
		run := check.Header(plan).Project()[0]
		var x []trace.Event
		for i := range got.events {
			if e := run.Event(&got.events[i]); e != nil {
				x = append(x, *e)
			}
		}
		require.Equal(t, bare(want.events), bare(x))
	})
}

// uncouple takes out of a plan what one election does to another, and what is drawn in the order of candidates.
func uncouple(p *plan.Plan) {
	p.Network = plan.Network{Request: fixed(p.Network.Request.Min), Response: fixed(p.Network.Response.Min)}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Jitter, c.OnLoss, c.LivenessProbe = new(0.25), "", nil
		if c.Rejoin == nil {
			c.Rejoin = new(sec)
		}
	}
	kept := p.Faults[:0]
	for _, f := range p.Faults {
		if f.Kind == plan.FaultEdit || f.Kind == plan.FaultRollout || f.Probability != nil {
			continue
		}
		for _, d := range []**plan.Delay{&f.Request, &f.Response} {
			if *d != nil {
				*d = new(fixed((*d).Min))
			}
		}
		kept = append(kept, f)
	}
	p.Faults = kept
}

func drawLock(t *rapid.T, c *plan.Candidate) {
	c.Timings = rapid.SampledFrom([]plan.Candidate{
		who("", 0), who("", 0, timings(5*sec, 3*sec, sec)), who("", 0, timings(30*sec, 20*sec, 5*sec)),
	}).Draw(t, "other timings").Timings
	c.Drain = rapid.SampledFrom([]time.Duration{0, 2 * sec}).Draw(t, "other drain")
}

// bare leaves out what all elections share: numbers, versions, and what faults met.
func bare(events []trace.Event) (kept []trace.Event) {
	for _, e := range events {
		switch e.Kind {
		case trace.FaultBegan, trace.FaultEnded, trace.FaultVoid:
			continue
		}
		e.Seq, e.Version, e.Base = 0, 0, 0
		kept = append(kept, e)
	}
	return kept
}

// TestExitsAgain: a process may exit without a fault, because one of its elections leaves too little time to renew.
// Then nothing can be said of its other elections.
func TestExitsAgain(t *testing.T) {
	for name, c := range map[string]struct {
		loss   plan.OnLoss
		change func(*plan.Candidate)
		want   bool
	}{
		"time enough":       {plan.LossExit, func(*plan.Candidate) {}, false},
		"none to renew":     {plan.LossExit, func(c *plan.Candidate) { c.RenewDeadline = c.RetryPeriod * 11 / 5 }, true},
		"stays":             {plan.LossIgnore, func(c *plan.Candidate) { c.RenewDeadline = c.RetryPeriod * 11 / 5 }, false},
		"none to answer":    {plan.LossExit, func(c *plan.Candidate) { c.RequestTimeout = 2 * ms }, true},
		"time to answer":    {plan.LossExit, func(c *plan.Candidate) { c.RequestTimeout = sec }, false},
		"a slow round trip": {plan.LossExit, nil, true},
	} {
		p := inBoth(60*sec, who("a", 0), who("b", sec, loses(c.loss)))
		if c.change == nil {
			p = round(p, 4*sec)
		} else {
			p = round(p, ms)
			c.change(&p.Candidates[len(p.Candidates)-1])
		}
		require.NoError(t, p.Validate(), name)
		assert.Equal(t, c.want, check.Header(p).Endless, name)
	}
}
