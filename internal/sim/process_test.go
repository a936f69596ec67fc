package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestCrash: cancelled and ended at once, stopped never, and nobody hears of it again.
func TestCrash(t *testing.T) {
	p := play(t, with(round(aPlan(60*sec, who("a", 0, drains(5*sec), releases, rejoins(sec))), ms),
		fault(plan.FaultCrash, 2007*ms, "a")))
	assert.Equal(t, lines(
		"2.007s - faultBegan fault 0",
		"2.007s a crashed",
		"2.007s a workCancelled term 1",
		"2.007s a workEnded term 1",
		"2.007s a written update 200 v3 a", // what was under way arrives
		"2.008s a responseLate update",
	), p.story(2007*ms, 60*sec))
}

// TestCrashWhileDraining: what is left of the work ends with the process.
func TestCrashWhileDraining(t *testing.T) {
	// A second Run of the same process drains beside the first. Cancelled at 2 and 5 s, each drains for 10 s.
	p := play(t, with(aPlan(20*sec, who("a", 0, drains(10*sec), releases, rejoins(sec))),
		fault(plan.FaultCancel, 2500*ms, "a"), fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultCrash, 8*sec, "a")))
	// The Run of 3.5 s finds a record that was released, and works at once; that of 6 s works when it dies.
	assert.Equal(t, []time.Duration{0, 3500 * ms, 6 * sec}, p.at("a", trace.WorkStarted))
	assert.Equal(t, []time.Duration{2500 * ms, 5 * sec, 8 * sec}, p.at("a", trace.WorkCancelled))
	assert.Equal(t, []time.Duration{8 * sec, 8 * sec, 8 * sec}, p.at("a", trace.WorkEnded))
	assert.Equal(t, []time.Duration{2500 * ms, 5 * sec}, p.at("a", trace.Stopped))
}

// TestDrainOfOneThatHasLeft: Run has returned for good, and what is left of its work ends with the process, which a new one replaces.
func TestDrainOfOneThatHasLeft(t *testing.T) {
	p := play(t, with(aPlan(20*sec, who("a", 0, drains(10*sec))), fault(plan.FaultCancel, 2500*ms, "a"), fault(plan.FaultRestart, 4*sec, "a"), fault(plan.FaultCrash, 6*sec, "a")))
	// The record names a, the second process's own name: it works at once, and until it dies.
	assert.Equal(t, []time.Duration{4 * sec, 6 * sec}, p.at("a", trace.Crashed))
	assert.Equal(t, []time.Duration{0, 4 * sec}, p.at("a", trace.WorkStarted))
	assert.Equal(t, []time.Duration{4 * sec, 6 * sec}, p.at("a", trace.WorkEnded))
}

// TestProbeOfOneThatHasLeft: Run has returned for good, and work that drains is frozen. The probe ends it.
func TestProbeOfOneThatHasLeft(t *testing.T) {
	p := play(t, with(aPlan(60*sec, who("a", 0, drains(50*sec), probed(eager))),
		fault(plan.FaultCancel, 5*sec, "a"), window(plan.FaultPause, 6*sec, 50*sec, "a")))
	require.Len(t, p.at("a", trace.Crashed), 1)
	assert.Equal(t, p.at("a", trace.Crashed), p.at("a", trace.WorkEnded))
}

// TestRestart: one that still runs crashes first; a new process knows nothing.
func TestRestart(t *testing.T) {
	p := play(t, with(round(aPlan(6*sec, who("a", 0)), ms), fault(plan.FaultRestart, 5*sec, "a")))
	opens(t, p, 4500*ms,
		"5s - faultBegan fault 0",
		"5s a crashed",
		"5s a workCancelled term 1",
		"5s a workEnded term 1",
		"5s a runStarted incarnation 2 a",
		"5s a requestSent get incarnation 2",
		"5.001s a requestApplied get 200 incarnation 2",
		"5.002s a responseHandled get 200 incarnation 2",
		// Its own name is in the record: the lease is its own, as of now.
		"5.002s a requestSent update incarnation 2",
		"5.003s a written update 200 incarnation 2 v5 a",
		"5.004s a responseHandled update 200 incarnation 2",
		"5.004s a workStarted term 1 incarnation 2")
}

// TestRestartWithNewIdentity: id-2, id-3 …; what it does not keep it does not get back.
func TestRestartWithNewIdentity(t *testing.T) {
	for name, c := range map[string]struct {
		identities []plan.Identity
		want       []string
	}{
		"same":          {[]plan.Identity{plan.SameIdentity, plan.SameIdentity}, []string{"a", "a", "a"}},
		"default":       {[]plan.Identity{"", ""}, []string{"a", "a", "a"}},
		"new":           {[]plan.Identity{plan.NewIdentity, plan.NewIdentity}, []string{"a", "a-2", "a-3"}},
		"new, the same": {[]plan.Identity{plan.NewIdentity, plan.SameIdentity}, []string{"a", "a-2", "a-2"}},
		"the same, new": {[]plan.Identity{plan.SameIdentity, plan.NewIdentity}, []string{"a", "a", "a-3"}},
	} {
		setup := aPlan(60*sec, who("a", 0))
		for i, identity := range c.identities {
			with(setup, but(fault(plan.FaultRestart, time.Duration(20*i+20)*sec, "a"), named(identity)))
		}
		assert.Equal(t, c.want, play(t, setup).holders(trace.RunStarted), name)
	}
	// The new name is of the id, whatever the identity was.
	c := who("a", 0)
	c.Identity = "somebody"
	p := play(t, with(aPlan(60*sec, c), but(fault(plan.FaultRestart, 20*sec, "a"), named(plan.NewIdentity))))
	assert.Equal(t, []string{"somebody", "a-2"}, p.holders(trace.RunStarted))
	// It has to wait for the lease of its former self: seen at 20 s, over at 35 s; it looks at 36 s.
	assert.Equal(t, []time.Duration{0, 36 * sec}, p.at("a", trace.WorkStarted))
}

// holders is the names that the events of one kind have.
func (p *tape) holders(k trace.Kind) []string {
	var out []string
	for i := range p.events {
		if e := &p.events[i]; e.Kind == k {
			out = append(out, e.Holder)
		}
	}
	return out
}

// TestRestartOfOneThatHasCrashed, left or not started.
func TestRestartOfOneThatIsGone(t *testing.T) {
	p := play(t, with(aPlan(20*sec, who("a", 0)), fault(plan.FaultCrash, 5*sec, "a"), fault(plan.FaultRestart, 9*sec, "a")))
	assert.Equal(t, []time.Duration{0, 9 * sec}, p.at("a", trace.RunStarted))
	assert.Len(t, p.at("a", trace.Crashed), 1)

	p = play(t, with(aPlan(20*sec, who("a", 0)), fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultRestart, 9*sec, "a")))
	assert.Equal(t, []time.Duration{0, 9 * sec}, p.at("a", trace.RunStarted))
	assert.Empty(t, p.at("a", trace.Crashed))

	// Before startAt: that start does not come any more, and it is the first process.
	p = play(t, with(aPlan(20*sec, who("a", 5*sec)), fault(plan.FaultRestart, 3*sec, "a")))
	assert.Equal(t, []time.Duration{3 * sec}, p.at("a", trace.RunStarted))
	assert.NotContains(t, p.story(0, 20*sec), "incarnation 2")

	// Between two Runs: the second is not.
	p = play(t, with(aPlan(20*sec, who("a", 0, rejoins(4*sec))), fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultRestart, 7*sec, "a")))
	assert.Equal(t, []time.Duration{0, 7 * sec}, p.at("a", trace.RunStarted))
	assert.Equal(t, []time.Duration{7 * sec}, p.at("a", trace.Crashed), "the process was there")
}

// TestNobodyToCrash or to cancel: the fault does nothing, and says so.
func TestNobodyToCrash(t *testing.T) {
	void := func(c plan.Candidate, faults ...plan.Fault) []time.Duration {
		return play(t, with(aPlan(20*sec, c), faults...)).at("-", trace.FaultVoid)
	}
	for _, k := range []plan.FaultKind{plan.FaultCrash, plan.FaultCancel} {
		again := fault(k, 7*sec, "a")
		assert.Equal(t, []time.Duration{7 * sec}, void(who("a", 8*sec), again), "%s: not started", k)
		assert.Equal(t, []time.Duration{7 * sec}, void(who("a", 0), fault(plan.FaultCancel, 5*sec, "a"), again),
			"%s: left", k)
		assert.Equal(t, []time.Duration{7 * sec}, void(who("a", 0), fault(plan.FaultCrash, 5*sec, "a"), again),
			"%s: crashed", k)
		assert.Empty(t, void(who("a", 0), again), "%s: there", k)
	}
	// It starts all the same.
	p := play(t, with(aPlan(20*sec, who("a", 8*sec)), fault(plan.FaultCrash, 7*sec, "a")))
	assert.Equal(t, []time.Duration{8 * sec}, p.at("a", trace.WorkStarted))
	// Run has returned for good, and the process is there as long as its work is: there is no Run to cancel, but a process to crash.
	drained := who("a", 0, drains(9*sec))
	assert.Equal(t, []time.Duration{7 * sec}, void(drained, fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultCancel, 7*sec, "a")))
	p = play(t, with(aPlan(20*sec, drained), fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultCrash, 7*sec, "a"), fault(plan.FaultCrash, 8*sec, "a")))
	assert.Equal(t, []time.Duration{7 * sec}, p.at("a", trace.WorkEnded))
	assert.Equal(t, []time.Duration{8 * sec}, p.at("-", trace.FaultVoid))
	// Where one of several is there, it is not void.
	p = play(t, with(aPlan(20*sec, who("a", 0), who("b", 8*sec)), fault(plan.FaultCrash, 7*sec, "a", "b")))
	assert.Empty(t, p.at("-", trace.FaultVoid))
}

// TestRejoin: a new elector in the same process.
func TestRejoin(t *testing.T) {
	p := play(t, with(round(aPlan(9*sec, who("a", 0, releases, rejoins(1500*ms))), ms), fault(plan.FaultCancel, 5*sec, "a")))
	opens(t, p, 5004*ms,
		"5.004s a responseHandled update 200", // the release
		"5.004s a stopped term 1",
		"5.004s a runReturned",
		"6.504s a runStarted a",
		"6.504s a requestSent get",
		"6.505s a requestApplied get 200",
		"6.506s a responseHandled get 200",
		"6.506s a requestSent update",
		"6.507s a written update 200 v6 a",
		"6.508s a responseHandled update 200",
		"6.508s a workStarted term 2")
	assert.NotContains(t, p.story(0, 9*sec), "incarnation 2")
	// In the gap there is no Run to cancel: the fault is void, and the next Run comes.
	p = play(t, with(aPlan(9*sec, who("a", 0, rejoins(2*sec))), fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultCancel, 6*sec, "a")))
	assert.Equal(t, []time.Duration{6 * sec}, p.at("-", trace.FaultVoid))
	assert.Equal(t, []time.Duration{0, 7 * sec}, p.at("a", trace.RunStarted))
	// A crash there takes the next Run with it.
	p = play(t, with(aPlan(9*sec, who("a", 0, rejoins(2*sec))), fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultCrash, 6*sec, "a")))
	assert.Empty(t, p.at("-", trace.FaultVoid))
	assert.Equal(t, []time.Duration{0}, p.at("a", trace.RunStarted))
	// At once.
	p = play(t, with(aPlan(9*sec, who("a", 0, rejoins(0))), fault(plan.FaultCancel, 5*sec, "a")))
	assert.Equal(t, []time.Duration{0, 5 * sec}, p.at("a", trace.RunStarted))
	// A Run that ended by itself is followed by another one, too.
	p = play(t, with(aPlan(20*sec, who("a", 0, rejoins(sec))), window(plan.FaultPartition, sec, 13*sec, "a")))
	assert.Equal(t, []time.Duration{0, 13 * sec}, p.at("a", trace.RunStarted))
}

// TestRejoinOfTheSameElector: it remembers. What it believed to hold it renews at once, and its gauge is not set anew; a
// new process has a new elector.
func TestRejoinOfTheSameElector(t *testing.T) {
	again := func(c *plan.Candidate) { c.SameElector = true }
	p := play(t, with(round(aPlan(9*sec, who("a", 0, rejoins(1500*ms), again)), ms), fault(plan.FaultCancel, 5*sec, "a")))
	opens(t, p, 6500*ms,
		"6.5s a runStarted a",
		"6.5s a requestSent update",
		"6.501s a written update 200 v5 a",
		"6.502s a responseHandled update 200",
		"6.502s a workStarted term 2")
	for name, changes := range map[string][]func(*plan.Candidate){
		"another elector": {rejoins(1500 * ms)},
		"another process": {rejoins(1500 * ms), again, loses(plan.LossExit)},
	} {
		plan := with(round(aPlan(30*sec, who("a", 0, changes...)), ms), window(plan.FaultPartition, sec, 13*sec, "a"))
		p = play(t, plan)
		began := p.at("a", trace.RunStarted)
		require.Len(t, began, 2, name)
		assert.Contains(t, p.story(began[1], began[1]+ms), "requestSent get", name)
	}
}

// TestStoppedWithoutATerm: a Run that never led ends no term; that of an earlier Run has ended before.
func TestStoppedWithoutATerm(t *testing.T) {
	// b takes over what a releases at 5 s, at its look of 7 s.
	p := play(t, with(aPlan(12*sec, who("a", 0, releases, rejoins(3*sec)), who("b", sec)),
		fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultCancel, 9*sec, "a")))
	assert.Contains(t, p.story(5*sec, 5*sec), "5s a stopped term 1\n")
	assert.Contains(t, p.story(9*sec, 9*sec), "9s a stopped\n")
}

// TestRestartByRoleAndName is one restart.
func TestRestartByRoleAndName(t *testing.T) {
	p := play(t, with(aPlan(9*sec, who("a", 0)), fault(plan.FaultRestart, 5*sec, "a", plan.RoleLeader)))
	assert.Equal(t, []time.Duration{0, 5 * sec}, p.at("a", trace.RunStarted))
}
