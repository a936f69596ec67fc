package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
	"interregnum/internal/version"
	"interregnum/reports"
	"interregnum/scenarios/plan"
)

func newGate() *cobra.Command {
	var f gateFlags
	c := &cobra.Command{
		Use:   "gate [flags] [FILE or FOLDER…]",
		Short: "Is this timing configuration safe in this environment?",
		Long: `Is this timing configuration safe in this environment?

The configuration is that of the flags, or what is found in files: manifests, component configurations, Helm
values, Lease objects, scenario files, in any mix; a folder stands for all YAML and JSON in it, - for standard
input. Each is judged by itself: can the work of two leaders ever overlap, for how long at worst, and which
change of a single parameter makes it safe. For every unsafe one the worst case is built as a scenario and run
before anything is said. Many targets get a line each; --explain has the sum behind each verdict.

The environment is what can go wrong: flags win over --environment FILE, which wins over the defaults.
--overrides FILE has what counts for single targets. Of well-known programs the gate knows the request timeout
and whether they release the lock. Every verdict says what it assumes.

Exit codes: 0 all safe or accepted, or nothing to judge (with --require that is 2), 1 one is unsafe or refused,
2 bad input (the rest is judged all the same), 3 the gate itself failed.`,
		Example: `  simulate gate --lease-duration 15s --renew-deadline 10s --retry-period 2s --max-round-trip 5s
  simulate gate deploy --environment environment.yaml --baseline baseline.yaml
  helm template my-chart | simulate gate - --require -o junit
  simulate gate manager.yaml --witness . || simulate run gate-*.yaml`,
		ValidArgsFunction: completion.Files(completion.YAML...),
		RunE:              func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	f.register(c)
	return c
}

// run judges the configuration in the flags, or those in the files that are named, and prints the report; its error has
// the exit code.
func (f *gateFlags) run(c *cobra.Command, args []string) error {
	if err := f.check(c, args); err != nil {
		return err
	}
	e, err := f.environment(c)
	if err != nil {
		return err
	}
	var r *gate.Report
	if len(args) > 0 {
		unsaid := f.unsaid()
		if unsaid.Overrides, err = f.readOverrides(c); err != nil {
			return err
		}
		r = gate.JudgeFiles(args, c.InOrStdin(), unsaid, e)
	} else {
		r = gate.JudgeTargets([]gate.Target{f.target(c)}, e)
	}
	if f.require {
		r.Require()
	}
	if err := f.accept(c, r); err != nil {
		return err
	}
	if err := f.write(c.OutOrStdout(), r); err != nil {
		return err
	}
	again, err := f.again(r)
	if err != nil {
		return exit.With(exit.BadInput, err)
	}
	return f.finish(c, r, again)
}

// write writes the report as text for people or in one of the other forms.
func (f *gateFlags) write(w io.Writer, r *gate.Report) error {
	switch width := terminal.Of(w).Lines(); {
	case f.output != cliflag.Text:
		return gateForms[f.output](w, r)
	case len(r.Targets) > 1 && !f.explain:
		return reports.GateBriefWithin(w, r, width)
	default:
		return reports.GateTextWithin(w, r, width)
	}
}

// gateForms are the forms of output. On a terminal text is as wide as that: see write.
var gateForms = map[string]func(io.Writer, *gate.Report) error{
	cliflag.Text: reports.GateText, cliflag.JSON: reports.GateJSON,
	"junit": reports.GateJUnit, "markdown": reports.GateMarkdown,
	"sarif": func(w io.Writer, r *gate.Report) error {
		return reports.GateSARIF(w, r, version.Read("simulate").Version)
	},
}

// finish prints the problems and failures of the report, then the commands that show failures again. Its error has the
// exit code.
func (f *gateFlags) finish(c *cobra.Command, r *gate.Report, again []string) error {
	code := exit.AsExpected
	if v := r.Verdict(); v == gate.Unsafe || v == gate.Refused {
		code = exit.NotAsExpected
	}
	for _, p := range r.Problems {
		code = exit.BadInput
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %s\n", p.Error())
	}
	for _, err := range r.Failures {
		code = exit.HarnessFailed
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %v\n", err)
	}
	out := c.ErrOrStderr()
	if f.output == cliflag.Text {
		out = c.OutOrStdout()
		again = append([]string{""}, again...)
	}
	if code != exit.AsExpected && len(again) > 0 {
		if _, err := io.WriteString(out, strings.Join(again, "\n")+"\n"); err != nil {
			return err
		}
	}
	if code == exit.AsExpected {
		return nil
	}
	return &exit.Error{Code: code}
}

// again are the commands that show each unsafe verdict once more. With --witness it also writes the scenario that such
// a command runs.
func (f *gateFlags) again(r *gate.Report) ([]string, error) {
	var all []string
	for _, j := range r.Targets {
		switch {
		case j.Verdict == gate.Safe || j.Accepted != "" && f.witness == "":
		case f.witness == "" || j.Witness == nil:
			if command := gateCommand(j); !slices.Contains(all, command) {
				all = append(all, command)
			}
		default:
			path := filepath.Join(f.witness, j.Witness.Name+".yaml")
			if err := f.writeWitness(path, j); err != nil {
				return nil, exit.With(exit.BadInput, err)
			}
			all = append(all, "simulate run "+phrase.ShellWord(path))
		}
	}
	return all, nil
}

// writeWitness writes the scenario of an unsafe verdict to a file, and makes the folder for it.
func (f *gateFlags) writeWitness(path string, j *gate.Judgement) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("--witness %s: %w", f.witness, err)
	}
	return outfile.Write("--witness", path, f.force, j.Witness.WriteYAML)
}

// gateCommand is the command line that judges a target again by flags alone, without its file.
func gateCommand(j *gate.Judgement) string {
	e := gate.Environment{Environment: j.Environment}
	words := []string{
		"simulate gate", "--lease-duration", gate.FormatDuration(j.LeaseDuration),
		"--renew-deadline", gate.FormatDuration(j.RenewDeadline),
		"--retry-period", gate.FormatDuration(j.RetryPeriod), "--profile", j.Profile.Name,
	}
	words = append(words, lockWords(&j.Config)...)
	if j.ReleaseOnCancel {
		words = append(words, "--release-on-cancel")
	}
	switch j.Timeout.Kind {
	case files.Either:
		words = append(words, "--request-timeout either")
	case files.Half:
		words = append(words, "--request-timeout half")
	default:
		if j.TimeoutFrom != gate.TimeoutDefault {
			words = append(words, "--request-timeout", timeoutWord(j.RequestTimeout))
		}
	}
	for _, n := range e.Numbers() {
		switch {
		case n.Switch() && n.Value == "true":
			words = append(words, "--"+n.Flag)
		case !n.Switch() && (n.Value != "0s" && n.Value != "0" || n.Flag == "max-round-trip"):
			words = append(words, "--"+n.Flag, n.Value)
		}
	}
	return strings.Join(words, " ")
}

// timeoutWord is a request timeout as --request-timeout takes it; 0 is none.
func timeoutWord(d time.Duration) string {
	if d == 0 {
		return string(files.None)
	}
	return gate.FormatDuration(d)
}

// lockWords are the flags that say which lock it is.
func lockWords(c *bound.Config) []string {
	var words []string
	if c.Lock != "" && c.Lock != plan.Lease {
		words = append(words, "--lock", string(c.Lock))
	}
	if c.Now != "" {
		words = append(words, "--now", string(c.Now))
	}
	if c.Precision > 0 {
		words = append(words, "--precision", phrase.Duration(c.Precision))
	}
	return words
}

// environment is what can go wrong: as the flags say, where they do not as the file of --environment says, else the
// defaults.
func (f *gateFlags) environment(c *cobra.Command) (gate.Environment, error) {
	e := gate.DefaultEnvironment()
	if f.environmentFile != "" {
		var err error
		if e, err = gate.ReadEnvironmentFile(f.environmentFile, c.InOrStdin()); err != nil {
			return e, badList(err)
		}
	}
	for _, n := range e.Numbers() {
		given := c.Flags().Lookup(n.Flag)
		if !given.Changed {
			continue
		}
		if err := e.Set(n.Flag, given.Value.String(), "--"+n.Flag); err != nil {
			return e, exit.Usage(c.CommandPath(), "--%s: %v", n.Flag, err)
		}
	}
	return e, nil
}
