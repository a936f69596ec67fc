package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// bothOrders runs a plan with its faults in the order given and in the other.
func bothOrders(t *testing.T, plan func() *plan.Plan, check func(p *tape)) {
	p := plan()
	check(play(t, p))
	slices.Reverse(p.Faults)
	check(play(t, p))
}

// TestWindowsHoldFromTheirFirstInstant: what a process does at an instant is under every window that holds
// then, also where a fault of that instant makes it act, and wherever that fault stands in the file.
func TestWindowsHoldFromTheirFirstInstant(t *testing.T) {
	run := func(faults ...plan.Fault) func() *plan.Plan {
		return func() *plan.Plan { return with(round(aPlan(8*sec, who("a", 0, releases)), ms), faults...) }
	}
	// A process that restarts into a partition.
	bothOrders(t, run(fault(plan.FaultRestart, 5*sec, "a"), fault(plan.FaultPartition, 5*sec, "a")), func(p *tape) {
		assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.RequestLost))
	})
	// One that releases into an outage.
	bothOrders(t, run(fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultOutage, 5*sec)), func(p *tape) {
		assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.RequestLost))
	})
	// One that wakes into a slow network.
	bothOrders(t, run(window(plan.FaultPause, 3*sec, 5*sec, "a"), but(fault(plan.FaultDelay, 5*sec, "a"), request(sec))),
		func(p *tape) {
			assert.Equal(t, 6*sec, p.at("a", trace.Written, update)[2])
		})
	// One that wakes into another pause does not wake.
	bothOrders(t, run(window(plan.FaultPause, 3*sec, 5*sec, "a"), window(plan.FaultPause, 5*sec, 6*sec, "a")),
		func(p *tape) {
			assert.Equal(t, 6*sec, p.at("a", trace.RequestSent, update)[2])
		})
	// One that is cancelled when it freezes does not know yet.
	bothOrders(t, run(fault(plan.FaultCancel, 5*sec, "a"), window(plan.FaultPause, 5*sec, 6*sec, "a")), func(p *tape) {
		assert.Equal(t, []time.Duration{6 * sec}, p.at("a", trace.CancelAsked))
	})
	// One that restarts into a pause.
	bothOrders(t, run(fault(plan.FaultRestart, 5*sec, "a"), window(plan.FaultPause, 5*sec, 6*sec, "a")), func(p *tape) {
		assert.Equal(t, []time.Duration{0, 6 * sec}, p.at("a", trace.RunStarted))
	})
}

// TestWindowsAreOverAtTheirEnd: the other edge.
func TestWindowsAreOverAtTheirEnd(t *testing.T) {
	bothOrders(t, func() *plan.Plan {
		return with(round(aPlan(8*sec, who("a", 0)), ms),
			fault(plan.FaultRestart, 5*sec, "a"), window(plan.FaultPartition, 4*sec+500*ms, 5*sec, "a"))
	}, func(p *tape) {
		assert.Empty(t, p.at("a", trace.RequestLost))
	})
}

// TestFaultsAtTheStart: one that begins with the run is in force for who starts with it.
func TestFaultsAtTheStart(t *testing.T) {
	p := play(t, with(aPlan(3*sec, who("a", 0), who("b", sec)), window(plan.FaultPartition, 0, 1, "a"),
		window(plan.FaultOutage, sec, sec+1)))
	assert.Equal(t, []time.Duration{0}, p.at("a", trace.RequestLost))
	assert.Equal(t, []time.Duration{sec}, p.at("b", trace.RequestLost))

	p = play(t, with(aPlan(3*sec, who("a", 0)), but(window(plan.FaultDelay, 0, 1, "a"), request(sec))))
	assert.Equal(t, []time.Duration{sec}, p.at("a", trace.RequestApplied)[:1])

	p = play(t, with(aPlan(3*sec, who("a", 0)), but(fault(plan.FaultClock, 0, "a"), drifts(twice))))
	assert.Equal(t, []time.Duration{0, sec, 2 * sec}, p.at("a", trace.RequestSent, update))

	p = play(t, with(aPlan(3*sec, who("a", 0)), window(plan.FaultPause, 0, 2*sec, "a")))
	assert.Equal(t, []time.Duration{2 * sec}, p.at("a", trace.RunStarted))

	// Those that need somebody to be there find nobody yet.
	p = play(t, with(aPlan(3*sec, who("a", 0)),
		fault(plan.FaultCrash, 0, "a"), fault(plan.FaultCancel, 0, "a"), fault(plan.FaultPartition, 0, plan.RoleLeader),
		fault(plan.FaultDelete, 0)))
	assert.Len(t, p.at("-", trace.FaultVoid), 4)
	assert.Equal(t, []time.Duration{0}, p.at("a", trace.WorkStarted))
}

// TestFileOrder: faults of one instant that act on processes do so in the order of the file.
func TestFileOrder(t *testing.T) {
	at := func(faults ...plan.Fault) *tape {
		return play(t, with(round(aPlan(8*sec, who("a", 0, drains(sec))), ms), faults...))
	}
	crash, cancel := fault(plan.FaultCrash, 5*sec, "a"), fault(plan.FaultCancel, 5*sec, "a")
	restart := fault(plan.FaultRestart, 5*sec, "a")

	p := at(crash, cancel) // nobody is left to cancel
	assert.Empty(t, p.at("a", trace.Stopped))
	assert.Equal(t, []time.Duration{5 * sec}, p.at("-", trace.FaultVoid))
	p = at(cancel, crash) // Run returns before the crash, which ends what is left of the work
	assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.Stopped))
	assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.WorkEnded))
	assert.Empty(t, p.at("-", trace.FaultVoid))

	assert.Equal(t, []time.Duration{0, 5 * sec}, at(crash, restart).at("a", trace.RunStarted))
	assert.Len(t, at(restart, crash).at("a", trace.Crashed), 2)
	assert.Equal(t, []time.Duration{5 * sec}, at(restart, cancel).at("a", trace.RunReturned))

	// A role is resolved where the fault stands: the leader that has crashed is none, the one yet to crash is.
	leader := fault(plan.FaultPartition, 5*sec, plan.RoleLeader)
	assert.Equal(t, []time.Duration{5 * sec}, at(crash, leader).at("-", trace.FaultVoid))
	assert.Empty(t, at(leader, crash).at("-", trace.FaultVoid))
	// Gone with the lock: it runs, but it leads nothing.
	gone := fault(plan.FaultDelete, 5*sec)
	assert.Equal(t, []time.Duration{5 * sec}, at(gone, leader).at("-", trace.FaultVoid))
	assert.Len(t, at(gone, gone).at("-", trace.FaultVoid), 1)

	// Two clock faults of one instant: jumps add up, the last rate counts.
	p = at(but(fault(plan.FaultClock, 5*sec, "a"), drifts(twice)), but(fault(plan.FaultClock, 5*sec, "a"), drifts(half), jumps(sec)))
	assert.Equal(t, lines(
		"5s - faultBegan fault 0", "5s a clockChanged 0s +1000000ppm",
		"5s - faultBegan fault 1", "5s a clockChanged 1s -500000ppm",
	), p.story(5*sec, 5*sec))
}

// TestHorizon: faults at it or beyond do not happen, nor does anything else.
func TestHorizon(t *testing.T) {
	p := play(t, with(aPlan(4*sec, who("a", 0), who("b", 4*sec)),
		fault(plan.FaultCrash, 4*sec, "a"), fault(plan.FaultDelete, 5*sec), window(plan.FaultPartition, 3*sec, 4*sec, "b"),
		window(plan.FaultOutage, 4*sec, 6*sec)))
	assert.Equal(t, lines("3s - faultBegan fault 2"), p.story(2001*ms, 9*sec))
	assert.Equal(t, lines("4s a requestSent update", "4s a written update 200 v3 a",
		"4s a responseHandled update 200"),
		play(t, aPlan(4*sec+1, who("a", 0))).story(3*sec, 9*sec))

	// Nothing at all: no candidate starts before the horizon.
	p = play(t, aPlan(sec, who("a", sec)))
	assert.Empty(t, p.events)
	assert.NotEmpty(t, p.stats.TraceHash)
}

// TestEventsAreInOrder of time, and before the horizon, whatever happens.
func TestEventsAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := play(t, rapid.OneOf(anyPlan(), clientPlan()).Draw(t, "plan"))
		for i := range p.events {
			if i > 0 {
				assert.LessOrEqual(t, p.events[i-1].At, p.events[i].At)
			}
			assert.Equal(t, uint64(i+1), p.events[i].Seq)
			assert.Less(t, p.events[i].At, int64(p.plan.Horizon))
		}
	})
}
