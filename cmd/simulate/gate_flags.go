package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
	"interregnum/scenarios/plan"
)

// gateFlags are the flags of simulate gate.
type gateFlags struct {
	leaseDuration, renewDeadline, retryPeriod onceFlag
	requestTimeout                            onceFlag
	profile                                   onceFlag
	lock, now, precision                      onceFlag
	releaseOnCancel                           bool
	// numbers are the environment's, in the order of gate.Environment.Numbers.
	numbers         [7]onceFlag
	environmentFile string
	gateLists
	require, explain bool
	witness          string
	force            bool
	output           string
}

func (f *gateFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	f.leaseDuration, f.renewDeadline = duration(15*time.Second), duration(10*time.Second)
	f.retryPeriod = duration(2 * time.Second)
	f.requestTimeout = onceFlag{kind: "TIMEOUT", check: isTimeout}
	f.profile = onceFlag{text: machine.ClientGo.Name, kind: "NAME", check: knownProfile}
	flags.Var(&f.leaseDuration, "lease-duration", "how long others wait since the record last changed")
	flags.Var(&f.renewDeadline, "renew-deadline", "how long a leader tries to renew")
	flags.Var(&f.retryPeriod, "retry-period", "how long a candidate waits between attempts")
	flags.Var(&f.requestTimeout, "request-timeout",
		"timeout of the client for each request: half (of the renew deadline), none, either (whichever of "+
			"the two is worse) or such as 5s; for what is not known (default: none for flags, either for files)")
	flags.Var(&f.profile, "profile",
		"variant of the algorithm: "+strings.Join(gate.ProfileNames(), ", ")+"; for files that do not say")
	flags.BoolVar(&f.releaseOnCancel, "release-on-cancel", false,
		"the lock is released when the work's context ends; for files that do not say")
	f.registerEnvironment(c)
	f.registerLists(c)
	flags.BoolVar(&f.require, "require", false, "a file or folder in which there is nothing to judge is bad input")
	flags.BoolVar(&f.explain, "explain", false, "the sum behind each verdict, and what would help, for many targets too")
	flags.StringVar(&f.witness, "witness", "", "write the scenario of each unsafe verdict into `DIR`, as NAME.yaml")
	flags.BoolVar(&f.force, "force", false, "--witness and --write-baseline replace files that exist")
	outputFlag(c, &f.output, []string{outputText, outputJSON, outputJUnit, outputMarkdown, "sarif"})
	inGroup(flags, manyTargets, "require", "explain", "witness", "force", "output")
	f.registerLock(c, "; for files that do not say")
	inGroup(flags, otherLocks, "max-clock-offset")
}

// registerLock adds the flags that say what the record is kept in; note ends the help of the first.
func (f *gateFlags) registerLock(c *cobra.Command, note string) {
	f.lock = onceFlag{text: string(plan.Lease), kind: "KIND", check: among(plan.LockNames()...)}
	f.now = onceFlag{text: "", kind: "CLOCK", check: among(string(plan.CallerNow), string(plan.DatabaseNow))}
	f.precision = onceFlag{text: "", kind: "UNIT", check: among("1us", "1ms", "1s")}
	flags := c.Flags()
	flags.Var(&f.lock, "lock", "what the record is kept in: "+strings.Join(plan.LockNames(), ", ")+note)
	flags.Var(&f.now, "now", "of sql-ttl, whose time statements carry: caller or database (default: caller)")
	flags.Var(&f.precision, "precision", "of sql-ttl, what the column of the time keeps: 1us, 1ms or 1s (default: 1us)")
	inGroup(flags, otherLocks, "lock", "now", "precision")
}

// among is the check of a flag that takes only these words.
func among(words ...string) func(string) error {
	return func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("want %s or %s, got %s", strings.Join(words[:len(words)-1], ", "), words[len(words)-1],
				strconv.Quote(phrase.Clip(text)))
		}
		return nil
	}
}

// checkLock refuses --now and --precision with a --lock other than sql-ttl.
func (f *gateFlags) checkLock(c *cobra.Command) error {
	for _, name := range []string{"now", "precision"} {
		if c.Flags().Changed(name) && f.lock.text != string(plan.SQLTTL) {
			return usageError(c.CommandPath(), "--%s is of --lock sql-ttl; that is %s", name, f.lock.text)
		}
	}
	return nil
}

// registerEnvironment adds the flags that say what can go wrong.
func (f *gateFlags) registerEnvironment(c *cobra.Command) {
	flags := c.Flags()
	about := [...]string{
		"longest round trip of a request that is answered, client-side retries and throttling included",
		"each clock's rate is within ± so many parts per million of true time",
		"for how long a process stands still at most, in all, from its last renewal but one to the end of its work",
		"how long the work goes on after its context has ended",
		"how far wall clocks are apart at most, drift and jumps included; counts for sql-ttl by the callers' clocks",
		"the program calls Run again on an elector whose Run has returned",
		"a 409 may hide that a write was applied: client-go repeats it where an error has a Retry-After",
	}
	e := gate.DefaultEnvironment()
	for i, n := range e.Numbers() {
		f.numbers[i] = onceFlag{text: n.Value, kind: "DURATION", check: func(text string) error {
			var e gate.Environment
			return e.Set(n.Flag, text, "")
		}}
		if n.Flag == "max-drift-ppm" {
			f.numbers[i].kind = "PPM"
		}
		if n.Switch() {
			f.numbers[i].kind = "bool"
		}
		flags.Var(&f.numbers[i], n.Flag, about[i])
		if n.Switch() {
			flags.Lookup(n.Flag).NoOptDefVal = "true"
		}
	}
	flags.StringVar(&f.environmentFile, "environment", "",
		"`FILE` with the site's numbers: maxRoundTrip, maxDriftPPM, maxPause, drain, maxClockOffset, reruns, hiddenConflicts")
	inGroup(flags, canGoWrong, "environment")
	for _, n := range e.Numbers() {
		inGroup(flags, canGoWrong, n.Flag)
	}
}

var timingFlags = []string{"lease-duration", "renew-deadline", "retry-period"}

// check refuses flags and arguments that contradict each other, whatever the files say.
func (f *gateFlags) check(c *cobra.Command, args []string) error {
	command, stdin := c.CommandPath(), 0
	given := slices.DeleteFunc(slices.Clone(timingFlags), func(name string) bool { return !c.Flags().Changed(name) })
	for _, arg := range append([]string{f.environmentFile, f.overrides, f.baseline}, args...) {
		if arg == "-" {
			stdin++
		}
	}
	switch {
	case len(args) == 0 && len(given) == 0:
		return usageError(command, "nothing to judge: want files, or --lease-duration, --renew-deadline and "+
			"--retry-period")
	case len(args) > 0 && len(given) > 0:
		return usageError(command,
			"--%s and %q: want timings from flags or from files, not both", given[0], args[0])
	case len(args) == 0 && f.require:
		return usageError(command, "--require is about files: want one")
	case stdin > 1:
		return usageError(command, "standard input can be read only once")
	case c.Flags().Changed("environment") && f.environmentFile == "":
		return usageError(command, "--environment: want the name of a file")
	case c.Flags().Changed("witness") && f.witness == "":
		return usageError(command, "--witness: want the name of a directory")
	case gateForms[f.output] == nil:
		return usageError(command, "--output %q: want text, json, junit, markdown or sarif", f.output)
	}
	if err := f.checkLists(c, args); err != nil {
		return err
	}
	return f.checkLock(c)
}

// target is the configuration that the timing flags and the others describe, for the gate to judge.
func (f *gateFlags) target(c *cobra.Command) gate.Target {
	unsaid := f.unsaid()
	t := gate.Target{
		Position: files.Position{File: "flags"},
		Config: bound.Config{
			Timings: machine.Timings{
				LeaseDuration: f.leaseDuration.duration(), RenewDeadline: f.renewDeadline.duration(),
				RetryPeriod: f.retryPeriod.duration(),
			},
			Profile: unsaid.Profile, ReleaseOnCancel: unsaid.ReleaseOnCancel,
			Lock: unsaid.Lock, Now: unsaid.Now, Precision: unsaid.Precision,
		},
	}
	t.SetTimeout(unsaid)
	if f.requestTimeout.text == "" {
		t.Timeout, t.TimeoutFrom = files.Timeout{Kind: files.None}, gate.TimeoutDefault
	}
	if c.Flags().Changed("release-on-cancel") {
		t.ReleaseFrom = "--release-on-cancel"
	}
	for i, name := range timingFlags {
		if !c.Flags().Changed(name) {
			t.Defaulted = append(t.Defaulted, [...]string{"leaseDuration", "renewDeadline", "retryPeriod"}[i])
		}
	}
	return t
}

// unsaid is what the flags say, for the gate to take where a file does not say it.
func (f *gateFlags) unsaid() *gate.Unsaid {
	profile, _ := machine.ProfileNamed(f.profile.text) // it was checked when it was set
	timeout, _ := files.ParseTimeout(f.requestTimeout.text)
	return &gate.Unsaid{
		Profile: profile, ReleaseOnCancel: f.releaseOnCancel, Timeout: timeout,
		Lock: plan.Lock(f.lock.text), Now: plan.Now(f.now.text), Precision: f.precision.duration(),
	}
}

// onceFlag is a flag that says what it wants, and is refused when it is given twice with two values.
type onceFlag struct {
	text, kind string
	given      bool
	check      func(string) error
}

// duration is a flag for a duration above zero, with its default.
func duration(d time.Duration) onceFlag {
	return onceFlag{text: gate.FormatDuration(d), kind: "DURATION", check: parses(1)}
}

// parses is the check of a flag that takes a duration of at least so much.
func parses(least time.Duration) func(string) error {
	return func(text string) error {
		_, err := gate.ParseDuration(text, least)
		return err
	}
}

// isTimeout is the check of --request-timeout: half, none, either or a duration.
func isTimeout(text string) error {
	t, err := files.ParseTimeout(text)
	if err == nil && t.Kind == files.Unknown {
		err = fmt.Errorf("want half, none, either or a duration such as 5s")
	}
	return err
}

// knownProfile is the check of --profile: it refuses a name that is unknown, or whose profile has no bound.
func knownProfile(name string) error {
	if !slices.Contains(gate.ProfileNames(), name) {
		if _, known := machine.ProfileNamed(name); known {
			return fmt.Errorf("%w, since its requests never end; want %s", bound.ErrNoBound,
				strings.Join(gate.ProfileNames(), ", "))
		}
		return fmt.Errorf("unknown profile; want %s", strings.Join(gate.ProfileNames(), ", "))
	}
	return nil
}

// Set implements pflag.Value. It refuses a value that is wrong, and a second one that differs from the first.
func (o *onceFlag) Set(text string) error {
	if err := o.check(text); err != nil {
		return err
	}
	if o.given && o.text != text {
		return fmt.Errorf("contradictory: it was %s before; want one value", o.text)
	}
	o.text, o.given = text, true
	return nil
}

func (o *onceFlag) String() string { return o.text }

func (o *onceFlag) Type() string { return o.kind }

// duration is the flag's value as a duration, which was checked when it was set; 0 where there is none.
func (o *onceFlag) duration() time.Duration {
	d, _ := time.ParseDuration(o.text)
	return d
}
