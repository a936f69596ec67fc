package kubernetes_test

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// seenFigures are what a real election showed.
type seenFigures struct {
	lasted time.Duration
	// losses are ends of work, tainted those shortly after this machine stood still.
	losses, tainted int
	// gaps are times in which nobody worked; sure leaves out those shortly after this machine stood still.
	leaderless, sure time.Duration
	gaps             []time.Duration
	// both is for how long two worked at once.
	both time.Duration
	// requests are by blocks of time.
	requests []float64
	// slower is by how much a period is longer than the behaviour says, since timers and answers are late.
	slower float64
	paused time.Duration
	late   time.Duration
}

// requestBlocks is how many blocks of time requests are counted in.
const requestBlocks = 20

// measure looks at the election from its first leader on, until the end.
func (e *election) measure(end time.Time, paused *stretches) *seenFigures {
	works := slices.SortedFunc(slices.Values(e.works.all), func(a, b stretch) int { return a.from.Compare(b.from) })
	s := &seenFigures{requests: make([]float64, requestBlocks)}
	if len(works) == 0 {
		return s
	}
	begin := works[0].from.Add(roughLease)
	s.lasted = end.Sub(begin)
	until := works[0].until
	for i, w := range works {
		if i > 0 && w.from.After(until) {
			s.gap(until, w.from, begin, paused.near(w.from))
		}
		if i > 0 && w.from.Before(until) {
			s.both += min(until.Sub(w.from), w.until.Sub(w.from))
		}
		if w.until.After(until) {
			until = w.until
		}
		if w.until.After(begin) && w.until.Before(end) {
			s.losses++
			if paused.near(w.until) {
				s.tainted++
			}
		}
	}
	if until.Before(end) {
		s.gap(until, end, begin, paused.near(end))
	}
	for _, at := range e.way.asked() {
		if i := int(at.Sub(begin) * requestBlocks / s.lasted); at.After(begin) && i < requestBlocks {
			s.requests[i]++
		}
	}
	for _, p := range paused.all {
		s.paused += p.until.Sub(p.from)
	}
	s.late = e.way.late()
	s.slower = s.paused.Seconds()/s.lasted.Seconds() + 2*(s.late+time.Millisecond).Seconds()/roughPeriod.Seconds()
	return s
}

// gap counts a time in which nobody worked.
func (s *seenFigures) gap(from, until, begin time.Time, tainted bool) {
	if from.Before(begin) {
		from = begin
	}
	d := until.Sub(from)
	if d <= 0 {
		return
	}
	s.gaps = append(s.gaps, d)
	s.leaderless += d
	if !tainted {
		s.sure += d
	}
}

// far is how many standard deviations a figure may be off: one of a thousand is further.
const far = 3.3

// refutes says which figures of a forecast do not fit. A figure fits if some value in the forecast's interval is one of those that may well give
// what was seen.
func (s *seenFigures) refutes(f *forecasted) (all []string) {
	fits := func(what string, e estimate, per time.Duration, low, high float64) {
		scale := s.lasted.Seconds() / per.Seconds()
		most := math.Inf(1)
		if e.High != nil {
			most = *e.High * scale
		}
		if e.Low*scale > high || most < low {
			all = append(all, fmt.Sprintf("%s: forecast %.4g to %.4g in %v, seen %.4g to %.4g", what, e.Low*scale, most, s.lasted.Round(time.Second), low, high))
		}
	}
	low, _ := poisson(s.losses - s.tainted)
	_, high := poisson(s.losses)
	const day = 24 * time.Hour
	fits("losses", f.LossesPerMonth, 30*day, low, high)
	// The variance of a sum of a random number of gaps is that number times the mean square, which is twice that of the mean if gaps are about
	// exponential. A few gaps that were seen say less of it than the forecast does.
	square, mean := 0.0, f.LeaderlessSecondsPerMonth.Value/f.LossesPerMonth.Value
	for _, g := range s.gaps {
		square += g.Seconds() * g.Seconds()
	}
	square = max(square, 2*mean*mean*f.LossesPerMonth.Value*s.lasted.Seconds()/(30*day).Seconds())
	off := far*math.Sqrt(square) + 0.01*float64(len(s.gaps))
	fits("seconds without a leader", f.LeaderlessSecondsPerMonth, 30*day, s.sure.Seconds()-off, s.leaderless.Seconds()+off)
	sum, squares := 0.0, 0.0
	for _, n := range s.requests {
		sum += n
		squares += n * n
	}
	n := float64(len(s.requests))
	off = 3.9 * math.Sqrt(max(0, squares-sum*sum/n)*n/(n-1)) // Student's t with 19 degrees of freedom, of the sum of 20 blocks
	fits("requests", f.RequestsPerDay, day, sum-off, (sum+off)*(1+s.slower))
	return all
}

// poisson returns the means of which each gives a count as small, or as large, in one of two thousand cases at least.
func poisson(n int) (low, high float64) {
	const tail = 0.0005
	below := func(mean float64, n int) float64 { // the probability of n or less
		term, sum := math.Exp(-mean), 0.0
		for i := 0; i <= n; i++ {
			sum += term
			term *= mean / float64(i+1)
		}
		return sum
	}
	find := func(so func(float64) bool) float64 {
		from, to := 0.0, 10*float64(n)+20
		for range 100 {
			if middle := (from + to) / 2; so(middle) {
				from = middle
			} else {
				to = middle
			}
		}
		return from
	}
	return find(func(mean float64) bool { return 1-below(mean, n-1) < tail }), find(func(mean float64) bool { return below(mean, n) > tail })
}

func (s *seenFigures) text() string {
	sum := 0.0
	for _, n := range s.requests {
		sum += n
	}
	gaps := slices.Sorted(slices.Values(s.gaps))
	middle := time.Duration(0)
	if len(gaps) > 0 {
		middle = gaps[len(gaps)/2]
	}
	return fmt.Sprintf("in %v: %d losses (%d after this machine stood still), %v without a leader in %d gaps (%v of it sure; half up to %v), two at once for %v, %.0f requests; "+
		"answers %v late on average, the machine stood still for %v in all", s.lasted.Round(time.Second), s.losses, s.tainted, s.leaderless.Round(time.Millisecond), len(gaps),
		s.sure.Round(time.Millisecond), middle.Round(time.Millisecond), s.both, sum, s.late, s.paused.Round(time.Millisecond))
}
