package run

import (
	"fmt"
	"io"
	"strings"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/text"
)

// outcome is what became of a job.
type outcome struct {
	reports.Run
	// timeline is nil where none is wanted.
	timeline *reports.Timeline
}

// printer writes outcomes as they come.
type printer struct {
	flags          *runFlags
	stdout, stderr io.Writer
	// one tells that there is a single job, which is shown in full.
	one  bool
	code int
	// runs are those of a table; worst is the one with the longest overlap, of those that came to an end if any did:
	// a picture of one shows how it ended.
	runs  []reports.Run
	worst outcome
	// again are the commands that run what failed once more.
	again []string
}

// add takes in the outcome of a job: it counts for the exit code, and is printed at once or, by finish, with the others.
// The form says which.
func (p *printer) add(j *job, o outcome) error {
	switch {
	case o.Err != nil:
		p.code = exit.HarnessFailed
		// The line names what to run again; nothing goes to standard output.
		fmt.Fprintf(p.stderr, "simulate: %s: scenario %s, seed %d: %s\n", j.arg, j.scenario.Name, j.scenario.Seed,
			strings.TrimRight(o.Err.Error(), "\n"))
	case !o.Result.AsExpected:
		p.code = max(p.code, exit.NotAsExpected)
	}
	if o.Err == nil && !o.Result.AsExpected {
		p.again = append(p.again, j.command())
	}
	o.Command = j.command()
	return p.flags.form.add(p, o)
}

// gather keeps an outcome until all have run.
func (p *printer) gather(o outcome) error {
	if o.Result != nil && (p.worst.Result == nil || o.worse(&p.worst)) {
		p.worst = o
	}
	o.timeline = nil
	p.runs = append(p.runs, o.Run)
	return nil
}

// finish writes what has to wait until all have run. The commands come last; where standard output is
// data for programs they go to standard error.
func (p *printer) finish() error {
	if err := p.flags.form.finish(p); err != nil {
		return err
	}
	var again strings.Builder
	for _, command := range p.again {
		again.WriteString(command + "\n")
	}
	if p.flags.output == cliflag.Text {
		_, err := io.WriteString(p.stdout, again.String())
		return err
	}
	_, _ = io.WriteString(p.stderr, again.String())
	return nil
}

// text prints a single run in full, or several as a table, with the timeline of the longest overlap.
func (p *printer) text() error {
	if p.one {
		return p.single()
	}
	if err := text.Table(p.stdout, p.runs, p.flags.tableWidth); err != nil {
		return err
	}
	if p.worst.timeline != nil && p.worst.Overlap() > 0 {
		r := p.worst.Result
		which := ""
		if p.worst.ended() {
			which = " that ended"
		}
		title := fmt.Sprintf("The longest split brain%s is that of %s, seed %d:", which, r.Scenario, r.Seed)
		_, err := fmt.Fprintf(p.stdout, "\n%s\n\n", terminal.Fold(title, p.flags.tableWidth))
		if err != nil {
			return err
		}
		if err := text.Timeline(p.stdout, p.worst.timeline, r, p.flags.width); err != nil {
			return err
		}
		if err := text.Why(p.stdout, r, p.flags.width); err != nil {
			return err
		}
	}
	return p.gap()
}

// single prints the only run in full, with its timeline.
func (p *printer) single() error {
	if p.worst.Result == nil {
		return nil
	}
	if err := text.Run(p.stdout, &p.worst.Run, p.flags.width); err != nil {
		return err
	}
	if p.worst.timeline != nil {
		if _, err := fmt.Fprintln(p.stdout); err != nil {
			return err
		}
		if err := text.Timeline(p.stdout, p.worst.timeline, p.worst.Result, p.flags.width); err != nil {
			return err
		}
	}
	return p.gap()
}

// gap prints an empty line if commands to run again follow.
func (p *printer) gap() error {
	if len(p.again) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(p.stdout)
	return err
}

// worse tells whether o is to be shown rather than q: an overlap that ended rather than one that did not, else the
// longer one.
func (o *outcome) worse(q *outcome) bool {
	if a, b := o.ended(), q.ended(); a != b {
		return a
	}
	return o.Overlap() > q.Overlap()
}

// ended tells whether there were overlaps of guarded work, and all of them were over when the run ended.
func (o *outcome) ended() bool {
	for _, p := range o.Result.Properties {
		if p.Name != check.SingleWork {
			continue
		}
		for _, v := range p.Violations {
			if v.ToNs >= o.Result.Stats.VirtualNs {
				return false
			}
		}
		return len(p.Violations) > 0
	}
	return false
}
