package forecast

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/behaviour"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/phrase"
)

// usual is the title of the flags about the behaviour in the help.
const usual = "What is usual"

// behaviourFlags are the flags that say what is usual at the site.
type behaviourFlags struct {
	file          string
	p50, p99, max cliflag.Once
	errors        list
	lost          cliflag.Once
	// episodes are in the order of behaviour.Kinds.
	episodes [6]list
}

// register adds the flags to the command.
func (f *behaviourFlags) register(c *cobra.Command) {
	flags := c.Flags()
	duration := func(text string) error { _, err := outlook.ParseTime(text); return err }
	f.p50, f.p99 = cliflag.Once{Kind: "DURATION", Check: duration}, cliflag.Once{Kind: "DURATION", Check: duration}
	f.max = cliflag.Once{Kind: "DURATION", Check: checkLongest}
	f.lost = cliflag.Once{Kind: "PERCENT", Check: func(text string) error { _, err := outlook.ParseShare(text); return err }}
	f.errors = list{kind: "ERRORS", check: func(text string) error { _, err := parseError(text); return err }}
	flags.StringVar(&f.file, "behaviour", "", "`FILE` with what is usual; in place of the flags below, but for --replicas and --restart")
	flags.Var(&f.p50, "p50", "half of all requests are answered within that")
	flags.Var(&f.p99, "p99", "99 of 100 requests are answered within that")
	flags.Var(&f.max, "max", "no answer takes longer; without it the slowest answers have no limit. It is --max-round-trip too, if that is not given")
	flags.Var(&f.errors, "errors", "answers with that status, such as 503:0.1%")
	flags.Var(&f.lost, "lost", "part of the requests that are lost one by one, such as 0.01%")
	cliflag.Group(flags, usual, "behaviour", "p50", "p99", "max", "errors", "lost")
	about := map[behaviour.Kind]string{
		behaviour.Outage:   "requests fail at once, such as 20s/7d",
		behaviour.Stall:    "requests are accepted and never answered, such as 15s/30d",
		behaviour.Brownout: "answers are slow by a factor, such as 5x/10m/1d",
		behaviour.Pause:    "a process stands still, such as 1s/1d",
		behaviour.Crash:    "a process ends at once, such as 2/30d or 90s/30d",
		behaviour.Shutdown: "a process is told to stop, as in a rollout, such as 1/7d",
	}
	for i, kind := range behaviour.Kinds() {
		f.episodes[i] = list{kind: "EPISODE", check: func(text string) error {
			_, err := parseEpisode(kind, text, behaviour.Distribution{})
			return err
		}}
		flags.Var(&f.episodes[i], string(kind), about[kind])
		cliflag.Group(flags, usual, string(kind))
	}
}

// check refuses a file together with flags, and the want of both.
func (f *behaviourFlags) check(c *cobra.Command) error {
	command, first := c.CommandPath(), ""
	names := []string{"p50", "p99", "max", "errors", "lost"}
	for _, kind := range behaviour.Kinds() {
		names = append(names, string(kind))
	}
	for _, name := range names {
		if first == "" && c.Flags().Changed(name) {
			first = name
		}
	}
	switch {
	case f.file == "" && c.Flags().Changed("behaviour"):
		return exit.Usage(command, "--behaviour: want the name of a file")
	case f.file == "" && first == "":
		return exit.Usage(command, "nothing says what is usual: want --behaviour FILE, or flags such as --p50 20ms --p99 800ms --outage 20s/7d")
	case f.file != "" && first != "":
		return exit.Usage(command, "--behaviour and --%s: want what is usual from a file or from flags, not both", first)
	case f.max.Text != "" && f.p50.Text == "" && f.p99.Text == "":
		return exit.Usage(command, "--max %s is a bound, which says nothing of what is usual: want --p50 or --p99 too", f.max.Text)
	}
	return nil
}

// read returns what is usual, and where that comes from. back is how long a process is away that has ended, where an episode does
// not say.
func (f *behaviourFlags) read(c *cobra.Command, back behaviour.Distribution) (*behaviour.Behaviour, string, error) {
	if f.file != "" {
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
	if lost, _ := outlook.ParseShare(f.lost.Text); f.lost.Text != "" {
		b.Errors = append(b.Errors, behaviour.Error{Probability: lost})
		sum += lost
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

// readFile reads the file of --behaviour, and prints what is assumed of it.
func (f *behaviourFlags) readFile(c *cobra.Command) (*behaviour.Behaviour, string, error) {
	b, warnings, err := behaviour.ReadFile(f.file, c.InOrStdin())
	if err != nil {
		return nil, "", &exit.Error{Code: exit.BadInput, Text: err.Error()}
	}
	for _, w := range warnings {
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %s\n", w)
	}
	return b, f.file, nil
}

// roundTrip sets the round trips of b.
func (f *behaviourFlags) roundTrip(b *behaviour.Behaviour) (err error) {
	var points []behaviour.Point
	for _, p := range []struct {
		share float64
		flag  *cliflag.Once
	}{{0.5, &f.p50}, {0.99, &f.p99}} {
		if p.flag.Text != "" {
			d, _ := outlook.ParseTime(p.flag.Text) // it was checked when it was set
			points = append(points, behaviour.Point{P: p.share, Value: d})
		}
	}
	if len(points) == 0 {
		return nil
	}
	longest := time.Duration(0)
	if f.max.Text != "" {
		longest, _ = outlook.ParseTime(f.max.Text)
	}
	b.RoundTrip, err = behaviour.Percentiles(points, longest)
	return err
}

// checkLongest returns an error unless text is a duration above zero.
func checkLongest(text string) error {
	d, err := outlook.ParseTime(text)
	if err == nil && d == 0 {
		return fmt.Errorf("want a duration above zero, got %s", text)
	}
	return err
}

// parseError parses a status and how often it comes, such as 503:0.1%.
func parseError(text string) (behaviour.Error, error) {
	status, share, found := strings.Cut(text, ":")
	n, err := strconv.Atoi(status)
	if !found || err != nil || n < 400 || n > 599 {
		return behaviour.Error{}, fmt.Errorf("want a status from 400 to 599 and a percentage, such as 503:0.1%%, got %s", phrase.Quote(text))
	}
	p, err := outlook.ParseShare(share)
	return behaviour.Error{Status: n, Probability: p}, err
}

// parseEpisode parses an episode such as 20s/7d or 5x/10m/1d@leader. back is how long one lasts of which a count is given.
func parseEpisode(kind behaviour.Kind, text string, back behaviour.Distribution) (e behaviour.Episode, err error) {
	e.Kind = kind
	rest, whom, named := strings.Cut(text, "@")
	if e.On = behaviour.Whom(whom); named && e.On != behaviour.Everybody && e.On != behaviour.One && e.On != behaviour.Leader {
		return e, fmt.Errorf("@%s: want @everybody, @one or @leader", phrase.Clip(whom))
	}
	if !named {
		e.On = behaviour.One
		if kind.OnMessages() {
			e.On = behaviour.Everybody
		}
	}
	parts := strings.Split(rest, "/")
	if kind == behaviour.Brownout {
		if e.Factor, err = parseFactor(parts[0]); err != nil || len(parts) != 3 {
			return e, fmt.Errorf("want a factor, how long and how often, such as 5x/10m/1d, got %s", phrase.Quote(text))
		}
		parts = parts[1:]
	}
	if len(parts) != 2 {
		return e, fmt.Errorf("want how long and how often, such as 20s/7d, got %s", phrase.Quote(text))
	}
	if e.Every, err = outlook.ParseTime(parts[1]); err != nil {
		return e, err
	}
	if e.Every == 0 {
		return e, fmt.Errorf("want a time above zero after the /, such as 20s/7d, got %s", phrase.Quote(text))
	}
	count, err := strconv.ParseFloat(parts[0], 64)
	switch {
	case err == nil && !kind.OnMessages() && kind != behaviour.Pause:
		if every := float64(e.Every) / count; count > 0 && every >= 1 && every < 1<<62 {
			e.Every, e.Lasts = time.Duration(every), back
			return e, nil
		}
		return e, fmt.Errorf("want a number above zero, and in which time, such as 2/30d, got %s", phrase.Quote(text))
	}
	e.Lasts, err = parseLength(parts[0])
	if err == nil && e.Lasts.Mean() == 0 && kind != behaviour.Crash && kind != behaviour.Shutdown {
		err = fmt.Errorf("want a length above zero, such as 20s/7d, got %s", phrase.Quote(text))
	}
	return e, err
}

// parseFactor parses a factor such as 5x, above 1.
func parseFactor(text string) (float64, error) {
	number, found := strings.CutSuffix(text, "x")
	factor, err := strconv.ParseFloat(number, 64)
	if err == nil && (!found || !(factor > 1) || factor > 1e6) {
		err = fmt.Errorf("want a factor above 1, such as 5x")
	}
	return factor, err
}

// list is a flag that can be given several times, and that checks its values.
type list struct {
	texts []string
	kind  string
	check func(text string) error
}

// Set implements pflag.Value.
func (l *list) Set(text string) error {
	if err := l.check(text); err != nil {
		return err
	}
	l.texts = append(l.texts, text)
	return nil
}

func (l *list) String() string { return strings.Join(l.texts, " ") }

// Type implements pflag.Value. The help shows it as the name of the value.
func (l *list) Type() string { return l.kind }
