package outlook

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// longest is the longest time that ParseTime accepts.
const longest = 100 * Year

// The units of time that are longer than those of time.ParseDuration, and the periods of figures.
const (
	day = 24 * time.Hour
	// Month and Year are what figures of a month and of a year count.
	Month = 30 * day
	Year  = 365 * day
)

var (
	onePart  = regexp.MustCompile(`([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|s|m|h|d|w|y)`)
	allParts = regexp.MustCompile(`^(?:` + onePart.String() + `)+$`)
	oneUnit  = regexp.MustCompile(`^(?:ns|us|µs|ms|s|m|h|d|w|y)$`)
	number   = regexp.MustCompile(`^[0-9]+(?:\.[0-9]+)?$`)
)

// ParseTime parses a duration such as 20s, 1h30m, 7d, 2w or 1y; a year is 365 days. It returns an error for any other text, and
// for more than 100 years.
func ParseTime(text string) (time.Duration, error) {
	switch {
	case number.MatchString(text):
		return 0, fmt.Errorf("unit missing in %[1]s: want a duration such as %[1]sms, %[1]ss or %[1]sd", phrase.Clip(text))
	case !allParts.MatchString(text):
		return 0, fmt.Errorf("want a duration such as 20s, 1h30m or 7d, got %s", phrase.Quote(text))
	}
	sum := 0.0
	for _, part := range onePart.FindAllStringSubmatch(text, -1) {
		unit := map[string]time.Duration{"d": day, "w": 7 * day, "y": Year}[part[2]]
		if unit == 0 {
			unit, _ = time.ParseDuration("1" + part[2]) // the pattern has only units that it knows
		}
		n, _ := strconv.ParseFloat(part[1], 64) // the pattern has only numbers; a long one is infinite
		sum += n * float64(unit)
	}
	if sum > float64(longest) {
		return 0, fmt.Errorf("want 100 years (100y) at most, got %s", phrase.Quote(text))
	}
	return time.Duration(math.Round(sum)), nil
}

// ParseRate parses how often something happens in which time, such as 0.1/30d or 1/s, and returns how often that is per second.
// It returns an error for any other text, and for a time of zero.
func ParseRate(text string) (float64, error) {
	count, in, found := strings.Cut(text, "/")
	if !found || !number.MatchString(count) {
		return 0, fmt.Errorf("want how often in which time, such as 0.1/30d, got %s", phrase.Quote(text))
	}
	if oneUnit.MatchString(in) {
		in = "1" + in
	}
	d, err := ParseTime(in)
	if err != nil {
		return 0, err
	}
	if d == 0 {
		return 0, fmt.Errorf("want how often in which time above zero, such as 0.1/30d, got %s", phrase.Quote(text))
	}
	n, err := strconv.ParseFloat(count, 64)
	if err != nil {
		return 0, fmt.Errorf("want how often in which time, such as 0.1/30d, got %s", phrase.Quote(text))
	}
	return n / d.Seconds(), nil
}

// ParseShare parses a percentage such as 99.99%, and returns it as a share, 0 to 1. It returns an error for any other text, and
// above 100%.
func ParseShare(text string) (float64, error) {
	count, percent := strings.CutSuffix(text, "%")
	switch {
	case !percent && number.MatchString(text):
		meant := phrase.Clip(text) + "%"
		switch share, err := strconv.ParseFloat(text, 64); {
		case err != nil:
		case share == 0:
			meant = "5%" // 0% is refused by most
		case share < 1:
			meant += ", or " + strconv.FormatFloat(100*share, 'g', 12, 64) + "% if it is a share of 1"
		}
		return 0, fmt.Errorf("unit missing in %s: want a percentage such as %s", phrase.Clip(text), meant)
	case !percent || !number.MatchString(count):
		return 0, fmt.Errorf("want a percentage such as 5%%, got %s", phrase.Quote(text))
	}
	share, err := strconv.ParseFloat(count, 64)
	if err != nil || share > 100 {
		return 0, fmt.Errorf("want a percentage from 0%% to 100%%, got %s", phrase.Quote(text))
	}
	return share / 100, nil
}
