package forecast

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// z is the quantile of the normal distribution for intervals of 95 %.
const z = 1.959964

// total is the sum of several strata's estimates. down and up are the squares of how far its interval reaches below and above
// value, by the method of variance estimates recovery (Zou, Donner: Construction of confidence limits about effect measures,
// 2008).
type total struct{ value, down, up float64 }

// add adds to the sum an estimate that is multiplied by weight.
func (t *total) add(weight float64, e Estimate) {
	t.value += weight * e.Value
	t.down += square(weight * (e.Value - e.Low))
	t.up += square(weight * (e.High - e.Value))
}

// estimate returns the sum with its interval, which is cut at 0.
func (t *total) estimate() Estimate {
	return Estimate{t.value, max(0, t.value-math.Sqrt(t.down)), t.value + math.Sqrt(t.up)}
}

// square returns the square of x.
func square(x float64) float64 { return x * x }

// mean estimates the mean of a metric over the windows of a stratum. It estimates apart how often the metric is not 0, and what
// it is then. The first has Wilson's interval, which is right for rare events too (Wilson: Probable inference, 1927). few is used
// only if the metric was 0 in all windows: it is the assumed value in a window where it is not 0, and only High depends on it.
// Without windows the estimate is 0.
func (s *sample) mean(m metric, few float64) Estimate {
	n, k := float64(s.n), float64(s.seen[m])
	if n == 0 {
		return Estimate{}
	}
	mean := s.sum[m] / n
	if k == 0 {
		return Estimate{0, 0, s.unseen(few)}
	}
	variance := max(0, s.squares[m]/n-mean*mean)
	if k >= many && n-k >= many {
		skew := s.cubes[m]/n - 3*mean*s.squares[m]/n + 2*mean*mean*mean
		down, up := skewed(math.Sqrt(variance/n), skew/(math.Pow(variance, 1.5)*math.Sqrt(n)))
		return Estimate{mean, max(0, mean-down), mean + up}
	}
	share, of := k/n, s.sum[m]/k
	spread := share * z * math.Sqrt(max(0, s.squares[m]/k-of*of)/k)
	down, up := s.wilson(m)
	return Estimate{mean, max(0, mean-math.Hypot(of*down, spread)), mean + math.Hypot(of*up, spread)}
}

// unseen returns the upper end of the interval for the mean of something that was seen in no window. much is how much of it there
// is, by assumption, in a window that has any.
func (s *sample) unseen(much float64) float64 { return much * z * z / (float64(s.n) + z*z) }

// skewed returns how far below and above the seen mean of many values the true mean can lie, with 95 % certainty. err is the
// standard error of that mean. skew is the skewness of the values divided by the square root of their number: a few values that
// weigh much make the upper half longer (Hall: On the removal of skewness by transformation, 1992).
func skewed(err, skew float64) (down, up float64) {
	at := func(z float64) float64 {
		if !(math.Abs(skew) > 1e-6) {
			return z
		}
		return 3 / skew * (math.Cbrt(1+skew*(z-skew/6)) - 1)
	}
	return err * at(z), -err * at(-z)
}

// many is how often something must be seen, and how often not, so that a normal distribution describes its mean.
const many = 10

// wilson returns how far below and above the seen share of windows in which a metric is not 0 the true share can lie, with 95 %
// certainty. If there are few windows in which it is 0, up is at least down. s must have a window.
func (s *sample) wilson(m metric) (down, up float64) {
	n, k := float64(s.n), float64(s.seen[m])
	share := k / n
	center, width := (share+z*z/(2*n))/(1+z*z/n), z/(1+z*z/n)*math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	down, up = share-(center-width), center+width-share
	if n-k < many {
		up = max(up, down) // a window can hold more than one, too
	}
	return down, up
}

// assumed returns the value that a metric is assumed to have in a window where it is not 0, if it was 0 in all windows that were
// seen: what one loss adds at most. In usual times this is multiplied by how likely it is that a loss could have begun in a
// window. It is 0 in windows of a recording in which nothing can begin (region clean).
func (s *sample) assumed(set *setting, m metric) float64 {
	few := 1.0
	switch {
	case s.region == clean:
		few = 0 // no request of the recording is felt in it that could cost anybody the lock
	case s.episode < 0 && s.region == noRegion:
		// Nothing happens without a danger, and each was looked into; or so slow an answer that others may take the lock in time.
		few = min(1, s.sum[dangers]/max(1, float64(s.n)))
		if s.branches > s.n {
			few *= float64(s.n) / float64(s.branches)
		}
		few = min(1, few+s.taken(set))
	}
	return few * set.unit(m)
}

// taken returns an upper bound of how likely it is, in one window, that another candidate takes the lock from a leader that was
// answered in time. It is above 0 only for windows of usual times that replay no recording.
func (s *sample) taken(set *setting) float64 {
	if s.episode >= 0 || s.region != noRegion {
		return 0
	}
	return min(1, (usualPolls+2)*set.overtaken)
}

// unit returns how much of a metric one loss adds at most: in seconds for a time, otherwise 1.
func (s *setting) unit(m metric) float64 {
	if m == leaderless || m == overlapTime {
		return (s.Candidate.LeaseDuration + s.Candidate.RenewDeadline).Seconds()
	}
	return 1
}

// estimate returns the mean of a metric over the windows of a stratum, with its interval, as the method mean estimates it. It
// raises the upper end of the interval for what windows seldom show: losses without a danger, and two episodes together.
func (s *sample) estimate(set *setting, m metric) Estimate {
	e := s.mean(m, s.assumed(set, m))
	e.High += s.beside(set, m)
	if s.further && m == leaderless {
		// Two episodes together may do what is seen in few windows, and is far worse than what the others show.
		e.High = max(e.High, e.Value+s.unseen(set.unit(m)))
	}
	return e
}

// beside returns by how much a metric can exceed what branches show. Branches begin with a danger, and do not show a lock that is
// taken without one. It is 0 if a window has shown such a loss, if assumed allows for it already, and for requests and dangers.
func (s *sample) beside(set *setting, m metric) float64 {
	if s.seen[m] == 0 || s.plain > 0 || m == requests || m == dangers {
		return 0 // assumed has it, or it was seen
	}
	return s.unseen(s.taken(set) * set.unit(m))
}

// sum estimates a metric over strata, as a rate per second of all time. usual is the share of all time that is usual. Where no
// overlap was seen in a stratum, High of the metric overlaps is cut at what overlapsAtMost returns.
func sum(set *setting, all []*sample, m metric, usual float64) Estimate {
	var t total
	for _, s := range all {
		e := s.estimate(set, m)
		if m == overlaps && e.Value == 0 {
			e.High = min(e.High, s.overlapsAtMost(set))
		}
		t.add(usual*s.rate, e)
	}
	return t.estimate()
}

// gapsOf returns the distribution of all gaps that were seen in these samples. It is the zero Gaps if none was seen. An end
// of a quantile's interval that lies beyond all gaps that were seen is 0 or infinite.
func gapsOf(all []*sample) (g Gaps) {
	var list []gap
	sum, squares := 0.0, 0.0
	for _, s := range all {
		if s.rate == 0 {
			continue // there are no such windows with this recording and these timings
		}
		unit := s.rate / float64(s.n)
		for _, x := range s.gaps {
			x.weight *= unit
			sum += x.weight
			list = append(list, x)
		}
		squares += unit * unit * s.gapSquares
	}
	if len(list) == 0 || sum == 0 {
		return g
	}
	slices.SortFunc(list, func(a, b gap) int { return cmp.Or(cmp.Compare(a.seconds, b.seconds), cmp.Compare(a.weight, b.weight)) })
	at := func(p float64) float64 {
		before := p * sum
		for _, x := range list {
			if before -= x.weight; before < 0 {
				return x.seconds
			}
		}
		return list[len(list)-1].seconds
	}
	windows := int(sum * sum / squares * (1 + 1e-9)) // so many that weigh alike say as much
	quantile := func(p float64) Estimate {
		low, high := ranks(windows, p)
		e := Estimate{at(p), 0, math.Inf(1)}
		if low > 0 {
			e.Low = at(low)
		}
		if high < 1 {
			e.High = at(high)
		}
		return e
	}
	g.P50, g.P99, g.Seen = quantile(0.5), quantile(0.99), len(list)
	g.Percentiles = percentiles(list, sum)
	g.Worst = time.Duration(list[len(list)-1].seconds * float64(time.Second))
	return g
}

// percentiles returns the first to the 99th percentile of gaps, in seconds. sorted must not be empty; its weights add up to sum.
func percentiles(sorted []gap, sum float64) (all []float64) {
	before := 0.0
	for _, g := range sorted {
		before += g.weight
		for len(all) < 99 && before > float64(len(all)+1)/100*sum {
			all = append(all, g.seconds)
		}
	}
	for len(all) < 99 {
		all = append(all, sorted[len(sorted)-1].seconds) // what rounding has left
	}
	return all
}
