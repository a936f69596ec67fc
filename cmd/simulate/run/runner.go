package run

import (
	"errors"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/scenarios"
)

// run runs the jobs, writes what they showed in the order in which they were given, and says with its
// error which code the process ends with.
func (f *runFlags) run(c *cobra.Command, jobs []job) error {
	file, err := createTrace(f.trace, f.force, jobs[0].scenario)
	if err != nil {
		return exit.With(exit.BadInput, err)
	}
	defer file.discard()
	perfetto, err := createPerfetto(f.perfetto, f.force, jobs[0].scenario)
	if err != nil {
		return exit.With(exit.BadInput, err)
	}
	defer perfetto.discard()
	page, err := createHTML(f.html, f.force, jobs[0].scenario)
	if err != nil {
		return exit.With(exit.BadInput, err)
	}
	defer page.discard()

	out := &printer{flags: f, stdout: c.OutOrStdout(), stderr: c.ErrOrStderr(), one: len(jobs) == 1}
	var last outcome
	var wrote error // to standard output, of which run knows; what else is asked for is done all the same
	for i, o := range f.start(jobs, file, perfetto, page) {
		last = <-o
		if wrote = out.add(&jobs[i], last); wrote != nil {
			break
		}
	}
	ended := &exit.Error{Code: out.code}
	if out.code != exit.HarnessFailed {
		if err := errors.Join(file.keep(), perfetto.keep(), page.keep(&last.Run, jobs[0].command())); err != nil {
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

// start has the jobs run on every core, and returns where each one's outcome will be.
func (f *runFlags) start(jobs []job, file *traceFile, perfetto *perfettoFile, page *htmlFile) []chan outcome {
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
				outcomes[i] <- f.one(jobs[i].scenario, file, perfetto, page)
			}
		}()
	}
	return outcomes
}

// one runs a scenario. A panic becomes the outcome's error.
func (f *runFlags) one(
	s *scenarios.Scenario, file *traceFile, perfetto *perfettoFile, page *htmlFile,
) (o outcome) {
	o.Scenario = s
	defer func() {
		if v := recover(); v != nil {
			o.Result, o.Err = nil, &exit.Panic{Value: v, Stack: debug.Stack()}
		}
	}()
	var sinks []trace.Sink
	if (f.output == cliflag.Text || f.output == cliflag.Markdown) && !f.brief {
		o.timeline = reports.NewTimeline(s.Header(), s.Faults)
		o.timeline.Color = f.color
		sinks = append(sinks, o.timeline)
	}
	if file != nil {
		sinks = append(sinks, file.writer)
	}
	if perfetto != nil {
		sinks = append(sinks, perfetto.writer)
	}
	if page != nil {
		sinks = append(sinks, page.page)
	}
	o.Result, o.Err = f.simulate(s, scenarios.Options{Brief: f.brief, Explain: !f.brief, Sinks: sinks})
	return o
}
