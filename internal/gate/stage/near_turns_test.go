package stage

import (
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// nearTurn is a configuration in which leaders can just take the lock from each other for ever, or just not: without a release, or of v0.24 with one.
type nearTurn struct {
	released                                      bool
	lock                                          plan.Lock
	lease, deadline, period, timeout, trip, pause time.Duration
	drift                                         int64
}

func (n *nearTurn) attacked() attacked {
	c := &bound.Config{
		Timings: machine.Timings{LeaseDuration: n.lease, RenewDeadline: n.deadline, RetryPeriod: n.period},
		Profile: machine.ClientGo, RequestTimeout: n.timeout, Lock: n.lock,
	}
	if n.released {
		c.Profile, c.ReleaseOnCancel = machine.ClientGoV024, true
	}
	return attacked{c, &bound.Environment{MaxRoundTrip: n.trip, MaxPause: n.pause, MaxDriftPPM: n.drift}}
}

// play is so many rounds of turns.
func (n *nearTurn) play(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	if n.released {
		if s := closeBlanks(t, c, e, rounds); s != nil {
			return s.play(t, rounds)
		}
		return nil
	}
	return slowOr(t, c, e, rounds)
}

// worse yields plans of turns in environments in which freezes, answers and drift are longer, and turns go on for ever, for each of them that is found.
func (n *nearTurn) worse(t require.TestingT) iter.Seq2[int, *scenarios.Scenario] {
	return func(yield func(int, *scenarios.Scenario) bool) {
		for seed := range 24 {
			more := time.Duration(1 + seed/3)
			a := n.attacked()
			switch seed % 3 {
			case 0:
				a.e.MaxPause += (a.e.MaxPause + n.period) * more / 8
			case 1:
				a.e.MaxRoundTrip += (a.e.MaxRoundTrip+n.period/8)*more/8 + time.Millisecond
			case 2:
				a.e.MaxDriftPPM = min(700_000, a.e.MaxDriftPPM+int64(more)*20_000)
			}
			r, err := bound.Of(a.c, a.e)
			require.NoError(t, err)
			if !r.Unbounded {
				continue
			}
			var try tried
			if p := n.play(&try, a.c, a.e, 2+seed%5); !try.failed && !yield(seed, p.s) {
				return
			}
		}
	}
}

// TestNearTurnsForEver: leaders take the lock from each other for ever where nearly all of a plan is needed: clocks that have just the right rate, turns
// with renewals that look new between others, or waits in the limiter.
func TestNearTurnsForEver(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, row := range []nearTurn{
		{false, plan.Lease, 17187311918, 17187311916, 1534581421, 39081465, 17 * s, 0, 0},
		{false, plan.ConfigMap, 1015743948, 1015742447, 429785372, 4 * ms, s, 0, 0},
		{false, plan.ConfigMap, 222965744614, 222965744612, 20 * s, 200 * ms, 200 * s, 1122187, 0},
		{true, plan.Lease, 1000000001, 565504379, 471253407, 5 * ms, 0, 0, 300_000}, // an edition had counted its turns
		{true, plan.Lease, s, 276477741, 224468628, 138238870, 0, 0, 500_000},
		{true, plan.Lease, 96167983912, 24041995978, 20 * s, 999999, 0, 80 * s, 500_000},
		{true, plan.ConfigMapsLeases, 96167983912, 24041995978, 20 * s, 999999, 0, 80 * s, 500_000},
		{true, plan.Lease, 2 * s, 1091070111, 659225092, 2147330, 0, 0, 500_000},
		{true, plan.ConfigMapsLeases, 2 * s, 1091070111, 659225092, 2147330, 0, 0, 500_000},
		{true, plan.Lease, s, 218334022, 180151440, 218334022, 50 * ms, 0, 500_000},
		{true, plan.Lease, 130896236413, 130896236411, 25746863675, 2077913, 6824889812, 90 * s, 100_000},
		{true, plan.Lease, s, 245000001, 200 * ms, s, 0, 3 * ms, 500_000},
		{true, plan.ConfigMapsLeases, s, 245000001, 200 * ms, s, 0, 3 * ms, 500_000},
		{true, plan.ConfigMap, s, 245000001, 200 * ms, s, 0, 0, 500_000},
		{true, plan.Lease, s, 241100001, 200 * ms, 200 * ms, 454431, 45672127, 500_000},
		{true, plan.ConfigMapsLeases, s, 241100001, 200 * ms, 200 * ms, 454431, 45672127, 500_000},
		{true, plan.Lease, s, 24999999, 19999999, 4037065, 0, 999999999, 100_000},
		{true, plan.ConfigMapsLeases, s, 24999999, 19999999, 4037065, 0, 999999999, 100_000},
		{true, plan.Lease, s, 244439699, 170 * ms, 244439699, 2126, 0, 500_000},
		{true, plan.ConfigMap, 1008000022, 1008000001, 90 * ms, 1103094, 0, 0, 100_000},
	} {
		t.Run(fmt.Sprint(row), func(t *testing.T) {
			a := row.attacked()
			r, err := bound.Of(a.c, a.e)
			require.NoError(t, err)
			require.True(t, r.Unbounded)
			require.Equal(t, bound.TakingTurns, r.Plan.Endless)
			a.grows(t, row.play, a.c.Lease()*6/10)
			const rounds = 200
			p := row.play(t, a.c, a.e, rounds)
			w := gatetest.Watched(t, p.s)
			assert.Empty(t, w.Outside(p.s, a.e))
			assert.Greater(t, w.Score(), rounds*a.c.Lease()*6/10)
		})
	}
}

// TestFewNearTurns: where turns are counted, and nearly go on for ever, no adversary shows more than the bound. It begins with turns of environments
// that are a little worse, pressed into this one.
func TestFewNearTurns(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for i, row := range []nearTurn{
		{false, plan.ConfigMap, 107725907832, 107725907826, 48104923188, 107725907826, 0, 90 * s, 100_000},
		{false, plan.Lease, 104353832589, 104353831941, 45294859950, 104353831941, 20 * s, 47338260213, 200},
		{false, plan.Lease, 5858930675, 5858930673, 4881692227, 2929465336, 180 * ms, 170 * ms, 200},
		{true, plan.ConfigMap, 332046728, 331646727, 275416423, 20 * ms, 0, ms, 0},
		{true, plan.Lease, 2 * s, 1006468364, 600 * ms, 58522223, 1000, 2 * s, 1},
		{true, plan.ConfigMapsLeases, 2 * s, 1006468364, 600 * ms, 58522223, 1000, 2 * s, 1},
		{true, plan.Lease, s, 853487593, 710406327, 999999, 0, 377847034, 0},
		{true, plan.Lease, 2 * s, 1642578881, 1318815734, 1879225, 0, 2 * s, 5000},
		{true, plan.Lease, s, 811487549, 675322957, ms, 0, 50 * ms, 100_000},
		{true, plan.ConfigMapsLeases, s, 811487549, 675322957, ms, 0, 50 * ms, 100_000},
		{true, plan.Lease, 3 * s, 2216800693, 1846333910, 14089459, 1590795432, 3 * s, 0},
		{true, plan.Lease, 1548336915, 994527681, 824606400, 1200 * ms, 700 * ms, 0, 0},
		{true, plan.Lease, 3 * s, 2627836733, 2188027409, 1022856, 651310, 3 * s, 1},
		{true, plan.ConfigMapsLeases, 3 * s, 2627836733, 2188027409, 1022856, 651310, 3 * s, 1},
		{true, plan.Lease, 2 * s, 1442 * ms, 1200 * ms, 2129318, 143907527, 2 * s, 0},
		{true, plan.ConfigMapsLeases, 2 * s, 1442 * ms, 1200 * ms, 2129318, 143907527, 2 * s, 0},
		{true, plan.Lease, 2 * s, 1167953705, 606024285, 2 * s, 900, 2 * s, 0},
		{true, plan.ConfigMapsLeases, s, 524758925, 432299104, 524758925, 0, 163624698, 5000},
	} {
		if i%few.Else(4, 1) != 0 {
			continue
		}
		t.Run(fmt.Sprint(row), func(t *testing.T) {
			a := row.attacked()
			r, err := bound.Of(a.c, a.e)
			require.NoError(t, err)
			_, known := r.AtMost()
			require.True(t, known)
			x := attack(t, a.c, a.e, r, 1)
			k := climbs{tried: 1, runs: x.runs, share: float64(x.best) / float64(x.limit)}
			if x.best > x.limit {
				x.report(t, 1, a, r)
			}
			for seed, worse := range row.worse(t) {
				k.fromCrowd(t, worse, 6, seed, a, r)
			}
			t.Logf("%d starts, %d scenarios: at most %.2f of the bound", k.tried, k.runs, k.share)
		})
	}
}
