package sim

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// at is the world of a plan, right after the last event of an instant.
func worldAt(t *testing.T, p *plan.Plan, at time.Duration) *world {
	require.NoError(t, p.Validate())
	w := newWorld(p, nil)
	for !w.Empty() {
		e := w.Pop()
		if e.At > clock.Instant(at) {
			w.Push(e)
			break
		}
		w.Now = e.At
		w.dispatch(&e)
	}
	return w
}

// TestOrderWithinAStep: the step that begins a poll sets the deadline, sends a request that may time out,
// starts the ticker, and the request leaves last, whatever a new rate of the clock does to them later.
func TestOrderWithinAStep(t *testing.T) {
	for name, faults := range map[string][]plan.Fault{
		"true clock": nil,
		"new rate":   {but(fault(plan.FaultClock, 2500*ms, "a"), drifts(twice))},
		"and back": {but(fault(plan.FaultClock, 2500*ms, "a"), drifts(half)),
			but(fault(plan.FaultClock, 2600*ms, "a"), drifts(0))},
		"a jump": {but(fault(plan.FaultClock, 2500*ms, "a"), jumps(sec))},
		"never, and back": {but(fault(plan.FaultClock, 2500*ms, "a"), drifts(plan.MinDriftPPM)),
			but(fault(plan.FaultClock, 2600*ms, "a"), drifts(0))},
		"at the same time": {but(fault(plan.FaultClock, 2*sec, "a"), drifts(100))},
	} {
		p := with(with(aPlan(30*sec, who("a", 0, timeout(2*sec))), but(window(plan.FaultDelay, sec, 3*sec, "a"), request(2*sec))), faults...)
		w := worldAt(t, p, 2700*ms)
		s := &w.nodes[0].slots
		request := w.Pop()
		for request.Kind != requestDue {
			request = w.Pop()
		}
		order := []uint64{s[machine.Deadline].seq, s[requestTimer].seq, s[machine.Tick].seq, request.Seq}
		assert.IsIncreasing(t, order, name)
	}
}

// TestDeadlineFirst: before the timeout of a request of the same step, before a tick, before an answer.
func TestDeadlineFirst(t *testing.T) {
	// The poll of 2 s: deadline and timeout both at 12 s.
	p := play(t, with(aPlan(20*sec, who("a", 0, timeout(10*sec))), fault(plan.FaultPartition, sec, "a")))
	assert.Contains(t, p.story(12*sec, 12*sec), "gaveUp update contextEnded")
	assert.NotContains(t, p.story(12*sec, 12*sec), "timedOut")

	// The fifth tick is at 12 s, too, and nobody waits for anything else.
	p = play(t, with(aPlan(20*sec, who("a", 0, timeout(250*ms))), fault(plan.FaultPartition, sec, "a")))
	assert.Equal(t, []time.Duration{0, 2 * sec, 4 * sec, 6 * sec, 8 * sec, 10 * sec},
		p.at("a", trace.RequestSent, update))
	assert.Equal(t, []time.Duration{12 * sec}, p.at("a", trace.RunReturned))

	// All clocks at twice the rate from 3 s on: what is left of 9 s takes 4.5 s; the same order.
	p = play(t, with(aPlan(20*sec, who("a", 0, timeout(10*sec))), fault(plan.FaultPartition, sec, "a"), but(fault(plan.FaultClock, 3*sec, "a"), drifts(twice))))
	assert.Contains(t, p.story(7500*ms, 7500*ms), "gaveUp update contextEnded")

	// An answer of 12 s; of 7.5 s, where the deadline has come to be.
	assert.Equal(t, []time.Duration{12 * sec}, play(t, slowRenewal(10*sec)).at("a", trace.GaveUp))
	p = play(t, slowRenewal(5500*ms, but(fault(plan.FaultClock, 3*sec, "a"), drifts(twice))))
	assert.Equal(t, []time.Duration{7500 * ms}, p.at("a", trace.GaveUp))
	// 1 ns earlier it is in time.
	p = play(t, slowRenewal(5500*ms-1, but(fault(plan.FaultClock, 3*sec, "a"), drifts(twice))))
	assert.Empty(t, p.at("a", trace.GaveUp))
}

// TestTimeoutBeforeAnswer, also where a new rate has brought the timeout there.
func TestTimeoutBeforeAnswer(t *testing.T) {
	for _, faults := range [][]plan.Fault{nil, {but(fault(plan.FaultClock, 2500*ms, "a"), drifts(half))},
		{but(fault(plan.FaultClock, 2500*ms, "a"), jumps(1))}} {
		setup := with(aPlan(10*sec, who("a", 0, timeout(2*sec))), faults...)
		gaveUp := 4 * sec
		if len(faults) > 0 && faults[0].DriftPPM != nil {
			gaveUp = 5500 * ms // 0.5 s, and 1.5 s at half the rate
		}
		with(setup, but(window(plan.FaultDelay, sec, 2100*ms, "a"), response(gaveUp-2*sec)))
		p := play(t, setup)
		assert.Equal(t, gaveUp, p.at("a", trace.GaveUp)[0])
		assert.Equal(t, []time.Duration{gaveUp}, p.at("a", trace.ResponseLate))
	}
}

// order returns who had an event of that kind at an instant, in order.
func (p *tape) order(k trace.Kind, at time.Duration) string {
	var ids []string
	for i := range p.events {
		if e := &p.events[i]; e.Kind == k && e.At == int64(at) {
			ids = append(ids, p.name(e))
		}
	}
	return strings.Join(ids, " ")
}

// TestOrderOfScheduling: in all other cases what was scheduled first goes first, whichever candidate it belongs to.
func TestOrderOfScheduling(t *testing.T) {
	// a looks every 2 s, b every 4 s: at 4 s b's wait is the older one. They start together, in the file's order.
	follow := timings(25*sec, 20*sec, 4*sec)
	p := play(t, aPlan(9*sec, who("a", sec), who("b", sec, follow), who("c", 0)))
	assert.Equal(t, "a b", p.order(trace.RequestSent, sec))
	assert.Equal(t, "b a", p.order(trace.RequestSent, 5*sec))

	// Requests that arrive at once do so in the order in which they were sent.
	p = play(t, with(aPlan(9*sec, who("a", 2*sec), who("b", sec)), but(fault(plan.FaultDelay, 0, "a"), request(sec)), but(fault(plan.FaultDelay, 0, "b"), request(2*sec))))
	assert.Equal(t, "b a", p.order(trace.RequestApplied, 3*sec))

	// A candidate that starts when another's request arrives: the start was scheduled before the run.
	p = play(t, with(aPlan(9*sec, who("a", 0), who("b", sec)), but(fault(plan.FaultDelay, 0), request(sec))))
	story := p.story(sec, sec)
	assert.Less(t, strings.Index(story, "b runStarted"), strings.Index(story, "a requestApplied"))
}

// TestDeadlineKeepsItsPlace: a deadline is set anew with each poll, and its place among what is due at the same
// instant is that of the poll, wherever the queue has it.
func TestDeadlineKeepsItsPlace(t *testing.T) {
	every := func(rp time.Duration) func(*plan.Candidate) { return timings(40*sec, 30*sec, rp) }
	// a's polls of 0 and 2 s set it to 10 and 12 s. b set its wait until 12 s at 1 s, c at 3 s.
	plan := with(aPlan(20*sec, who("a", 0), who("b", sec, every(11*sec)), who("c", 3*sec, every(9*sec))), fault(plan.FaultPartition, 1500*ms, "a"))
	p := play(t, plan)
	story := p.story(12*sec, 12*sec)
	assert.True(t, strings.HasPrefix(story, "12s b requestSent"), story)
	assert.Less(t, strings.Index(story, "a gaveUp"), strings.Index(story, "c requestSent"), story)
}
