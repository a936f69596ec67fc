package outlook

import (
	"time"

	"interregnum/internal/forecast"
)

// Thresholds are the limits that a forecast must keep. A field that is nil is no limit.
type Thresholds struct {
	// MaxLosses, MaxOverlaps and MaxRequests are numbers per second; MinAvailability is a share of all time.
	MaxLosses, MinAvailability, MaxOverlaps, MaxRequests *float64
	MaxGapP99                                            *time.Duration
	// Texts are the thresholds as somebody wrote them, by flag.
	Texts map[string]string
}

// Verdict says whether a forecast keeps to a threshold, or to all thresholds of a target.
type Verdict string

// The verdicts, from good to bad. Met and Violated hold for the whole 95 % interval; Undecided is all between.
const (
	Met       Verdict = "met"
	Undecided Verdict = "undecided"
	Violated  Verdict = "violated"
	// Refused: the library or a server refuses the target's configuration, so that there is no forecast.
	Refused Verdict = "refused"
)

// Check says whether a forecast keeps to one threshold.
type Check struct {
	// Flag is the flag of the threshold, and Limit is its text.
	Flag    string  `json:"name"`
	Limit   string  `json:"limit"`
	Verdict Verdict `json:"verdict"`
}

// The flags of thresholds.
const (
	MaxLosses       = "max-losses"
	MaxGapP99       = "max-gap-p99"
	MinAvailability = "min-availability"
	MaxOverlaps     = "max-overlaps"
	MaxRequests     = "max-requests"
)

// checks returns a check for each threshold that is set; nil if none is. If somebody leads for less than a tenth of the time, a
// threshold that would be Met is Undecided, except that on availability. Without a gap that was seen, the threshold on gaps is
// Met if no time without a leader is possible, and otherwise Undecided.
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

// below returns Met if the whole interval of an estimate is at most limit, Violated if all of it is above limit, and otherwise
// Undecided.
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
