package stage

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/closing"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

var (
	closingClimbs = flag.Int("closing.climbs", few.Of(16), "how many configurations TestClosingsClimbed attacks")
	climbRuns     = flag.Int("closing.runs", 200, "in how many scenarios each")
	climbSeed     = flag.Uint64("closing.first", 1, "seed of the first")
)

// closingClimber changes scenarios of one leader with a client of its own and of a follower that sees everything at once. It knows what the
// environment allows and nothing of how a worst case is computed: each answer comes within maxRoundTrip, or is lost, or is an error.
type closingClimber struct {
	*rand.Rand
	c *bound.Config
	e *bound.Environment
}

// upTo draws a duration from 0 to most, small ones more often than large ones.
func (d *closingClimber) upTo(most time.Duration) time.Duration {
	x := d.Float64()
	return time.Duration(x * x * x * float64(most))
}

// fault draws what becomes of a's requests for some time.
func (d *closingClimber) fault() scenarios.Fault {
	at := d.upTo(2 * time.Minute)
	f := scenarios.Fault{At: at, Until: new(at + time.Millisecond + d.upTo(time.Minute)), On: []string{"a"}}
	switch d.IntN(7) {
	case 0:
		f.Kind, f.Leg = plan.FaultLose, plan.RequestLeg
	case 1, 2:
		f.Kind, f.Leg = plan.FaultLose, plan.ResponseLeg
	case 3:
		f.Kind = plan.FaultPartition
	case 4:
		f.Kind, f.Status, f.Applied = plan.FaultError, 500, d.IntN(2) == 0
	case 5: // something else is read on the connection
		f.Kind, f.Until = plan.FaultFrame, nil
	default:
		back := always(d.upTo(d.e.MaxRoundTrip) - d.upTo(time.Millisecond))
		back = always(max(back.Min, 0))
		f.Kind, f.Response = plan.FaultDelay, &back
	}
	return f
}

// moved returns t moved by a little, or by much.
func (d *closingClimber) moved(t time.Duration) time.Duration {
	by := time.Duration(d.NormFloat64() * float64(time.Microsecond) * [...]float64{30, 1000, 30_000, 1_000_000}[d.IntN(4)])
	return max(0, t+by)
}

// change returns a copy of s that differs in one thing or two.
func (d *closingClimber) change(s *scenarios.Scenario) *scenarios.Scenario {
	x := *s
	x.Candidates, x.Faults = slices.Clone(s.Candidates), slices.Clone(s.Faults)
	for range 1 + d.IntN(2) {
		i := 0
		if len(x.Faults) > 0 {
			i = d.IntN(len(x.Faults))
		}
		switch n := d.IntN(10); {
		case n == 0 || len(x.Faults) == 0:
			x.Faults = append(x.Faults, d.fault())
		case n == 1:
			x.Faults = slices.Delete(x.Faults, i, i+1)
		case n == 2:
			a := &x.Candidates[0]
			a.FirstJitters = slices.Clone(a.FirstJitters)
			for len(a.FirstJitters) < 12 {
				a.FirstJitters = append(a.FirstJitters, *a.Jitter)
			}
			j := d.IntN(12)
			a.FirstJitters[j] = min(0.999, max(0, a.FirstJitters[j]+d.NormFloat64()*[...]float64{0.001, 0.1, 1}[d.IntN(3)]))
		case n == 3: // all that comes later, too
			by := d.moved(time.Second) - time.Second
			from := x.Faults[i].At
			for k := range x.Faults {
				f := &x.Faults[k]
				if f.At >= from {
					f.At = max(0, f.At+by)
					if f.Until != nil {
						f.Until = new(max(f.At+1, *f.Until+by))
					}
				}
			}
		case n == 4 && x.Faults[i].Response != nil:
			back := always(min(d.moved(x.Faults[i].Response.Min), d.e.MaxRoundTrip-20*time.Microsecond))
			x.Faults[i].Response = &back
		case n < 8 && x.Faults[i].Until != nil:
			x.Faults[i].Until = new(max(x.Faults[i].At+1, d.moved(*x.Faults[i].Until)))
		default:
			f := &x.Faults[i]
			f.At = d.moved(f.At)
			if f.Until != nil {
				f.Until = new(max(f.At+1, *f.Until))
			}
		}
	}
	return &x
}

// begins returns scenarios to begin with: those of the computed worst cases, also without closings, and one of nothing.
func (d *closingClimber) begins(r *bound.Result) (all []*scenarios.Scenario) {
	if closable(d.c) {
		for _, complete := range closedCourses {
			s := newStage(d.c, d.e)
			if complete(s); len(s.s.Candidates) > 0 {
				all = append(all, s.s)
			}
		}
	}
	if !r.Playable().Safe() {
		all = append(all, Witness(d.c, d.e, r.Playable()))
	}
	s := newStage(d.c, d.e)
	s.candidate("a", 0, 0.3, scenarios.Clock{})
	all = append(all, s.s)
	for _, s := range all {
		if s.Candidates[0].Client == nil {
			s.Candidates[0].Client = &plan.Client{Retries: true}
		}
		b := s.Candidates[0]
		b.ID, b.FirstJitters, b.RetryPeriod, b.StartAt, b.Client = "b", nil, b.RenewDeadline/800, 20*time.Millisecond, nil
		s.Candidates = []scenarios.Candidate{s.Candidates[0], b}
		s.Name, s.Horizon = "climbed", 70*time.Second+4*b.RenewDeadline
		for k := range s.Faults {
			if f := &s.Faults[k]; f.Until != nil {
				f.Until = new(min(*f.Until, time.Hour))
			}
		}
	}
	return all
}

// TestClosingsClimbed: nobody shows more than is computed for a client that closes its connections, by changing what becomes of its
// requests again and again, whatever he begins with. A wrong bound would be seen: where it is exact, he comes near it.
func TestClosingsClimbed(t *testing.T) {
	t.Parallel()
	exact, reached := 0, 0
	for n := range uint64(*closingClimbs) {
		d := &closingClimber{Rand: rand.New(rand.NewPCG(*climbSeed+n, 17))}
		ms := func(least, most int) time.Duration {
			return time.Duration(least+d.IntN(most-least+1)) * time.Millisecond
		}
		timings := machine.Timings{RenewDeadline: ms(4_000, []int{36_000, 110_000}[d.IntN(2)])}
		timings.RetryPeriod = max(time.Second, time.Duration(d.Float64()*float64(timings.RenewDeadline)/2))
		timings.LeaseDuration = (timings.RenewDeadline + d.upTo(timings.RenewDeadline)).Truncate(time.Second) + time.Second
		d.e = &bound.Environment{MaxRoundTrip: ms(20, 2500)}
		kind, _ := plan.ClientKindNamed("controller-runtime")
		d.c = &bound.Config{Timings: timings, Profile: machine.ClientGo, Client: kind.Client.Clone(), RequestTimeout: plan.HalfOf(timings.RenewDeadline)}
		w, err := closing.WorstOf(d.c, d.e, []time.Duration{d.c.RequestTimeout}, true)
		require.NoError(t, err)
		most, known := w.Result.AtMost()
		if !known {
			continue
		}
		best := time.Duration(0)
		for _, s := range d.begins(w.Result) {
			at := s
			score := gatetest.Overlap(t, s)
			for range *climbRuns {
				next := d.change(at)
				if got := gatetest.Overlap(t, next); got >= score {
					at, score = next, got
				}
			}
			best = max(best, score)
			if score > max(0, most)+time.Millisecond {
				t.Errorf("seed %d: %v, answers within %v: computed %v, shown %v\n%+v\n%+v", *climbSeed+n, timings, d.e.MaxRoundTrip, most, score, at.Candidates[0], at.Faults)
			}
		}
		if !w.Result.Upper && most > 0 {
			if exact++; best > most-100*time.Millisecond {
				reached++
			}
		}
		t.Logf("%v %v: computed %v (upper %v), shown %v", timings, d.e.MaxRoundTrip, most, w.Result.Upper, best)
	}
	t.Logf("%d exact, %d nearly reached", exact, reached)
	if exact > 5 {
		assert.Positive(t, reached)
	}
}
