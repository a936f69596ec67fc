package run

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/scenarios"
)

// run runs the jobs, prints their outcomes in the order of the command line, and completes the files of events, even if printing
// fails, but not after a run that failed. It returns an error with the exit code, nil if all is as expected. After Ctrl-C or SIGTERM
// it prints the outcomes that are there; with files of events the signal ends the program.
func (f *runFlags) run(c *cobra.Command, jobs []job) error {
	files, err := f.createFiles(&jobs[0])
	if err != nil {
		return err
	}
	defer discard(files)
	until, stop := context.Background(), func() {}
	if len(files) == 0 { // otherwise the files' watches end the program
		until, stop = terminal.Interruptible(until)
	}
	defer stop()

	out := &printer{
		form: f.form, stdout: c.OutOrStdout(), stderr: c.ErrOrStderr(), width: f.width, tableWidth: f.tableWidth, one: len(jobs) == 1,
	}
	var last outcome
	var wrote error // to standard output; the files are completed all the same
	ran := 0
	for i, o := range f.start(jobs, files) {
		var ended bool
		if last, ended = await(until, o); !ended {
			continue
		}
		ran++
		if wrote = out.add(&jobs[i], last); wrote != nil {
			break
		}
	}
	if ran < len(jobs) && wrote == nil {
		return out.interrupted(ran, len(jobs))
	}
	ended := &exit.Error{Code: out.code}
	if out.code != exit.HarnessFailed {
		if err := keep(files, &last.Run); err != nil {
			ended = &exit.Error{Code: exit.HarnessFailed, Text: err.Error()}
		}
	}
	if wrote == nil {
		wrote = out.finish()
	}
	switch {
	case wrote != nil && ended.Text == "":
		return wrote
	case ended.Code == exit.AsExpected:
		return nil
	}
	return ended
}

// await returns what comes from a channel, and true. It returns false if ctx ends before anything is there.
func await(ctx context.Context, from <-chan outcome) (o outcome, came bool) {
	select {
	case o = <-from:
		return o, true
	case <-ctx.Done():
	}
	select {
	case o = <-from:
		return o, true
	default:
		return o, false
	}
}

// createFiles creates the files that flags name for the events of the job's run; none if no flag names one. After an error it
// removes those that it has created.
func (f *runFlags) createFiles(j *job) (files []eventFile, err error) {
	for _, one := range f.files {
		o, err := outfile.Create("--"+one.name, one.path, f.force)
		if err != nil {
			discard(files)
			return nil, err
		}
		if o != nil {
			files = append(files, one.begin(o, j.scenario))
		}
	}
	return files, nil
}

// start starts to run the jobs on all cores, and returns at once: for each job a channel that gets its outcome. All jobs write
// their events to files too, so that files must be empty unless there is one job.
func (f *runFlags) start(jobs []job, files []eventFile) []chan outcome {
	outcomes := make([]chan outcome, len(jobs))
	for i := range outcomes {
		outcomes[i] = make(chan outcome, 1)
	}
	next := make(chan int, len(jobs))
	for i := range jobs {
		next <- i
	}
	close(next)
	for range min(len(jobs), runtime.GOMAXPROCS(0)) {
		go func() {
			for i := range next {
				outcomes[i] <- f.one(&jobs[i], files)
			}
		}()
	}
	return outcomes
}

// one runs the scenario of a job, and returns the outcome, with a timeline if the form has one and --brief is not given. It writes
// the events to files too. A panic of the run becomes the outcome's error.
func (f *runFlags) one(j *job, files []eventFile) (o outcome) {
	s := j.scenario
	o.Scenario, o.Command = s, j.command()
	defer func() {
		if v := recover(); v != nil {
			o.Result, o.Err = nil, &exit.Panic{Value: v, Stack: debug.Stack()}
		}
	}()
	var sinks []trace.Sink
	if f.form.timeline && !f.brief {
		o.timeline = reports.NewTimeline(s.Header(), s.Faults)
		o.timeline.Color = f.color
		sinks = append(sinks, o.timeline)
	}
	for _, file := range files {
		sinks = append(sinks, file.sink)
	}
	o.Result, o.Err = f.simulate(s, scenarios.Options{
		Brief: f.brief, Explain: !f.brief, Sinks: sinks, NoShortcut: f.noShortcut,
	})
	return o
}
