package outlook

import (
	"interregnum/elector/machine"
	"interregnum/internal/forecast"
	"interregnum/internal/gate"
)

// Point is a configuration as pictures of a comparison show it: by four figures, all of which are better if they are smaller.
type Point struct {
	// Name is its timings, as timingsText writes them.
	Name string
	// Losses is per month, GapP99 in seconds, and Requests per second. Overlap is the worst overlap by the gate, in seconds.
	Losses, GapP99, Requests, Overlap forecast.Estimate
	// NoGap: no gap was seen, so that GapP99 says nothing.
	NoGap bool
	// Chosen: it is what simulate tune recommends, or the first one of a comparison. Worse: another one is certainly better.
	Chosen, Worse bool
}

// Points returns the report's targets that have a forecast, as pictures show them.
func (r *Report) Points() (all []Point) {
	first := r.First()
	for _, t := range r.Targets {
		if t.Forecast != nil {
			all = append(all, t.point(t == first))
		}
	}
	return all
}

// Points returns all candidates of the tuning, as pictures show them.
func (r *Tuning) Points() (all []Point) {
	for _, c := range r.Candidates {
		all = append(all, c.Target.point(c == r.Best))
	}
	return all
}

// point returns the target as pictures show it, with Chosen as given. The target must have a forecast.
func (t *Target) point(chosen bool) Point {
	f := t.Forecast
	return Point{
		Name: timingsText(&t.Timings), Losses: Losses(f.Losses).Estimate, GapP99: f.Gaps.P99, Requests: f.Requests, Overlap: Overlap(t.Judgement),
		NoGap: f.Gaps.Seen == 0, Chosen: chosen, Worse: t.Worse != nil && t.Worse.Certain,
	}
}

// timingsText returns the timings in short, with slashes between: lease duration, renew deadline, retry period.
func timingsText(t *machine.Timings) string {
	return gate.FormatDuration(t.LeaseDuration) + "/" + gate.FormatDuration(t.RenewDeadline) + "/" + gate.FormatDuration(t.RetryPeriod)
}
