package run

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/reports"
	"interregnum/reports/text"
)

// outcome is what a job's run has brought: a result or an error, and a timeline.
type outcome struct {
	reports.Run
	// timeline is nil if none is wanted.
	timeline *reports.Timeline
}

// form is a form of output: how it prints outcomes, and what it needs for that.
type form struct {
	// add prints an outcome, or keeps it for finish. finish is called when all jobs have run.
	add    func(*printer, outcome) error
	finish func(*printer) error
	// timeline tells that the form has a timeline, forPeople that it is not data for programs.
	timeline, forPeople bool
}

// printer prints the outcomes of jobs in one form.
type printer struct {
	form           form
	stdout, stderr io.Writer
	// width is that of text, and tableWidth that of tables.
	width, tableWidth int
	// one tells that there is a single job, which is shown in full.
	one bool
	// code is the exit code so far.
	code int
	// runs are the runs that finish prints. worst is the outcome whose timeline it prints: see outcome.worse.
	runs  []reports.Run
	worst outcome
	// again are the commands that repeat the runs that are not as expected.
	again []string
}

// add raises p.code to the exit code of a job's outcome, adds the command of a run that is not as expected to p.again, and prints
// the error of a run that failed to stderr. Then it calls the form's add, which prints the outcome or keeps it for finish, and
// returns its error.
func (p *printer) add(j *job, o outcome) error {
	switch {
	case o.Err != nil:
		p.code = exit.HarnessFailed
		// The line says what to run again. Nothing is written to standard output.
		fmt.Fprintf(p.stderr, "simulate: %s: scenario %s, seed %d: %s\n", j.arg, j.scenario.Name, j.scenario.Seed,
			strings.TrimRight(o.Err.Error(), "\n"))
	case !o.Result.AsExpected:
		p.code = max(p.code, exit.NotAsExpected)
	}
	if o.Err == nil && !o.Result.AsExpected {
		p.again = append(p.again, o.Command)
	}
	return p.form.add(p, o)
}

// gather appends the run of an outcome to p.runs, and returns nil. It also sets p.worst to the outcome if that has a result and
// is worse than p.worst.
func (p *printer) gather(o outcome) error {
	if o.Result != nil && (p.worst.Result == nil || o.worse(&p.worst)) {
		p.worst = o
	}
	o.timeline = nil
	p.runs = append(p.runs, o.Run)
	return nil
}

// finish is called when all jobs have run. It calls the form's finish, and then prints the commands in p.again: to standard
// output or, if that is data for programs, to standard error.
func (p *printer) finish() error {
	if err := p.form.finish(p); err != nil {
		return err
	}
	var again strings.Builder
	for _, command := range p.again {
		again.WriteString(command + "\n")
	}
	if p.form.forPeople {
		_, err := io.WriteString(p.stdout, again.String())
		return err
	}
	_, _ = io.WriteString(p.stderr, again.String())
	return nil
}

// interrupted prints the outcomes that there are, if any, and returns an error that says how many of all jobs they are. Its code is
// that of a failure unless one of them is not as expected, so that nobody takes a part for the whole.
func (p *printer) interrupted(ran, all int) error {
	if ran > 0 {
		if err := p.finish(); err != nil {
			return err
		}
	}
	if p.code == exit.AsExpected {
		p.code = exit.HarnessFailed
	}
	return &exit.Error{Code: p.code, Text: fmt.Sprintf("interrupted after %d of %s: nothing is known of the rest", ran, phrase.Number(all, "scenario"))}
}

// text prints a single run in full. It prints several runs as a table and, if the worst has an overlap, that one's timeline and
// why it came about.
func (p *printer) text() error {
	if p.one {
		return p.single()
	}
	if err := text.Table(p.stdout, p.runs, p.tableWidth); err != nil {
		return err
	}
	if p.worst.timeline != nil && p.worst.Overlap() > 0 {
		r := p.worst.Result
		which := ""
		if p.worst.ended() {
			which = " that ended"
		}
		title := fmt.Sprintf("The longest split brain%s is that of %s, seed %d:", which, r.Scenario, r.Seed)
		_, err := fmt.Fprintf(p.stdout, "\n%s\n\n", text.Fold(title, p.tableWidth))
		if err != nil {
			return err
		}
		if err := text.Timeline(p.stdout, p.worst.timeline, r, p.width); err != nil {
			return err
		}
		if err := text.Why(p.stdout, r, p.width); err != nil {
			return err
		}
	}
	return p.gap()
}

// single prints the only run in full, with its timeline if there is one. It prints nothing if the run failed.
func (p *printer) single() error {
	if p.worst.Result == nil {
		return nil
	}
	if err := text.Run(p.stdout, &p.worst.Run, p.width); err != nil {
		return err
	}
	if p.worst.timeline != nil {
		if _, err := fmt.Fprintln(p.stdout); err != nil {
			return err
		}
		if err := text.Timeline(p.stdout, p.worst.timeline, p.worst.Result, p.width); err != nil {
			return err
		}
	}
	return p.gap()
}

// gap prints an empty line if finish will print commands after it.
func (p *printer) gap() error {
	if len(p.again) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(p.stdout)
	return err
}

// worse tells whether o is shown in place of q. An outcome whose overlaps all ended within the run comes first, since its
// timeline shows how they ended. If both did or neither did, the one with the longer overlap comes first.
func (o *outcome) worse(q *outcome) bool {
	if a, b := o.ended(), q.ended(); a != b {
		return a
	}
	return o.Overlap() > q.Overlap()
}

// ended tells whether there were overlaps of guarded work, and all of them ended before the run did.
func (o *outcome) ended() bool {
	overlaps := reports.Violations(o.Result, check.SingleWork)
	atEnd := func(v check.Violation) bool { return v.ToNs >= o.Result.Stats.VirtualNs }
	return len(overlaps) > 0 && !slices.ContainsFunc(overlaps, atEnd)
}
