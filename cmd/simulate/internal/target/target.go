// Package target has the flags that say which configurations a command judges, and in which environment.
package target

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
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// Flags are the flags that describe a configuration and the environment. If files are judged, they say what counts where a file
// says nothing.
type Flags struct {
	LeaseDuration, RenewDeadline, RetryPeriod cliflag.Once
	RequestTimeout                            cliflag.Once
	Profile                                   cliflag.Once
	ClientGo                                  cliflag.Parsed[int]
	Lock                                      cliflag.LockFlags
	ReleaseOnCancel                           bool
	Environment                               EnvironmentFlags
	Client                                    Client
	// Overrides is the name of the file of --overrides.
	Overrides string
	// Also are further timings that are judged, each in a configuration that is otherwise that of the flags.
	Also []machine.Timings
}

// ManyTargets is the title of the flags about many targets in the help.
const ManyTargets = "Many targets, and CI"

// Register adds the flags to the command, except those of the lock.
func (f *Flags) Register(c *cobra.Command) {
	flags := c.Flags()
	f.LeaseDuration, f.RenewDeadline = cliflag.Duration(15*time.Second), cliflag.Duration(10*time.Second)
	f.RetryPeriod = cliflag.Duration(2 * time.Second)
	f.RequestTimeout = cliflag.Once{Kind: "TIMEOUT", Check: checkTimeout}
	f.Profile = cliflag.Once{Text: machine.ClientGo.Name, Kind: "NAME", Check: CheckProfile}
	flags.Var(&f.LeaseDuration, "lease-duration", "how long others wait since the record last changed")
	flags.Var(&f.RenewDeadline, "renew-deadline", "how long a leader tries to renew")
	flags.Var(&f.RetryPeriod, "retry-period", "how long a candidate waits between attempts")
	flags.Var(&f.RequestTimeout, "request-timeout",
		"timeout of the client for each request: half (of the renew deadline), none, either (whichever of "+
			"the two is worse) or such as 5s; for what is not known (default: none for flags, either for files)")
	flags.Var(&f.Profile, "profile",
		"variant of the algorithm: "+strings.Join(gate.ProfileNames(), ", ")+"; for files that do not say")
	f.RegisterClientGo(c, "; for files that do not say")
	flags.BoolVar(&f.ReleaseOnCancel, "release-on-cancel", false,
		"the lock is released when the work's context ends; for files that do not say")
	f.Environment.Register(c)
	f.Client.Register(c)
	flags.StringVar(&f.Overrides, "overrides", "", "`FILE` with what counts for single targets: environment, requestTimeout, "+
		"drain, releaseOnCancel, clientGo, by name")
	cliflag.Group(flags, ManyTargets, "overrides")
}

// RegisterClientGo adds the flag of client-go's version to the command. note is added to its help.
func (f *Flags) RegisterClientGo(c *cobra.Command, note string) {
	cliflag.Parse(c.Flags(), &f.ClientGo, "client-go", "VERSION", gate.ParseClientGo,
		"in place of --profile the version of k8s.io/client-go that the program has, such as v0.29, from its go.mod"+note)
}

var timingFlags = []string{"lease-duration", "renew-deadline", "retry-period"}

// Check returns an error if there is nothing to judge, or if flags and arguments contradict each other, whatever the files say.
// also are further files that flags name, for the check that standard input is read only once.
func (f *Flags) Check(c *cobra.Command, args []string, also ...string) error {
	command, stdin := c.CommandPath(), 0
	given := slices.DeleteFunc(slices.Clone(timingFlags), func(name string) bool { return !c.Flags().Changed(name) })
	for _, arg := range slices.Concat([]string{f.Environment.File, f.Overrides}, also, args) {
		if arg == "-" {
			stdin++
		}
	}
	switch {
	case len(args) == 0 && len(given) == 0:
		return exit.Usage(command, "nothing to judge: want files, or at least one of --lease-duration, --renew-deadline and "+
			"--retry-period")
	case len(args) > 0 && len(given) > 0:
		return exit.Usage(command,
			"--%s and %q: want timings from flags or from files, not both", given[0], args[0])
	case stdin > 1:
		return exit.Usage(command, "standard input can be read only once")
	}
	if err := OfFiles(c, args, "overrides"); err != nil {
		return err
	}
	if err := f.CheckClient(c); err != nil {
		return err
	}
	return f.Lock.Check(c)
}

// CheckClient returns an error if the flags about the client contradict each other or the profile, or if --client-go contradicts the
// profile or the lock.
func (f *Flags) CheckClient(c *cobra.Command) error {
	switch command := c.CommandPath(); {
	case f.ClientGo.Given() && f.Profile.Given():
		return exit.Usage(command, "--client-go %s and --profile %s: want one of them", f.ClientGo.Text, f.Profile.Text)
	case f.ClientGo.Given() && plan.Lock(f.Lock.Kind.Text).Expires():
		return exit.Usage(command, "--client-go %s is about locks on objects of Kubernetes; that is --lock %s", f.ClientGo.Text, f.Lock.Kind.Text)
	}
	return f.Client.check(c.CommandPath(), f.Unsaid())
}

// OfFiles returns an error if there are no arguments, and so no files are judged, but one of these flags, which are about files,
// is given.
func OfFiles(c *cobra.Command, args []string, flags ...string) error {
	for _, flag := range flags {
		if len(args) == 0 && c.Flags().Changed(flag) {
			return exit.Usage(c.CommandPath(), "--%s is about files: want one", flag)
		}
	}
	return nil
}

// Judge returns what the gate says, in environment e, of the files that args name. Without args it judges the configuration of
// the flags, and the same with each timings in f.Also. The error is about the file of --overrides; problems of other files are in
// the report.
func (f *Flags) Judge(c *cobra.Command, args []string, e gate.Environment) (*gate.Report, error) {
	if len(args) == 0 {
		all := []gate.Target{f.target(c)}
		for _, timings := range f.Also {
			all = append(all, f.Like(c, timings))
		}
		return gate.JudgeTargets(all, e), nil
	}
	unsaid := f.Unsaid()
	if f.Overrides != "" {
		var err error
		if unsaid.Overrides, err = gate.ReadOverrides(f.Overrides, c.InOrStdin()); err != nil {
			return nil, BadFile(err)
		}
	}
	return gate.JudgeFiles(args, c.InOrStdin(), unsaid, e), nil
}

// target returns the configuration that the flags describe. Without --request-timeout, the timeout is that of the kind of client
// that --client names, or none if it names no kind.
func (f *Flags) target(c *cobra.Command) gate.Target {
	unsaid := f.Unsaid()
	t := gate.Target{
		Position: files.Position{File: "flags"},
		Config: unsaid.Config(machine.Timings{
			LeaseDuration: f.LeaseDuration.Duration(), RenewDeadline: f.RenewDeadline.Duration(),
			RetryPeriod: f.RetryPeriod.Duration(),
		}),
	}
	if unsaid.ClientGo > 0 {
		t.SetClientGo(unsaid.ClientGo, gate.ClientGoFlag)
	}
	t.SetTimeout(unsaid)
	if f.RequestTimeout.Text == "" {
		t.Timeout, t.TimeoutFrom = programs.Timeout{Kind: programs.None}, gate.TimeoutDefault
	}
	if s := unsaid.Client; s != (gate.ClientSaid{}) {
		t.SetClient(&s, f.RequestTimeout.Text != "")
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

// Like returns the configuration that the flags describe, but with these timings. The timings are also its name.
func (f *Flags) Like(c *cobra.Command, timings machine.Timings) gate.Target {
	t := f.target(c)
	if t.Timings, t.Defaulted = timings, nil; t.ClientGo > 0 {
		t.SetClientGo(t.ClientGo, t.ClientGoFrom)
	}
	t.Position.Part = fmt.Sprintf("%s/%s/%s", gate.FormatDuration(timings.LeaseDuration), gate.FormatDuration(timings.RenewDeadline),
		gate.FormatDuration(timings.RetryPeriod))
	return t
}

// Wish returns what the flags say of timings that are looked for: the configuration without them, and the request timeout. That is
// left to gate.Tune if no flag says it, or if --request-timeout leaves it open. Of the kinds of clients of --client only those with
// half of RenewDeadline say it.
func (f *Flags) Wish(c *cobra.Command) *gate.Wish {
	t := f.target(c)
	if t.Timings = (machine.Timings{}); t.ClientGo > 0 { // those that are looked for have whole seconds
		t.SetClientGo(t.ClientGo, t.ClientGoFrom)
	}
	said := t.Timeout.Kind == programs.Half || t.Timeout.Kind != programs.Either && f.RequestTimeout.Text != ""
	if !said {
		t.Timeout = programs.Timeout{}
	}
	return &gate.Wish{Config: t.Config, ClientGo: t.ClientGo, Timeout: t.Timeout}
}

// Unsaid returns the values of the flags, which count where a file says nothing.
func (f *Flags) Unsaid() *gate.Unsaid {
	profile, _ := machine.ProfileNamed(f.Profile.Text) // it was checked when it was set
	timeout, _ := programs.ParseTimeout(f.RequestTimeout.Text)
	u := &gate.Unsaid{
		Profile: profile, ProfileSaid: f.Profile.Given() || f.ClientGo.Given(), ReleaseOnCancel: f.ReleaseOnCancel, Timeout: timeout,
		Lock: plan.Lock(f.Lock.Kind.Text), LockSaid: f.Lock.Kind.Given(), Now: plan.Now(f.Lock.Now.Text), Precision: f.Lock.Precision.Duration(),
		Client: f.Client.said(),
	}
	if f.ClientGo.Given() {
		u.ClientGo = *f.ClientGo.Value
	}
	return u
}

// checkTimeout returns an error unless text is a value of --request-timeout: half, none, either or a duration.
func checkTimeout(text string) error {
	t, err := programs.ParseTimeout(text)
	if err == nil && t.Kind == programs.Unknown {
		err = fmt.Errorf("want half, none, either or a duration such as 5s")
	}
	return err
}

// CheckProfile returns an error unless name is a value of --profile: a profile that exists and for which a bound can be
// computed.
func CheckProfile(name string) error {
	if !slices.Contains(gate.ProfileNames(), name) {
		if p, known := machine.ProfileNamed(name); known {
			return fmt.Errorf("%w; want %s", bound.Unknown(&bound.Config{Profile: p}), strings.Join(gate.ProfileNames(), ", "))
		}
		return fmt.Errorf("unknown profile; want %s", phrase.List(gate.ProfileNames(), name))
	}
	return nil
}
