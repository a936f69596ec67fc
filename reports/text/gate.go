package text

import (
	"fmt"
	"io"
	"strings"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
)

// Gate writes verdicts: each target with the sum behind its verdict, then the notes, the count of verdicts unless there is one
// target, and the environment. Lines have at most width columns; a width below 40 counts as 40. No word is broken. With a width of
// Unlimited each verdict, row of a table and note is one line, so that programs can search for it.
func Gate(w io.Writer, r *gate.Report, width int) error {
	s := newSheet(width)
	for _, j := range r.Targets {
		s.line(j.Position.String() + ": " + strings.ToUpper(string(j.Verdict)) + ": " + GateVerdict(j))
		s.body(j)
		s.blank()
	}
	s.end(r, len(r.Targets), GateCount(r))
	s.environment(&r.Environment)
	return s.write(w)
}

// GateBrief writes the same report as Gate, but only one line for each target.
func GateBrief(w io.Writer, r *gate.Report, width int) error {
	s := newSheet(width)
	for _, j := range r.Targets {
		s.line(briefLine(j))
	}
	s.blank()
	s.end(r, len(r.Targets), GateCount(r))
	s.environment(&r.Environment)
	return s.write(w)
}

// briefLine returns one line for a target: its verdict with the margin and the conditions, or with the overlap, its timings and what the verdict
// assumes. The environment is left out unless the target has its own.
func briefLine(j *gate.Judgement) string {
	text := strings.ToUpper(string(j.Verdict))
	switch j.Verdict {
	case gate.Safe:
		text += ", margin " + words.Duration(j.Margin())
		if conditions := gateConditions(j); conditions != "" {
			text += "," + conditions
		}
	case gate.Unsafe:
		text += gateOverlap(j, "by", ", at most %s")
	}
	if why := GateAccepted(j); why != "" {
		text += ", accepted (" + why + ")"
	}
	return fmt.Sprintf("%s: %s: %s; %s", j.Position, text, timings(&j.Timings), strings.TrimSuffix(j.AssumesHere(), "."))
}

// end adds to s what comes after the targets: the notes of r, then the text in count. It leaves count out if there is exactly one
// target; targets is the number of targets.
func (s *sheet) end(r *gate.Report, targets int, count string) {
	for _, n := range r.Notes {
		s.line(n.String())
	}
	if len(r.Notes) > 0 {
		s.blank()
	}
	if targets != 1 {
		s.line(count)
		s.blank()
	}
}

// worstWords returns a sentence on until when the old leader works in the worst case, and when a new one can start. If a new leader
// can start at once, the sentence says instead for how long the old one works on, or that it never stops. It returns "" for a
// refused configuration.
func worstWords(j *gate.Judgement) string {
	if j.Result == nil {
		return ""
	}
	works, waits, waiting := spans(j)
	switch {
	case j.Result.Plan.Endless.InOnePlan():
		return "Worst case: a new leader starts, and the old one never stops."
	case waiting == "":
		return fmt.Sprintf("Worst case: a new leader starts, and the old one works on for %s.", words.Duration(works))
	}
	if j.ReleasesLater() && j.Verdict == gate.Safe {
		return fmt.Sprintf("Worst case: the old leader works, and then releases the lock, until %s; a new one may start at %s.",
			words.Duration(works), words.Duration(waits))
	}
	return fmt.Sprintf("Worst case: the old leader works until %s, a new one may start at %s.", words.Duration(works), words.Duration(waits))
}

// GateBody returns the lines that Gate writes for a target, without the first one, which is the verdict: the reasons for it.
func GateBody(j *gate.Judgement) string {
	return told(func(s *sheet) { s.body(j) })
}

// body adds to s the lines below the first one of a target: the worst case, the settings, what is assumed, then the sum
// behind the verdict, the changes that help an unsafe target with its witness, and other figures. A refused target has the
// reasons of the refusal and the changes that help instead of the sum and what follows it.
func (s *sheet) body(j *gate.Judgement) {
	s.say(worstWords(j))
	s.say(settingsWords(j))
	s.say("Assumes: " + j.Assumes())
	if why := GateAccepted(j); why != "" {
		s.say("Let be: " + why + ".")
	}
	if j.Verdict == gate.Refused {
		for reason := range strings.Lines(j.Reason) {
			s.say(reason)
		}
		s.changes(j)
		return
	}
	s.sum(j)
	s.say(longerWords(j))
	if j.Verdict == gate.Unsafe {
		s.changes(j)
		s.say(witnessWords(j))
	}
	s.say(figuresWords(j))
}

// settingsWords returns a sentence with the configuration that was judged: the timings, the profile and, where they are not the
// usual ones, the lock and the drain that a scenario gives.
func settingsWords(j *gate.Judgement) string {
	text := fmt.Sprintf("LeaseDuration %s, RenewDeadline %s, RetryPeriod %s; profile %s",
		words.Duration(j.LeaseDuration), words.Duration(j.RenewDeadline), words.Duration(j.RetryPeriod), j.Profile.Name)
	if lock := j.LockWords(); lock != "" {
		text += "; lock " + lock
	}
	if j.Drain > 0 {
		text += fmt.Sprintf("; drain %s by the scenario", words.Duration(j.Drain))
	}
	return text + "."
}

// figuresWords returns the other figures of a configuration as a sentence: worst failovers, the tolerated outage and the load on
// the lock service. If the outage is not computed, it says so. The configuration must not be refused.
func figuresWords(j *gate.Judgement) string {
	r := j.Result
	outage := "any outage of the lock service can cost the leadership"
	switch {
	case r.Outage > 0:
		outage = "an outage of the lock service of " + words.Duration(r.Outage) + " costs no leadership"
	case !bound.OutageComputed(&j.Config, &j.Environment):
		outage = "which outage costs no leadership is not computed"
	}
	return fmt.Sprintf("Worst failover after a crash %s, after a graceful stop %s; %s; %.2f requests per second of %d replicas.",
		words.Duration(r.Failover), words.Duration(r.Handover), outage, j.Load(gate.TypicalReplicas), gate.TypicalReplicas)
}

// environment adds to s a table of the environment: each number's flag, its value and where the value comes from.
func (s *sheet) environment(e *gate.Environment) {
	t := table{indent: "  "}
	for _, n := range e.Numbers() {
		t.add(n.Flag, n.Value, sourceWords(n))
	}
	s.lines = append(s.lines, "environment")
	s.table(&t)
}

// sourceWords returns where a number of the environment comes from. For a default it also says what the default assumes.
func sourceWords(n gate.Number) string {
	if n.Source != "default" {
		return n.Source
	}
	return "default: " + n.Assumes
}
