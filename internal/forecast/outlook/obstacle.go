package outlook

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"interregnum/elector/machine"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files/programs"
)

// obstacles returns the wishes that stand in the way alone: for each of them, a candidate would meet all the others. Thresholds
// come first; they are judged by the forecasts that r has. Then come the wishes that the gate judges, for which it makes further
// forecasts. If the gate has found no candidate at all, it returns the gate's obstacles, as texts. The error is that of the gate
// or of a forecast.
func (t *Tuner) obstacles(ctx context.Context, r *Tuning) (all []Obstacle, err error) {
	if len(r.Candidates) == 0 {
		for _, text := range t.bounded().Obstacles() {
			all = append(all, Obstacle{Text: text})
		}
		return all, nil
	}
	for _, check := range r.Candidates[0].Target.Checks {
		if c := r.bestWithout(check.Flag); c != nil {
			all = append(all, Obstacle{Flag: check.Flag, Limit: check.Limit, Instead: c})
		}
	}
	for _, o := range t.relaxed() {
		if slices.ContainsFunc(all, func(x Obstacle) bool { return x.Flag == o.flag }) {
			continue
		}
		var found []*Candidate
		err := t.climb(ctx, &o.wish, func(looked []*Candidate) (bool, error) {
			found = slices.DeleteFunc(looked, func(c *Candidate) bool { return !c.keepsBut(o.flag) })
			return len(found) > 0, nil
		})
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			all = append(all, Obstacle{Flag: o.flag, Limit: o.limit, Instead: slices.MinFunc(found, o.by)})
		}
	}
	return all, nil
}

// bestWithout returns, of the candidates that surely keep to all thresholds but that one, the one that does best by it; nil if
// there is none.
func (r *Tuning) bestWithout(flag string) (best *Candidate) {
	for _, c := range r.Candidates {
		if !c.keepsBut(flag) {
			continue
		}
		if best == nil || c.Target.cost(flag) < best.Target.cost(flag) {
			best = c
		}
	}
	return best
}

// keepsBut tells whether the candidate surely keeps to all thresholds, not counting the one with that flag.
func (c *Candidate) keepsBut(flag string) bool {
	return !slices.ContainsFunc(c.Target.Checks, func(one Check) bool { return one.Flag != flag && one.Verdict != Met })
}

// Asked returns the figure that a threshold limits, by the threshold's flag. For any other flag it returns a figure that is
// Unseen. The target must have a forecast.
func (t *Target) Asked(flag string) Figure {
	key := map[string]string{
		MaxLosses: losses, MaxGapP99: gapP99Key, MinAvailability: availabilityKey, MaxOverlaps: overlapsKey, MaxRequests: requestsKey,
	}[flag]
	for _, f := range Figures(t.Forecast) {
		if f.Key == key {
			return f
		}
	}
	return Figure{Unseen: true}
}

// cost returns the value of the figure that a threshold limits, in such a form that smaller is better: an availability is
// negative.
func (t *Target) cost(flag string) float64 {
	f := t.Asked(flag)
	if f.Unit == Availability {
		return -f.Value
	}
	return f.Value
}

// relaxed is a wish from which one condition is taken away, or in which it is weaker. flag and limit name that condition. by
// compares two candidates by what they do about it.
type relaxed struct {
	flag, limit string
	wish        gate.Wish
	by          func(a, b *Candidate) int
}

// relaxed returns, for each condition of the wish that can stand in the way, the wish without it: the limit on requests, the
// outage, a given request timeout (Tune then chooses one), and the profile (it is then strict). For the limit on requests there
// are two: with twice the limit, and without one.
func (t *Tuner) relaxed() (all []relaxed) {
	w := t.bounded()
	load := func(a, b *Candidate) int { return cmp.Compare(a.QPS, b.QPS) }
	failover := func(a, b *Candidate) int { return cmp.Compare(a.Failover, b.Failover) }
	flag, limit := "max-qps", strconv.FormatFloat(t.Wish.MaxQPS, 'g', -1, 64)
	if w.MaxQPS != t.Wish.MaxQPS {
		flag, limit = MaxRequests, t.Site.Thresholds.Texts[MaxRequests]
	}
	if w.MaxQPS > 0 {
		for _, times := range []float64{2, 0} {
			other := *w
			other.MaxQPS *= times
			all = append(all, relaxed{flag, limit, other, load})
		}
	}
	if w.Outage > 0 {
		other := *w
		other.Outage = 0
		all = append(all, relaxed{"tolerate-outage", gate.FormatDuration(w.Outage), other,
			func(a, b *Candidate) int { return cmp.Compare(b.Outage, a.Outage) }})
	}
	if w.Timeout.Kind != programs.Unknown {
		other := *w
		other.Timeout = programs.Timeout{}
		all = append(all, relaxed{"request-timeout", gate.TimeoutFlag(w.Timeout), other, failover})
	}
	if w.Config.Profile.Name != machine.Strict.Name {
		other := *w
		other.Config.Profile = machine.Strict
		all = append(all, relaxed{"profile", w.Config.Profile.Name, other, failover})
	}
	return all
}
