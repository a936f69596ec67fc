package forecast_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/internal/forecast"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// rolling is a judge of long runs with rollouts and crashes, as they come.
type rolling struct {
	judge
	down    time.Duration   // how long it takes until a process is back that has crashed
	started []time.Duration // when the process of each candidate started last
	due     []plan.Fault
	names   []string
	// begun and over count the rollouts. ends is when the one ends that was added last.
	begun, over, crashes float64
	ends                 time.Duration
}

// Rank has the ready pods go in the order of Kubernetes from 1.22 on: the one whose age is in a lower power of two first, and those that are alike
// in that in any order.
func (r *rolling) Rank(candidate int, at time.Duration) float64 {
	return math.Floor(math.Log2(float64(at-r.started[candidate]))) + r.Float64()
}

func (r *rolling) Attend(time.Duration) (faults []plan.Fault, over bool) {
	faults, r.due = r.due, nil
	return faults, false
}

func (r *rolling) Observe(e *trace.Event) {
	r.folded.Observe(e)
	switch {
	case e.Kind == trace.RunStarted && e.Incarnation != 0 && r.started[e.Candidate] < 0:
		r.started[e.Candidate] = r.now
	case e.Kind == trace.Crashed && e.Cause == trace.NoCause:
		r.started[e.Candidate] = -1
		r.due = append(r.due, plan.Fault{Kind: plan.FaultRestart, At: r.now + r.down, On: []string{r.names[e.Candidate]}, Identity: plan.NewIdentity})
	case e.Kind == trace.FaultEnded:
		r.over++
	}
}

// rolls runs a question whose episodes are rollouts and crashes of the leader for that long, and returns what it has shown. A rollout that begins
// while another one goes on is left out.
func rolls(t *testing.T, q *forecast.Question, seed uint64, length time.Duration) *rolling {
	r := &rolling{judge: judge{Rand: rand.New(rand.NewPCG(seed, 11)), usual: q.Behaviour, leaves: math.MaxInt64}}
	r.from, r.told, r.fates = warm, map[int32]bool{}, map[[2]uint64]destiny{}
	p := &plan.Plan{Seed: seed, Horizon: warm + length}
	generation := func() (ids []string) {
		for range q.Replicas {
			c := q.Candidate
			c.ID, c.Rejoin, c.OnLoss = fmt.Sprintf("c%d", len(p.Candidates)), new(time.Duration), plan.LossRejoin
			if len(p.Candidates) < q.Replicas {
				c.StartAt = time.Duration(r.Float64() * 4e9)
			}
			p.Candidates = append(p.Candidates, c)
			ids = append(ids, c.ID)
		}
		return ids
	}
	last := generation()
	for i := range q.Behaviour.Episodes {
		e := &q.Behaviour.Episodes[i]
		for at := r.next(e); at < p.Horizon; at += r.next(e) {
			f := plan.Fault{At: at, Kind: plan.FaultCrash, On: []string{plan.RoleLeader}}
			if e.Kind == behaviour.Crash {
				r.down = e.Lasts.At(0)
				r.crashes++
				p.Faults = append(p.Faults, f)
				continue
			}
			if at < r.ends {
				continue
			}
			f.Kind, f.On = plan.FaultRollout, last
			last = generation()
			surge, unavailable := e.Rolling.Of(q.Replicas)
			f.To, f.Startup, f.GracePeriod = last, e.Lasts.At(0), &e.Rolling.Grace
			f.Surge, f.MaxUnavailable = plan.Count(surge), plan.Count(unavailable)
			r.ends = at + e.Lasts.At(0)*time.Duration((q.Replicas+surge+unavailable-1)/(surge+unavailable))
			p.Faults = append(p.Faults, f)
			r.begun++
		}
	}
	for i := range p.Candidates {
		r.names, r.started = append(r.names, p.Candidates[i].ID), append(r.started, -1)
	}
	_, err := sim.RunDirected(p, r, r)
	require.NoError(t, err)
	r.pass(p.Horizon)
	return r
}

// next draws the time from one such episode to the next.
func (r *rolling) next(e *behaviour.Episode) time.Duration {
	return time.Duration(r.ExpFloat64() / e.Rate() * 1e9)
}

// TestRollouts compares forecasts of rollouts, with crashes of the leader in between, with long plain runs.
func TestRollouts(t *testing.T) {
	t.Parallel()
	bias := few.Else(0.08, 0.05) // which share of the figure would be noticed as a bias
	const crashed = 16           // so many seconds or so a crash leaves without a leader
	rollout := func(every, start time.Duration, surge, unavailable int) behaviour.Episode {
		return behaviour.Episode{Kind: behaviour.Rollout, On: behaviour.Everybody, Every: every, Lasts: behaviour.Constant(start),
			Rolling: behaviour.Rolling{Surge: &surge, Unavailable: &unavailable, Grace: 30 * sec}}
	}
	crash := func(every time.Duration) behaviour.Episode {
		return behaviour.Episode{Kind: behaviour.Crash, On: behaviour.Leader, Every: every, Lasts: behaviour.Constant(5 * sec)}
	}
	for name, c := range map[string]struct {
		replicas int
		episodes []behaviour.Episode
	}{
		"two, one missing":                  {2, []behaviour.Episode{rollout(10*time.Minute, 20*sec, 0, 1)}},
		"two, one missing, crashes":         {2, []behaviour.Episode{rollout(20*time.Minute, 20*sec, 0, 1), crash(10 * time.Minute)}},
		"three, one missing":                {3, []behaviour.Episode{rollout(10*time.Minute, 20*sec, 0, 1)}},
		"two, one more":                     {2, []behaviour.Episode{rollout(10*time.Minute, 20*sec, 1, 0)}},
		"two, one missing, again and again": {2, []behaviour.Episode{rollout(3*time.Minute, 30*sec, 0, 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := asked(c.replicas, behaviour.Behaviour{Episodes: c.episodes})
			runs, length := few.Else(20, 160), 50*c.episodes[0].Every
			takes := c.episodes[0].Lasts.At(0) * time.Duration(c.replicas)
			// So many rollouts begin in a run on average while none is under way, and so many crashes.
			rollouts, crashes := (warm+length).Seconds()/(c.episodes[0].Every+takes).Seconds(), 0.0
			for _, e := range c.episodes[1:] {
				crashes = (warm + length).Seconds() * e.Rate()
			}
			var empty sample
			all, begun := 0.0, 0.0
			of := make([]*rolling, runs)
			for i := range of {
				of[i] = rolls(t, &q, uint64(i), length)
				assert.InDelta(t, of[i].begun, of[i].over, 1, "each rollout ends, unless the run ends before")
				all, begun = all+of[i].leaderless-crashed*of[i].crashes, begun+of[i].begun
			}
			for _, r := range of { // by chance there are more or fewer of them; this takes most of that away
				empty = append(empty, r.leaderless-(r.begun-rollouts)*all/begun-(r.crashes-crashes)*crashed)
			}
			f, err := forecast.Run(t.Context(), &q, (&forecast.Options{Seed: 1, Precision: few.Else(0.02, 0.01), MaxWindows: few.Else(8_000, 32_000), Workers: 2}).LearnLess())
			require.NoError(t, err)
			is, says := empty.estimate(1/length.Seconds()), f.Leaderless
			se := math.Hypot(is.High-is.Low, says.High-says.Low) / (2 * 1.96)
			t.Logf("forecast %.4g (%.4g to %.4g), long runs %.4g (%.4g to %.4g)", says.Value, says.Low, says.High, is.Value, is.Low, is.High)
			assert.LessOrEqual(t, math.Abs(says.Value-is.Value), 4*se)
			assert.LessOrEqual(t, se, bias/4*is.Value, "a bias of %v would not be noticed", bias)
		})
	}
}
