package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"interregnum/reports"
	"interregnum/reports/text"
)

// everyCommand calls look with simulate and each command below it, and with the words that name the command, without simulate.
func everyCommand(look func(c *cobra.Command, path []string)) {
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		look(c, strings.Fields(c.CommandPath())[1:])
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(newRoot())
}

// TestHelpWidth: no line of any command's help is wider than a page, but for examples, which are to be copied, and usage.
func TestHelpWidth(t *testing.T) {
	everyCommand(func(c *cobra.Command, path []string) {
		text := simulate("", append(path, "--help")...).stdout
		before, examples, _ := strings.Cut(text, "\nExamples:\n")
		_, flags, _ := strings.Cut(examples, "\n\n")
		for line := range strings.Lines(before + flags) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), reports.DefaultWidth, "%s: %s", c.CommandPath(), line)
		}
	})
}

// TestHelpNamesValues: what a flag takes is in capitals, and every flag says what it is for.
func TestHelpNamesValues(t *testing.T) {
	text := simulate("", "explore", "--help").stdout
	assert.Contains(t, text, "--lease-duration DURATION    timings of")
	assert.Contains(t, text, "--profile STRING ")
	everyCommand(func(c *cobra.Command, _ []string) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { assert.NotEmpty(t, f.Usage, "%s --%s", c.CommandPath(), f.Name) })
	})
}

func TestFold(t *testing.T) {
	const example = "Eins zwei drei\nvier.\n\n  as it\n  stands and is not touched\n\nÄä öö üü."
	assert.Equal(t, "Eins zwei\ndrei vier.\n\n  as it\n  stands and is not touched\n\nÄä öö üü.", text.Fold(example, 10))
	assert.Equal(t, "Eins zwei drei vier.\n\n  as it\n  stands and is not touched\n\nÄä öö üü.", text.Fold(example, 100))
	assert.Equal(t, "abcdef\ngh", text.Fold("abcdef gh", 3), "no word is broken")
}
