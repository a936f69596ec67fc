package closing

import (
	"time"

	"interregnum/internal/bound"
)

// Worst is the worst result of a configuration, over several request timeouts and closings.
type Worst struct {
	Result *bound.Result
	// Config is the configuration with the request timeout of the result. Closing is the result's closing, or 0 for none.
	Config  bound.Config
	Closing time.Duration
	// Covered: closings, or the time that a new connection takes, make an overlap possible that is longer than what any plan shows.
	// Result.Overlap is an upper bound of it.
	Covered bool
}

// WorstOf returns the worst result of c in e with one of the request timeouts and one of the closings that Judged returns. The upper bound
// of the result, by its AtLeast and Slack, holds for all of them. It is an error if one of them has no bound.
func WorstOf(c *bound.Config, e *bound.Environment, timeouts []time.Duration, closes bool) (*Worst, error) {
	w := &Worst{}
	var all, covers []*bound.Result
	for _, d := range timeouts {
		c := *c
		c.RequestTimeout = d
		for _, closing := range Judged(&c, e, closes) {
			r, err := Of(bound.Of, c, e, closing)
			if err != nil {
				return nil, err
			}
			if closing == Any || closing == Dials {
				covers = append(covers, r)
				continue
			}
			all = append(all, r)
			if w.Result == nil || r.Unbounded && !w.Result.Unbounded ||
				r.Unbounded == w.Result.Unbounded && r.Overlap > w.Result.Overlap {
				w.Result, w.Config, w.Closing = r, c, closing
			}
		}
	}
	atMost(w.Result, all)
	for _, r := range covers {
		w.cover(r)
	}
	return w, nil
}

// cover raises the upper bound of w.Result to that of the result given as most, which is the one for Any or Dials. If most has the
// longer overlap, w.Result becomes most, still with the plan that w.Result shows, and w.Covered is set. AtLeast and Slack of
// w.Result then give the higher of the two upper bounds, or none if one of them is not known. If most is Unbounded, w.Result becomes so,
// and stays otherwise as it is, unless it is safe. cover does nothing if w.Result is Unbounded.
func (w *Worst) cover(most *bound.Result) {
	shown := w.Result
	switch {
	case shown.Unbounded:
		return
	case most.Unbounded && !shown.Safe():
		w.Result = shown.Without(most.Plan.Endless)
		return
	}
	if most.Overlap > shown.Overlap {
		w.Result, w.Covered = most.Showing(shown), true
	}
	atMost(w.Result, []*bound.Result{shown, most})
}

// atMost changes worst.AtLeast and worst.Slack so that the upper bound of worst holds for all results. If the upper bound of one
// of them is not known, worst has none either. It changes nothing if worst is safe or has no known upper bound.
func atMost(worst *bound.Result, all []*bound.Result) {
	most, known := worst.AtMost()
	if !known || worst.Safe() {
		return
	}
	for _, r := range all {
		longest, bounded := r.AtMost()
		if !bounded {
			worst.AtLeast, worst.Slack = true, 0
			return
		}
		most = max(most, longest)
	}
	if most > worst.Overlap {
		worst.AtLeast, worst.Slack = true, most-worst.Overlap
	}
}
