package completion

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/explore"
	"interregnum/internal/gate"
	"interregnum/plan"
)

// Complete adds completions to the command and those below it. A flag is completed with files if its help says FILE, with
// folders if it says DIR, with words if there is a choice, otherwise not at all. Arguments are not completed unless the
// command says how.
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

// flagFiles are the extensions of the files that flags read or write.
var flagFiles = map[string][]string{
	"baseline":       YAML,
	"behaviour":      YAML,
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

// flagWords returns the values that a flag of the command can have; nil if they are not a few words.
func flagWords(c *cobra.Command, flag string) []string {
	switch flag {
	case "profile", "against":
		switch c.Name() {
		case "gate", "tune", "forecast", "rules":
			return gate.ProfileNames()
		case "explore":
			return explore.ProfileNames()
		}
		return machine.ProfileNames()
	case "request-timeout":
		if c.Name() == "gate" || c.Name() == "forecast" {
			return []string{"either", "half", "none"}
		}
	case "client":
		return plan.ClientKindNames()
	case "client-go":
		return gate.ClientGoVersions()
	case "lock":
		return plan.LockNames()
	case "now":
		return []string{string(plan.CallerNow), string(plan.DatabaseNow)}
	case "precision", "column-precision":
		if c.Name() == "forecast" && flag == "precision" {
			return nil // a share
		}
		return []string{"1us", "1ms", "1s"}
	case "property":
		names := check.Names()
		if c.Name() == "search" {
			names = slices.DeleteFunc(names, check.Asked)
		}
		return names
	case "resource":
		return []string{"leases", "configmaps", "endpoints"}
	}
	return nil
}

// Words registers the words as the values of a flag.
func Words(c *cobra.Command, flag string, words []string) {
	// It fails only for a flag that does not exist, or that has values already.
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
