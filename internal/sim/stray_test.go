package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

func contextless(c *plan.Candidate) { c.Profile = machine.ClientGoV017 }

// leavesRunning is a candidate a that leads from 4 ms and renews 2.006 s after that: a Get, which leaves at 2.008 s. Its
// answer takes that long. The poll ends at 12.008 s.
func leavesRunning(answer time.Duration, changes ...func(*plan.Candidate)) *plan.Plan {
	changes = append([]func(*plan.Candidate){contextless}, changes...)
	slow := but(window(plan.FaultDelay, 2*sec, 2500*ms, "a"), response(answer))
	return with(round(aPlan(60*sec, who("a", 0, changes...)), ms), slow)
}

// TestLeftRunning: what a poll leaves running writes after the Run, and loses to the next one like any other.
func TestLeftRunning(t *testing.T) {
	p := play(t, leavesRunning(12*sec, rejoins(3*sec)))
	opens(t, p, 12008*ms,
		"12.008s a workCancelled term 1",
		"12.008s a workEnded term 1",
		"12.008s a stopped term 1",
		"12.008s a runReturned",
		"14.009s a responseHandled get 200",
		"14.009s a requestSent update",
		"14.01s a written update 200 v3 a",
		"14.011s a responseHandled update 200",
		"15.008s a runStarted a",
	)
	p = play(t, leavesRunning(12*sec, rejoins(sec)))
	opens(t, p, 13012*ms,
		"13.012s a responseHandled update 200",
		"13.012s a workStarted term 2",
		"13.012s a requestSent get",
		"13.013s a requestApplied get 200",
		"13.014s a responseHandled get 200",
		"13.014s a requestSent update",
		"13.015s a written update 200 v4 a",
		"13.016s a responseHandled update 200",
		"14.009s a responseHandled get 200",
		"14.009s a requestSent update",
		"14.01s a requestApplied update 409",
		"14.011s a responseHandled update 409",
		"15.016s a requestSent get",
	)
}

// TestLeftRunningTimesOut: by the timeout that its request has, and the next one by one of its own.
func TestLeftRunningTimesOut(t *testing.T) {
	p := play(t, leavesRunning(20*sec, timeout(11*sec)))
	assert.Equal(t, []time.Duration{13008 * ms}, p.at("a", trace.GaveUp))
	assert.Equal(t, []time.Duration{22009 * ms}, p.at("a", trace.ResponseLate))

	setup := leavesRunning(10*sec+500*ms, timeout(11*sec))
	p = play(t, with(setup, but(window(plan.FaultLose, 12*sec, 13*sec, "a"), lost(plan.ResponseLeg))))
	assert.Equal(t, []time.Duration{12510 * ms}, p.at("a", trace.ResponseLost))
	assert.Equal(t, []time.Duration{23509 * ms}, p.at("a", trace.GaveUp, update))
}

// TestLeftRunningByItsClock: the timeout is on the candidate's clock, whose rate may change meanwhile.
func TestLeftRunningByItsClock(t *testing.T) {
	for ppm, gaveUp := range map[int64]time.Duration{
		twice: 12*sec + 508*ms, // half of the second that is left at 12.008 s
		half:  14*sec + 8*ms,
	} {
		changed := but(fault(plan.FaultClock, 12*sec+8*ms), drifts(ppm))
		p := play(t, with(leavesRunning(20*sec, timeout(11*sec)), changed))
		assert.Equal(t, []time.Duration{gaveUp}, p.at("a", trace.GaveUp), "%d ppm", ppm)
	}
}

// TestLeftRunningPaused: a frozen process handles the answers and timeouts of what it left when it wakes.
func TestLeftRunningPaused(t *testing.T) {
	frozen := window(plan.FaultPause, 12100*ms, 15*sec, "a")
	p := play(t, with(leavesRunning(11*sec), frozen))
	assert.Equal(t, 15*sec, p.at("a", trace.ResponseHandled, get)[2])

	p = play(t, with(leavesRunning(20*sec, timeout(11*sec)), frozen))
	assert.Equal(t, []time.Duration{15 * sec}, p.at("a", trace.GaveUp))

	// Frozen before the deadline it finds the deadline first.
	p = play(t, with(leavesRunning(20*sec, timeout(11*sec)), window(plan.FaultPause, 11*sec, 15*sec, "a")))
	opens(t, p, 15*sec,
		"15s - faultEnded fault 1",
		"15s a resumed",
		"15s a workCancelled term 1",
		"15s a workEnded term 1",
		"15s a stopped term 1",
		"15s a runReturned",
		"15s a gaveUp get timedOut",
	)
}

// TestLeftRunningEndsWithItsProcess: a crash ends it, and so does a new process, whether Run comes again or not.
func TestLeftRunningEndsWithItsProcess(t *testing.T) {
	for name, c := range map[string]*plan.Plan{
		"crash":                with(leavesRunning(12*sec, rejoins(20*sec)), fault(plan.FaultCrash, 13*sec, "a")),
		"crash, never again":   with(leavesRunning(12*sec), fault(plan.FaultCrash, 13*sec, "a")),
		"another, never again": with(leavesRunning(12*sec), fault(plan.FaultRestart, 13*sec, "a")),
	} {
		p := play(t, c)
		assert.Equal(t, []time.Duration{13 * sec}, p.at("a", trace.Crashed), name)
		assert.Equal(t, []time.Duration{14009 * ms}, p.at("a", trace.ResponseLate), name)
	}
}

// TestLeftRunningBelief: what it reads during the release changes what the candidate believes.
func TestLeftRunningBelief(t *testing.T) {
	p := play(t, with(round(aPlan(60*sec, who("a", 0, contextless, releases), who("b", sec)), ms),
		but(window(plan.FaultDelay, 2*sec, 2500*ms, "a"), request(10*sec+500*ms)),
		but(window(plan.FaultDelay, 3*sec, 3500*ms, "a"), response(20*sec)),
		fault(plan.FaultCancel, 3*sec, "a"),
	))
	assert.Equal(t, []time.Duration{4 * ms}, p.at("a", trace.BeliefBegan))
	assert.Equal(t, []time.Duration{12509 * ms}, p.at("a", trace.BeliefEnded))
	assert.Equal(t, []time.Duration{23001 * ms}, p.at("a", trace.RunReturned))
}

// TestStrayReports: an attempt that was left running may report something beside its next request. A profile of v0.17 with
// optimistic renewals, which nobody has, reports that such a renewal has failed.
func TestStrayReports(t *testing.T) {
	reports := 0
	for seed := range uint64(300) {
		p := anyPlan().Example(int(seed))
		for i := range p.Candidates {
			if p.Candidates[i].Lock.Expires() {
				continue
			}
			p.Candidates[i].Profile = machine.ClientGoV017
			p.Candidates[i].Profile.ReadFirst = false
		}
		reports += len(play(t, p).at("a", trace.MetricSet))
	}
	require.Positive(t, reports)
}
