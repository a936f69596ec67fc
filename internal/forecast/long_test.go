package forecast_test

import (
	"context"
	"flag"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/internal/forecast"
	"interregnum/plan"
)

var (
	longHours     = flag.Int("long.hours", few.Else(2, 6), "how many hours TestLongRuns simulates of each question")
	longPrecision = flag.Float64("long.precision", few.Else(0.36, 0.1), "how precise its forecasts are")
)

// longRuns are questions whose losses are frequent, and have no truth on paper: those in which requests are given up that take effect
// later, and those with other algorithms and other locks.
func longRuns() map[string]forecast.Question {
	slow := behaviour.Behaviour{RoundTrip: behaviour.Exponential(2 * sec)}
	quick := behaviour.Behaviour{RoundTrip: behaviour.Exponential(150 * ms)}
	all := map[string]forecast.Question{
		"slow, timeout of 4 s":                 asked(2, slow, timeout(4*sec)),
		"slow, timeout of 3 s":                 asked(2, slow, timeout(3*sec)),
		"slow, no timeout":                     asked(1, slow),
		"timings of about a second":            asked(2, quick, timings(1500*ms, 1300*ms, 200*ms)),
		"always slow":                          asked(1, behaviour.Behaviour{RoundTrip: behaviour.Constant(11 * sec)}),
		"always slow, two":                     asked(2, behaviour.Behaviour{RoundTrip: behaviour.Constant(11 * sec)}),
		"always slow, strict":                  asked(1, behaviour.Behaviour{RoundTrip: behaviour.Constant(11 * sec)}, func(q *forecast.Question) { q.Candidate.Profile = machine.Strict }),
		"half of all requests fail, three":     asked(3, errorsOf(500, 0.5)),
		"half of all requests fail, one alone": asked(1, errorsOf(500, 0.5)),
	}
	// Episodes that often meet others of their kind: what two do that begin soon after each other is told by strata of their own.
	for kind, lasts := range map[behaviour.Kind]time.Duration{behaviour.Outage: 9 * sec, behaviour.Stall: 10 * sec} {
		e := behaviour.Episode{Kind: kind, Every: 10 * time.Minute, Lasts: behaviour.Constant(lasts), On: behaviour.Everybody}
		q := asked(1, episodes(e), timeout(3*sec))
		all["often, "+string(kind)] = q
	}
	for _, p := range machine.Profiles() {
		if p.Name != machine.ClientGo.Name {
			all["profile "+p.Name] = asked(2, slow, func(q *forecast.Question) {
				q.Candidate.Profile = p
				if p.TimesOut() {
					q.Candidate.RequestTimeout = 4 * sec
				}
			})
		}
	}
	for _, l := range plan.Locks() {
		if l == plan.Lease {
			continue
		}
		all["lock "+string(l)] = asked(2, slow, timeout(4*sec), func(q *forecast.Question) {
			q.Candidate.Lock = l
			if len(l.Objects()) > 1 {
				q.Candidate.Profile = machine.ClientGoV017
			}
		})
	}
	return all
}

// TestLongRuns compares forecasts with long plain runs. Five standard errors are exceeded once in two million times, and four once in sixteen thousand. Few
// windows and hours of each question leave much to chance; all together they show a bias of a tenth that all have in common, or of a quarter where few cases are tried.
func TestLongRuns(t *testing.T) {
	t.Parallel()
	const runs = 20
	bias := few.Else(0.25, 0.1)
	figures := []figure{losses, leaderless, requests}
	type difference struct{ apart, biased float64 } // in standard errors; biased is what such a share of the figure is
	all := make([][]difference, len(figures))
	var one sync.Mutex
	t.Run("each", func(t *testing.T) {
		for name, q := range longRuns() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f, err := forecast.Run(context.Background(), &q, (&forecast.Options{Seed: 1, Precision: *longPrecision, MaxWindows: int(16 / (*longPrecision * *longPrecision)), Workers: 2}).LearnLess())
				require.NoError(t, err)
				hours := *longHours
				if len(q.Behaviour.Episodes) > 0 {
					hours *= 5 // that a second one comes in time is rare, and makes most of the time without a leader
				}
				j := judged(t, &q, runs, time.Duration(hours)*hour/runs, 0)
				for i, x := range figures {
					a, b := x.of(f), x.of(j)
					se := math.Hypot(a.High-a.Low, b.High-b.Low) / (2 * 1.96)
					if se == 0 {
						assert.Equal(t, b.Value, a.Value, x.name) // it never happens, and the forecast says that it cannot
						continue
					}
					d := difference{(a.Value - b.Value) / se, bias * b.Value / se}
					t.Logf("%s: forecast %.4g (%.4g to %.4g), long runs %.4g (%.4g to %.4g): %.1f standard errors apart", x.name,
						a.Value, a.Low, a.High, b.Value, b.Low, b.High, d.apart)
					assert.Less(t, math.Abs(d.apart), 5.0, x.name)
					one.Lock()
					all[i] = append(all[i], d)
					one.Unlock()
				}
			})
		}
	})
	for i, x := range figures {
		var sum difference
		for _, d := range all[i] {
			sum.apart += d.apart / math.Sqrt(float64(len(all[i])))
			sum.biased += d.biased / math.Sqrt(float64(len(all[i])))
		}
		t.Logf("%s: %.1f standard errors apart in all; a bias of %v is %.1f", x.name, sum.apart, bias, sum.biased)
		assert.Less(t, math.Abs(sum.apart), 4.0, x.name)
		assert.Greater(t, sum.biased, 4.0, "%s: a bias of %v would not be noticed", x.name, bias)
	}
}
