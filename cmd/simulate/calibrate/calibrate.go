// Package calibrate has the command simulate calibrate.
package calibrate

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/calibrate"
)

// New returns the command simulate calibrate.
func New() *cobra.Command {
	var f calibrateFlags
	c := &cobra.Command{
		Use:   "calibrate [flags] [LOG…]",
		Short: "Measure the round trips of lease requests, for gate and tune",
		Long: `Measure the round trips of lease requests, and write an environment file for simulate gate and simulate tune.

What is measured is the audit log of an API server, in JSON lines (also as EKS and AKS have them), gzip or not, - is standard
input; or, with --kubeconfig, --context or --in-cluster, the server itself, with requests of its own: those only
read a Lease, unless --write allows it to make a Lease of a name that nobody has, to update it and to delete it in
the end. Ctrl-C ends the measuring early; what has been measured counts.

maxRoundTrip is the slowest answer times --margin, plus --add. An audit log knows the server's side alone: the
network and what a request waits for in the client are not in it, and are for --add.

Exit codes: 0 measured, 1 nothing could be measured on the server, or a Lease of its own is left behind, 2 bad input, as
is a log without an answered request.`,
		Example: `  simulate calibrate /var/log/kubernetes/audit*.log --add 20ms
  simulate calibrate /var/log/kubernetes/audit*.log --behaviour
  simulate calibrate audit.log --lease my-controller --behaviour --recording recording.txt
  simulate calibrate --context staging --namespace kube-system --lease kube-scheduler --for 10m
  simulate calibrate --kubeconfig admin.conf --namespace default --write --for 1h
  simulate gate --environment environment.yaml deploy/*.yaml`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE:              func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	f.register(c)
	return c
}

// run measures, writes the environment file and the recording, prints what was measured, and prints problems to standard error. It
// returns an error with the exit code, nil if it has written the environment file and nothing failed.
func (f *calibrateFlags) run(c *cobra.Command, args []string) error {
	if err := f.check(c, args); err != nil {
		return err
	}
	for _, arg := range args {
		for _, out := range [][2]string{{"--environment", f.environment}, {"--recording", f.recording}} {
			if out[1] != "" && input.Same(arg, out[1]) {
				return &exit.Error{Code: exit.BadInput, Text: out[0] + " " + out[1] + " would overwrite the log"}
			}
		}
	}
	if err := outfile.Apart(c, nil, "environment", "recording"); err != nil {
		return err
	}
	// The file is created first, so that nobody measures for a day and then cannot write the result.
	file, err := outfile.Create("--environment", f.environment, f.force)
	if err != nil {
		return err
	}
	defer file.Discard()
	recording, err := outfile.Create("--recording", f.recording, f.force)
	if err != nil {
		return err
	}
	defer recording.Discard()
	measure := func() (*calibration, error) { file.SpareFirst(); recording.SpareFirst(); return f.server(c) }
	if len(args) > 0 {
		measure = func() (*calibration, error) { return f.logs(c.InOrStdin(), args), nil }
	}
	r, failed := measure()
	if r == nil {
		return failed
	}
	code, err := f.conclude(r, file, recording)
	if err != nil {
		return err
	}
	if err := f.print(r, c.OutOrStdout()); err != nil {
		return err
	}
	for _, p := range r.Problems {
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %s\n", p)
	}
	if failed != nil {
		return failed
	}
	if code != exit.AsExpected {
		return &exit.Error{Code: code}
	}
	return nil
}

// conclude computes maxRoundTrip from what was measured, writes the environment file and, unless it is nil, the recording, and
// sets in r what was written. If nothing was measured, or part of the input could not be read, it writes no file, adds the reason
// to r.Problems and returns another code than exit.AsExpected without an error. err is a file that cannot be written, or numbers
// out of range.
func (f *calibrateFlags) conclude(r *calibration, file, recording *outfile.File) (code int, err error) {
	if r.All.Count == 0 {
		r.Problems = append(r.Problems, r.noAnswers())
	}
	switch {
	case r.untrusted:
		r.Problems = append(r.Problems, "no environment is written: what could not be read may have been the slowest")
		return exit.BadInput, nil
	case r.All.Count == 0 && r.Audit != nil:
		return exit.BadInput, nil
	case r.All.Count == 0:
		return exit.NotAsExpected, nil
	}
	e := &calibrate.File{Slowest: r.All.Max, Margin: f.margin, Add: f.add.Duration(), Comments: r.comments(f.note)}
	switch {
	case f.behaviour && recording != nil:
		e.Behaviour = calibrate.Replayed(f.recordingFrom())
	case f.behaviour:
		if e.Behaviour, err = r.measured.Behaviour(); err != nil {
			return exit.BadInput, exit.With(exit.BadInput, err)
		}
	}
	longest, err := e.MaxRoundTrip()
	if err != nil {
		return exit.BadInput, exit.With(exit.BadInput, err)
	}
	if recording != nil {
		if err = r.measured.Record(recording); err == nil {
			err = recording.Keep()
		}
		if err != nil {
			return exit.BadInput, exit.With(exit.BadInput, fmt.Errorf("--recording %s: %w", f.recording, err))
		}
		r.Recording = f.recording
	}
	r.MaxRoundTrip, r.Derivation = &longest, e.Derivation()
	err = e.Write(file)
	if err == nil {
		err = file.Keep()
	}
	if err != nil {
		return exit.BadInput, &exit.Error{Code: exit.BadInput, Text: fmt.Sprintf("--environment %s: %v", f.environment, err)}
	}
	r.Environment = f.environment
	return exit.AsExpected, nil
}

// recordingFrom returns the path of the recording as the environment file has to name it: from the folder of the environment
// file.
func (f *calibrateFlags) recordingFrom() string {
	if name, err := filepath.Rel(filepath.Dir(f.environment), f.recording); err == nil {
		return filepath.ToSlash(name)
	}
	return f.recording // one of the two is absolute
}
