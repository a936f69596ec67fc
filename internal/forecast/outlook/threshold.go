package outlook

import (
	"time"

	"interregnum/internal/forecast"
)

// Thresholds are what a forecast must keep to. A field that is nil asks for nothing.
type Thresholds struct {
	// MaxLosses, MaxOverlaps and MaxRequests are a second; MinAvailability is a share of all time.
	MaxLosses, MinAvailability, MaxOverlaps, MaxRequests *float64
	MaxGapP99                                            *time.Duration
	// Texts are the thresholds as somebody has written them, by flag.
	Texts map[string]string
}

// Verdict is what becomes of a threshold, or of a target with several of them.
type Verdict string

// The verdicts, from good to bad. Undecided is a threshold within the 95 % interval.
const (
	Met       Verdict = "met"
	Undecided Verdict = "undecided"
	Violated  Verdict = "violated"
	// Refused is a target that the library or a server does not take, so that there is no forecast.
	Refused Verdict = "refused"
)

// Check is what becomes of one threshold.
type Check struct {
	// Flag is that of the threshold, and Limit its text.
	Flag, Limit string
	Verdict     Verdict
}

// The flags of thresholds.
const (
	MaxLosses       = "max-losses"
	MaxGapP99       = "max-gap-p99"
	MinAvailability = "min-availability"
	MaxOverlaps     = "max-overlaps"
	MaxRequests     = "max-requests"
)

// checks returns what becomes of each threshold that is asked for.
func (t *Thresholds) checks(f *forecast.Forecast) (all []Check) {
	add := func(flag string, v Verdict) {
		if v == Met && f.SeldomLed() && flag != MinAvailability {
			v = Undecided
		}
		all = append(all, Check{flag, t.Texts[flag], v})
	}
	if t.MaxLosses != nil {
		add(MaxLosses, below(f.Losses, *t.MaxLosses))
	}
	switch {
	case t.MaxGapP99 == nil:
	case unknownGap(f):
		add(MaxGapP99, Undecided) // there are gaps perhaps, and nothing says how long
	case f.Gaps.Seen == 0:
		add(MaxGapP99, Met)
	default:
		add(MaxGapP99, below(f.Gaps.P99, t.MaxGapP99.Seconds()))
	}
	if t.MinAvailability != nil {
		add(MinAvailability, below(f.Leaderless, 1-*t.MinAvailability))
	}
	if t.MaxOverlaps != nil {
		add(MaxOverlaps, below(f.Overlaps, *t.MaxOverlaps))
	}
	if t.MaxRequests != nil {
		add(MaxRequests, below(f.Requests, *t.MaxRequests))
	}
	return all
}

// below tells whether the whole interval of an estimate is at most limit (Met), is above it (Violated), or neither.
func below(e forecast.Estimate, limit float64) Verdict {
	switch {
	case e.High <= limit:
		return Met
	case e.Low > limit:
		return Violated
	}
	return Undecided
}

// worst returns the worst verdict of all checks; "" if there are none.
func worst(checks []Check) Verdict {
	order := map[Verdict]int{Met: 1, Undecided: 2, Violated: 3}
	var v Verdict
	for _, c := range checks {
		if order[c.Verdict] > order[v] {
			v = c.Verdict
		}
	}
	return v
}
