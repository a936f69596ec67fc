package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"interregnum/cmd/simulate/internal/exit"
)

// TestNightlySearchOfCI runs the shell parts of the sharded search in docs/platform.md: together they are the unsharded one.
func TestNightlySearchOfCI(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary")
	}
	s := newSite(t)
	type job struct {
		Strategy struct{ Matrix struct{ Shard []int } }
		Steps    []struct{ Name, Run string }
	}
	var workflow struct{ Jobs struct{ Search, Merge job } }
	require.NoError(t, yaml.Unmarshal([]byte(s.file[".github/workflows/search.yaml"]), &workflow))
	step := func(j *job, name string) string {
		for i := range j.Steps {
			if j.Steps[i].Name == name {
				// Not by the link: by another path all of this module would be compiled anew in each run.
				return "cd -P .interregnum\n" + strings.NewReplacer(`"shard-`, `"$RESULTS/shard-`, "merge results",
					`merge "$RESULTS" -o json`).Replace(j.Steps[i].Run)
			}
		}
		require.Fail(t, "no step", name)
		return ""
	}
	results := filepath.Join(s.dir, "results")
	require.NoError(t, os.Mkdir(results, 0o777))
	t.Setenv("RESULTS", results)
	t.Setenv("RUNS", "1000")
	t.Setenv("FIRST", "700000000")
	for _, shard := range workflow.Jobs.Search.Strategy.Matrix.Shard {
		t.Setenv("SHARD", fmt.Sprint(shard))
		code, output := s.shell(step(&workflow.Jobs.Search, "search"))
		require.Equal(t, exit.AsExpected, code, output)
	}
	code, together := s.shell(step(&workflow.Jobs.Merge, "merge"))
	assert.Equal(t, exit.AsExpected, code)
	alone := simulate("", "search", "--profile=strict", "--runs=1000", "--first-seed=700000000", "--output=json")
	assert.Equal(t, alone.stdout, together)
}
