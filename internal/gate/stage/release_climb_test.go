package stage

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/closing"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// changeAny returns what change does, with new faults on any of the candidates. Where a release comes after the work, one drains for longer or
// shorter.
func (d *closingClimber) changeAny(s *scenarios.Scenario) *scenarios.Scenario {
	x := d.change(s)
	if d.c.ReleasesLater() && d.IntN(4) == 0 {
		c := &x.Candidates[d.IntN(len(x.Candidates))]
		c.Drain = []time.Duration{0, d.e.Drain, min(d.e.Drain, d.moved(c.Drain))}[d.IntN(3)]
	}
	for i := range x.Faults {
		if f := &x.Faults[i]; slices.Equal(f.On, []string{"a"}) {
			f.On = []string{s.Candidates[d.IntN(len(s.Candidates))].ID}
		}
	}
	return x
}

// crowds returns scenarios to begin with: of the computed worst case, and of crowds that gather if they can, here or where the lease is
// shorter, by closings and without them.
func (d *closingClimber) crowds(r *bound.Result) (all []*scenarios.Scenario) {
	all = append(all, Witness(d.c, d.e, r.Playable()))
	for _, shorter := range []time.Duration{0, time.Second, d.c.RenewDeadline / 2} {
		less := *d.c
		less.LeaseDuration = max(less.RenewDeadline+time.Second, less.LeaseDuration-shorter).Truncate(time.Second)
		for _, closes := range []bool{false, true} {
			p := newCrowd(&less, d.e)
			p.closes = closes
			p.rounds(lenient{}, 2)
			for i := range p.s.Candidates {
				p.s.Candidates[i].LeaseDuration = d.c.LeaseDuration
			}
			p.s.Horizon += 2 * d.c.LeaseDuration
			all = append(all, p.s)
		}
	}
	for _, s := range all {
		for i := range s.Faults {
			if f := &s.Faults[i]; f.Until != nil {
				f.Until = new(min(*f.Until, time.Hour))
			}
		}
	}
	return all
}

// drain draws how long work goes on: as long as all stays safe, or as leaders do not gather, or a little less; or anything.
func (d *closingClimber) drain() (longest time.Duration) {
	var holds func(*bound.Result) bool
	switch d.IntN(5) {
	case 0:
		return d.upTo(d.c.LeaseDuration)
	case 1, 2:
		holds = func(r *bound.Result) bool { return r.Safe() }
	default:
		holds = func(r *bound.Result) bool { most, known := r.AtMost(); return known && most <= 2*d.c.LeaseDuration }
	}
	c, e := *d.c, *d.e
	c.Closes = true
	for step := d.c.LeaseDuration; step > 0; step /= 2 {
		e.Drain = longest + step
		if r, err := bound.Of(&c, &e); err == nil && holds(r) {
			longest = e.Drain
		}
	}
	return longest - min(longest, d.upTo(time.Second))
}

// TestReleasesClimbed: where an upper bound is known of releases whose clients close connections, or have a limiter, nobody shows more by
// changing what becomes of requests again and again, whatever he begins with.
func TestReleasesClimbed(t *testing.T) {
	t.Parallel()
	tried, runs, beyond := 0, 0, 0
	for n := uint64(0); tried < *closingClimbs; n++ {
		d := &closingClimber{Rand: rand.New(rand.NewPCG(*climbSeed+n, 19))}
		ms := func(least, most int) time.Duration {
			return time.Duration(least+d.IntN(most-least+1)) * time.Millisecond
		}
		timings := machine.Timings{RenewDeadline: ms(3_000, []int{20_000, 60_000}[d.IntN(2)])}
		timings.RetryPeriod = max([]time.Duration{time.Second, 300 * time.Millisecond}[d.IntN(2)], d.upTo(timings.RenewDeadline/2))
		timings.LeaseDuration = (timings.RetryPeriod + timings.RenewDeadline + d.upTo(timings.RenewDeadline)).Truncate(time.Second) + time.Second
		profile := []machine.Profile{machine.ClientGo, machine.ClientGoNext}[n%2]
		c := bound.Config{Timings: timings, Profile: profile, ReleaseOnCancel: true, Lock: plan.Lease, Client: &plan.Client{Retries: true}}
		if d.IntN(2) == 0 {
			c.RequestTimeout = plan.HalfOf(timings.RenewDeadline)
		}
		if d.IntN(2) == 0 {
			c.Client.QPS, c.Client.Burst = 5, 10
		}
		d.e = &bound.Environment{MaxRoundTrip: min(ms(20, 1500), (timings.LeaseDuration-timings.RetryPeriod-timings.RenewDeadline)/3)}
		d.c = &c
		if c.ReleasesLater() {
			d.e.Drain = d.drain()
		}
		worst, err := closing.WorstOf(&c, d.e, []time.Duration{c.RequestTimeout}, true)
		require.NoError(t, err)
		most, known := worst.Result.AtMost()
		if bound.Refused(&c) != nil || !known || worst.Result.Plan.Kind != bound.Wiped && !c.ReleasesLater() {
			continue
		}
		tried++
		for _, s := range d.crowds(worst.Result) {
			at, score := s, -s.Horizon
			for range *climbRuns / 2 {
				next := d.changeAny(at)
				w := gatetest.Watched(t, next)
				if got := w.Score(); w.Outside(next, d.e) == "" && got >= score {
					at, score = next, got
				}
				runs++
			}
			if score > max(0, worst.Result.Overlap)+time.Millisecond {
				beyond++
			}
			assert.LessOrEqual(t, score, max(0, most)+time.Millisecond, "seed %d: %+v in %+v: %+v", *climbSeed+n, c, *d.e, at.Faults)
		}
	}
	t.Logf("%d attacked, by %d scenarios; %d beyond what is shown", tried, runs, beyond)
}
