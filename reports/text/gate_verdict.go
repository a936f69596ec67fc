package text

import (
	"fmt"
	"strings"
	"time"

	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
)

// GateVerdict returns the verdict as a sentence. For a safe target the sentence has the margin, and the conditions under which the
// target is safe, if there are any; for an unsafe one it has the longest overlap, where a length is known. For a refused one it
// says that the configuration is not taken.
func GateVerdict(j *gate.Judgement) string {
	switch j.Verdict {
	case gate.Refused:
		return "the library or a real server does not take it"
	case gate.Safe:
		return "no two leaders work at once" + gateConditions(j) + "; margin " + words.Duration(j.Margin())
	}
	if j.Result.Upper && j.Shown == 0 {
		return "it is not ruled out that two leaders work at once" + gateOverlap(j, "for", ", and for %s at most")
	}
	return "two leaders can work at once" + gateOverlap(j, "for", ", and for %s at most")
}

// gateOverlap returns a part of a sentence on how long two leaders of an unsafe target can work at once; "" if no length is
// known. by is the preposition before that time. most is a format for the longest possible time, which is added if it is longer
// and known.
func gateOverlap(j *gate.Judgement, by, most string) string {
	least := j.Result.Overlap
	if j.Result.AtLeast {
		least = max(least, j.Shown.Round(time.Millisecond)) // a run may show more than the case that was computed
	}
	length := " " + by + " " + words.Duration(least)
	switch {
	case j.Result.Plan.Endless.InOnePlan():
		return ", without end"
	case j.Result.Unbounded:
		return length + " and longer, without bound"
	case j.Result.Upper && j.Result.AtLeast && j.Result.Slack == 0 && j.Shown == 0:
		return ""
	case j.Result.Upper && j.Result.AtLeast && j.Result.Slack == 0:
		return " " + by + " " + words.Duration(j.Shown.Round(time.Millisecond)) + " and longer; no upper bound is known"
	case j.Result.Upper:
		return " " + by + " " + words.Duration(j.Result.Overlap+j.Result.Slack) + " at most"
	case j.Result.AtLeast && j.Result.Slack > 0:
		return length + fmt.Sprintf(most, words.Duration(j.Result.Overlap+j.Result.Slack))
	case j.Result.AtLeast:
		return length + " and longer; no upper bound is known"
	}
	return length
}

// GateAccepted returns, in words, why an unsafe or refused target is accepted, and on which conditions; "" if it is not accepted.
func GateAccepted(j *gate.Judgement) (text string) {
	switch j.Accepted {
	case gate.AcceptedOverlap:
		text = "no longer than --max-overlap"
	case gate.AcceptedBefore:
		text = "in the baseline"
	default:
		return ""
	}
	return text + gateConditions(j)
}

// gateConditions returns the conditions of a verdict, to follow what holds if they do; "" if there are none.
func gateConditions(j *gate.Judgement) string {
	if conditions := j.Conditions(); len(conditions) > 0 {
		return " if " + strings.Join(conditions, ", and if ")
	}
	return ""
}

// GateCount returns a line on how many targets were judged, with which verdicts, how many of them were accepted, and how many
// inputs could not be judged or have no leader election.
func GateCount(r *gate.Report) string {
	count, accepted := map[gate.Verdict]int{}, 0
	for _, j := range r.Targets {
		count[j.Verdict]++
		if j.Accepted != "" {
			accepted++
		}
	}
	text := "nothing judged"
	if len(r.Targets) > 0 {
		text = fmt.Sprintf("%s judged: %s safe, %s unsafe, %s refused", words.Count(len(r.Targets)),
			words.Count(count[gate.Safe]), words.Count(count[gate.Unsafe]), words.Count(count[gate.Refused]))
	}
	if accepted > 0 {
		text += fmt.Sprintf("; %s of those accepted", words.Count(accepted))
	}
	if n := len(r.Problems) + len(r.Failures); n > 0 {
		text += fmt.Sprintf("; %s could not be", words.Count(n))
	}
	if r.Skipped > 0 {
		text += "; " + filesWords(r.Skipped) + " without leader election"
	}
	return text
}

// filesWords formats a number of files, such as "2 files".
func filesWords(n int) string {
	if n == 1 {
		return "1 file"
	}
	return words.Count(n) + " files"
}
