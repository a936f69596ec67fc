package gate

import (
	"fmt"
	"strconv"
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
	// Name is the field in an environment file; Flag is the flag for it on the command line, and Kind and About are that flag's help.
	Name, Flag, Kind, About string
	// Assumes says what the default assumes.
	Assumes string
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

// numberRow is a row of the table of an environment's numbers, whose Value and Source are empty. value returns the value in an
// environment, and set parses a text into it.
type numberRow struct {
	Number
	value func(e *Environment) string
	set   func(e *Environment, text string) error
}

// rowOf returns the row of n, for the number in an environment to which at points. It is written by format and read by parse.
func rowOf[T any](n Number, at func(*Environment) *T, format func(T) string, parse func(string) (T, error)) numberRow {
	return numberRow{n, func(e *Environment) string { return format(*at(e)) }, func(e *Environment, text string) (err error) {
		*at(e), err = parse(text)
		return err
	}}
}

// lasting returns the row of n, a duration of 0s at least.
func lasting(n Number, at func(*Environment) *time.Duration) numberRow {
	n.Kind = "DURATION"
	return rowOf(n, at, FormatDuration, func(text string) (time.Duration, error) { return ParseDuration(text, 0) })
}

// numberRows has a row for each number of an environment.
var numberRows = [environmentNumbers]numberRow{
	{
		Number{Name: "maxRoundTrip", Flag: "max-round-trip", Kind: "DURATION", Assumes: "the latency that Kubernetes aims at",
			About: "longest round trip of a request that is answered, client-side retries and throttling included"},
		func(e *Environment) string { return FormatDuration(e.MaxRoundTrip - e.Stall) },
		func(e *Environment, text string) error {
			d, err := ParseDuration(text, 0)
			e.MaxRoundTrip = d + e.Stall
			return err
		},
	},
	rowOf(Number{Name: "maxDriftPPM", Flag: "max-drift-ppm", Kind: "PPM", Assumes: "all clocks run true",
		About: "each clock's rate is within ± so many parts per million of true time"},
		func(e *Environment) *int64 { return &e.MaxDriftPPM }, func(n int64) string { return strconv.FormatInt(n, 10) }, parseDrift),
	lasting(Number{Name: "maxPause", Flag: "max-pause", Assumes: "no process ever stands still",
		About: "for how long a process stands still at most, in all, from its last renewal but one to the end of its work"},
		func(e *Environment) *time.Duration { return &e.MaxPause }),
	lasting(Number{Name: "drain", Flag: "drain", Assumes: "work ends when its context does",
		About: "how long the work goes on after its context has ended"},
		func(e *Environment) *time.Duration { return &e.Drain }),
	lasting(Number{Name: "maxClockOffset", Flag: "max-clock-offset", Assumes: "wall clocks agree (sql-ttl, java, csharp)",
		About: "how far wall clocks are apart at most, drift and jumps included, and from one that is never set; counts for " +
			plan.OneLockThat(plan.Lock.ByWallClock) + " by the callers' clocks, and for profiles java and csharp"},
		func(e *Environment) *time.Duration { return &e.MaxClockOffset }),
	rowOf(Number{Name: "reruns", Flag: "reruns", Kind: "bool", Assumes: "each elector runs once",
		About: "the program calls Run again on an elector whose Run has returned"},
		func(e *Environment) *bool { return &e.Reruns }, strconv.FormatBool, parseYesNo),
	rowOf(Number{Name: "hiddenConflicts", Flag: "hidden-conflicts", Kind: "bool", Assumes: "a 409 is the service's own word",
		About: "a 409 may hide that a write was applied: client-go repeats it where an error has a Retry-After"},
		func(e *Environment) *bool { return &e.HiddenConflicts }, strconv.FormatBool, parseYesNo),
	rowOf(Number{Name: "otherQPS", Flag: "other-qps", Kind: "RATE", Assumes: "nothing else shares the client",
		About: "how many requests a second else share the limiter of the lock's client at most; more come at once with --other-burst"},
		func(e *Environment) *float64 { return &e.OtherQPS }, FormatRate,
		func(text string) (float64, error) { return parseRate(text, 0) }),
	rowOf(Number{Name: "otherBurst", Flag: "other-burst", Kind: "COUNT", Assumes: "nothing else shares the client",
		About: "how many requests else, of those that share the limiter of the lock's client, come at once at most"},
		func(e *Environment) *int { return &e.OtherBurst }, strconv.Itoa, ParseBurst),
	rowOf(Number{Name: "maxRetryAfter", Flag: "max-retry-after", Kind: "DURATION", Assumes: "no answer asks to wait",
		About: "for how long an answer asks a client to wait, and to send the request again; 0s: no answer does"},
		func(e *Environment) *time.Duration { return &e.MaxRetryAfter }, FormatDuration, parseRetryAfter),
	{
		Number{Name: "maxStall", Flag: "max-stall", Kind: "DURATION", About: "for how long a connection holds answers back at most, besides " +
			"--max-round-trip; client-go closes one of HTTP/2 after " + FormatDuration(plan.LongestStall)},
		func(e *Environment) string { return FormatDuration(e.Stall) },
		func(e *Environment, text string) error {
			d, err := ParseDuration(text, 0)
			stalls(&e.Environment, d)
			return err
		},
	},
}

// sourceOf returns the source of the number whose field is name; "" for an unknown name.
func (e *Environment) sourceOf(name string) string {
	for i := range numberRows {
		if numberRows[i].Name == name {
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
	all := make([]Number, len(numberRows))
	for i := range numberRows {
		all[i] = numberRows[i].Number
		all[i].Value, all[i].Source = numberRows[i].value(e), e.Sources[i]
	}
	return all
}

// Set parses value into the number whose field or flag is name, and stores source in Sources, even if the value is bad. It
// returns an error for an unknown name or a bad value; e must not be used after that. The value of maxRoundTrip is without
// maxStall, which is added to it.
func (e *Environment) Set(name, value, source string) error {
	for i := range numberRows {
		row := &numberRows[i]
		if name != row.Name && name != row.Flag {
			continue
		}
		e.Sources[i] = source
		return row.set(e, value)
	}
	return fmt.Errorf("unknown field; an environment has maxRoundTrip, maxDriftPPM, maxPause, drain, " +
		"maxClockOffset, reruns and hiddenConflicts, and of a client otherQPS, otherBurst, maxRetryAfter and maxStall")
}

// stalls sets e.Stall, the time for which a connection holds answers back, to d, and changes e.MaxRoundTrip by the same
// difference.
func stalls(e *bound.Environment, d time.Duration) {
	e.MaxRoundTrip, e.Stall = e.MaxRoundTrip-e.Stall+d, d
}

// Switch tells whether the number's flag is a switch, which takes true or false.
func (n *Number) Switch() bool { return n.Kind == "bool" }

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
