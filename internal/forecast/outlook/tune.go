package outlook

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"interregnum/internal/forecast"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
)

// Tuner looks for timings that are safe and keep to the thresholds of its site.
type Tuner struct {
	Wish        *gate.Wish
	Environment gate.Environment
	Site        *Site
	Options     *forecast.Options
	// Start is called before each round of forecasts. Of the functions that it returns, progress is called with what is known so
	// far, and done at the end.
	Start func(name string) (progress func(*forecast.Forecast), done func())
	// Compare makes forecasts, as forecast.Compare does.
	Compare func(context.Context, []*forecast.Question, *forecast.Options) (*forecast.Comparison, error)
}

// Tuning is what a Tuner has found.
type Tuning struct {
	Tuner *Tuner
	// Candidates are the configurations that were looked at, from the shortest worst failover to the longest. All are safe. Each
	// has the shortest worst failover of all safe configurations that tolerate an outage as long.
	Candidates []*Candidate
	// Best is the first candidate that surely keeps to all thresholds. It is nil if none does; Obstacles then say why.
	Best      *Candidate
	Obstacles []Obstacle
}

// Candidate is a safe configuration, with its forecast.
type Candidate struct {
	gate.Choice
	Target *Target
	// Coarse: the forecast is not as precise as was asked. The thresholds rule the candidate out already, or its precise forecast
	// was not needed.
	Coarse bool
	// seen: it was looked at closely, which is the second look.
	seen bool
	// round has the forecasts that were made together in the last look at it, and place is the index of its own forecast there.
	round *forecast.Comparison
	place int
}

// Obstacle is a wish that stands in the way: without it, there is a configuration that meets all the others.
type Obstacle struct {
	// Flag and Limit name the wish. If Instead is nil, they are "", and Text says everything.
	Flag, Limit, Text string
	// Instead is, of the configurations that meet all other wishes, the one that does best by this wish.
	Instead *Candidate
}

// The numbers of windows that the first look at a candidate and the closer look take.
const (
	// coarseWindows is how many windows the first look at a candidate takes at most.
	coarseWindows = 600
	// closePart: the closer look takes the closePart-th part of Options.MaxWindows, but at least coarseWindows.
	closePart = 20
)

// The numbers of candidates that are looked at together.
const (
	// rungs is how many candidates get a first look together.
	rungs = 3
	// closely is how many of them are then looked at closely together.
	closely = 3
	// between is how many further candidates are put between two others, at most.
	between = 6
)

// Tune looks for the configuration with the shortest worst failover that meets the wish and all thresholds. A few candidates at a
// time get a rough forecast. Those that it does not rule out get a closer look and then a precise forecast, until one candidate
// meets everything. The error is that of the gate or of a forecast. Tune stores t.Environment in t.Wish.
func (t *Tuner) Tune(ctx context.Context) (*Tuning, error) {
	t.Wish.In(&t.Environment.Environment)
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

// climb takes a first look at the best configurations for ever longer outages, a few at a time, and calls done with each group.
// It ends when done returns true, when no configurations remain, or when those for longer outages are of no use, since the last
// one loses leadership seldom enough already, and longer outages only make gaps longer. It returns the error of the gate, of a
// forecast or of done.
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

// seldom tells whether the candidate surely keeps to all thresholds that become easier to keep if a longer outage is tolerated:
// those on losses, availability and overlaps.
func (c *Candidate) seldom() bool {
	return !slices.ContainsFunc(c.Target.Checks, func(one Check) bool {
		return one.Flag != MaxGapP99 && one.Flag != MaxRequests && one.Verdict != Met
	})
}

// bounded returns a copy of the wish that also has the limit on requests of a threshold, if that is lower: a configuration above
// it needs no forecast.
func (t *Tuner) bounded() *gate.Wish {
	w := *t.Wish
	if most := t.Site.Thresholds.MaxRequests; most != nil && *most > 0 && (w.MaxQPS == 0 || *most < w.MaxQPS) {
		w.MaxQPS = *most
	}
	return &w
}

// look judges choices by the gate, makes their forecasts together, with the same random numbers, and returns a candidate for each
// choice, with Coarse set. The forecasts end when all thresholds are decided, when they are precise, or when each has the number
// of windows that is given, or o.MaxWindows if that is less. The error is that of the gate or of a forecast.
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

// forecast makes the forecasts of candidates together, and sets their forecasts and verdicts. If there are several candidates, it
// also sets round and place, so that Less can compare each with the others of this call. It returns the error of Compare, even if
// something is known by then.
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

// asTarget returns a choice as a target of the gate, whose name is its timings.
func asTarget(c *gate.Choice) gate.Target {
	of := &c.Config
	t := gate.Target{
		Position: files.Position{File: "timings", Part: timingsText(&of.Timings)},
		Config:   *of, Timeout: programs.FixedTimeout(of.RequestTimeout), TimeoutFrom: "chosen",
	}
	if of.Client != nil {
		t.ClientFrom = "given"
	}
	return t
}

// next returns the indexes of the candidates that are to be looked at closely next: the first ones that were not yet looked at
// closely and that no threshold rules out, at most as many as the constant closely says. It returns nil if there are none.
func (r *Tuning) next() (places []int) {
	for i, c := range r.Candidates {
		if !c.seen && c.Target.Verdict != Violated && len(places) < closely {
			places = append(places, i)
		}
	}
	return places
}

// closer looks closely at the candidates with those indexes and, unless the candidate before the first of them has been looked at
// closely, at further ones between these two. It puts the results into r.Candidates. For those that surely keep to all thresholds,
// in order, it makes forecasts as precise as was asked, and stores the first that still keeps to all of them in r.Best. It returns
// the error of the gate or of a forecast; r must not be used after that.
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

// Undecided returns the candidates before the best one, or all if there is none, of which it is not known whether they keep to
// the thresholds.
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

// weigh sets Worse of every candidate: to a better candidate for those that nobody should choose, and to nil for all others.
func (r *Tuning) weigh() {
	var targets []*Target
	for _, one := range r.Candidates {
		targets = append(targets, one.Target)
	}
	weigh(targets, func(i, j int) forecast.Difference { return r.Candidates[i].Less(r.Candidates[j]) })
}

// Less returns how much less there is with c than with other: of losses, leaderless time and requests. If both were last looked
// at together, chance has hit them alike, and it computes this from the differences of their windows. Otherwise it takes the two
// forecasts as independent.
func (c *Candidate) Less(other *Candidate) forecast.Difference {
	if c.round != nil && c.round == other.round {
		return c.round.Between(c.place, other.place)
	}
	apart := forecast.Comparison{Forecasts: []*forecast.Forecast{c.Target.Forecast, other.Target.Forecast}}
	return apart.Between(0, 1)
}
