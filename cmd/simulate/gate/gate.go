// Package gate has the command simulate gate.
package gate

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/gate"
	"interregnum/internal/phrase"
)

// New returns the command simulate gate.
func New() *cobra.Command {
	var f gateFlags
	c := &cobra.Command{
		Use:   "gate [flags] [FILE or FOLDER…]",
		Short: "Is this timing configuration safe in this environment?",
		Long: `Is this timing configuration safe in this environment?

The configuration is that of the flags, or what is found in files: manifests, component configurations, Helm
values, Lease objects, scenario files, in any mix; a folder stands for all YAML and JSON in it, - for standard
input. Each is judged by itself: can the work of two leaders ever overlap, for how long at worst, and which
change of a single parameter makes it safe. For an unsafe one a scenario of the worst case is run; where no run shows
an overlap, that is said. Many targets get a line each; --explain has the sum behind each verdict.

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

// run judges the configuration of the flags, or those in the files that args name, prints the report, and writes the files of
// --write-baseline and --witness. It returns an error with the exit code, nil if all is as expected.
func (f *gateFlags) run(c *cobra.Command, args []string) error {
	if err := f.check(c, args); err != nil {
		return err
	}
	e, err := f.Environment.Read(c)
	if err != nil {
		return err
	}
	r, err := f.Judge(c, args, e)
	if err != nil {
		return err
	}
	if f.require {
		r.Require()
	}
	if err := f.lists.accept(c, r, f.force); err != nil {
		return err
	}
	if err := f.write(c.OutOrStdout(), r, f.explain); err != nil {
		return err
	}
	again, err := f.again(r)
	if err != nil {
		return err
	}
	return f.finish(c, r, again)
}

// finish prints the problems and failures of the report to standard error. Unless all is as expected, it then prints the commands
// in again, which show verdicts once more: to standard output if the form is text, otherwise to standard error. It returns an error
// with the exit code, nil if all is as expected.
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

// again returns the commands, equal ones once, that show again each verdict that is unsafe or refused and not accepted. With
// --witness it writes the scenarios of unsafe verdicts into that folder, returns the commands that run them, and includes accepted
// verdicts. The error says that a scenario cannot be written.
func (f *gateFlags) again(r *gate.Report) ([]string, error) {
	var all []string
	for _, j := range r.Targets {
		switch {
		case j.Verdict == gate.Safe || j.Accepted != "" && f.witness == "":
		case f.witness == "" || j.Witness == nil:
			if command := gateCommand(j); command != "" && !slices.Contains(all, command) {
				all = append(all, command)
			}
		default:
			path := filepath.Join(f.witness, j.Witness.Name+".yaml")
			if err := f.writeWitness(path, j); err != nil {
				return nil, err
			}
			all = append(all, "simulate run "+phrase.ShellPath(path))
		}
	}
	return all, nil
}

// writeWitness writes the scenario of an unsafe verdict to the file at path, and creates the folder. It replaces a file that exists
// only with --force.
func (f *gateFlags) writeWitness(path string, j *gate.Judgement) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return exit.With(exit.BadInput, fmt.Errorf("--witness %s: %w", f.witness, err))
	}
	return outfile.Write("--witness", path, f.force, j.Witness.WriteYAML)
}
