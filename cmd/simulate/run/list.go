package run

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/reports"
	"interregnum/reports/text"
	"interregnum/scenarios"
)

// NewList makes the command simulate list.
func NewList() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "list [WORD | PATTERN]...",
		Short: "List the scenarios that ship with this program",
		Long: `List the scenarios that ship with this program: name, and what each shows, in groups.

Of several words all must be in a scenario's name or text; a pattern such as 'migrate-*' must match its name. With -o json one
object a line: {"name":…,"about":…,"group":…}.`,
		Example: `  simulate list
  simulate list release
  simulate list 'migrate-*' -o json`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			if err := cliflag.CheckOutput(c, output, cliflag.PlainForms); err != nil {
				return err
			}
			all, err := scenarios.Library()
			if err != nil {
				return exit.With(exit.HarnessFailed, err)
			}
			for _, arg := range args {
				if all = having(all, arg); len(all) == 0 {
					return exit.Usage(c.CommandPath(), "no scenario is left by %q: want a word of a name or a text, or a pattern of names", arg)
				}
			}
			if output == cliflag.Text {
				return text.List(c.OutOrStdout(), all, min(terminal.Of(c.OutOrStdout()).Columns(), reports.DefaultWidth))
			}
			return listJSON(c, all)
		},
	}
	cliflag.Output(c, &output, cliflag.PlainForms)
	return c
}

// having are the scenarios with a word in the name or the text, or whose names match a pattern.
func having(all []*scenarios.Scenario, word string) (some []*scenarios.Scenario) {
	word = strings.ToLower(word)
	for _, s := range all {
		matches, _ := path.Match(word, s.Name)
		if matches || strings.Contains(strings.ToLower(s.Name+"\n"+s.About), word) {
			some = append(some, s)
		}
	}
	return some
}

// listJSON prints each scenario as a JSON object on a line of its own.
func listJSON(c *cobra.Command, all []*scenarios.Scenario) error {
	for _, s := range all {
		line, err := json.Marshal(struct {
			Name  string `json:"name"`
			About string `json:"about"`
			Group string `json:"group"`
		}{s.Name, s.About, text.GroupOf(s)})
		if err != nil {
			return err
		}
		if _, err := c.OutOrStdout().Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
