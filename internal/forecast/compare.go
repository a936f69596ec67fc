package forecast

import (
	"context"
	"errors"
	"math"
)

// Difference is how much more of something there is in one forecast than in another, with an interval of its own. Values below 0
// say that there is less.
type Difference struct {
	// Losses and Requests are counts per second; Leaderless is a share of all time, as in Forecast.
	Losses, Leaderless, Requests Estimate
}

// Comparison has the forecasts of several questions, and how they differ from the first one.
type Comparison struct {
	Forecasts []*Forecast
	// Differences has for each forecast how it differs from the first; for the first itself it is 0.
	Differences []Difference
	campaigns   []*campaign
}

// Between returns how much more there is in the j-th forecast than in the i-th, both from 0. If the comparison has only
// Forecasts, its interval is that of independent forecasts.
func (c *Comparison) Between(i, j int) Difference {
	if c.campaigns != nil {
		return c.campaigns[i].difference(c.campaigns[j])
	}
	x, y := c.Forecasts[i], c.Forecasts[j]
	return Difference{minus(y.Losses, x.Losses), minus(y.Leaderless, x.Leaderless), minus(y.Requests, x.Requests)}
}

// Compare makes the forecasts of several questions, at least one, about the same behaviour with common random numbers: the same
// episodes come at the same phases of a poll in the windows of all questions. So chance hits all of them alike, and the interval
// of a difference is often narrower than those of the forecasts (Law: Simulation modeling and analysis, 2015, chapter 11.2). It
// ends when all forecasts are precise, when o.Enough returns true, or after o.MaxWindows windows for each question.
// Options.Progress gets the forecast of the first. It returns an error and nil if the behaviours differ or a question cannot be
// simulated. If ctx ends or a run fails later, it returns an error together with what is known until then; the comparison is nil
// if nothing is known.
func Compare(ctx context.Context, questions []*Question, o *Options) (*Comparison, error) {
	var all []*campaign
	o = o.part()
	for _, q := range questions {
		if q.Behaviour != questions[0].Behaviour {
			return nil, errors.New("questions that are compared want the same behaviour")
		}
		set, err := newSetting(q)
		if err != nil {
			return nil, err
		}
		c, err := newCampaign(ctx, set, o)
		if err != nil {
			return nil, err
		}
		for _, s := range c.samples {
			s.keeps = len(questions) > 1
		}
		all = append(all, c)
	}
	return compare(ctx, all, o)
}

// compare adds windows to all campaigns alike until all are precise, or o.Enough is true, or there are MaxWindows. After each
// batch it calls o.Progress, if that is set, with the first forecast. If it ends before, by an error or with ctx, it returns the
// error together with what is known until then; nil if nothing is known. There must be a campaign.
func compare(ctx context.Context, all []*campaign, o *Options) (known *Comparison, err error) {
	for counts := all[0].first(); ; {
		next, done := &Comparison{campaigns: all}, true
		for _, c := range all {
			f, err := c.add(ctx, counts)
			if err != nil {
				return known, err
			}
			next.Forecasts = append(next.Forecasts, f)
			done = done && c.enough()
		}
		for _, c := range all {
			next.Differences = append(next.Differences, all[0].difference(c))
		}
		known = next
		if o.Progress != nil {
			o.Progress(known.Forecasts[0])
		}
		if done || o.Enough != nil && o.Enough(known.Forecasts) || all[0].windows >= o.MaxWindows {
			return known, nil
		}
		counts = shares(all)
	}
}

// shares returns how many windows each stratum gets next, in every campaign. Each campaign decides about an equal part of them,
// by its own intervals. Their sum does not exceed what MaxWindows leaves.
func shares(all []*campaign) []int {
	counts := make([]int, len(all[0].samples))
	for _, c := range all {
		for i, n := range c.share(c.batch() / len(all)) {
			counts[i] += n
		}
	}
	return within(counts, all[0].o.MaxWindows-all[0].windows)
}

// within lowers the largest of counts, one by one, until their sum does not exceed the limit given as most, which must not be
// negative. It changes counts in place, and returns it.
func within(counts []int, most int) []int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	for ; sum > most; sum-- {
		largest := 0
		for i := range counts {
			if counts[i] > counts[largest] {
				largest = i
			}
		}
		counts[largest]--
	}
	return counts
}

// difference returns how much more the other campaign has seen than c; 0 if they are the same.
func (c *campaign) difference(other *campaign) Difference {
	if c == other {
		return Difference{}
	}
	return Difference{Losses: c.more(other, losses), Leaderless: c.more(other, leaderless), Requests: c.more(other, requests)}
}

// more returns how much more of a metric the other campaign has seen than c, as a rate per second. The intervals of the strata
// are put together by the method of variance estimates recovery.
func (c *campaign) more(other *campaign, m metric) Estimate {
	var all total
	for i := range c.samples {
		all.pair(one{c, c.samples[i], m}, one{other, other.samples[i], m})
	}
	return Estimate{all.value, all.value - math.Sqrt(all.down), all.value + math.Sqrt(all.up)}
}

// one stands for one metric of one campaign in one stratum.
type one struct {
	*campaign
	*sample
	metric
}

// weight returns how many windows of the stratum begin in a second of all time. The mean over windows, times weight, is the rate
// per second.
func (o one) weight() float64 { return o.usual * o.rate }

// few tells whether the metric was seen in so few windows that only Wilson's interval is right.
func (o one) few() bool { return o.seen[o.metric] < many }

// pair adds to t the difference b − a as a rate per second; both are of the same stratum and metric. If the metric is seen often
// in both, it estimates this from the differences of their windows, one by one. Otherwise it puts the two intervals together as
// if they were independent. It also does this in strata with a further episode: there the windows differ, since it depends on the
// timings how soon that episode comes.
func (t *total) pair(a, b one) {
	x := a.estimate()
	if a.further || a.few() || b.few() || a.rate == 0 || b.rate == 0 {
		t.add(1, minus(b.estimate(), x))
		return
	}
	// A window counts in b for nearly as much as in a. What that makes of a's mean is added apart, so that windows which are alike do not differ.
	t.add(1, x.times(b.weight()/a.weight()-1))
	var more, less sample
	for i := range min(len(a.kept), len(b.kept)) { // if it was interrupted, one may have windows that the other one has not
		d := b.weight() * (b.kept[i][b.metric] - a.kept[i][a.metric])
		more.see(max(0, d))
		less.see(max(0, -d))
	}
	t.add(1, differ(&more, &less, a, b))
	t.add(1, minus(Estimate{High: b.weight() * b.beside(b.set, b.metric)}, Estimate{High: a.weight() * a.beside(a.set, a.metric)}))
}

// differ returns by how much the windows of b show more than those of a, as a rate. The samples more and less have one window for
// each pair of windows, and use their first metric. It has the amount by which b shows more in the sample more, the amount by
// which b shows less in the sample less, and 0 in the other sample. If few pairs differ, both samples get the interval of what is
// seldom seen.
func differ(more, less *sample, a, b one) Estimate {
	if more.seen[0]+less.seen[0] < many {
		few := b.weight() * max(a.assumed(a.set, a.metric), b.assumed(b.set, b.metric))
		return minus(more.mean(0, few), less.mean(0, few))
	}
	n := float64(more.n)
	value := (more.sum[0] - less.sum[0]) / n
	variance := max(0, (more.squares[0]+less.squares[0])/n-square(value))
	half := math.Hypot(z*math.Sqrt(variance/n), math.Hypot(a.nearly(), b.nearly()))
	return Estimate{value, value - half, value + half}
}

// see adds to the sample a window with that value of the first metric. All its other metrics are 0.
func (s *sample) see(value float64) { s.add(&outcome{values: [metrics]float64{value}}) }

// times returns the estimate and its interval multiplied by n. If n is below 0, Low and High change places.
func (e Estimate) times(n float64) Estimate {
	return Estimate{n * e.Value, min(n*e.Low, n*e.High), max(n*e.Low, n*e.High)}
}

// minus returns y − x. Its interval is that for two independent estimates.
func minus(y, x Estimate) Estimate {
	value := y.Value - x.Value
	return Estimate{value, value - math.Hypot(y.Value-y.Low, x.High-x.Value), value + math.Hypot(y.High-y.Value, x.Value-x.Low)}
}

// estimate returns what the stratum adds to the rate of the metric, per second.
func (o one) estimate() Estimate {
	return o.sample.estimate(o.set, o.metric).times(o.weight())
}

// nearly returns by how much estimate can be wrong because windows in which the metric is 0 were seen too seldom to say how many
// there are. It is 0 if many such windows were seen.
func (o one) nearly() float64 {
	if o.n-o.seen[o.metric] >= many {
		return 0
	}
	down, _ := o.wilson(o.metric)
	return o.weight() * down * o.sum[o.metric] / float64(o.seen[o.metric])
}
