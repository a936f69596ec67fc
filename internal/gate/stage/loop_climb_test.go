package stage

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/plan"
)

// loopMutator varies what becomes of attempts.
type loopMutator struct {
	*rand.Rand
	c *bound.Config
	e *bound.Environment
}

func (r loopMutator) fate() (f callFate) {
	f.ends = callEnd(r.IntN(int(callEnds)))
	r.vary(&f)
	r.vary(&f)
	return f
}

func (r loopMutator) vary(f *callFate) {
	token := time.Duration(float64(time.Second) / r.c.Client.QPS)
	switch r.IntN(7) {
	case 0:
		f.count = 0
	case 1:
		f.count = r.e.MostAtOnce() + 1000
	case 2:
		f.count = r.IntN(r.e.MostAtOnce() + 2)
	case 3:
		f.count = max(0, f.count+r.IntN(5)-2)
	case 4:
		if f.early = 0; r.IntN(3) > 0 {
			f.early = time.Duration(r.ExpFloat64() * float64(token))
		}
	case 5:
		f.ends = callEnd(r.IntN(int(callEnds)))
	case 6:
		f.upTo = callUpTo(r.IntN(int(callUpTos)))
		f.takes = 0
		if f.upTo == callTakes && r.IntN(2) == 0 {
			f.takes = time.Duration(r.Float64() * float64(r.e.MaxRoundTrip))
		}
	}
}

func (r loopMutator) attempt() (a loopAttempt) {
	for i := range a.calls {
		a.calls[i] = r.fate()
	}
	if r.IntN(2) == 0 {
		a.calls[1].ends, a.calls[2].ends = callSucceeds, callSucceeds
	}
	return a
}

func (r loopMutator) mutated(all []loopAttempt) []loopAttempt {
	all = slices.Clone(all)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(all))
		switch r.IntN(24) {
		case 0:
			if len(all) < 12 {
				all = slices.Insert(all, i, r.attempt())
			}
		case 1:
			if len(all) > 1 {
				all = slices.Delete(all, i, i+1)
			}
		case 2:
			if len(all) < 12 {
				all = slices.Insert(all, i, all[r.IntN(len(all))])
			}
		case 3:
			all[i].jitter = []float64{0, 1, r.Float64()}[r.IntN(3)]
		default:
			f := &all[i].calls[r.IntN(3)]
			r.vary(f)
			if r.IntN(4) == 0 { // what comes before one call does not come before another
				g := &all[r.IntN(len(all))].calls[r.IntN(3)]
				f.count, g.count = g.count, f.count
			}
		}
	}
	return all
}

// course is a candidate that acquires the lock, and then attempts of one poll of which only the last one succeeds.
func (r loopMutator) course() []loopAttempt {
	all := make([]loopAttempt, 3+r.IntN(4))
	for i := range all {
		a := &all[i]
		*a = r.attempt()
		a.calls[0].ends, a.calls[1].ends, a.calls[2].ends = callEnd(r.IntN(int(callSucceeds))), callSucceeds, callFails
	}
	all[r.IntN(2)].calls[2].ends = callSucceeds
	all[len(all)-1].calls[2].ends = callSucceeds
	return all
}

// climbLoop returns the longest overlap that is found, and how it comes about. It climbs from so many starts, and then goes on from the best few.
func climbLoop(c *bound.Config, e *bound.Environment, seed uint64, starts, steps int) (best time.Duration, found []loopAttempt) {
	type climbed struct {
		all   []loopAttempt
		score time.Duration
	}
	r := loopMutator{rand.New(rand.NewPCG(seed, 3)), c, e}
	climb := func(from climbed, steps int) climbed {
		for range steps {
			all := r.mutated(from.all)
			if score := playLoop(c, e, all); score >= from.score {
				from = climbed{all, score}
			}
		}
		return from
	}
	var tried []climbed
	for range starts {
		all := r.course()
		if r.IntN(2) == 0 {
			for i := range all {
				all[i] = r.attempt()
			}
		}
		tried = append(tried, climb(climbed{all, playLoop(c, e, all)}, steps/2/starts))
	}
	slices.SortStableFunc(tried, func(a, b climbed) int { return int(b.score - a.score) })
	tried = tried[:min(len(tried), 4)]
	for i, t := range tried {
		tried[i] = climb(t, steps/2/len(tried))
	}
	top := slices.MaxFunc(tried, func(a, b climbed) int { return int(a.score - b.score) })
	return top.score, top.all
}

// drawLoop draws a configuration in whose RetryPeriods few tokens come, and other traffic. Nothing is repeated, released or closed, and no
// clock drifts.
var drawLoop = rapid.Custom(func(t *rapid.T) attacked {
	ms := func(lease, deadline, period time.Duration) machine.Timings {
		return machine.Timings{LeaseDuration: lease * time.Millisecond, RenewDeadline: deadline * time.Millisecond, RetryPeriod: period * time.Millisecond}
	}
	c := &bound.Config{Profile: machine.ClientGo, Timings: rapid.SampledFrom([]machine.Timings{
		ms(15000, 10000, 2000), ms(15000, 10000, 1000), ms(15000, 12000, 1000), ms(30000, 20000, 3000), ms(60000, 40000, 5000), ms(20000, 12000, 1500),
	}).Draw(t, "timings")}
	tokens := rapid.SampledFrom([]float64{3, 3.2, 4, 5, 6, 7, 8, 10}).Draw(t, "tokens in a period")
	c.Client = &plan.Client{QPS: tokens / c.RetryPeriod.Seconds(), Burst: rapid.SampledFrom([]int{1, 2, 3, 5, 10}).Draw(t, "burst"), HTTP1: true}
	c.RequestTimeout = rapid.SampledFrom([]time.Duration{0, c.RenewDeadline / 2, 1950 * time.Millisecond, 2 * time.Second, 5 * time.Second}).Draw(t, "timeout")
	e := &bound.Environment{MaxRoundTrip: time.Duration(rapid.SampledFrom([]int{1, 100, 333, 500, 1000, 2000, 3000}).Draw(t, "trip")) * time.Millisecond}
	e.OtherBurst = rapid.SampledFrom([]int{0, 1, 3, 5, 10, 20, 30, 50}).Draw(t, "other burst")
	e.OtherQPS = c.Client.QPS * rapid.SampledFrom([]float64{0, 0, 0.2, 0.5, 0.8}).Draw(t, "other qps")
	return attacked{c, e}
})

// TestLoopsClimbed: nothing that becomes of a candidate's calls, and no other traffic, makes an overlap longer than the bound. Where other
// traffic has no rate, what is tried often comes as close to it as a token.
func TestLoopsClimbed(t *testing.T) {
	tried, bursts, shown, close := 0, 0, 0, 0
	for seed := *exactFirst; seed < *exactFirst+few.Of(60); seed++ {
		a := drawLoop.Example(seed)
		r, err := bound.Of(a.c, a.e)
		if err != nil {
			require.ErrorIs(t, err, bound.ErrNoWait)
			continue
		}
		best, all := climbLoop(a.c, a.e, uint64(seed), 20, 20_000)
		tried++
		most, known := r.AtMost()
		require.True(t, known)
		require.LessOrEqual(t, best, most+time.Microsecond, "-exact.first %d: %+v in %+v with %+v: %+v", seed, *a.c, *a.e, *a.c.Client, all)
		if a.e.OtherQPS == 0 {
			bursts++
			missing := r.Overlap - best
			if missing < time.Millisecond {
				shown++
			}
			if missing.Seconds()*a.c.Client.QPS < 1.001 {
				close++
			}
		}
	}
	t.Logf("%d climbed; of %d without a rate %d show the bound, and %d all but a token", tried, bursts, shown, close)
	assert.Greater(t, close, bursts/5)
}

// drawTicked draws a configuration in which attempts outlast ticks, or would if they waited longer, and other traffic.
var drawTicked = rapid.Custom(func(t *rapid.T) attacked {
	a := drawLoop.Draw(t, "loop")
	a.c.Client.QPS = rapid.SampledFrom([]float64{3, 4, 5, 5, 10, 20, 50}).Draw(t, "qps")
	a.c.Client.Burst = rapid.SampledFrom([]int{1, 2, 5, 10, 30}).Draw(t, "burst")
	a.c.RequestTimeout = rapid.SampledFrom([]time.Duration{0, a.c.RenewDeadline / 2, 900 * time.Millisecond, 1950 * time.Millisecond,
		2 * time.Second, 2900 * time.Millisecond, 5 * time.Second, 15 * time.Second}).Draw(t, "timeout")
	a.e.MaxRoundTrip = time.Duration(rapid.SampledFrom([]int{1, 10, 100, 200, 333, 500, 1000}).Draw(t, "trip")) * time.Millisecond
	a.e.OtherBurst = rapid.SampledFrom([]int{0, 1, 3, 5, 10, 20, 30, 50, 100, 200}).Draw(t, "other burst")
	a.e.OtherQPS = a.c.Client.QPS * rapid.SampledFrom([]float64{0, 0, 0, 0.1, 0.2, 0.5}).Draw(t, "other qps")
	return a
})

// TestTicksClimbed: what an attempt waits for that outlasts a tick is not waited for again. Neither a climb on the library's limiter nor the
// search that the gate makes witnesses of finds more than the bound.
func TestTicksClimbed(t *testing.T) {
	tried, shown, close := 0, 0, 0
	for seed := *exactFirst; tried < few.Of(40); seed++ {
		a := drawTicked.Example(seed)
		r, err := bound.Of(a.c, a.e)
		if bound.Refused(a.c) != nil || err != nil {
			continue
		}
		tried++
		best, _ := climbLoop(a.c, a.e, uint64(seed), 20, 6000)
		if s := newStage(a.c, a.e); s.tries() {
			best = max(best, s.newTrial().longestCourse().overlap)
		}
		require.LessOrEqual(t, best, r.Overlap+time.Microsecond, "-exact.first %d: %+v in %+v with %+v", seed, *a.c, *a.e, *a.c.Client)
		missing := r.Overlap - best
		if missing < time.Millisecond {
			shown++
		}
		if missing.Seconds()*a.c.Client.QPS < 1.001 {
			close++
		}
	}
	t.Logf("%d climbed; %d show the bound, and %d all but a token", tried, shown, close)
}
