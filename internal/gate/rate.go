package gate

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/phrase"
)

// maxRate and minRate are the largest and the smallest number of requests a second that is accepted, beside 0. maxCount is the
// largest number of requests at once.
const (
	maxRate  = 1e6
	minRate  = 1e-6
	maxCount = 1_000_000
)

// ParseQPS parses the QPS of a rest.Config: 0 stands for its default, and a negative number for no limit. It returns an error for
// a text that is no number, for a number below -maxRate or above maxRate, and for one between 0 and minRate.
func ParseQPS(text string) (float64, error) { return parseRate(text, -maxRate) }

// parseRate parses a number of requests a second. It returns an error for a text that is no number, for a number below least or
// above maxRate, and for one between 0 and minRate.
func parseRate(text string, least float64) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || f < least || f > maxRate || f > 0 && f < minRate {
		return 0, fmt.Errorf("want a number of requests a second, %s0 or from %s to %s, such as 5 or 0.5, got %s", either(least < 0, "-1 for no limit, ", ""),
			FormatRate(minRate), FormatRate(maxRate), phrase.Quote(text))
	}
	return f, nil
}

// ParseBurst parses a number of requests at once, such as the Burst of a rest.Config, a whole number from 0 to maxCount. Any other text
// is an error.
func ParseBurst(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxCount {
		return 0, fmt.Errorf("want a whole number of requests from 0 to %d, such as 10, got %s", maxCount, phrase.Quote(text))
	}
	return n, nil
}

// parseRetryAfter parses the longest Retry-After, a duration from 0 to bound.MaxRetryAfter. Any other text is an error.
func parseRetryAfter(text string) (time.Duration, error) {
	d, err := ParseDuration(text, 0)
	if err == nil && d > bound.MaxRetryAfter {
		return 0, fmt.Errorf("want %s at most, got %s: servers ask for seconds", FormatDuration(bound.MaxRetryAfter), phrase.Clip(text))
	}
	return d, err
}
