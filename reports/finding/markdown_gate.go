package finding

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
	"interregnum/reports/text"
)

// maxGateDetails is how many targets are shown in full: a comment on a pull request has at most 65,536 characters.
const maxGateDetails = 10

// GateMarkdown writes a report for a comment on a pull request: a table of verdicts, problems and notes, the reasons for at
// most maxGateDetails of the targets that are neither safe nor accepted, and the environment.
func GateMarkdown(w io.Writer, r *gate.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Leader election: %s\n\n", markdownTitle(r))
	if len(r.Targets) > 0 {
		b.WriteString("| target | lease / deadline / period | verdict | margin | assumes |\n| --- | --- | --- | --- | --- |\n")
	}
	for _, j := range r.Targets {
		margin := "-"
		if j.Result != nil {
			margin = words.Duration(j.Margin())
		}
		verdict := string(j.Verdict)
		if why := text.GateAccepted(j); why != "" {
			verdict += ", accepted: " + why
		}
		fmt.Fprintf(&b, "%s %s | %s | %s |\n", configuration(j.Position, &j.Timings), verdict, margin, escapeMarkdown(strings.TrimSuffix(j.AssumesHere(), ".")))
	}
	unjudged(&b, r)
	if err := markdownDetails(&b, r); err != nil {
		return err
	}
	b.WriteString("Environment: ")
	var numbers []string
	for _, n := range r.Environment.Numbers() {
		numbers = append(numbers, fmt.Sprintf("%s %s (%s)", n.Flag, n.Value, escapeMarkdown(n.Source)))
	}
	b.WriteString(strings.Join(numbers, ", ") + ".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownTitle returns the verdict if there is exactly one target and no problem, otherwise the counts of verdicts.
func markdownTitle(r *gate.Report) string {
	if len(r.Targets) == 1 && len(r.Problems) == 0 {
		return string(r.Targets[0].Verdict) + ", " + text.GateVerdict(r.Targets[0])
	}
	return text.GateCount(r)
}

// markdownDetails writes to b the reasons for at most maxGateDetails of the targets that are neither safe nor accepted. The
// witness of each is in a section that opens on a click.
func markdownDetails(b *strings.Builder, r *gate.Report) error {
	all := slices.DeleteFunc(slices.Clone(r.Targets), func(j *gate.Judgement) bool { return !j.Counts() })
	shown := all[:min(len(all), maxGateDetails)]
	for _, j := range shown {
		fmt.Fprintf(b, "#### %s: %s\n\n```text\n%s\n```\n\n", escapeMarkdown(j.Position.Name()), text.GateVerdict(j),
			strings.ReplaceAll(text.GateBody(j), "```", "'''"))
		if j.Witness == nil {
			continue
		}
		b.WriteString("<details><summary>The scenario that shows it (simulate run FILE)</summary>\n\n```yaml\n")
		if err := j.Witness.WriteYAML(b); err != nil {
			return err
		}
		b.WriteString("```\n\n</details>\n\n")
	}
	if left := len(all) - len(shown); left > 0 {
		fmt.Fprintf(b, "… and %s more that are not safe.\n\n", words.Count(left))
	}
	return nil
}
