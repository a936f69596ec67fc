package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestPausedCancel: the process learns of it when it wakes, after what came due before.
func TestPausedCancel(t *testing.T) {
	p := play(t, with(round(aPlan(10*sec, who("a", 0)), ms),
		window(plan.FaultPause, 2007500*time.Microsecond, 5*sec, "a"), fault(plan.FaultCancel, 3*sec, "a")))
	assert.Equal(t, lines(
		"3s - faultBegan fault 1",
		"5s - faultEnded fault 0",
		"5s a resumed",
		"5s a responseHandled update 200", // of 2.008 s
		"5s a cancelAsked",
		"5s a workCancelled term 1",
		"5s a workEnded term 1",
		"5s a stopped term 1",
		"5s a runReturned",
	), p.story(3*sec, 10*sec))

	// A cancel at 2.0077 s is before the answer, which then comes late.
	p = play(t, with(round(aPlan(10*sec, who("a", 0)), ms),
		window(plan.FaultPause, 2007500*time.Microsecond, 5*sec, "a"),
		fault(plan.FaultCancel, 2007700*time.Microsecond, "a")))
	assert.Empty(t, p.at("a", trace.ResponseHandled, update)[1:])
	assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.GaveUp))
	assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.ResponseLate))
}

// TestPausedDeadlineOfAPollThatIsOver: the cancel came due before it, and the release, at the wake instant,
// has a deadline of its own.
func TestPausedDeadlineOfAPollThatIsOver(t *testing.T) {
	plan := slowRenewal(20*sec, window(plan.FaultPause, 5*sec, 20*sec, "a"), fault(plan.FaultCancel, 6*sec, "a"),
		fault(plan.FaultPartition, 7*sec, "a"))
	plan.Horizon = 40 * sec
	releases(&plan.Candidates[0])
	p := play(t, plan)
	// The update, at 20 s; and the release's Get, which is lost, 10 s later.
	assert.Equal(t, []time.Duration{20 * sec, 30 * sec}, p.at("a", trace.GaveUp))
}

// TestPausedCancelOfOneThatThenLeaves: a deadline that came due first ends Run, and the cancel finds nobody.
func TestPausedCancelOfOneThatThenLeaves(t *testing.T) {
	p := play(t, slowRenewal(20*sec, window(plan.FaultPause, 5*sec, 20*sec, "a"), fault(plan.FaultCancel, 15*sec, "a")))
	assert.Equal(t, []time.Duration{20 * sec}, p.at("a", trace.RunReturned))
	assert.Empty(t, p.at("a", trace.CancelAsked))
}

// TestPausedStart: a process that is frozen when it would start does so when it wakes.
func TestPausedStart(t *testing.T) {
	p := play(t, with(aPlan(10*sec, who("a", 5*sec)), window(plan.FaultPause, 3*sec, 8*sec, "a")))
	assert.Equal(t, []time.Duration{8 * sec}, p.at("a", trace.RunStarted))
	// It may wake before: nothing was due.
	p = play(t, with(aPlan(10*sec, who("a", 5*sec)), window(plan.FaultPause, 3*sec, 4*sec, "a")))
	assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.RunStarted))
	// Of both edges the first is in the pause, the last is not.
	p = play(t, with(aPlan(10*sec, who("a", 5*sec)), window(plan.FaultPause, 5*sec, 6*sec, "a")))
	assert.Equal(t, []time.Duration{6 * sec}, p.at("a", trace.RunStarted))
	p = play(t, with(aPlan(10*sec, who("a", 5*sec)), window(plan.FaultPause, 3*sec, 5*sec, "a")))
	assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.RunStarted))
	// To the end: it never runs.
	p = play(t, with(aPlan(10*sec, who("a", 5*sec)), fault(plan.FaultPause, 3*sec, "a")))
	assert.Empty(t, p.at("a", trace.RunStarted))
}

// TestPausedRejoin: true time goes on, so a Run that would begin during the pause begins at its end.
func TestPausedRejoin(t *testing.T) {
	plan := with(aPlan(20*sec, who("a", 0, rejoins(3*sec))), fault(plan.FaultCancel, 5*sec, "a"), window(plan.FaultPause, 6*sec, 12*sec, "a"))
	p := play(t, plan)
	assert.Equal(t, []time.Duration{0, 12 * sec}, p.at("a", trace.RunStarted))
	*plan.Faults[1].Until = 7 * sec
	assert.Equal(t, []time.Duration{0, 8 * sec}, play(t, plan).at("a", trace.RunStarted))
}

// TestPausedDrain: the work does not drain while the process is frozen.
func TestPausedDrain(t *testing.T) {
	drained := func(faults ...plan.Fault) []time.Duration {
		p := with(with(aPlan(60*sec, who("a", 0, drains(5*sec))), fault(plan.FaultCancel, 10*sec, "a")), faults...)
		return play(t, p).at("a", trace.WorkEnded)
	}
	pause := func(at, until time.Duration) plan.Fault { return window(plan.FaultPause, at, until, "a") }
	assert.Equal(t, []time.Duration{15 * sec}, drained())
	assert.Equal(t, []time.Duration{23 * sec}, drained(pause(12*sec, 20*sec))) // 2 s before, 3 s after
	// Overlapping, nested, adjacent.
	assert.Equal(t, []time.Duration{25 * sec}, drained(pause(12*sec, 20*sec), pause(15*sec, 22*sec)))
	assert.Equal(t, []time.Duration{25 * sec}, drained(pause(12*sec, 22*sec), pause(15*sec, 20*sec)))
	assert.Equal(t, []time.Duration{25 * sec}, drained(pause(12*sec, 20*sec), pause(20*sec, 22*sec)))
	assert.Equal(t, []time.Duration{25 * sec}, drained(pause(20*sec, 22*sec), pause(12*sec, 20*sec)))
	assert.Equal(t, []time.Duration{24 * sec}, drained(pause(11*sec, 15*sec), pause(16*sec, 21*sec)))
	assert.Equal(t, []time.Duration{20 * sec}, drained(pause(15*sec, 20*sec)))   // due at the first instant
	assert.Equal(t, []time.Duration{15 * sec}, drained(pause(15*sec+1, 20*sec))) // and right before it
	assert.Empty(t, drained(fault(plan.FaultPause, 12*sec, "a")))
	// Cancelled while frozen, the work's context ends at the wake instant.
	assert.Equal(t, []time.Duration{25 * sec}, drained(pause(8*sec, 20*sec)))
}

// TestOverlappingPauses end when the last one does.
func TestOverlappingPauses(t *testing.T) {
	for name, pauses := range map[string][]plan.Fault{
		"overlapping":     {window(plan.FaultPause, sec, 5*sec, "a"), window(plan.FaultPause, 3*sec, 8*sec, "a")},
		"nested":          {window(plan.FaultPause, sec, 8*sec, "a"), window(plan.FaultPause, 3*sec, 5*sec, "a")},
		"twice the same":  {window(plan.FaultPause, sec, 8*sec, "a"), window(plan.FaultPause, sec, 8*sec, "a")},
		"by two names":    {window(plan.FaultPause, sec, 8*sec, "a", plan.RoleLeader)},
		"everybody's":     {window(plan.FaultPause, sec, 5*sec), window(plan.FaultPause, 3*sec, 8*sec, plan.RoleLeader)},
		"adjacent":        {window(plan.FaultPause, sec, 5*sec, "a"), window(plan.FaultPause, 5*sec, 8*sec, "a")},
		"adjacent before": {window(plan.FaultPause, 5*sec, 8*sec, "a"), window(plan.FaultPause, sec, 5*sec, "a")},
	} {
		p := play(t, with(aPlan(12*sec, who("a", 0)), pauses...))
		assert.Equal(t, []time.Duration{0, 8 * sec, 10 * sec}, p.at("a", trace.RequestSent, update), name)
	}
}

// TestPausedCrash: a frozen process can die; what it had yet to see dies with it.
func TestPausedCrash(t *testing.T) {
	p := play(t, with(round(aPlan(20*sec, who("a", 0, drains(9*sec))), ms),
		window(plan.FaultPause, 2007*ms, 10*sec, "a"), fault(plan.FaultCancel, 3*sec, "a"), fault(plan.FaultCrash, 4*sec, "a")))
	assert.Equal(t, lines(
		"4s - faultBegan fault 2",
		"4s a crashed",
		"4s a workCancelled term 1",
		"4s a workEnded term 1",
		"4s a responseLate update",
		"10s - faultEnded fault 0",
		"10s a resumed",
	), p.story(4*sec, 20*sec))

	// Also while it drains.
	p = play(t, with(aPlan(20*sec, who("a", 0, drains(9*sec))),
		fault(plan.FaultCancel, 3*sec, "a"), window(plan.FaultPause, 5*sec, 10*sec, "a"), fault(plan.FaultRestart, 7*sec, "a")))
	assert.Equal(t, []time.Duration{7 * sec}, p.at("a", trace.WorkEnded))
}

// TestPausedRestart: the pause is the candidate's: a process that starts in it starts frozen.
func TestPausedRestart(t *testing.T) {
	p := play(t, with(aPlan(20*sec, who("a", 0)),
		window(plan.FaultPause, 3*sec, 10*sec, "a"), but(fault(plan.FaultRestart, 5*sec, "a"), named(plan.NewIdentity))))
	assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.WorkEnded), "of the first process")
	assert.Equal(t, lines(
		"10s - faultEnded fault 0",
		"10s a resumed incarnation 2",
		"10s a runStarted incarnation 2 a-2",
		"10s a requestSent get incarnation 2",
		"10s a requestApplied get 200 incarnation 2",
		"10s a responseHandled get 200 incarnation 2",
	), p.story(10*sec, 11*sec))

	// Twice in one pause: one start.
	p = play(t, with(aPlan(20*sec, who("a", 0)), window(plan.FaultPause, 3*sec, 10*sec, "a"),
		fault(plan.FaultRestart, 5*sec, "a"), fault(plan.FaultRestart, 6*sec, "a")))
	assert.Equal(t, []time.Duration{0, 10 * sec}, p.at("a", trace.RunStarted))

	// Crashed before it woke: none.
	p = play(t, with(aPlan(20*sec, who("a", 0)), window(plan.FaultPause, 3*sec, 10*sec, "a"),
		fault(plan.FaultRestart, 5*sec, "a"), fault(plan.FaultCrash, 6*sec, "a")))
	assert.Equal(t, []time.Duration{0}, p.at("a", trace.RunStarted))
}

// TestFrozenTimeIsWork: H10. The record is somebody else's, and the frozen leader's work goes on until its
// deadline after it woke.
func TestFrozenTimeIsWork(t *testing.T) {
	// a's last renewal is at 20 s; frozen from 21 to 50 s. b sees that renewal at 21 s and takes over at 37 s,
	// its first look after 36 s. At 50 s a's wait of 22 s ends: an update on an old version, a Get that shows b,
	// and so until 10 s later.
	p := play(t, with(aPlan(70*sec, who("a", 0), who("b", sec)), window(plan.FaultPause, 21*sec, 50*sec, "a")))
	assert.Equal(t, []time.Duration{37 * sec}, p.at("b", trace.WorkStarted))
	assert.Equal(t, []time.Duration{60 * sec}, p.at("a", trace.WorkEnded))
}

func without(story, line string) string {
	for i := 0; i+len(line) <= len(story); i++ {
		if story[i:i+len(line)] == line {
			return story[:i] + story[i+len(line):]
		}
	}
	return story
}
