package forecast_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/few"
	"interregnum/internal/forecast"
)

var (
	truthRuns = flag.Int("truth.runs", 0, "how many forecasts TestTruthCoverage makes of each case; 0: it is skipped")
	truthEach = few.Else(1, 2) // how many forecasts TestTruth makes of each case
	truthOnly = flag.String("truth.only", "", "the only case that the tests of truths look at")
	judgeRuns = flag.Int("truth.times", 1, "how many times as long -truth.judge looks")
	judges    = flag.Bool("truth.judge", false, "compare the truths with long runs of the simulated world")
)

// truth is a figure that is known.
type truth struct {
	figure figure
	is     float64
	// to is how precisely it is known, as a share of it: what its derivation leaves out is less.
	to float64
}

// figure is one number of a forecast, with its name.
type figure struct {
	name string
	of   func(*forecast.Forecast) forecast.Estimate
}

var (
	losses        = figure{"losses", func(f *forecast.Forecast) forecast.Estimate { return f.Losses }}
	restarts      = figure{"restarts", func(f *forecast.Forecast) forecast.Estimate { return f.Restarts }}
	requests      = figure{"requests", func(f *forecast.Forecast) forecast.Estimate { return f.Requests }}
	overlaps      = figure{"overlaps", func(f *forecast.Forecast) forecast.Estimate { return f.Overlaps }}
	overlapLength = figure{"overlap length", func(f *forecast.Forecast) forecast.Estimate { return f.OverlapLength }}
	leaderless    = figure{"leaderless", func(f *forecast.Forecast) forecast.Estimate { return f.Leaderless }}
	gapP50        = figure{"gap p50", func(f *forecast.Forecast) forecast.Estimate { return f.Gaps.P50 }}
	gapP99        = figure{"gap p99", func(f *forecast.Forecast) forecast.Estimate { return f.Gaps.P99 }}
)

// in tells whether an interval contains the truth, after its half widths were multiplied by wider.
func (x *truth) in(e forecast.Estimate, wider float64) bool {
	low, high := e.Value-wider*(e.Value-e.Low), e.Value+wider*(e.High-e.Value)
	slack := math.Abs(x.is)*x.to + 1e-15
	return low-slack <= x.is && x.is <= high+slack
}

// eachCase calls do for each case that the flags let through.
func eachCase(t *testing.T, do func(*testing.T, *truthCase)) {
	for _, c := range truthCases() {
		if *truthOnly == "" || *truthOnly == c.name {
			t.Run(c.name, func(t *testing.T) { do(t, &c) })
		}
	}
}

// TestTruth makes a few forecasts of each case. An interval of 95 %, made twice as wide, misses the truth once in ten thousand times.
func TestTruth(t *testing.T) {
	eachCase(t, func(t *testing.T, c *truthCase) {
		for seed := range uint64(truthEach) {
			f, err := forecast.Run(context.Background(), &c.question,
				&forecast.Options{Seed: seed + 1, Precision: 0.1, MaxWindows: few.Else(500, 2000), Workers: 2})
			require.NoError(t, err)
			for _, x := range c.truths {
				e := x.figure.of(f)
				assert.True(t, x.in(e, 2), "%s is %g, the forecast with seed %d says %g, between %g and %g",
					x.figure.name, x.is, seed+1, e.Value, e.Low, e.High)
			}
		}
	})
}

// TestTruthCoverage makes many forecasts of each case, and counts how many intervals contain the truth: 93 to 97 of 100 should. It
// fails where a coverage of 93 % would give so few, or of 97 % so many, in less than one of a thousand times: with 200 forecasts
// that is below 174. (All 200 are no contradiction to 97 %; from 228 on they would be.) An interval that says more than the truth is known
// to, or has no width, since nothing in it is random, contains it always.
func TestTruthCoverage(t *testing.T) {
	if *truthRuns == 0 {
		t.Skip("make forecast N=200")
	}
	eachCase(t, func(t *testing.T, c *truthCase) {
		hits, narrow := make([]int, len(c.truths)), make([]int, len(c.truths))
		bias := make([]float64, len(c.truths))
		for seed := range *truthRuns {
			f, err := forecast.Run(context.Background(), &c.question,
				&forecast.Options{Seed: 1000 + uint64(seed), Precision: 0.05, MaxWindows: 20_000, Workers: 2})
			require.NoError(t, err)
			for i, x := range c.truths {
				e := x.figure.of(f)
				bias[i] += e.Value / float64(*truthRuns)
				if x.in(e, 1) {
					hits[i]++
				}
				if e.High-e.Low <= 2*x.to*math.Abs(x.is) {
					narrow[i]++
				}
			}
		}
		for i, x := range c.truths {
			few, many := limits(*truthRuns)
			t.Logf("%-16s truth %12.6g  mean of forecasts %12.6g  contained %5.1f %%", x.figure.name, x.is, bias[i],
				100*float64(hits[i])/float64(*truthRuns))
			assert.GreaterOrEqual(t, hits[i], few, x.figure.name)
			if narrow[i] == 0 {
				assert.LessOrEqual(t, hits[i], many, x.figure.name)
			}
		}
	})
}

// limits returns the fewest and the most hits of n that do not contradict a coverage of 93 to 97 %.
func limits(n int) (few, many int) {
	sum := 0.0
	for few = 0; few < n; few++ {
		if sum += binomial(n, few, 0.93); sum > 0.001 {
			break
		}
	}
	sum = 0
	for many = n; many > 0; many-- {
		if sum += binomial(n, many, 0.97); sum > 0.001 {
			break
		}
	}
	return few, many
}

// binomial returns the probability of k of n with probability p each.
func binomial(n, k int, p float64) float64 {
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	return math.Exp(lg(n) - lg(k) - lg(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

func TestLimits(t *testing.T) {
	few, many := limits(200)
	assert.Equal(t, "174 200", fmt.Sprint(few, many))
	few, many = limits(2000)
	assert.Equal(t, "1824 1962", fmt.Sprint(few, many))
}

// TestTruthJudge compares the truths with runs of the simulated world, without weights, strata or windows of a forecast.
func TestTruthJudge(t *testing.T) {
	if !*judges {
		t.Skip("-truth.judge")
	}
	eachCase(t, func(t *testing.T, c *truthCase) {
		if c.runs == 0 {
			t.Skip("too rare for plain runs, or judged by another case")
		}
		f := judged(t, &c.question, c.runs**judgeRuns, c.length, c.second)
		for _, x := range c.truths {
			e := x.figure.of(f)
			if x.figure.name == restarts.name {
				continue // its runs end with the window
			}
			verdict := "agrees"
			if !x.in(e, 2) {
				verdict = "DISAGREES"
				t.Fail()
			}
			t.Logf("%-16s truth %12.6g  judge %12.6g (%g to %g) %s", x.figure.name, x.is, e.Value, e.Low, e.High, verdict)
		}
	})
}

const hour = time.Hour
