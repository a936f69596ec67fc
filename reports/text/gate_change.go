package text

import (
	"fmt"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
)

// changeLines are the smallest changes that help, what does not help, and the profile strict.
func (s sheet) changeLines(j *gate.Judgement) []string {
	var lines []string
	t := table{indent: "    "}
	for _, c := range j.Changes {
		to := "to " + c.To
		if c.Parameter == "request-timeout" && c.To != "0s" && j.Lock.Expires() {
			to += " (slower answers are given up)"
		}
		t.add(c.Parameter, c.From, to)
	}
	if len(t.rows) > 0 {
		lines = append([]string{"  Each of these alone makes it safe:"}, t.within(int(s))...)
	}
	if len(j.None) > 0 {
		lines = append(lines, s.indented("  ", "It does not help to change "+strings.Join(j.None, ", ")+".")...)
	}
	if j.Verdict == gate.Unsafe && len(lines) == 0 {
		lines = append(lines, s.indented("  ", "With so many retry periods in a deadline no other values are tried.")...)
	}
	return append(lines, s.indented("  ", strictWords(j))...)
}

// strictWords is what the profile strict would give.
func strictWords(j *gate.Judgement) string {
	switch {
	case j.Profile.Name == machine.Strict.Name:
		return ""
	case j.Strict == nil:
		return "Profile strict refuses it too."
	case j.Strict.Safe():
		return "With profile strict it is safe, margin " + words.Duration(-j.Strict.Overlap) + "."
	}
	return "With profile strict two leaders can work at once for " + words.Duration(j.Strict.Overlap) + "."
}

// witnessLines say what running the witness showed.
func (s sheet) witnessLines(j *gate.Judgement) []string {
	const frozen = "It takes a process that is frozen just as it begins to renew, after the ticker has started and before " +
		"the clock is read. Simulated worlds have both at one instant."
	unplayable := j.Result.Playable() != j.Result
	switch {
	case j.Witness == nil && unplayable:
		return s.indented("  ", "No witness. "+frozen)
	case j.Witness == nil:
		return s.indented("  ", "No witness: it takes an answer, or the end of a freeze, at exactly one instant.")
	}
	text := fmt.Sprintf("Its witness, scenario %s, was run and shows an overlap of %s. --witness DIR writes "+
		"it to a file for simulate run.", j.Witness.Name, words.Duration(j.Shown.Round(time.Millisecond)))
	if unplayable {
		text += " The rest it cannot show. " + frozen
	}
	return s.indented("  ", text)
}
