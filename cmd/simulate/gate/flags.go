package gate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/scenarios/plan"
)

// gateFlags are the flags of simulate gate.
type gateFlags struct {
	leaseDuration, renewDeadline, retryPeriod cliflag.Once
	requestTimeout                            cliflag.Once
	profile                                   cliflag.Once
	lock                                      cliflag.Lock
	releaseOnCancel                           bool
	environment                               environmentFlags
	client                                    clientFlags
	lists                                     listFlags
	require, explain, force                   bool
	witness, output                           string
	// write writes the form that output names.
	write writer
}

// register adds the flags to the command.
func (f *gateFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	f.leaseDuration, f.renewDeadline = cliflag.Duration(15*time.Second), cliflag.Duration(10*time.Second)
	f.retryPeriod = cliflag.Duration(2 * time.Second)
	f.requestTimeout = cliflag.Once{Kind: "TIMEOUT", Check: checkTimeout}
	f.profile = cliflag.Once{Text: machine.ClientGo.Name, Kind: "NAME", Check: checkProfile}
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
	f.environment.clients = true
	f.environment.register(c)
	f.client.register(c)
	f.lists.register(c)
	flags.BoolVar(&f.require, "require", false, "a file or folder in which there is nothing to judge is bad input")
	flags.BoolVar(&f.explain, "explain", false, "the sum behind each verdict, and what would help, for many targets too")
	flags.StringVar(&f.witness, "witness", "", "write the scenario of each unsafe verdict into `DIR`, as NAME.yaml")
	flags.BoolVar(&f.force, "force", false, "--witness and --write-baseline replace files that exist")
	forms.Register(c, &f.output)
	cliflag.Group(flags, manyTargets, "require", "explain", "witness", "force", "output")
	f.lock.Register(c, "; for files that do not say")
	cliflag.Group(flags, cliflag.OtherLocks, "max-clock-offset")
}

var timingFlags = []string{"lease-duration", "renew-deadline", "retry-period"}

// check refuses flags and arguments that contradict each other, whatever the files say.
func (f *gateFlags) check(c *cobra.Command, args []string) error {
	command, stdin := c.CommandPath(), 0
	given := slices.DeleteFunc(slices.Clone(timingFlags), func(name string) bool { return !c.Flags().Changed(name) })
	for _, arg := range append([]string{f.environment.file, f.lists.overrides, f.lists.baseline}, args...) {
		if arg == "-" {
			stdin++
		}
	}
	switch {
	case len(args) == 0 && len(given) == 0:
		return exit.Usage(command, "nothing to judge: want files, or --lease-duration, --renew-deadline and "+
			"--retry-period")
	case len(args) > 0 && len(given) > 0:
		return exit.Usage(command,
			"--%s and %q: want timings from flags or from files, not both", given[0], args[0])
	case len(args) == 0 && f.require:
		return exit.Usage(command, "--require is about files: want one")
	case stdin > 1:
		return exit.Usage(command, "standard input can be read only once")
	case c.Flags().Changed("environment") && f.environment.file == "":
		return exit.Usage(command, "--environment: want the name of a file")
	case c.Flags().Changed("witness") && f.witness == "":
		return exit.Usage(command, "--witness: want the name of a directory")
	}
	var err error
	if f.write, err = forms.Chosen(c, f.output); err != nil {
		return err
	}
	if err := f.lists.check(c, args); err != nil {
		return err
	}
	if err := f.client.check(command, f.unsaid()); err != nil {
		return err
	}
	if client, _ := f.unsaid().Client.Client(); client == nil && f.environment.stall.Duration() > 0 {
		return exit.Usage(command, "--max-stall counts for a client, whose request timeout cuts it: want --client too, such as --client controller-runtime")
	}
	return f.lock.Check(c)
}

// target returns the configuration that the flags describe.
func (f *gateFlags) target(c *cobra.Command) gate.Target {
	unsaid := f.unsaid()
	t := gate.Target{
		Position: files.Position{File: "flags"},
		Config: bound.Config{
			Timings: machine.Timings{
				LeaseDuration: f.leaseDuration.Duration(), RenewDeadline: f.renewDeadline.Duration(),
				RetryPeriod: f.retryPeriod.Duration(),
			},
			Profile: unsaid.Profile, ReleaseOnCancel: unsaid.ReleaseOnCancel,
			Lock: unsaid.Lock, Now: unsaid.Now, Precision: unsaid.Precision,
		},
	}
	t.SetTimeout(unsaid)
	if f.requestTimeout.Text == "" {
		t.Timeout, t.TimeoutFrom = files.Timeout{Kind: files.None}, gate.TimeoutDefault
	}
	if s := unsaid.Client; s != (gate.ClientSaid{}) {
		t.SetClient(&s, f.requestTimeout.Text != "")
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

// unsaid returns the values of flags that the gate uses for what a file does not say.
func (f *gateFlags) unsaid() *gate.Unsaid {
	profile, _ := machine.ProfileNamed(f.profile.Text) // it was checked when it was set
	timeout, _ := files.ParseTimeout(f.requestTimeout.Text)
	return &gate.Unsaid{
		Profile: profile, ReleaseOnCancel: f.releaseOnCancel, Timeout: timeout,
		Lock: plan.Lock(f.lock.Kind.Text), Now: plan.Now(f.lock.Now.Text), Precision: f.lock.Precision.Duration(),
		Client: f.client.said(),
	}
}

// checkTimeout returns an error unless text is a value of --request-timeout: half, none, either or a duration.
func checkTimeout(text string) error {
	t, err := files.ParseTimeout(text)
	if err == nil && t.Kind == files.Unknown {
		err = fmt.Errorf("want half, none, either or a duration such as 5s")
	}
	return err
}

// checkProfile returns an error unless name is a value of --profile: a profile that exists and for which a bound can be
// computed.
func checkProfile(name string) error {
	if !slices.Contains(gate.ProfileNames(), name) {
		if p, known := machine.ProfileNamed(name); known {
			return fmt.Errorf("%w; want %s", bound.Unknown(&bound.Config{Profile: p}), strings.Join(gate.ProfileNames(), ", "))
		}
		return fmt.Errorf("unknown profile; want %s", strings.Join(gate.ProfileNames(), ", "))
	}
	return nil
}
