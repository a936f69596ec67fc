package outlook

import (
	"math"

	"interregnum/internal/forecast"
	"interregnum/internal/gate"
)

// Worse says that nobody should choose a target, since the target Than is no worse in all that counts, and better in something.
// What counts is the worst overlap, the losses, the 99th percentile of gaps, and the requests.
type Worse struct {
	Than *Target
	// Certain: this holds for the whole intervals. Otherwise it holds only for the estimates.
	Certain bool
}

// weigh sets Worse of all targets: to a better target, a certain one if there is one, or to nil. All must have forecasts. between
// returns how much more the j-th target has than the i-th.
func weigh(targets []*Target, between func(i, j int) forecast.Difference) {
	for j, t := range targets {
		t.Worse = nil
		for i, other := range targets {
			if i == j {
				continue
			}
			w, certain := worse(t, other, between(i, j))
			if w && (t.Worse == nil || certain && !t.Worse.Certain) {
				t.Worse = &Worse{Than: other, Certain: certain}
			}
		}
	}
}

// worse tells whether t is worse than other, so that nobody should choose it, and whether that is certain. d is how much more t
// has than other. Both results are false if nothing is known of the gaps of one.
func worse(t, other *Target, d forecast.Difference) (worse, certain bool) {
	if unknownGap(t.Forecast) || unknownGap(other.Forecast) {
		return false, false
	}
	perhaps, surely := true, true
	strictly, surelyStrictly := false, false
	for _, e := range []forecast.Estimate{
		moreOverlap(t.Judgement, other.Judgement), d.Losses, moreGap(t.Forecast, other.Forecast), d.Requests,
	} {
		perhaps, surely = perhaps && e.Value >= 0, surely && e.Low >= 0
		strictly, surelyStrictly = strictly || e.Value > 0, surelyStrictly || e.Low > 0
	}
	return perhaps && strictly, perhaps && surely && surelyStrictly
}

// moreOverlap returns by how much the worst overlap of t is longer than that of other, in seconds; 0 if both have no end.
func moreOverlap(t, other *gate.Judgement) forecast.Estimate {
	a, b := Overlap(t), Overlap(other)
	if math.IsInf(a.Value, 1) && math.IsInf(b.Value, 1) {
		return forecast.Estimate{}
	}
	return forecast.Estimate{Value: apart(a.Value, b.Value), Low: apart(a.Low, b.High), High: apart(a.High, b.Low)}
}

// apart returns a − b; 0 if they are equal, also if both are infinite.
func apart(a, b float64) float64 {
	if a == b {
		return 0
	}
	return a - b
}

// Overlap returns the gate's worst overlap in seconds, with the bounds that are known of it. It is 0 if the target is safe, and
// +Inf if the overlap has no end or there is no result. If no upper bound is known, High is +Inf.
func Overlap(j *gate.Judgement) forecast.Estimate {
	r := j.Result
	switch {
	case r == nil || r.Unbounded:
		return forecast.Estimate{Value: math.Inf(1), Low: math.Inf(1), High: math.Inf(1)}
	case r.Safe():
		return forecast.Estimate{}
	}
	seconds := r.Overlap.Seconds()
	e := forecast.Estimate{Value: seconds, Low: seconds, High: math.Inf(1)}
	if most, known := r.AtMost(); known {
		e.High = most.Seconds()
	}
	if r.Upper {
		e.Low = 0
	}
	return e
}

// moreGap returns by how much the 99th percentile of the gaps of f is longer than that of other, in seconds.
func moreGap(f, other *forecast.Forecast) forecast.Estimate {
	a, b := f.Gaps.P99, other.Gaps.P99
	return forecast.Estimate{Value: a.Value - b.Value, Low: a.Low - b.High, High: a.High - b.Low}
}

// unknownGap tells whether gaps are possible although none was seen, so that nothing is known of their length.
func unknownGap(f *forecast.Forecast) bool { return f.Gaps.Seen == 0 && f.Leaderless.High > 0 }
