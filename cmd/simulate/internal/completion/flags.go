package completion

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/gate"
	"interregnum/scenarios/plan"
)

// Complete makes the command and those below it complete what is typed: of flags, files where the help says FILE, folders
// where it says DIR, words where there is a choice, and nothing else; no arguments where nothing is said of them.
func Complete(c *cobra.Command) {
	if c.ValidArgsFunction == nil && c.ValidArgs == nil {
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, done := c.GetFlagCompletionFunc(f.Name); done {
			return
		}
		switch kind, _ := pflag.UnquoteUsage(f); kind {
		case "FILE":
			_ = c.MarkFlagFilename(f.Name, flagFiles[f.Name]...)
		case "DIR":
			_ = c.MarkFlagDirname(f.Name)
		default:
			Words(c, f.Name, flagWords(c, f.Name))
		}
	})
	for _, sub := range c.Commands() {
		Complete(sub)
	}
}

// flagFiles are the extensions of what a flag reads or writes, where that has any.
var flagFiles = map[string][]string{
	"baseline":       YAML,
	"environment":    YAML,
	"html":           {"html"},
	"out":            {"jsonl"},
	"overrides":      YAML,
	"perfetto":       {"json"},
	"plot":           {"svg", "png"},
	"resume":         {"jsonl"},
	"trace":          {"jsonl"},
	"write-baseline": YAML,
}

// YAML are the extensions of files that people write: scenarios, manifests, environments.
var YAML = []string{"yaml", "yml", "json"}

// flagWords are the values that a flag can have, nil where there are too many.
func flagWords(c *cobra.Command, flag string) []string {
	switch flag {
	case "profile", "against":
		if c.Name() == "gate" || c.Name() == "tune" {
			return gate.ProfileNames()
		}
		return machine.ProfileNames()
	case "request-timeout":
		if c.Name() == "gate" {
			return []string{"half", "none"}
		}
	case "lock":
		return plan.LockNames()
	case "now":
		return []string{string(plan.CallerNow), string(plan.DatabaseNow)}
	case "precision":
		return []string{"1us", "1ms", "1s"}
	case "property":
		return check.Names()
	case "resource":
		return []string{"leases", "configmaps", "endpoints"}
	}
	return nil
}

// Words registers the words as the values of a flag, which exists and has none yet: nothing can fail.
func Words(c *cobra.Command, flag string, words []string) {
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
