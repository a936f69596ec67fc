package outlook

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"interregnum/internal/forecast"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
)

// Tuner looks for timings that are safe and keep to the thresholds of its site.
type Tuner struct {
	Wish        *gate.Wish
	Environment gate.Environment
	Site        *Site
	Options     *forecast.Options
	// Start is called before each round of forecasts. What it returns is called with the progress, and at the end.
	Start func(name string) (progress func(*forecast.Forecast), done func())
	// Compare makes forecasts, as forecast.Compare does.
	Compare func(context.Context, []*forecast.Question, *forecast.Options) (*forecast.Comparison, error)
}

// Tuning is the answer of a Tuner.
type Tuning struct {
	Tuner *Tuner
	// Candidates are the configurations that were looked at, from the shortest worst failover to the longest. All are safe, and the best
	// of those that tolerate as long an outage.
	Candidates []*Candidate
	// Best is the first that surely keeps to all thresholds; nil if none does, and Obstacles says why then.
	Best      *Candidate
	Obstacles []Obstacle
}

// Candidate is a safe configuration, with its forecast.
type Candidate struct {
	gate.Choice
	Target *Target
	// Coarse: the forecast is not as precise as was asked, since the thresholds rule it out, or since it was not needed.
	Coarse bool
	// seen: it was looked at closely.
	seen bool
	// round has the forecasts that were made together with the last look at it, and place says which is its own.
	round *forecast.Comparison
	place int
}

// Obstacle is a wish that stands in the way: without it there is a configuration that meets the others.
type Obstacle struct {
	// Text says all if there is no Instead.
	Flag, Limit, Text string
	// Instead is the configuration that does best by the wish, of those that meet the others.
	Instead *Candidate
}

// coarseWindows is how many windows the first look at a candidate takes at most; the closer one takes this part of all that there may be.
const (
	coarseWindows = 600
	closePart     = 20
)

// The numbers of candidates that get a first look together, of those that are looked at closely then, and of those that are put between
// two others.
const (
	rungs   = 3
	closely = 3
	between = 6
)

// Tune looks for the configuration with the shortest worst failover that meets the wish and all thresholds. A few
// candidates at a time get a rough forecast; those that it does not rule out get precise ones, until one meets all.
func (t *Tuner) Tune(ctx context.Context) (*Tuning, error) {
	t.Wish.Environment = t.Environment.Environment
	r := &Tuning{Tuner: t}
	err := t.climb(ctx, t.bounded(), func(looked []*Candidate) (bool, error) {
		r.Candidates = append(r.Candidates, looked...)
		for next := r.next(); r.Best == nil && len(next) > 0; next = r.next() {
			if err := r.closer(ctx, next); err != nil {
				return false, err
			}
		}
		return r.Best != nil, nil
	})
	if err != nil {
		return nil, err
	}
	r.weigh()
	if r.Best == nil {
		if r.Obstacles, err = t.obstacles(ctx, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// climb takes a first look at the best configurations for ever longer outages, a few at a time, and passes these to done. It
// ends when done returns true, or when configurations for longer outages are of no use: those looked at lose leadership seldom
// enough already, and longer outages only make gaps longer.
func (t *Tuner) climb(ctx context.Context, w *gate.Wish, done func(looked []*Candidate) (bool, error)) error {
	next, stop := iter.Pull(w.Ladder())
	defer stop()
	for {
		var choices []gate.Choice
		for range rungs {
			if c, ok := next(); ok {
				choices = append(choices, c)
			}
		}
		if len(choices) == 0 {
			return nil
		}
		looked, err := t.look(ctx, choices, coarseWindows)
		if err != nil {
			return err
		}
		useless := looked[len(looked)-1].seldom()
		if over, err := done(looked); over || useless || err != nil {
			return err
		}
	}
}

// seldom tells whether the candidate surely keeps to the thresholds that a longer tolerated outage makes easier to keep to.
func (c *Candidate) seldom() bool {
	return !slices.ContainsFunc(c.Target.Checks, func(one Check) bool {
		return one.Flag != MaxGapP99 && one.Flag != MaxRequests && one.Verdict != Met
	})
}

// bounded returns the wish, with the limit on requests that a threshold adds: what is above it by arithmetic needs no forecast.
func (t *Tuner) bounded() *gate.Wish {
	w := *t.Wish
	if most := t.Site.Thresholds.MaxRequests; most != nil && *most > 0 && (w.MaxQPS == 0 || *most < w.MaxQPS) {
		w.MaxQPS = *most
	}
	return &w
}

// look makes forecasts of choices with the same random numbers, until the thresholds are decided, or after so many windows.
func (t *Tuner) look(ctx context.Context, choices []gate.Choice, windows int) ([]*Candidate, error) {
	var all []*Candidate
	for i := range choices {
		j, err := gate.Judge(asTarget(&choices[i]), &t.Environment.Environment)
		if err != nil {
			return nil, err
		}
		all = append(all, &Candidate{Choice: choices[i], Target: t.Site.target(j), Coarse: true})
	}
	o := *t.Options
	o.MaxWindows = min(windows, o.MaxWindows)
	o.Enough = func(known []*forecast.Forecast) bool {
		return !slices.ContainsFunc(known, func(f *forecast.Forecast) bool { return worst(t.Site.Thresholds.checks(f)) == Undecided })
	}
	return all, t.forecast(ctx, all, &o)
}

// forecast makes the forecasts of candidates together, and sets them and their verdicts. If there are several, each can be
// compared with the others of this call by Less.
func (t *Tuner) forecast(ctx context.Context, all []*Candidate, o *forecast.Options) error {
	if len(all) == 0 {
		return nil
	}
	var questions []*forecast.Question
	for _, c := range all {
		questions = append(questions, &c.Target.Question)
	}
	name := "timings"
	if len(all) == 1 {
		name = all[0].Target.Position.Part
	}
	progress, done := t.Start(name)
	defer done()
	with := *o
	with.Progress = progress
	c, err := t.Compare(ctx, questions, &with)
	if err != nil {
		return err
	}
	for i, one := range all {
		one.Target.judge(c.Forecasts[i])
		if len(all) > 1 {
			one.round, one.place = c, i
		}
	}
	return nil
}

// asTarget returns a target of the gate with that configuration.
func asTarget(c *gate.Choice) gate.Target {
	of := &c.Config
	return gate.Target{
		Position: files.Position{File: "timings", Part: timingsText(&of.Timings)},
		Config:   *of, Timeout: files.FixedTimeout(of.RequestTimeout), TimeoutFrom: "chosen",
	}
}

// next returns the candidates that are looked at closely next, by their places: the first that nothing rules out yet.
func (r *Tuning) next() (places []int) {
	for i, c := range r.Candidates {
		if !c.seen && c.Target.Verdict != Violated && len(places) < closely {
			places = append(places, i)
		}
	}
	return places
}

// closer looks closely at the candidates in those places, and at some between the first of them and the one before it. The first that
// still keeps to the thresholds where its figures are as precise as was asked is the best.
func (r *Tuning) closer(ctx context.Context, places []int) error {
	var choices []gate.Choice
	if i := places[0]; i > 0 && !r.Candidates[i-1].seen {
		choices = r.Tuner.bounded().Between(&r.Candidates[i-1].Choice, &r.Candidates[i].Choice, between)
	}
	for _, i := range places {
		choices = append(choices, r.Candidates[i].Choice)
	}
	looked, err := r.Tuner.look(ctx, choices, max(coarseWindows, r.Tuner.Options.MaxWindows/closePart))
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(r.Candidates, func(c *Candidate) bool {
		return slices.ContainsFunc(choices, func(other gate.Choice) bool { return other.Config == c.Config })
	})
	for _, c := range looked {
		c.seen = true
		if r.Best != nil || c.Target.Fails() {
			continue
		}
		if err := r.Tuner.forecast(ctx, []*Candidate{c}, r.Tuner.Options); err != nil {
			return err
		}
		if c.Coarse = false; !c.Target.Fails() {
			r.Best = c
		}
	}
	r.Candidates = append(kept, looked...)
	slices.SortStableFunc(r.Candidates, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(a.Failover, b.Failover), cmp.Compare(a.QPS, b.QPS))
	})
	return nil
}

// Undecided returns the candidates that may keep to the thresholds, before the best one: nothing was seen that decides it.
func (r *Tuning) Undecided() (all []*Candidate) {
	for _, c := range r.Candidates {
		if c == r.Best {
			break
		}
		if c.Target.Verdict == Undecided {
			all = append(all, c)
		}
	}
	return all
}

// weigh says which candidates nobody should choose.
func (r *Tuning) weigh() {
	var targets []*Target
	for _, one := range r.Candidates {
		targets = append(targets, one.Target)
	}
	weigh(targets, func(i, j int) forecast.Difference { return r.Candidates[i].Less(r.Candidates[j]) })
}

// Less returns how much less there is with c than with another candidate. If both were last looked at together, chance has hit them alike, and
// it comes from the differences of their windows.
func (c *Candidate) Less(other *Candidate) forecast.Difference {
	if c.round != nil && c.round == other.round {
		return c.round.Between(c.place, other.place)
	}
	apart := forecast.Comparison{Forecasts: []*forecast.Forecast{c.Target.Forecast, other.Target.Forecast}}
	return apart.Between(0, 1)
}
