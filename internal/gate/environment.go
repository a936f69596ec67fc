package gate

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// Environment has a site's numbers, with the source of each.
type Environment struct {
	bound.Environment
	// Sources are in the order of Numbers. Each is "default", a file and line, or a flag.
	Sources [environmentNumbers]string
}

// environmentNumbers is how many numbers an environment has.
const environmentNumbers = 11

// CustomaryNumbers is how many numbers every report has. The others are about a client's own waits and about stalls, and are in a
// report only where somebody gives them.
const CustomaryNumbers = 7

// Number is one of an environment's numbers.
type Number struct {
	// Name is the field in an environment file; Flag is the flag for it on the command line.
	Name, Flag string
	// Value is in the form of a file.
	Value, Source string
}

// DefaultMaxRoundTrip is the latency within which Kubernetes wants 99 of 100 calls that change one object to be answered
// (sig-scalability, slos/api_call_latency.md). A healthy cluster can take that long; an ailing one takes longer.
const DefaultMaxRoundTrip = time.Second

// defaultSource is the source of a number that nobody gives.
const defaultSource = "default"

// DefaultEnvironment returns the environment in which round trips take at most DefaultMaxRoundTrip, and all other numbers are 0
// or false: true clocks, work that ends at once, processes that are never frozen. These three differ so much between sites that
// no number would be a fair one. Every source is "default".
func DefaultEnvironment() Environment {
	e := Environment{Environment: bound.Environment{MaxRoundTrip: DefaultMaxRoundTrip}}
	for i := range e.Sources {
		e.Sources[i] = defaultSource
	}
	return e
}

// environmentFields are the fields of an environment file, and their flags.
var environmentFields = [environmentNumbers][2]string{
	{"maxRoundTrip", "max-round-trip"}, {"maxDriftPPM", "max-drift-ppm"}, {"maxPause", "max-pause"}, {"drain", "drain"},
	{"maxClockOffset", "max-clock-offset"}, {"reruns", "reruns"}, {"hiddenConflicts", "hidden-conflicts"},
	{"otherQPS", "other-qps"}, {"otherBurst", "other-burst"}, {"maxRetryAfter", "max-retry-after"}, {"maxStall", "max-stall"},
}

// sourceOf returns the source of the number whose field is name; "" for an unknown name.
func (e *Environment) sourceOf(name string) string {
	for i, f := range environmentFields {
		if f[0] == name {
			return e.Sources[i]
		}
	}
	return ""
}

// Numbers returns the numbers of the environment with their sources, in the order of a fixed list. The first CustomaryNumbers are
// always there; each of the others is there only if somebody gives it.
func (e *Environment) Numbers() []Number {
	all := e.AllNumbers()
	given := all[:CustomaryNumbers:CustomaryNumbers]
	for _, n := range all[CustomaryNumbers:] {
		if n.Source != defaultSource && n.Source != "" {
			given = append(given, n)
		}
	}
	return given
}

// OfClients returns the numbers after the first CustomaryNumbers, without those that nobody gives. They are about a client's own
// waits and about stalls.
func (e *Environment) OfClients() []Number { return e.Numbers()[CustomaryNumbers:] }

// AllNumbers returns all numbers of the environment in a fixed order, also those that nobody gives. As in a file, maxRoundTrip
// does not include maxStall.
func (e *Environment) AllNumbers() []Number {
	values := [environmentNumbers]string{
		FormatDuration(e.MaxRoundTrip - e.Stall), strconv.FormatInt(e.MaxDriftPPM, 10), FormatDuration(e.MaxPause),
		FormatDuration(e.Drain), FormatDuration(e.MaxClockOffset),
		strconv.FormatBool(e.Reruns), strconv.FormatBool(e.HiddenConflicts),
		FormatRate(e.OtherQPS), strconv.Itoa(e.OtherBurst), FormatDuration(e.MaxRetryAfter), FormatDuration(e.Stall),
	}
	all := make([]Number, len(values))
	for i, f := range environmentFields {
		all[i] = Number{f[0], f[1], values[i], e.Sources[i]}
	}
	return all
}

// Set parses value into the number whose field or flag is name, and stores source in Sources, even if the value is bad. It
// returns an error for an unknown name or a bad value; e must not be used after that. The value of maxRoundTrip is without
// maxStall, which is added to it. A maxStall above plan.LongestStall counts as plan.LongestStall on a clock as slow as e allows.
func (e *Environment) Set(name, value, source string) error {
	for i, f := range environmentFields {
		if name != f[0] && name != f[1] {
			continue
		}
		e.Sources[i] = source
		var err error
		switch i {
		case 0:
			e.MaxRoundTrip, err = ParseDuration(value, 0)
			e.MaxRoundTrip += e.Stall
		case 1:
			e.MaxDriftPPM, err = parseDrift(value)
		case 2:
			e.MaxPause, err = ParseDuration(value, 0)
		case 3:
			e.Drain, err = ParseDuration(value, 0)
		case 4:
			e.MaxClockOffset, err = ParseDuration(value, 0)
		case 5:
			e.Reruns, err = parseYesNo(value)
		case 6:
			e.HiddenConflicts, err = parseYesNo(value)
		case 7:
			e.OtherQPS, err = parseRate(value, 0)
		case 8:
			e.OtherBurst, err = parseCount(value)
		case 9:
			e.MaxRetryAfter, err = parseRetryAfter(value)
		default:
			var d time.Duration
			d, err = ParseDuration(value, 0)
			e.stalls(min(d, plan.LongestStall))
		}
		if e.Stall >= plan.LongestStall { // which a client measures by its own clock
			e.stalls(bound.True(plan.LongestStall, -e.MaxDriftPPM))
		}
		return err
	}
	return fmt.Errorf("unknown field; an environment has maxRoundTrip, maxDriftPPM, maxPause, drain, " +
		"maxClockOffset, reruns and hiddenConflicts, and of a client otherQPS, otherBurst, maxRetryAfter and maxStall")
}

// stalls sets e.Stall, the time for which a connection holds answers back, to d, and changes e.MaxRoundTrip by the same
// difference.
func (e *Environment) stalls(d time.Duration) {
	e.MaxRoundTrip, e.Stall = e.MaxRoundTrip-e.Stall+d, d
}

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

// Switch tells whether the number's flag is a switch, which takes true or false.
func (n *Number) Switch() bool { return n.Name == "reruns" || n.Name == "hiddenConflicts" }

// parseYesNo reads true or false; any other text is an error.
func parseYesNo(text string) (bool, error) {
	if text != "true" && text != "false" {
		return false, fmt.Errorf("want true or false, got %s", strconv.Quote(phrase.Clip(text)))
	}
	return text == "true", nil
}

// parseDrift reads a drift in parts per million, a whole number from 0 to bound.MaxDriftPPM; any other text is an
// error.
func parseDrift(text string) (int64, error) {
	ppm, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ppm < 0 || ppm > bound.MaxDriftPPM {
		return 0, fmt.Errorf("want a whole number of parts per million from 0 to %d, such as 200, got %s",
			bound.MaxDriftPPM, strconv.Quote(phrase.Clip(text)))
	}
	return ppm, nil
}
