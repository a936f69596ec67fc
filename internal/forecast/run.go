package forecast

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"interregnum/internal/behaviour"
)

// The numbers of windows. Each stratum has at least fewest windows, and one with a further episode the fewerFurther-th part of
// that, since few such windows come. A batch of further windows has batchLeast, or half as many as there are already if that is
// more.
const (
	fewest       = 400
	fewerFurther = 8
	batchLeast   = 500
	// unseen is how many windows are simulated if nothing at all is seen in them.
	unseen = 5000
)

// Run makes the forecast of one question. It returns an error, and no forecast, if something in the question cannot be simulated,
// and if ctx ends before the forecast is complete.
func Run(ctx context.Context, q *Question, o *Options) (*Forecast, error) {
	c, err := Compare(ctx, []*Question{q}, o)
	if err != nil {
		return nil, err
	}
	return c.Forecasts[0], nil
}

// newCampaign returns a campaign without windows, which has learned in each stratum which fates lead to a loss. It returns an
// error if MaxWindows is less than one window for each stratum, if a run fails, or if ctx ends.
func newCampaign(ctx context.Context, set *setting, o *Options) (*campaign, error) {
	strata := set.strata()
	if o.MaxWindows < len(strata) {
		return nil, fmt.Errorf("%d windows at most: want %d or more, one of each sort", o.MaxWindows, len(strata))
	}
	shards := max(1, int(o.Shards))
	c := &campaign{set: set, o: o, fewest: min((fewest+shards-1)/shards, o.MaxWindows/len(strata)), unseen: unseen / shards}
	var err error
	if c.usual, err = set.usual(ctx, strata, o.Seed); err != nil {
		return nil, err
	}
	for range max(1, o.Workers) {
		c.plays = append(c.plays, newPlay(set))
	}
	for i := range strata {
		s := &sample{stratum: &strata[i], place: place{stratum: i}}
		if o.Kept != nil {
			s.place.target = o.Kept.target(set.Question)
		}
		if s.further {
			s.values = c.samples[i-1].values // which fates lead to a loss is the same as in the stratum without
		} else if err := s.learn(ctx, c.plays[0], set, mix(^o.Seed, uint64(i)), cmp.Or(o.learning, learning)); err != nil {
			return nil, err
		}
		c.samples = append(c.samples, s)
	}
	return c, nil
}

// campaign is a forecast that is being made.
type campaign struct {
	set *setting
	o   *Options
	// fewest is how many windows each stratum has at least, except those with a further episode, which have fewer. unseen is how
	// many windows there are if nothing at all is seen in them.
	fewest, unseen int

	samples []*sample
	plays   []*play
	// usual is the share of all time that is in no window of an episode.
	usual   float64
	windows int
}

// first returns how many windows of each stratum are simulated in the first batch: c.fewest, or fewer, but at least one, for a
// stratum with a further episode.
func (c *campaign) first() []int {
	counts := make([]int, len(c.samples))
	for i, s := range c.samples {
		counts[i] = c.fewest
		if s.further {
			counts[i] = max(1, c.fewest/fewerFurther)
		}
	}
	return counts
}

// batch returns how many windows are to be added next: batchLeast, or half as many as there are if that is more, but no more than
// MaxWindows leaves.
func (c *campaign) batch() int { return min(max(batchLeast, c.windows/2), c.o.MaxWindows-c.windows) }

// add simulates so many further windows of each stratum, and returns the forecast that follows from all windows so far. It
// returns an error, and adds nothing to the samples, if a run fails or ctx ends; c.windows counts the windows all the same.
func (c *campaign) add(ctx context.Context, counts []int) (*Forecast, error) {
	var jobs []job
	for i, n := range counts {
		for k := range n {
			jobs = append(jobs, job{c.samples[i], c.o.index(c.samples[i].n + k)})
		}
	}
	c.windows += len(jobs)
	if err := c.runAll(ctx, jobs); err != nil {
		return nil, err
	}
	return c.forecast(), nil
}

// share divides n windows among the strata. It takes the wider interval of losses and of leaderless time, and divides so that
// this becomes narrow as soon as possible: by each stratum's weight times its standard deviation (Neyman's allocation). Each
// stratum gets one more, so that the sum can exceed n.
func (c *campaign) share(n int) []int {
	m := losses
	if c.width(leaderless) > c.width(losses) {
		m = leaderless
	}
	needs, all := make([]float64, len(c.samples)), 0.0
	for i, s := range c.samples {
		e := s.estimate(c.set, m)
		needs[i] = s.rate * (e.High - e.Low) * math.Sqrt(float64(s.n))
		all += needs[i]
	}
	counts := make([]int, len(needs))
	for i := range counts {
		counts[i] = 1
		if all > 0 {
			counts[i] += int(float64(n) * needs[i] / all)
		}
	}
	return counts
}

// forecast returns the forecast that follows from all windows so far.
func (c *campaign) forecast() *Forecast {
	of := func(m metric) Estimate { return sum(c.set, c.samples, m, c.usual) }
	f := &Forecast{
		Losses: of(losses), Restarts: of(restarts), Requests: of(requests), Overlaps: of(overlaps), Leaderless: of(leaderless),
		Gaps: gapsOf(c.samples), Causes: c.causes(), Windows: c.windows,
	}
	f.Leaderless = Estimate{min(1, f.Leaderless.Value), min(1, f.Leaderless.Low), min(1, f.Leaderless.High)}
	if f.CutOff = c.cutOff(); f.CutOff > 0 {
		f.Leaderless.High = 1
	}
	if n := f.Overlaps.Value; n > 0 {
		t := of(overlapTime)
		f.OverlapLength = Estimate{t.Value / n, t.Low / n, t.High / n}
	}
	f.Precise = c.width(losses) <= c.o.Precision && c.width(leaderless) <= c.o.Precision && c.looked(losses) && c.looked(leaderless)
	f.Rare = !f.Precise && c.enough()
	return f
}

// cutOff returns for how long each gap was followed, at least, that had not ended when its run did; 0 if all gaps have ended.
func (c *campaign) cutOff() time.Duration {
	for _, s := range c.samples {
		if s.seen[cut] > 0 {
			return c.set.runOut
		}
	}
	return 0
}

// causes returns the part of the forecast that comes from usual times, and that from each of Behaviour.Episodes, in this order.
func (c *campaign) causes() (all []Cause) {
	names := c.names()
	for i := -1; i < len(c.set.Behaviour.Episodes); i++ {
		var of []*sample
		for _, s := range c.samples {
			if s.episode == i {
				of = append(of, s)
			}
		}
		all = append(all, Cause{
			Name: names[i+1], Losses: sum(c.set, of, losses, c.usual), Leaderless: sum(c.set, of, leaderless, c.usual), Gaps: gapsOf(of),
		})
	}
	return all
}

// names returns the names of the causes, in the order of causes. Of several episodes of a kind each has a number after its kind.
func (c *campaign) names() []string {
	all := []string{"usual times"}
	kinds := map[behaviour.Kind]int{}
	for i := range c.set.Behaviour.Episodes {
		kinds[c.set.Behaviour.Episodes[i].Kind]++
	}
	place := map[behaviour.Kind]int{}
	for i := range c.set.Behaviour.Episodes {
		k := c.set.Behaviour.Episodes[i].Kind
		place[k]++
		if kinds[k] == 1 {
			all = append(all, string(k))
		} else {
			all = append(all, fmt.Sprintf("%s %d", k, place[k]))
		}
	}
	return all
}
