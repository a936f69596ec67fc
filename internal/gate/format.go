package gate

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/phrase"
)

// ParseDuration parses a duration such as 15s. It returns an error if text is no duration, or one below least or above
// bound.MaxDuration.
func ParseDuration(text string, least time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil && text != "" && strings.Trim(text, "0123456789.") == "":
		return 0, fmt.Errorf("unit missing in %s: want a duration such as %ss", phrase.Clip(text), phrase.Clip(text))
	case err != nil:
		return 0, fmt.Errorf("want a duration such as 15s, 1500ms or 1m30s, got %s", strconv.Quote(phrase.Clip(text)))
	case d < least && least > 0:
		return 0, fmt.Errorf("want a duration above zero, got %s", phrase.Clip(text))
	case d < least:
		return 0, fmt.Errorf("want a duration of zero or more, got %s", phrase.Clip(text))
	case d > bound.MaxDuration:
		return 0, fmt.Errorf("want a year (%gh) at most, got %s", bound.MaxDuration.Hours(), phrase.Clip(text))
	}
	return d, nil
}

// FormatDuration returns a duration as people write it, such as 90s. Whole seconds below 10 minutes are in seconds; any other
// duration is as time.Duration prints it. ParseDuration can read both.
func FormatDuration(d time.Duration) string {
	if d%time.Second == 0 && d < 10*time.Minute {
		return strconv.FormatInt(int64(d/time.Second), 10) + "s"
	}
	return d.String()
}

// FormatRate returns a number of requests a second in the shortest decimal form, such as 0.5 or 5, without an exponent.
func FormatRate(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// rateWords returns in words how many requests a second f is.
func rateWords(f float64) string {
	return FormatRate(f) + either(f == 1, " request", " requests") + " a second"
}

// either returns text where first is true, and other where it is not.
func either(first bool, text, other string) string {
	if first {
		return text
	}
	return other
}
