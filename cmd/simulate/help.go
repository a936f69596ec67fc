package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/suggest"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/reports"
	"interregnum/reports/text"
)

// setHelp makes the help of all commands as wide as the terminal, but no wider than a page. It also makes help refuse unknown
// topics.
func setHelp(root *cobra.Command) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		width := min(terminal.Of(c.OutOrStdout()).Columns(), reports.DefaultWidth)
		usage := strings.Replace(c.UsageString(), strings.TrimSpace(c.LocalFlags().FlagUsages()), grouped(c.LocalFlags(), width), 1)
		for _, below := range c.Commands() {
			head := fmt.Sprintf("  %-*s ", below.NamePadding(), below.Name())
			usage = strings.Replace(usage, head+below.Short+"\n", text.Beside(head, below.Short, width)+"\n", 1)
		}
		more := fmt.Sprintf("Use %q for more information about a command.", c.CommandPath()+" [command] --help")
		usage = strings.Replace(usage, more, text.Fold(more, width), 1)
		fmt.Fprintf(c.OutOrStdout(), "%s\n\n%s", text.Fold(c.Long, width), usage)
	})
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		c, left, err := root.Find(args)
		if err != nil {
			return err
		}
		return suggest.KnownCommand(c, left)
	}
}

// grouped returns the help of flags, at most width columns wide: first those without a group, then each group under its title,
// OtherLocks last. It writes in capitals the types that pflag shows for values without a name.
func grouped(flags *pflag.FlagSet, width int) string {
	titles, sets := []string{""}, map[string]*pflag.FlagSet{}
	flags.VisitAll(func(f *pflag.Flag) {
		title := cliflag.GroupOf(f)
		if title != cliflag.OtherLocks && !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
		if sets[title] == nil {
			sets[title] = pflag.NewFlagSet("", pflag.ContinueOnError)
			sets[title].SortFlags = flags.SortFlags
		}
		sets[title].AddFlag(f)
	})
	var b strings.Builder
	for _, title := range append(titles, cliflag.OtherLocks) {
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

// unnamed matches the type that pflag shows for the value of a flag whose usage has no name for it.
var unnamed = regexp.MustCompile(`\b(duration|string|int) {2,}`)
