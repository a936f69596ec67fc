package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestPausedAnswer: an answer that comes in while the process is frozen is handled when it wakes; what the
// process does next is counted from there.
func TestPausedAnswer(t *testing.T) {
	p := play(t, with(round(aPlan(8*sec, who("a", 0)), ms), window(plan.FaultPause, 2007*ms, 5*sec, "a")))
	assert.Equal(t, lines(
		"2.006s a requestSent update",
		"2.007s - faultBegan fault 0",
		"2.007s a paused",
		"2.007s a written update 200 v3 a",
		"5s - faultEnded fault 0", // the answer came at 2.008 s
		"5s a resumed",
		"5s a responseHandled update 200",
		"7s a requestSent update",
		"7.001s a written update 200 v4 a",
		"7.002s a responseHandled update 200",
	), p.story(2*sec, 8*sec))
}

// TestPauseEdges: what is due at the first instant of a pause waits, what is due at its end does not.
func TestPauseEdges(t *testing.T) {
	for name, c := range map[string]struct {
		at, until time.Duration
		want      time.Duration
	}{
		"from the answer on":       {2008 * ms, 3 * sec, 3 * sec},
		"right after it":           {2008*ms + 1, 3 * sec, 2008 * ms},
		"until the answer":         {2007 * ms, 2008 * ms, 2008 * ms},
		"until right after it":     {2007 * ms, 2008*ms + 1, 2008*ms + 1},
		"that nanosecond and none": {2008 * ms, 2008*ms + 1, 2008*ms + 1},
	} {
		p := play(t, with(round(aPlan(4*sec, who("a", 0)), ms), window(plan.FaultPause, c.at, c.until, "a")))
		assert.Equal(t, c.want, p.at("a", trace.ResponseHandled, update)[1], name)
	}
}

// TestPauseDelaysTimer: the wait between two renewals ends during the pause.
func TestPauseDelaysTimer(t *testing.T) {
	p := play(t, with(aPlan(12*sec, who("a", 0)), window(plan.FaultPause, 3*sec, 9*sec+1, "a")))
	assert.Equal(t, []time.Duration{0, 2 * sec, 9*sec + 1, 11*sec + 1}, p.at("a", trace.RequestSent, update))
}

// A renewal that is sent at 2 s; its answer takes as long as a test likes, b is not there. The poll's ticks
// are at 4, 6, 8, 10 s, its deadline at 12 s.
func slowRenewal(answer time.Duration, faults ...plan.Fault) *plan.Plan {
	return with(with(aPlan(30*sec, who("a", 0)), but(window(plan.FaultDelay, sec, 3*sec, "a"), response(answer))), faults...)
}

// TestAnswerBeforeDeadline: both came during the pause; the answer was first, so the deadline finds nothing
// to end, although the process sees both much later than the deadline.
func TestAnswerBeforeDeadline(t *testing.T) {
	p := play(t, slowRenewal(9*sec, window(plan.FaultPause, 5*sec, 20*sec, "a")))
	assert.Equal(t, lines(
		"20s - faultEnded fault 1", // ticked at 6 s, answered at 11 s, deadline at 12 s
		"20s a resumed",
		"20s a responseHandled update 200",
		"22s a requestSent update",
		"22s a written update 200 v3 a",
		"22s a responseHandled update 200",
	), p.story(20*sec, 23*sec))
}

// TestDeadlineBeforeAnswer: the other way round. Frozen time counts as work.
func TestDeadlineBeforeAnswer(t *testing.T) {
	p := play(t, slowRenewal(11*sec, window(plan.FaultPause, 5*sec, 20*sec, "a")))
	assert.Equal(t, lines(
		"20s - faultEnded fault 1", // deadline at 12 s, answered at 13 s
		"20s a resumed",
		"20s a gaveUp update contextEnded",
		"20s a localError get contextEnded", // the same attempt goes on to a Get, on a context that is over
		"20s a workCancelled term 1",
		"20s a workEnded term 1",
		"20s a stopped term 1",
		"20s a runReturned",
		"20s a responseLate update",
	), p.story(20*sec, 30*sec))
}

// TestDeadlineAndAnswerAtOnce: due at one instant, in or out of a pause, the deadline goes first.
func TestDeadlineAndAnswerAtOnce(t *testing.T) {
	p := play(t, slowRenewal(10*sec, window(plan.FaultPause, 5*sec, 20*sec, "a")))
	assert.Equal(t, []time.Duration{20 * sec}, p.at("a", trace.GaveUp))
	p = play(t, slowRenewal(10*sec))
	assert.Equal(t, []time.Duration{12 * sec}, p.at("a", trace.GaveUp))
}

// TestPausedRequestTimeout is given up at the wake instant, and goes before the tick that came due later.
func TestPausedRequestTimeout(t *testing.T) {
	p := with(aPlan(10*sec, who("a", 0, timeout(1500*ms))), fault(plan.FaultPartition, sec, "a"), window(plan.FaultPause, 3*sec, 5*sec, "a"))
	// The request of 2 s times out at 3.5 s, the tick is at 4 s. The Get that follows is lost too, and the tick
	// that was kept begins the next attempt at once.
	opens(t, play(t, p), 5*sec,
		"5s - faultEnded fault 1",
		"5s a resumed",
		"5s a gaveUp update timedOut",
		"5s a requestSent get",
		"5s a requestLost get",
		"6.5s a gaveUp get timedOut",
		"6.5s a requestSent update")
}

// TestOneBufferedTick: of the ticks that came due during a pause one is left, and the ticker keeps its grid.
func TestOneBufferedTick(t *testing.T) {
	// A deadline of 20 s. The poll begins at 2 s: ticks at 4, 6, 8 … Each attempt is an update and a Get, both
	// lost, and takes 1 s. The pause swallows the ticks of 8 and 10 s, and keeps that of 6 s.
	setup := with(aPlan(16*sec, who("a", 0, timings(25*sec, 20*sec, 2*sec), timeout(sec/2))), fault(plan.FaultPartition, sec, "a"), window(plan.FaultPause, 5500*ms, 10500*ms, "a"))
	assert.Equal(t, []time.Duration{
		0, 2 * sec, 4 * sec, 10500 * ms, 12 * sec, 14 * sec,
	}, play(t, setup).at("a", trace.RequestSent, update))

	// Until 11.5 s: the attempt of that instant is under way at 12 s, whose tick waits for its end, at 12.5 s.
	*setup.Faults[1].Until = 11500 * ms
	assert.Equal(t, []time.Duration{
		0, 2 * sec, 4 * sec, 11500 * ms, 12500 * ms, 14 * sec,
	}, play(t, setup).at("a", trace.RequestSent, update))

	// Until 12 s, where a tick is due: the kept one is that of 6 s, and the grid goes on at 14 s.
	*setup.Faults[1].Until = 12 * sec
	assert.Equal(t, []time.Duration{
		0, 2 * sec, 4 * sec, 12 * sec, 14 * sec,
	}, play(t, setup).at("a", trace.RequestSent, update))

	// A tick that was kept before the pause and one during it are one. Everything is refused, from 3 s on with
	// answers that take 2.5 s: the update of 4 s is answered at 6.5 s, the tick of 6 s is kept. At the end of the
	// pause the tick of 8 s is merged with it; the Get of 9 s is answered at 11.5 s, when the next attempt
	// begins at once.
	setup = with(aPlan(13*sec, who("a", 0, timings(25*sec, 20*sec, 2*sec))),
		but(fault(plan.FaultError, sec, "a"), answers(500)), but(window(plan.FaultDelay, 3*sec, 30*sec, "a"), response(2500*ms)),
		window(plan.FaultPause, 6200*ms, 9*sec, "a"))
	assert.Equal(t, []time.Duration{0, 2 * sec, 4 * sec, 11500 * ms},
		play(t, setup).at("a", trace.RequestSent, update))
}

// TestPausedTicksOfDriftingClock: the grid is one of the candidate's clock.
func TestPausedTicksOfDriftingClock(t *testing.T) {
	// At half the rate the poll that begins at 4 s ticks at 8, 12, 16, 20 s …
	setup := with(aPlan(26*sec, who("a", 0, drift(half), timings(25*sec, 20*sec, 2*sec), timeout(sec/4))), fault(plan.FaultPartition, sec, "a"), window(plan.FaultPause, 9*sec, 17*sec, "a"))
	assert.Equal(t, []time.Duration{
		0, 4 * sec, 8 * sec, 17 * sec, 20 * sec, 24 * sec,
	}, play(t, setup).at("a", trace.RequestSent, update))

	// A new rate does not take back the tick of 12 s, which waits for the process. The clock reads 6.5 s at 13 s,
	// 6.500,003 s at 16 s and 7.000,003 s at 17 s: 8 s are 1.999,994 s away.
	with(setup, but(fault(plan.FaultClock, 13*sec, "a"), drifts(plan.MinDriftPPM)), but(fault(plan.FaultClock, 16*sec, "a"), drifts(half)))
	assert.Equal(t, []time.Duration{
		0, 4 * sec, 8 * sec, 17 * sec, 18_999_994_000, 22_999_994_000,
	}, play(t, setup).at("a", trace.RequestSent, update))
}
