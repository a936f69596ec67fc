// Package usual has the flags that say what is usual at a site, what is asked of a forecast, and how precise it is.
package usual

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/behaviour"
	"interregnum/internal/forecast/outlook"
)

// Title is the title of the flags about the behaviour in the help.
const Title = "What is usual"

// Behaviour has the flags that say what is usual at the site.
type Behaviour struct {
	// File is the name of the file of --behaviour.
	File          string
	p50, p99, max cliflag.Parsed[time.Duration]
	errors        list
	lost          cliflag.Parsed[float64]
	// restart has a nil distribution for a process that does not exit.
	restart cliflag.Parsed[*behaviour.Distribution]
	// episodes are in the order of behaviour.Kinds.
	episodes [8]list
}

// Register adds the flags to the command.
func (f *Behaviour) Register(c *cobra.Command) {
	flags := c.Flags()
	f.errors = list{kind: "ERRORS", check: func(text string) error { _, err := parseError(text); return err }}
	flags.StringVar(&f.File, "behaviour", "", "`FILE` with what is usual; in place of the flags below, but for --restart")
	cliflag.Parse(flags, &f.p50, "p50", "DURATION", outlook.ParseTime, "half of all requests are answered within that")
	cliflag.Parse(flags, &f.p99, "p99", "DURATION", outlook.ParseTime, "99 of 100 requests are answered within that")
	cliflag.Parse(flags, &f.max, "max", "DURATION", parseLongest, "no answer takes longer; without it the slowest answers have no limit. It is --max-round-trip too, if that is not given")
	flags.Var(&f.errors, "errors", "answers with that status, such as 503:0.1%")
	cliflag.Parse(flags, &f.lost, "lost", "PERCENT", outlook.ParseShare, "part of the requests that are lost one by one, such as 0.01%, one in 10000")
	cliflag.Group(flags, Title, "behaviour", "p50", "p99", "max", "errors", "lost")
	f.restart.Text = defaultRestart
	about := map[behaviour.Kind]string{
		behaviour.Outage:    "requests fail at once, such as 20s/7d",
		behaviour.Stall:     "requests are accepted and never answered, such as 15s/30d",
		behaviour.Brownout:  "answers are slow by a factor, such as 5x/10m/1d",
		behaviour.Pause:     "a process stands still, such as 1s/1d",
		behaviour.Crash:     "a process ends at once, such as 2/30d or 90s/30d",
		behaviour.Shutdown:  "a process is told to stop, such as 1/7d",
		behaviour.NodeDrain: "a process is told to stop, and starts on another node, such as 1/30d or 20s/30d",
		behaviour.Rollout:   "new processes replace all others one after the other, such as 1/7d; each takes the time of --restart to start, or 20s with 20s/7d",
	}
	for i, kind := range behaviour.Kinds() {
		f.episodes[i] = list{kind: "EPISODE", check: func(text string) error {
			_, err := parseEpisode(kind, text, behaviour.Distribution{})
			return err
		}}
		flags.Var(&f.episodes[i], string(kind), about[kind])
		cliflag.Group(flags, Title, string(kind))
	}
	cliflag.Parse(flags, &f.restart, "restart", "TIME", parseRestart, "a process that has lost the lock exits, and is back after that: such as 5s or 5s-30s; "+
		noRestart+": it does not exit, and stands for election again at once")
	cliflag.Group(flags, Title, "restart")
}

// Check returns an error for a file together with flags that it replaces, and for --max and --brownout if neither --p50 nor --p99 is
// given. If needed is true, it also returns an error if there is neither a file nor a flag.
func (f *Behaviour) Check(c *cobra.Command, needed bool) error {
	command, first := c.CommandPath(), f.first(c)
	switch {
	case f.File == "" && first == "" && !needed:
		return nil
	case f.File == "" && first == "":
		return exit.Usage(command, "nothing says what is usual: want --behaviour FILE, or flags such as --p50 20ms --p99 800ms --outage 20s/7d")
	case f.File != "" && first != "":
		return exit.Usage(command, "--behaviour and --%s: want what is usual from a file or from flags, not both", first)
	case f.max.Value != nil && f.p50.Value == nil && f.p99.Value == nil:
		return exit.Usage(command, "--max %s is a bound, which says nothing of what is usual: want --p50 or --p99 too", f.max.Text)
	case c.Flags().Changed(string(behaviour.Brownout)) && f.p50.Value == nil && f.p99.Value == nil:
		return exit.Usage(command, "--brownout multiplies round trips, of which nothing is said: want --p50 or --p99 too")
	}
	return nil
}

// first returns the name of the first flag that is given of those that a file replaces; "" if none is given.
func (f *Behaviour) first(c *cobra.Command) string {
	names := []string{"p50", "p99", "max", "errors", "lost"}
	for _, kind := range behaviour.Kinds() {
		names = append(names, string(kind))
	}
	for _, name := range names {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// Given tells whether the file or a flag that it replaces is given, so that something is said of what is usual.
func (f *Behaviour) Given(c *cobra.Command) bool { return f.File != "" || f.first(c) != "" }

// read returns what is usual, and where that comes from: the name of the file, or "flags". back is how long a process that has
// ended is away, for episodes whose flags give a count and no length. The error is about the file, or about flags whose values are
// not possible together.
func (f *Behaviour) read(c *cobra.Command, back behaviour.Distribution) (*behaviour.Behaviour, string, error) {
	if f.File != "" {
		return f.readFile(c)
	}
	b := &behaviour.Behaviour{}
	if err := f.roundTrip(b); err != nil {
		return nil, "", exit.Usage(c.CommandPath(), "--p50, --p99, --max: %v", err)
	}
	sum := 0.0
	for _, text := range f.errors.texts {
		e, _ := parseError(text) // it was checked when it was set
		b.Errors = append(b.Errors, e)
		sum += e.Probability
	}
	if lost := f.lost.Value; lost != nil {
		b.Errors = append(b.Errors, behaviour.Error{Probability: *lost})
		sum += *lost
	}
	if sum > 1 {
		return nil, "", exit.Usage(c.CommandPath(), "--errors, --lost: these are more than all requests: want 100%% in all at most")
	}
	busy := 0.0
	for i, kind := range behaviour.Kinds() {
		for _, text := range f.episodes[i].texts {
			e, _ := parseEpisode(kind, text, back) // it was checked when it was set
			b.Episodes = append(b.Episodes, e)
			busy += e.Rate() * e.Lasts.Mean().Seconds()
		}
	}
	if busy >= 1 {
		return nil, "", exit.Usage(c.CommandPath(), "the episodes take all time, and leave none for usual times: want shorter or rarer ones")
	}
	return b, "flags", nil
}

// readFile returns what is usual by the file of --behaviour, and the file's name. It prints what is assumed of the file.
func (f *Behaviour) readFile(c *cobra.Command) (*behaviour.Behaviour, string, error) {
	b, warnings, err := behaviour.ReadFile(f.File, c.InOrStdin())
	if err != nil {
		return nil, "", &exit.Error{Code: exit.BadInput, Text: err.Error()}
	}
	for _, w := range warnings {
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %s\n", w)
	}
	return b, f.File, nil
}

// roundTrip sets b.RoundTrip from --p50, --p99 and --max. If neither --p50 nor --p99 is given, it sets nothing. The error says
// which values are not possible together.
func (f *Behaviour) roundTrip(b *behaviour.Behaviour) (err error) {
	var points []behaviour.Point
	if f.p50.Value != nil {
		points = append(points, behaviour.Point{P: 0.5, Value: *f.p50.Value})
	}
	if f.p99.Value != nil {
		points = append(points, behaviour.Point{P: 0.99, Value: *f.p99.Value})
	}
	if len(points) == 0 {
		return nil
	}
	longest := time.Duration(0)
	if f.max.Value != nil {
		longest = *f.max.Value
	}
	b.RoundTrip, err = behaviour.Percentiles(points, longest)
	return err
}

// parseLongest parses a duration, and returns an error unless it is above zero.
func parseLongest(text string) (time.Duration, error) {
	d, err := outlook.ParseTime(text)
	if err == nil && d == 0 {
		err = fmt.Errorf("want a duration above zero, got %s", text)
	}
	return d, err
}
