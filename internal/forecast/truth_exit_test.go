package forecast_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	message "interregnum/internal/fate"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// exits is the world of one process that exits on a loss and is back later under a new name. One request of its leader is slow for
// certain, and others by chance.
type exits struct {
	*rand.Rand
	p           float64
	slow, back  time.Duration
	forced      time.Duration
	done        bool
	lost        time.Duration
	gap         time.Duration
	leads, over bool
	due         []plan.Fault
	takes       map[uint64]time.Duration
}

func (x *exits) Called(int, uint64, *simlock.Op, time.Duration) (time.Duration, []plan.Fault) {
	return 0, nil
}
func (x *exits) Sent(_ int, request uint64, at time.Duration) message.Way {
	takes := trip
	switch {
	case !x.done && at >= x.forced && x.leads:
		x.done, takes = true, x.slow
	case x.done && x.Float64() < x.p:
		takes = x.slow
	}
	x.takes[request] = takes
	return message.Way{Delay: takes / 2}
}
func (x *exits) Arrived(int, uint64, time.Duration) (message.Refusal, []sim.Start) {
	return message.Refusal{}, nil
}
func (x *exits) Answered(_ int, request uint64, _ time.Duration) message.Way {
	return message.Way{Delay: x.takes[request] - x.takes[request]/2}
}
func (x *exits) Jitter(int) float64                 { return x.Float64() }
func (x *exits) Returned(int) (time.Duration, bool) { return 0, true }
func (x *exits) Attend(at time.Duration) ([]plan.Fault, bool) {
	f := x.due
	x.due = nil
	return f, x.over
}
func (x *exits) Observe(e *trace.Event) {
	at := time.Duration(e.At)
	switch e.Kind {
	case trace.WorkStarted:
		x.leads = true
		if x.lost > 0 {
			x.gap, x.over = at-x.lost, true
		}
	case trace.WorkEnded:
		x.leads, x.lost = false, at
	case trace.Crashed:
		x.due = append(x.due, plan.Fault{Kind: plan.FaultRestart, At: at + x.back, On: []string{"a"}, Identity: plan.NewIdentity})
	}
}

// exitGap is the mean time without a leader in such a world, in seconds: p is the probability that a request is slow, and takes so long.
// The first read, the looks and the write are slow with that probability each. A slow look before the lease is over costs less, by what
// would have been waited anyway: about half of the lease.
func exitGap(p float64, slow, back time.Duration) float64 {
	gap := renamed(back).mean()
	looks := (gap - back.Seconds() - 3*trip.Seconds()) / (2 + jitterFactor + trip.Seconds()) // by Wald's equation
	return gap + p*(slow.Seconds()*(looks+2)-15.0/2*(looks-1))
}

// TestExitJudge compares exitGap with runs in which nothing is weighed.
func TestExitJudge(t *testing.T) {
	if !*judges {
		t.Skip("-truth.judge")
	}
	const p, long, back = 1.0 / 2000, 600 * sec, 5 * sec
	q, _ := slow(20_000, long)
	var gaps sample
	for i := range 100_000 * *judgeRuns {
		r := rand.New(rand.NewPCG(uint64(i), 9))
		c := q.Candidate
		c.ID, c.OnLoss = "a", plan.LossExit
		x := &exits{Rand: r, p: p, slow: long, back: back, forced: 60*sec + time.Duration(r.Float64()*4e9), takes: map[uint64]time.Duration{}}
		_, err := sim.RunDirected(&plan.Plan{Seed: uint64(i), Horizon: 5000 * sec, Candidates: []plan.Candidate{c}}, x, x)
		require.NoError(t, err)
		gaps = append(gaps, x.gap.Seconds())
	}
	e, known := gaps.estimate(1), truth{is: exitGap(p, long, back)}
	t.Logf("gap: truth %.4f  judge %.4f (%.4f to %.4f)", known.is, e.Value, e.Low, e.High)
	assert.True(t, known.in(e, 1.5))
}
