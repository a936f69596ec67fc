package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/phrase"
)

// formExamples are command lines of the commands that have --output, by the command's path.
var formExamples = map[string][]string{
	"run":          {"late-ack.yaml", "calm late-ack.yaml --brief"},
	"list":         {"release"},
	"search":       {"--runs 64"},
	"explore":      {"--max-states 1"},
	"gate":         {"--lease-duration 15s", "deploy.yaml"},
	"tune":         {"--max-lease 20s"},
	"forecast":     {"--lease-duration 10s --p50 1ms", "--lease-duration 15s --p50 1ms --outage 20s/7d"},
	"calibrate":    {"audit.log --force"},
	"investigate":  {"logged.log", "logged.log other.log"},
	"report":       {"runs.jsonl", "search.jsonl"},
	"report diff":  {"calm late-ack.yaml"},
	"report merge": {"search.jsonl"},
	"version":      {""},
}

// TestEveryFormIsWritten: a command writes something in each form that it offers, and no two forms are the same. Its help
// names the forms, and so does the error for any other.
func TestEveryFormIsWritten(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("deploy.yaml", []byte("leaderElection: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}\n"), 0o600))
	require.NoError(t, os.WriteFile("audit.log", []byte(auditLog(2, 3, 812)), 0o600))
	require.NoError(t, os.WriteFile("logged.log", []byte("I0301 12:00:00.000000 1 x.go:1] successfully acquired lease one/lock\n"), 0o600))
	require.NoError(t, os.WriteFile("other.log", []byte("I0301 12:00:00.000000 1 x.go:1] successfully acquired lease other/lock\n"), 0o600))
	runs := simulate("", "run", "calm", "unexpected.yaml", "-o", "json")
	require.NoError(t, os.WriteFile("runs.jsonl", []byte(runs.stdout), 0o600))
	require.NotEmpty(t, simulate("", "search", "--runs", "64", "--resume", "search.jsonl").stdout)

	everyCommand(func(c *cobra.Command, path []string) {
		if c.LocalFlags().Lookup("output") != nil {
			examples := formExamples[strings.Join(path, " ")]
			assert.NotEmpty(t, examples, "%s: want an example here", c.CommandPath())
			for _, example := range examples {
				assertForms(t, path, strings.Fields(example))
			}
		}
	})
}

// assertForms checks the forms of a command by one of its command lines.
func assertForms(t *testing.T, path, example []string) {
	line := slices.Concat(path, example)
	forms, also := completed(t, slices.Concat(path, []string{"-o", ""})...)
	assert.Equal(t, cobra.ShellCompDirectiveNoFileComp, also, "%q", path)
	written := map[string]string{}
	for _, form := range forms {
		got := simulate("", slices.Concat(line, []string{"-o", form})...)
		assert.NotEqual(t, exit.BadInput, got.code, "%q -o %s: %s", line, form, got.stderr)
		assert.NotEmpty(t, strings.TrimSpace(got.stdout), "%q -o %s", line, form)
		assert.Empty(t, written[got.stdout], "%q -o %s", line, form)
		written[got.stdout] = form
	}
	help := inOneLine(simulate("", slices.Concat(path, []string{"--help"})...).stdout)
	assert.Contains(t, help, "FORM of the results: "+phrase.Or(forms)+" ")
	refused := simulate("", slices.Concat(line, []string{"-o", "xml"})...)
	assert.Equal(t, exit.BadInput, refused.code, "%q", line)
	assert.Empty(t, refused.stdout, "%q", line)
	assert.Contains(t, refused.stderr, `--output "xml": want `+phrase.Or(forms)+"; see '", "%q", line)
}
