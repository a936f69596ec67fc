package main

import (
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
	for _, c := range newRoot().Commands() {
		for _, c := range append(c.Commands(), c) {
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if f.Value.Type() != "bool" && c.Runnable() && f.Name != "help" {
					flags++
					refusesEmpty(t, c, f.Name)
				}
			})
		}
	}
	assert.Greater(t, flags, 100)
}

// refusesEmpty calls the command as a user would, once without arguments and once with a file.
func refusesEmpty(t *testing.T, c *cobra.Command, flag string) {
	path := append(commandPath(c), "--"+flag+"=")
	said := ""
	for _, args := range [][]string{path, append(path[:len(path):len(path)], "late-ack.yaml")} {
		got := simulate("", args...)
		assert.Equal(t, exit.BadInput, got.code, "%q: %s", args, got.stdout)
		said += got.stderr
	}
	assert.Contains(t, said, "--"+flag, "%q", path)
}

// commandPath returns the words that name the command, without simulate.
func commandPath(c *cobra.Command) (path []string) {
	for ; c.HasParent(); c = c.Parent() {
		path = append([]string{c.Name()}, path...)
	}
	return path
}
