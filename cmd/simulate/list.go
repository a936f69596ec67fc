package main

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/reports"
	"interregnum/reports/text"
	"interregnum/scenarios"
)

func newList() *cobra.Command {
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
			if err := checkOutput(c, output, plainForms); err != nil {
				return err
			}
			all, err := scenarios.Library()
			if err != nil {
				return &exitError{code: harnessFailed, text: err.Error()}
			}
			for _, arg := range args {
				if all = having(all, arg); len(all) == 0 {
					return usageError(c.CommandPath(), "no scenario is left by %q: want a word of a name or a text, or a pattern of names", arg)
				}
			}
			if output == outputText {
				return text.List(c.OutOrStdout(), all, min(terminalOf(c.OutOrStdout()).columns(), reports.DefaultWidth))
			}
			return listJSON(c, all)
		},
	}
	outputFlag(c, &output, plainForms)
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

// noArgs is cobra.NoArgs with the hint that every wrong command line gets.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError(c.CommandPath(), "unexpected argument %q", args[0])
	}
	return nil
}

// The forms of output.
const (
	outputText     = "text"
	outputJSON     = "json"
	outputJUnit    = "junit"
	outputMarkdown = "markdown"
)

// plainForms are those of a command that has no more.
var plainForms = []string{outputText, outputJSON}

// outputFlag adds the flag --output, for a command that has these forms of output.
func outputFlag(c *cobra.Command, output *string, forms []string) {
	c.Flags().StringVarP(output, "output", "o", outputText, "`FORM` of the results: "+orList(forms))
	completeWords(c, "output", forms)
}

// checkOutput refuses a form of output that is not one of these.
func checkOutput(c *cobra.Command, output string, forms []string) error {
	if !slices.Contains(forms, output) {
		return usageError(c.CommandPath(), "--output %q: want %s", output, orList(forms))
	}
	return nil
}

// orList joins words as a sentence does: a, b or c.
func orList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
