package main

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"interregnum/cmd/simulate/internal/exit"
)

// TestEmptyFlags: no flag of any command takes an empty text for none.
func TestEmptyFlags(t *testing.T) {
	folder(t)
	flags := 0
	everyCommand(func(c *cobra.Command, path []string) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() != "bool" && c.Runnable() && f.Name != "help" {
				flags++
				refusesEmpty(t, path, f.Name)
			}
		})
	})
	assert.Greater(t, flags, 100)
}

// refusesEmpty calls the command as a user would, once without arguments and once with a file.
func refusesEmpty(t *testing.T, path []string, flag string) {
	line := slices.Concat(path, []string{"--" + flag + "="})
	said := ""
	for _, args := range [][]string{line, slices.Concat(line, []string{"late-ack.yaml"})} {
		got := simulate("", args...)
		assert.Equal(t, exit.BadInput, got.code, "%q: %s", args, got.stdout)
		said += got.stderr
	}
	assert.Contains(t, said, "--"+flag, "%q", line)
}
