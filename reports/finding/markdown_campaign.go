package finding

import (
	"fmt"
	"io"
	"strings"

	"interregnum/reports"
	"interregnum/reports/text"
)

// CampaignMarkdown writes the outcome of a search as Markdown, for the summary of a CI job: the verdict, the figures and, for each
// finding, its small scenario and the command that shows it.
func CampaignMarkdown(w io.Writer, c *reports.Campaign) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Search, %s: %s\n\n%s", markdownText(c.Target.Profile.Name), c.Verdict(),
		fence(strings.Join(text.Figures(c), "\n")+"\n"))
	for i := range c.Found {
		x := &c.Found[i]
		var text strings.Builder
		if err := x.Small.WriteYAML(&text); err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n<details><summary>seed %d violates %s</summary>\n\n%s\n</details>\n\n%s", x.Seed,
			markdownText(reports.Violated(x.Properties)), fence(text.String()), fence(c.Show(x.Seed, x.Corpus)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
