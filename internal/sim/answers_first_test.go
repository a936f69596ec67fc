package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// answersFirstFreeze returns a freeze from 5 s to 20 s after which answers are handled first.
func answersFirstFreeze() plan.Fault {
	f := window(plan.FaultPause, 5*sec, 20*sec, "a")
	f.AnswersFirst = true
	return f
}

// TestAnswerBeforeEarlierDeadline: the deadline came due in the freeze before the answer, which is handled first all the same; it arrived at the
// service after that deadline.
func TestAnswerBeforeEarlierDeadline(t *testing.T) {
	renewal := but(window(plan.FaultDelay, sec, 3*sec, "a"), request(11*sec))
	p := play(t, with(with(aPlan(30*sec, who("a", 0)), renewal), answersFirstFreeze()))
	assert.Equal(t, lines(
		"13s a written update 200 v2 a", // the deadline was at 12 s
		"20s - faultEnded fault 1",
		"20s a resumed",
		"20s a responseHandled update 200",
		"22s a requestSent update",
		"22s a written update 200 v3 a",
		"22s a responseHandled update 200",
	), p.story(12*sec, 23*sec))
}

// TestNoAnswerBeforeDeadline: an answer that comes due with the end of the freeze, or later, is not one of the freeze.
func TestNoAnswerBeforeDeadline(t *testing.T) {
	p := play(t, slowRenewal(18*sec, answersFirstFreeze()))
	assert.Equal(t, []time.Duration{20 * sec}, p.at("a", trace.GaveUp))
	assert.Equal(t, []time.Duration{20 * sec}, p.at("a", trace.WorkCancelled))
	p = play(t, slowRenewal(18*sec-1, answersFirstFreeze()))
	assert.Empty(t, p.at("a", trace.GaveUp))
}
