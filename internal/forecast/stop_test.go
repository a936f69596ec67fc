package forecast

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// drawn is a made-up world: what its windows show is drawn, so that the mean of each stratum is known.
type drawn struct {
	name      string
	precision float64
	draw      func(s *sample, r *rand.Rand) (weight, seconds float64)
	means     func(s *sample) float64
	stall     bool
}

// seldom are worlds in which a rare gap is much longer than the others, and makes a part of the time without a leader that matters.
func seldom() []drawn {
	long := func(r *rand.Rand, of int, than, else_ float64) float64 {
		if r.IntN(of) == 0 {
			return than
		}
		return else_
	}
	return []drawn{
		{name: "two stalls together", precision: 0.05, stall: true, // as in the stall of 1 s of docs/method/forecast-truth.md
			draw: func(s *sample, r *rand.Rand) (float64, float64) {
				switch {
				case s.episode < 0 || r.IntN(2) == 0:
					return 0, 0
				case s.further:
					return 1, long(r, 30, 48.2, 0.02)
				}
				return 1, 0.02
			},
			means: func(s *sample) float64 {
				switch {
				case s.episode < 0:
					return 0
				case s.further:
					return 0.5 * (0.02 + (48.2-0.02)/30)
				}
				return 0.5 * 0.02
			}},
		{name: "one gap in 500 is long", precision: 0.1, // as where two of a thousand thousand are lost
			draw: func(_ *sample, r *rand.Rand) (float64, float64) {
				return 1e-5 * math.Exp(r.NormFloat64()/2-0.125), long(r, 500, 9.2, 0.02)
			},
			means: func(*sample) float64 { return 1e-5 * (0.02 + (9.2-0.02)/500) }},
		{name: "one gap in 10 is long", precision: 0.1, // as where one in twenty is lost
			draw: func(_ *sample, r *rand.Rand) (float64, float64) {
				return 1e-5 * math.Exp(r.NormFloat64()-0.5), long(r, 10, 6.2, 0.02)
			},
			means: func(*sample) float64 { return 1e-5 * (0.02 + (6.2-0.02)/10) }},
		{name: "gaps are alike", precision: 0.05, stall: true,
			draw: func(s *sample, r *rand.Rand) (float64, float64) {
				if s.episode < 0 || r.IntN(2) == 0 {
					return 0, 0
				}
				return 1, 15 + 5*r.ExpFloat64()
			},
			means: func(s *sample) float64 {
				if s.episode < 0 {
					return 0
				}
				return 10
			}},
	}
}

// campaign returns a forecast in the world, without a window.
func (d *drawn) campaign(t *testing.T) *campaign {
	b := &behaviour.Behaviour{RoundTrip: behaviour.Constant(10 * time.Millisecond)}
	if d.stall {
		b.Episodes = []behaviour.Episode{{Kind: behaviour.Stall, Every: 24 * time.Hour, Lasts: behaviour.Constant(time.Second), On: behaviour.Everybody}}
	}
	set, err := newSetting(&Question{Replicas: 1, Behaviour: b, Candidate: plan.Candidate{Profile: machine.ClientGo, Lock: plan.Lease,
		Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}}})
	require.NoError(t, err)
	c, err := newCampaign(context.Background(), set, &Options{Seed: 1, Precision: d.precision, MaxWindows: 20_000, Workers: 1})
	require.NoError(t, err)
	return c
}

// run makes the forecast with windows that r draws.
func (d *drawn) run(c *campaign, r *rand.Rand) Estimate {
	c.windows = 0
	for i, s := range c.samples {
		c.samples[i] = &sample{stratum: s.stratum}
	}
	for counts := c.first(); ; counts = c.share(c.batch()) {
		for i, s := range c.samples {
			for range counts[i] {
				o := outcome{branches: 1}
				if weight, seconds := d.draw(s, r); weight > 0 {
					o.values[losses], o.values[leaderless], o.gaps = weight, weight*seconds, []gap{{weight, seconds}}
				}
				s.add(&o)
				c.windows++
			}
		}
		if c.enough() || c.windows >= c.o.MaxWindows {
			return sum(c.set, c.samples, leaderless, c.usual)
		}
	}
}

// TestEndsByNoChance: forecasts that end as soon as they are precise have no bias, and 95 % intervals that contain the truth, where what matters is seen
// seldom. With 200 forecasts a coverage of 93 % gives less than 174 once in a thousand times.
func TestEndsByNoChance(t *testing.T) {
	t.Parallel()
	for _, d := range seldom() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			const runs = 200
			c, r := d.campaign(t), rand.New(rand.NewPCG(1, 1))
			truth := 0.0
			for _, s := range c.samples {
				truth += c.usual * s.rate * d.means(s)
			}
			hits, windows, mean := 0, 0, 0.0
			for range runs {
				e := d.run(c, r)
				if e.Low <= truth && truth <= e.High {
					hits++
				}
				windows += c.windows
				mean += e.Value / truth / runs
			}
			t.Logf("%d of %d contain the truth, the mean is %+.2f %% off, %d windows", hits, runs, 100*(mean-1), windows/runs)
			assert.GreaterOrEqual(t, hits, 174)
			assert.InDelta(t, 1, mean, d.precision/5)
		})
	}
}
