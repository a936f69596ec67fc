package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

	"interregnum/internal/gate"
)

// gateWidth is how wide the text of the gate is at most, but for names and positions.
const gateWidth = 80

// GateText writes verdicts for people: each target with the sum behind its verdict, and the environment.
func GateText(w io.Writer, r *gate.Report) error {
	var lines []string
	for _, j := range r.Targets {
		lines = append(append(lines, gateHead(j)), gateBody(j)...)
		lines = append(lines, "")
	}
	for _, n := range r.Notes {
		lines = append(lines, n.String())
	}
	if len(r.Notes) > 0 {
		lines = append(lines, "")
	}
	if len(r.Targets) != 1 {
		lines = append(lines, gateCount(r), "")
	}
	lines = append(lines, environmentLines(&r.Environment)...)
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// gateHead is a verdict in one line.
func gateHead(j *gate.Judgement) string {
	return j.Position.String() + ": " + strings.ToUpper(string(j.Verdict)) + ": " + verdictWords(j)
}

// verdictWords is the verdict as a sentence.
func verdictWords(j *gate.Judgement) string {
	switch {
	case j.Verdict == gate.Refused:
		return "the library or a real server does not take it"
	case j.Verdict == gate.Safe:
		return "no two leaders work at once; margin " + span64(j.Margin())
	case j.Result.Unbounded:
		return "two leaders can work at once, without end"
	case j.Result.AtLeast:
		return "two leaders can work at once for " + span64(j.Result.Overlap) + " and longer"
	}
	return "two leaders can work at once for " + span64(j.Result.Overlap)
}

func span64(d time.Duration) string { return human(int64(d)) }

// gateBody is what is behind a verdict.
func gateBody(j *gate.Judgement) []string {
	lines := indented("  ", settingsWords(j))
	if j.Verdict == gate.Refused {
		for reason := range strings.Lines(j.Reason) {
			lines = append(lines, indented("  ", strings.TrimSpace(reason))...)
		}
		return append(lines, changeLines(j)...)
	}
	lines = append(lines, sumLines(j)...)
	if j.Verdict == gate.Unsafe {
		lines = append(append(lines, changeLines(j)...), witnessLines(j)...)
	}
	return append(lines, indented("  ", figuresWords(j))...)
}

// indented wraps a text, each line behind an indent.
func indented(indent, text string) []string {
	lines := wrap(text, gateWidth-len(indent))
	for i := range lines {
		lines[i] = indent + lines[i]
	}
	return lines
}

// settingsWords is the configuration that was judged.
func settingsWords(j *gate.Judgement) string {
	text := fmt.Sprintf("LeaseDuration %s, RenewDeadline %s, RetryPeriod %s; profile %s",
		span64(j.LeaseDuration), span64(j.RenewDeadline), span64(j.RetryPeriod), j.Profile.Name)
	if lock := j.LockWords(); lock != "" {
		text += "; lock " + lock
	}
	if j.ReleaseOnCancel {
		text += "; releases on cancel"
	}
	if j.RequestTimeout > 0 {
		text += fmt.Sprintf("; requests time out after %s", span64(j.RequestTimeout))
	}
	if j.Drain > 0 {
		text += fmt.Sprintf("; drain %s by the scenario", span64(j.Drain))
	}
	if len(j.Defaulted) > 0 {
		whose := "client-go's default"
		if j.Component != "" {
			whose = "the default of " + j.Component
		}
		text += fmt.Sprintf(" (%s: %s)", strings.Join(j.Defaulted, ", "), whose)
	}
	return text + "."
}

// figuresWords is what else follows from a configuration.
func figuresWords(j *gate.Judgement) string {
	r := j.Result
	return fmt.Sprintf("Worst failover after a crash %s, after a graceful stop %s; an outage of the lock service of %s "+
		"costs no leadership; %.2f requests per second of %d replicas.", span64(r.Failover), span64(r.Handover),
		span64(r.Outage), j.Load(gate.TypicalReplicas), gate.TypicalReplicas)
}

func gateCount(r *gate.Report) string {
	count := map[gate.Verdict]int{}
	for _, j := range r.Targets {
		count[j.Verdict]++
	}
	text := fmt.Sprintf("%s judged: %s safe, %s unsafe, %s refused", thousands(len(r.Targets)),
		thousands(count[gate.Safe]), thousands(count[gate.Unsafe]), thousands(count[gate.Refused]))
	if n := len(r.Problems) + len(r.Failures); n > 0 {
		text += fmt.Sprintf("; %s could not be", thousands(n))
	}
	return text
}

// environmentLines are the numbers that counted, and where they are from.
func environmentLines(e *gate.Environment) []string {
	t := table{indent: "  "}
	for _, n := range e.Numbers() {
		t.add(n.Flag, n.Value, sourceWords(n))
	}
	return append([]string{"environment"}, t.lines()...)
}

// sourceWords says of a default that is 0 what it takes for granted.
func sourceWords(n gate.Number) string {
	if n.Source != "default" {
		return n.Source
	}
	switch n.Flag {
	case "max-drift-ppm":
		return "default: all clocks run true"
	case "max-pause":
		return "default: no process ever stands still"
	case "drain":
		return "default: work ends when its context does"
	case "max-clock-offset":
		return "default: wall clocks agree; for sql-ttl"
	}
	return "default: the latency that Kubernetes aims at"
}
