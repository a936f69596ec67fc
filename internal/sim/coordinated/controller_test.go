package coordinated

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/plan"
)

// TestPatienceByTheClock: whoever waits for an answer gives up by its own clock, also when that changes meanwhile. A wait
// that is over does not begin again.
func TestPatienceByTheClock(t *testing.T) {
	timeline := &queue.Timeline{}
	timeline.Reset(clock.Instant(time.Hour))
	m := &member{Seat: &seat.Seat{Clock: clock.New(plan.Clock{})}, World: &World{Timeline: timeline}}
	e := Election{World: World{members: []*member{m}}}
	change := func(at time.Duration, ppm int64) {
		timeline.Now = clock.Instant(at)
		m.Clock.Change(timeline.Now, &ppm, 0)
		e.ClockChanged(0)
	}
	due := func() (at time.Duration) {
		for !timeline.Empty() {
			if d := timeline.Pop(); d.Kind == patienceEnds && d.Seq == m.patience {
				at = time.Duration(d.At)
			}
		}
		return at
	}
	m.waitAtMost(answerTimeout)
	change(15*time.Second, 1_000_000) // twice as fast: 30 s pass in 15 s
	assert.Equal(t, 30*time.Second, due())
	m.waitAtMost(0)
	change(16*time.Second, 0)
	assert.Zero(t, due())
}

// TestLateAnswer: an answer that comes when the coordinator has given its step up, and has sent pings again, is none to
// these.
func TestLateAnswer(t *testing.T) {
	c := controller{awaited: 2, pinged: 5}
	c.answered(&post{verb: machine.Update, id: 4})
	assert.Equal(t, 2, c.awaited)
	c.answered(&post{verb: machine.Update, id: 5})
	assert.Equal(t, 1, c.awaited)
}
