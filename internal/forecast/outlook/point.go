package outlook

import (
	"interregnum/elector/machine"
	"interregnum/internal/forecast"
	"interregnum/internal/gate"
)

// Point is a configuration as pictures of a comparison show it: by four figures that are better if they are smaller.
type Point struct {
	// Name is its timings.
	Name string
	// Losses are a month, GapP99 in seconds, Requests a second; Overlap is the gate's worst one, in seconds.
	Losses, GapP99, Requests, Overlap forecast.Estimate
	// NoGap: no gap was seen, so that GapP99 says nothing.
	NoGap bool
	// Chosen is what simulate tune recommends, or the first one of a comparison. Worse: another one is certainly better.
	Chosen, Worse bool
}

// Points returns what pictures show of the report: its targets that have a forecast.
func (r *Report) Points() (all []Point) {
	first := r.First()
	for _, t := range r.Targets {
		if t.Forecast != nil {
			all = append(all, t.point(t == first))
		}
	}
	return all
}

// Points returns what pictures show of the tuning.
func (r *Tuning) Points() (all []Point) {
	for _, c := range r.Candidates {
		all = append(all, c.Target.point(c == r.Best))
	}
	return all
}

// point returns what pictures show of a target.
func (t *Target) point(chosen bool) Point {
	f := t.Forecast
	return Point{
		Name: timingsText(&t.Timings), Losses: Losses(f.Losses).Estimate, GapP99: f.Gaps.P99, Requests: f.Requests, Overlap: Overlap(t.Judgement),
		NoGap: f.Gaps.Seen == 0, Chosen: chosen, Worse: t.Worse != nil && t.Worse.Certain,
	}
}

// timingsText returns timings in short: lease duration, renew deadline and retry period.
func timingsText(t *machine.Timings) string {
	return gate.FormatDuration(t.LeaseDuration) + "/" + gate.FormatDuration(t.RenewDeadline) + "/" + gate.FormatDuration(t.RetryPeriod)
}
