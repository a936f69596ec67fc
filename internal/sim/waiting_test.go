package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestRequestTimeout: a client that gives up does not recall its request, which is applied all the same.
func TestRequestTimeout(t *testing.T) {
	// The renewal of 2 s takes 1.5 s to arrive. Given up at 3 s; the Get of 3 s shows the record of old, since it
	// takes no time; so do the update of 3 s, and the late one is refused at 3.5 s as of an old version.
	p := play(t, with(aPlan(4*sec, who("a", 0, timeout(sec))), but(window(plan.FaultDelay, sec, 2500*ms,
		"a"), request(1500*ms))))
	assert.Equal(t, lines(
		"2s a requestSent update",
		"2.5s - faultEnded fault 0",
		"3s a gaveUp update timedOut",
		"3s a requestSent get",
		"3s a requestApplied get 200",
		"3s a responseHandled get 200",
		"3s a requestSent update",
		"3s a written update 200 v2 a",
		"3s a responseHandled update 200",
		"3.5s a requestApplied update 409",
		"3.5s a responseLate update",
	), p.story(2*sec, 3500*ms))
}

// TestLateWrite: one whose sender has crashed takes the lock for it.
func TestLateWrite(t *testing.T) {
	p := play(t, with(aPlan(4*sec, who("a", 0)),
		but(window(plan.FaultDelay, sec, 2500*ms, "a"), request(1500*ms)), fault(plan.FaultCrash, 3*sec, "a")))
	assert.Equal(t, lines(
		"3s - faultBegan fault 1",
		"3s a crashed",
		"3s a workCancelled term 1",
		"3s a workEnded term 1",
		"3.5s a written update 200 v2 a",
		"3.5s a responseLate update",
	), p.story(3*sec, 4*sec))
}

// TestRequestTimeoutIsOfTheCandidatesClock: 1 s at twice the rate is half a second.
func TestRequestTimeoutIsOfTheCandidatesClock(t *testing.T) {
	for ppm, want := range map[int64]time.Duration{
		0:     3 * sec,   // sent at 2 s
		twice: 1500 * ms, // sent at 1 s
		half:  6 * sec,   // sent at 4 s
	} {
		p := play(t, with(aPlan(7*sec, who("a", 0, timeout(sec), drift(ppm))), fault(plan.FaultPartition, sec/2, "a")))
		assert.Equal(t, want, p.at("a", trace.GaveUp)[0], "%d ppm", ppm)
	}
}

// TestTimeoutEdges: at the same instant as the answer, the timeout is first: it was scheduled first.
func TestTimeoutEdges(t *testing.T) {
	for answer, want := range map[time.Duration]int{sec - 1: 0, sec: 1, sec + 1: 1} {
		p := play(t, with(aPlan(3500*ms, who("a", 0, timeout(sec))), but(window(plan.FaultDelay, sec, 2500*ms,
			"a"), response(answer))))
		assert.Len(t, p.at("a", trace.GaveUp), want, "%v", answer)
	}
}

// TestAnswerOfAnEarlierRun does not reach the Run that follows in the same process, though each Run counts its
// requests from 1.
func TestAnswerOfAnEarlierRun(t *testing.T) {
	// a's first Get, sent at 0 s, is answered at 4 s. Cancelled at 1 s, it runs again from 2 s on, and waits for
	// the answer to its first Get again, which comes at 6 s.
	p := play(t, with(aPlan(7*sec, who("a", 0, rejoins(sec))),
		but(window(plan.FaultDelay, 0, 3*sec, "a"), response(4*sec)), fault(plan.FaultCancel, sec, "a")))
	assert.Equal(t, []time.Duration{4 * sec}, p.at("a", trace.ResponseLate))
	assert.Equal(t, 6*sec, p.at("a", trace.ResponseHandled)[0])
	assert.Equal(t, []time.Duration{6 * sec}, p.at("a", trace.WorkStarted))
}

// TestAnswerOfAnEarlierProcess: the same over a restart, and the trace tells whose they were.
func TestAnswerOfAnEarlierProcess(t *testing.T) {
	p := play(t, with(aPlan(7*sec, who("a", 0)),
		but(window(plan.FaultDelay, 0, 3*sec, "a"), response(4*sec)), fault(plan.FaultRestart, 2*sec, "a")))
	assert.Equal(t, lines(
		"3s - faultEnded fault 0",
		"4s a responseLate get",
	), p.story(3*sec, 5*sec))
	opens(t, p, 5*sec, "6s a responseHandled get 404 incarnation 2")
}

// TestLateRequestOfAnEarlierProcess: a request is of the process that sent it, when it arrives, too.
func TestLateRequestOfAnEarlierProcess(t *testing.T) {
	p := play(t, with(aPlan(4*sec, who("a", 0)),
		but(window(plan.FaultDelay, sec, 2500*ms, "a"), request(1500*ms)), fault(plan.FaultRestart, 3*sec, "a")))
	var written []int32
	for i := range p.events {
		if e := &p.events[i]; e.Kind == trace.Written {
			written = append(written, e.Incarnation)
		}
	}
	// The second process starts at 3 s, sees its own name in the record of 0 s, and takes it: v2. What the first
	// sent at 2 s is of v1, and refused.
	assert.Equal(t, []int32{1, 2}, written)
	assert.Contains(t, p.story(3500*ms, 4*sec), "3.5s a requestApplied update 409\n3.5s a responseLate update\n")
}

// TestRequestNumbers: they are unique within a candidate, over its Runs and processes.
func TestRequestNumbers(t *testing.T) {
	p := play(t, with(round(aPlan(40*sec, who("a", 0, rejoins(sec)), who("b", sec)), ms),
		fault(plan.FaultCancel, 5*sec, "a"), fault(plan.FaultRestart, 12*sec, "a"), fault(plan.FaultRestart, 20*sec, "b")))
	seen := map[[2]uint64]bool{}
	for i := range p.events {
		if e := &p.events[i]; e.Kind == trace.RequestSent {
			key := [2]uint64{uint64(e.Candidate), e.Request}
			require.False(t, seen[key], p.line(e))
			seen[key] = true
		}
	}
}

// TestEndedContext: a request whose context is over is not sent.
func TestEndedContext(t *testing.T) {
	// The deadline of 12 s ends the update; the Get that the attempt goes on to is not sent; nor is anything
	// else.
	p := play(t, slowRenewal(11*sec))
	assert.Contains(t, p.story(12*sec, 12*sec),
		"12s a gaveUp update contextEnded\n12s a localError get contextEnded\n")
	assert.Empty(t, p.at("a", trace.RequestSent, get)[1:])

	// A release has a context of its own: it is sent, also right after the deadline, and is itself given up at
	// 22 s.
	plan := with(aPlan(30*sec, who("a", 0, releases)), fault(plan.FaultPartition, sec, "a"))
	p = play(t, plan)
	assert.Equal(t, []time.Duration{0, 12 * sec}, p.at("a", trace.RequestSent, get))
	assert.Equal(t, []time.Duration{12 * sec, 22 * sec}, p.at("a", trace.GaveUp))
	assert.Equal(t, []time.Duration{22 * sec}, p.at("a", trace.RunReturned))
	assert.Equal(t, []time.Duration{22 * sec}, p.at("a", trace.WorkCancelled), "H3: after the release")
}

// TestEmptyObject: after a failed Create the lock holds an object without a name, and an Update on it fails
// at once, without being sent.
func TestEmptyObject(t *testing.T) {
	// a leads. The lock is deleted at 1 s; the renewal of 2 s is refused, the Get finds nothing, the Create is
	// refused as well. At 4 s the optimistic update fails locally.
	p := play(t, with(aPlan(5*sec, who("a", 0)),
		fault(plan.FaultDelete, sec), but(window(plan.FaultError, 2*sec, 3*sec, "a"), answers(500), of(create))))
	assert.Equal(t, lines(
		"2s a requestSent update",
		"2s a requestApplied update 409",
		"2s a responseHandled update 409",
		"2s a requestSent get",
		"2s a requestApplied get 404",
		"2s a responseHandled get 404",
		"2s a requestSent create",
		"2s a requestRefused create 500",
		"2s a responseHandled create 500",
		"3s - faultEnded fault 1",
		"4s a localError update noObject",
		"4s a requestSent get",
		"4s a requestApplied get 404",
		"4s a responseHandled get 404",
		"4s a requestSent create",
		"4s a written create 201 v3 a",
		"4s a responseHandled create 201",
	), without(p.story(2*sec, 5*sec), "2s - faultBegan fault 1\n"))
}

// TestEmptyObjectAfterTimeout: a Create that is given up leaves the same.
func TestEmptyObjectAfterTimeout(t *testing.T) {
	p := play(t, with(aPlan(7*sec, who("a", 0, timeout(500*ms))),
		fault(plan.FaultDelete, sec), but(window(plan.FaultDelay, 2*sec, 3*sec, "a"), response(500*ms-1)),
		window(plan.FaultLose, 2900*ms, 3100*ms, "a")))
	// Update, Get: answered at 3 s - 2 ns in all; the Create, sent then, is lost, and given up at 3.5 s - 2 ns.
	assert.Equal(t, []time.Duration{3500*ms - 2}, p.at("a", trace.GaveUp))
	assert.Equal(t, []time.Duration{4 * sec}, p.at("a", trace.LocalError))
}
