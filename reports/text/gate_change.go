package text

import (
	"fmt"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
)

// changes adds to s the smallest changes that make the target safe, the settings that do not help, and what the verdict would be
// with the profile strict. For an unsafe target without any of the former two it says that no other values are tried.
func (s *sheet) changes(j *gate.Judgement) {
	t := table{indent: "    "}
	for _, c := range j.Changes {
		if c.Parameter == "request-timeout" {
			c.From, c.To = timeoutWord(c.From), timeoutWord(c.To)
		}
		to := "to " + c.To
		if c.Parameter == "request-timeout" && c.To != "none" && j.Lock.Expires() {
			to += " (slower answers are given up)"
		}
		t.add(c.Parameter, c.From, to)
	}
	if len(t.rows) > 0 {
		s.lines = append(s.lines, "  Each of these alone makes it safe:")
		s.table(&t)
	}
	if len(j.None) > 0 {
		s.say("It does not help to change " + strings.Join(j.None, ", ") + ".")
	}
	if j.Verdict == gate.Unsafe && len(j.Changes)+len(j.None) == 0 {
		s.say(j.Untried())
	}
	s.say(strictWords(j))
}

// timeoutWord returns a request timeout as its flag takes it, and none for 0s.
func timeoutWord(text string) string {
	if text == "0s" {
		return "none"
	}
	return text
}

// strictWords returns a sentence on what the verdict would be with the profile strict, or that this profile refuses the target too;
// "" if the target has that profile.
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

// upperWords returns a sentence on why an overlap that depends on waits of the client, or on closings of its connection, is not
// known exactly.
func upperWords(j *gate.Judgement) string {
	if j.OlderThanShown() {
		return "The simulated world has no release and no retries like those of this client-go, and shows less."
	}
	if j.Result.Unbounded {
		return "The sum is longer: in it each wait for a token is as long as it can be, and requests are lost while the connection stays."
	}
	if _, known := j.Result.AtMost(); !known {
		return "No upper bound is known of what waits in the client's limiter, or closings of its connection, add to that."
	}
	switch waits := j.Result.Calm() != j.Result; {
	case j.Covered:
		return "The sum is an upper bound: each part of it is the longest that closings of the connection allow, and not all need come together."
	case !waits:
		return "The sum is an upper bound: its requests are lost while the connection stays. In the witness the client closes it."
	}
	return "The sum is an upper bound: what shares a client's limiter delays requests together for less than each alone, at worst."
}

// witnessWords returns what a run of the witness showed, in words; if there is no witness, why there is none.
func witnessWords(j *gate.Judgement) string {
	const frozen = "It takes a process that is frozen just as it begins to renew, after the ticker has started and before " +
		"the clock is read. Simulated worlds have both at one instant."
	unplayable := j.Result.Playable() != j.Result && !j.Covered
	switch {
	case j.Witness == nil && j.Result.Upper:
		return upperWords(j) + " No run that was made shows an overlap, so that there is no witness."
	case j.Witness == nil && unplayable:
		return "No witness. " + frozen
	case j.Witness == nil:
		return "No witness: it takes an answer, or the end of a freeze, at exactly one instant."
	}
	text := fmt.Sprintf("Its witness, scenario %s, was run and shows an overlap of %s. --witness DIR writes "+
		"it to a file for simulate run.", j.Witness.Name, words.Duration(j.Shown.Round(time.Millisecond)))
	if j.Result.Upper {
		text += " " + upperWords(j)
	}
	if unplayable && j.Result.Overlap-j.Shown >= time.Millisecond {
		text += " The rest it cannot show. " + frozen
	}
	return text
}
