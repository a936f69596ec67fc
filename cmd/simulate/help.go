package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/reports"
)

// legible makes help as wide as the terminal and no wider than a page, and has it refuse topics that there are not.
func legible(root *cobra.Command) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		width := min(terminalOf(c.OutOrStdout()).columns(), reports.DefaultWidth)
		usage := strings.Replace(c.UsageString(), strings.TrimSpace(c.LocalFlags().FlagUsages()), grouped(c.LocalFlags(), width), 1)
		fmt.Fprintf(c.OutOrStdout(), "%s\n\n%s", fold(c.Long, width), usage)
	})
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		c, left, err := root.Find(args)
		if err != nil {
			return err
		}
		return knownCommand(c, left)
	}
}

// groupOfFlag is the annotation of a flag that has the title of its group.
const groupOfFlag = "group"

// The titles. That of the flags which count for no Lease comes last: few want them.
const (
	canGoWrong  = "What can go wrong"
	manyTargets = "Many targets, and CI"
	otherLocks  = "Other locks than a Lease"
)

// inGroup has the help show flags under a title of their own, in the order in which their titles come first.
func inGroup(flags *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, groupOfFlag, []string{title}); err != nil {
			panic(err) // there is no such flag
		}
	}
}

// grouped is the help of flags: first those that have no group, then each group under its title.
func grouped(flags *pflag.FlagSet, width int) string {
	titles, sets := []string{""}, map[string]*pflag.FlagSet{}
	flags.VisitAll(func(f *pflag.Flag) {
		title := strings.Join(f.Annotations[groupOfFlag], "")
		if title != otherLocks && !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
		if sets[title] == nil {
			sets[title] = pflag.NewFlagSet("", pflag.ContinueOnError)
			sets[title].SortFlags = flags.SortFlags
		}
		sets[title].AddFlag(f)
	})
	var b strings.Builder
	for _, title := range append(titles, otherLocks) {
		if sets[title] == nil {
			continue
		}
		text := unnamed.ReplaceAllStringFunc(strings.Trim(sets[title].FlagUsagesWrapped(width), "\n"), strings.ToUpper)
		if title != "" {
			fmt.Fprintf(&b, "\n\n%s:\n", title)
		} else {
			text = strings.TrimLeft(text, " ")
		}
		b.WriteString(text)
	}
	return b.String()
}

// unnamed is the type that stands for the value of a flag whose usage has no name for it.
var unnamed = regexp.MustCompile(`\b(duration|string|int) {2,}`)

// fold breaks the lines of each paragraph anew, at the width. It leaves indented paragraphs as they are: those are for
// copying.
func fold(text string, width int) string {
	var folded strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			folded.WriteString("\n\n")
		}
		if strings.HasPrefix(paragraph, " ") {
			folded.WriteString(paragraph)
			continue
		}
		column := 0
		for j, word := range strings.Fields(paragraph) {
			n := utf8.RuneCountInString(word)
			switch {
			case j > 0 && column+1+n > width:
				folded.WriteByte('\n')
				column = 0
			case j > 0:
				folded.WriteByte(' ')
				column++
			}
			folded.WriteString(word)
			column += n
		}
	}
	return folded.String()
}

// wantedOf is what a flag of pflag's own types takes; others say so themselves.
var wantedOf = map[string]string{
	"bool":     "true or false",
	"duration": "a duration such as 15s",
	"float64":  "a number",
	"int":      "a whole number",
	"int64":    "a whole number",
	"uint64":   "a whole number, 0 or more",
}

// flagError makes of an error of pflag one that says what the flag takes, or which flag may have been meant.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if want := wantedOf[invalid.GetFlag().Value.Type()]; want != "" {
			return usageError(c.CommandPath(), "--%s %q: want %s", invalid.GetFlag().Name, invalid.GetValue(), want)
		}
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		return unknownFlag(c, unknown)
	}
	return usageError(c.CommandPath(), "%v", err)
}
