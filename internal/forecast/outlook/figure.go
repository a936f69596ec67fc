package outlook

import (
	"math"

	"interregnum/internal/forecast"
)

// Unit says what the value of a figure is.
type Unit int

// The units.
const (
	// Count is how often something happens.
	Count Unit = iota
	// Seconds is a time.
	Seconds
	// Percent is a percentage that is usually small.
	Percent
	// Availability is a percentage that is usually almost 100.
	Availability
)

// Figure is an estimate in the form in which people want it: for a customary period, with a name.
type Figure struct {
	// Name is for people, Key for programs.
	Name, Key string
	Unit      Unit
	forecast.Estimate
	// Unseen: nothing of that sort was seen, so that the estimate has no meaning.
	Unseen bool
}

// The figures have these keys.
const (
	losses          = "lossesPerMonth"
	leaderless      = "leaderlessSecondsPerMonth"
	gapP99Key       = "gapSecondsP99"
	availabilityKey = "availabilityPercent"
	requestsKey     = "requestsPerDay"
	overlapsKey     = "overlapProbabilityPerYearPercent"
)

// Figures returns all figures of a forecast, in the order in which reports show them.
func Figures(f *forecast.Forecast) []Figure {
	return []Figure{
		Losses(f.Losses),
		Leaderless(f.Leaderless),
		{Name: "gap, half of them up to", Key: "gapSecondsP50", Unit: Seconds, Estimate: f.Gaps.P50, Unseen: f.Gaps.Seen == 0},
		{Name: "gap, 99 % of them up to", Key: gapP99Key, Unit: Seconds, Estimate: f.Gaps.P99, Unseen: f.Gaps.Seen == 0},
		{Name: "availability", Key: availabilityKey, Unit: Availability, Estimate: availability(f.Leaderless)},
		{Name: "restarts a month", Key: "restartsPerMonth", Estimate: in(f.Restarts, Month.Seconds())},
		Requests(f.Requests),
		{Name: "probability of an overlap in a year", Key: overlapsKey, Unit: Percent, Estimate: probability(f.Overlaps)},
		{Name: "mean length of an overlap", Key: "overlapSeconds", Unit: Seconds, Estimate: f.OverlapLength, Unseen: f.Overlaps.Value == 0},
	}
}

// Losses returns losses of leadership as a figure, per month. e is how often they happen per second.
func Losses(e forecast.Estimate) Figure {
	return Figure{Name: "losses of leadership a month", Key: losses, Estimate: in(e, Month.Seconds())}
}

// Leaderless returns the time without a leader as a figure, in seconds per month. e is the share of all time in which nobody
// leads.
func Leaderless(e forecast.Estimate) Figure {
	return Figure{Name: "without a leader a month", Key: leaderless, Unit: Seconds, Estimate: in(e, Month.Seconds())}
}

// Requests returns API requests as a figure, per day. e is how many there are per second.
func Requests(e forecast.Estimate) Figure {
	return Figure{Name: "API requests a day", Key: requestsKey, Estimate: in(e, day.Seconds())}
}

// in returns e, a number per second, multiplied by seconds: how often something happens in that time.
func in(e forecast.Estimate, seconds float64) forecast.Estimate {
	return forecast.Estimate{Value: e.Value * seconds, Low: e.Low * seconds, High: e.High * seconds}
}

// availability returns the percentage of time in which somebody leads. leaderless is the share in which nobody does.
func availability(leaderless forecast.Estimate) forecast.Estimate {
	percent := func(share float64) float64 { return 100 * (1 - min(1, share)) }
	return forecast.Estimate{Value: percent(leaderless.Value), Low: percent(leaderless.High), High: percent(leaderless.Low)}
}

// probability returns the probability, in percent, that something happens at least once in a year. e is how often it happens per
// second.
func probability(e forecast.Estimate) forecast.Estimate {
	percent := func(rate float64) float64 { return -100 * math.Expm1(-rate*Year.Seconds()) }
	return forecast.Estimate{Value: percent(e.Value), Low: percent(e.Low), High: percent(e.High)}
}
