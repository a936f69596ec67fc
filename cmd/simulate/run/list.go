package run

import (
	"encoding/json"
	"io"
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

// listForms are the forms of output of simulate list.
var listForms = cliflag.Forms[func(io.Writer, []*scenarios.Scenario) error]{
	{Name: cliflag.Text, Write: listText}, {Name: cliflag.JSON, Write: listJSON},
}

// NewList returns the command simulate list.
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
			write, err := listForms.Chosen(c, output)
			if err != nil {
				return err
			}
			all, err := scenarios.Library()
			if err != nil {
				return exit.With(exit.HarnessFailed, err)
			}
			for _, arg := range args {
				if all = matching(all, arg); len(all) == 0 {
					return exit.Usage(c.CommandPath(), "no scenario is left by %q: want a word of a name or a text, or a pattern of names", arg)
				}
			}
			return write(c.OutOrStdout(), all)
		},
	}
	listForms.Register(c, &output)
	return c
}

// matching returns the scenarios that have word in their name or text, in any case of letters, and those whose name matches word
// as a pattern.
func matching(all []*scenarios.Scenario, word string) (some []*scenarios.Scenario) {
	word = strings.ToLower(word)
	for _, s := range all {
		matches, _ := path.Match(word, s.Name)
		if matches || strings.Contains(strings.ToLower(s.Name+"\n"+s.About), word) {
			some = append(some, s)
		}
	}
	return some
}

// listText prints the scenarios in groups, at most as wide as the terminal.
func listText(w io.Writer, all []*scenarios.Scenario) error {
	return text.List(w, all, min(terminal.Of(w).Columns(), reports.DefaultWidth))
}

// listJSON prints each scenario as a JSON object on its own line.
func listJSON(w io.Writer, all []*scenarios.Scenario) error {
	out := json.NewEncoder(w)
	for _, s := range all {
		err := out.Encode(struct {
			Name  string `json:"name"`
			About string `json:"about"`
			Group string `json:"group"`
		}{s.Name, s.About, text.GroupOf(s)})
		if err != nil {
			return err
		}
	}
	return nil
}
