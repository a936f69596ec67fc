// Package text writes runs, searches and verdicts as text and pictures for a terminal.
//
// Functions for the gate take types of packages below internal. They are for the commands of this module.
package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// The highest numbers of lines for violations of a property and for terms. The JSON form has all.
const (
	maxViolations = 20
	maxTerms      = 40
)

// Run writes one run: what the scenario shows, the verdict on each property and why liveness is inconclusive, violations, how
// overlaps came about, faults without effect and candidates that did not start, requests that clients kept back, the terms, writes
// of guarded work, and statistics. The run must have a result. Lines have at most width columns; a width below 40 counts as 40.
func Run(w io.Writer, r *reports.Run, width int) error {
	width = max(width, reports.MinWidth)
	res := r.Result
	lines := []string{res.Scenario}
	if r.Scenario.About != "" {
		lines = append(lines, wrap(words.Visible(r.Scenario.About, words.MaxText), width)...)
	}
	lines = append(append(lines, ""), verdictLines(r, width)...)
	lines = section(lines, unclearLines(res, width))
	lines = section(lines, violationLines(res, width))
	lines = section(lines, whyLines(res, width))
	lines = section(lines, voidLines(r, width))
	lines = section(lines, heldLines(res.Held, width))
	lines = section(lines, termLines(res.Terms, width))
	lines = section(lines, resourceLines(res.Resource, width))
	stats := fmt.Sprintf("seed %d, %s of true time, %s events, %s store operations, trace hash %s",
		res.Seed, words.Duration(res.Stats.VirtualNs), words.Count(res.Stats.Events), words.Count(res.Stats.StoreOps),
		res.TraceHash)
	lines = section(lines, wrap(stats, width))
	return write(w, lines)
}

// Verdicts returns a table of the verdicts and one of the violations.
func Verdicts(r *reports.Run) string {
	return strings.Join(section(verdictLines(r, reports.DefaultWidth), violationLines(r.Result, reports.DefaultWidth)), "\n")
}

// Violations returns a table of a property's violations and, for single-work, how they came about.
func Violations(r *scenarios.Result, p *check.Property) string {
	one := *r
	one.Properties = []check.Property{*p}
	return strings.Join(section(violationLines(&one, reports.DefaultWidth), whyLines(&one, reports.DefaultWidth)), "\n")
}

// resourceLines returns lines on how many writes guarded work made, how many of them came too late from an old leader, and how many
// a resource with fencing refuses. It returns nil if r is nil.
func resourceLines(r *check.Resource, width int) []string {
	if r == nil {
		return nil
	}
	return wrap(fmt.Sprintf("%s guarded writes; %s of an old leader after its successor had written, which a resource without "+
		"fencing accepts; %s with a token below the highest, which one with fencing refuses", words.Count(uint64(r.Writes)),
		words.Count(uint64(r.Conflicting)), words.Count(uint64(r.Refused))), width)
}

// verdictLines returns a table of the verdicts.
func verdictLines(r *reports.Run, width int) []string {
	t := table{}
	for i := range r.Result.Properties {
		p := &r.Result.Properties[i]
		t.add(p.Name, string(p.Verdict), reports.Extent(p), r.Fulfilment(p))
	}
	return t.within(width)
}

// unclearLines returns a line for each property of which it is known why it is inconclusive; nil if there are none.
func unclearLines(r *scenarios.Result, width int) (lines []string) {
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Why != "" {
			lines = append(lines, wrap(words.Visible(p.Name+" is inconclusive: "+p.Why, words.MaxText), width)...)
		}
	}
	return lines
}

// violationLines returns a table of violations, with at most maxViolations rows for each property; nil if there are none. If it
// leaves some out, a last line says how many in all.
func violationLines(r *scenarios.Result, width int) []string {
	t := newTable("  ", "violated", "from", "to", "for", "candidates")
	left := 0
	for i := range r.Properties {
		p := &r.Properties[i]
		for k, v := range p.Violations {
			if k >= maxViolations {
				left += len(p.Violations) - k
				break
			}
			t.add(p.Name, words.Duration(v.FromNs), words.Duration(v.ToNs), reports.Length(&v), strings.Join(v.Names(), ", "))
		}
	}
	if len(t.rows) == 1 {
		return nil
	}
	lines := t.within(width)
	if left > 0 {
		lines = append(lines, fmt.Sprintf("  … and %s more", words.Count(left)))
	}
	return lines
}

// voidLines returns a sentence for each fault that had no effect, and for each candidate that would have started later than the run
// ended; nil if there are none.
func voidLines(r *reports.Run, width int) []string {
	var lines []string
	end := time.Duration(r.Result.Stats.VirtualNs)
	for _, v := range r.Result.Void {
		lines = append(lines, wrap(reports.VoidText(&v, end), width)...)
	}
	for i := range r.Scenario.Candidates {
		if c := &r.Scenario.Candidates[i]; c.StartAt >= end {
			lines = append(lines, wrap(fmt.Sprintf("candidate %s did not start: it would at %s, and the run ends at %s",
				c.ID, words.Duration(int64(c.StartAt)), words.Duration(int64(end))), width)...)
		}
	}
	return lines
}

// termLines returns a table of the terms; nil if there are none. If there are more than maxTerms, it leaves out those in the
// middle.
func termLines(terms []scenarios.Term, width int) []string {
	if len(terms) == 0 {
		return nil
	}
	t := newTable("  ", "term", "candidate", "process", "started", "cancelled", "ended", "stopped")
	left := max(len(terms)-maxTerms, 0)
	for i := range terms {
		if i == maxTerms/2 && left > 0 {
			t.add("…")
		}
		if i >= maxTerms/2 && i < maxTerms/2+left {
			continue
		}
		m := &terms[i]
		t.add(strconv.Itoa(i+1), check.InElection(m.Election, m.Candidate)[0], strconv.Itoa(int(m.Incarnation)), words.Duration(m.StartedNs),
			instant(m.CancelledNs), instant(m.EndedNs), instant(m.StoppedNs))
	}
	return t.within(width)
}

// instant formats an instant of true time. It returns "-" for nil, which stands for what did not happen.
func instant(ns *int64) string {
	if ns == nil {
		return "-"
	}
	return words.Duration(*ns)
}

// heldLines returns a table of the requests that their client did not send, or kept back for long, with at most maxViolations rows;
// nil if there are none.
func heldLines(held []scenarios.HeldRequest, width int) []string {
	if len(held) == 0 {
		return nil
	}
	t := newTable("  ", "kept back", "request", "at", "for", "why")
	for i := range held[:min(len(held), maxViolations)] {
		h := &held[i]
		long := "-"
		if h.ForNs > 0 {
			long = words.Duration(h.ForNs)
		}
		t.add(check.InElection(h.Election, h.Candidate)[0], h.Verb, words.Duration(h.AtNs), long, heldWhy[h.Cause])
	}
	lines := t.within(width)
	if left := len(held) - maxViolations; left > 0 {
		lines = append(lines, fmt.Sprintf("  … and %s more", words.Count(left)))
	}
	return lines
}

// heldWhy says why a client keeps back a request.
var heldWhy = map[scenarios.HeldCause]string{
	scenarios.HeldByLimiter:    "its client's limiter",
	scenarios.HeldByRetryAfter: "a Retry-After",
	scenarios.HeldRefused:      "never sent: no token in time from its client's limiter",
}
