package forecast_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/forecast"
)

func TestPollOfErrorsIsAGeometricSum(t *testing.T) {
	p := pollOf{lease: 15 * time.Second, deadline: 10 * time.Second, retry: 2 * time.Second, fates: failing(0.3, 10*time.Millisecond)}
	f := 0.3 * 0.3 * 1.7
	assert.InEpsilon(t, math.Pow(f, 5), p.sum().fails, 1e-9)
	p.deadline += time.Millisecond
	assert.InEpsilon(t, math.Pow(f, 5), p.sum().fails, 1e-9, "a sixth attempt begins, and is not answered in time")
	p.deadline += 100 * time.Millisecond
	assert.InEpsilon(t, math.Pow(f, 6), p.sum().fails, 1e-9)
}

func TestWaits(t *testing.T) {
	first := firstFrom(15*time.Second, 2*time.Second, 0)
	assert.InDelta(t, 1, first.sum(), 1e-9)
	assert.InDelta(t, 15+10.72/6.4, first.mean(), 0.1, "the mean excess of a renewal process")
	next := nextLook(2*time.Second, 0)
	assert.InDelta(t, 10.72/6.4, next.mean(), 1e-3)
	assert.InDelta(t, 1.0, evenly(2*time.Second).mean(), 1e-9)
}

// TestWrongIntervalsAreNoticed: with 200 forecasts, intervals of 95 % that are a third too narrow, or whose middle is one standard
// error off, contain the truth too rarely.
func TestWrongIntervalsAreNoticed(t *testing.T) {
	few, many := limits(200)
	for name, c := range map[string]struct {
		narrower, bias float64
		right          bool
	}{"right": {1, 0, true}, "narrow": {2.0 / 3, 0, false}, "biased": {1, 1, false}, "wide": {2, 0, true}} {
		random, hits := rand.New(rand.NewPCG(1, 2)), 0
		for range 200 {
			value := 10 + c.bias + random.NormFloat64()
			e := forecast.Estimate{Value: value, Low: value - 1.96*c.narrower, High: value + 1.96*c.narrower}
			x := truth{is: 10}
			if x.in(e, 1) {
				hits++
			}
		}
		assert.Equal(t, c.right, few <= hits && hits <= many, "%s: %d", name, hits)
	}
}

func TestMissing(t *testing.T) {
	for _, p := range []float64{0.1, 0.4} {
		m := missing{p, 10 * sec, 2 * sec, trip}
		assert.True(t, m.sameAs(missed(p)))
	}
	assert.InEpsilon(t, 0.0154, missed(0.4), 0.01)
	assert.InEpsilon(t, 2.7e-6, missed(0.1), 0.02)
}
