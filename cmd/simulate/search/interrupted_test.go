package search

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/search"
)

// TestGoesOn: the first blocks, and what is said to be the rest, are the whole.
func TestGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	type result struct {
		Runs, Events, Failing uint64
	}
	told := func(args ...string) (r result) {
		var stdout bytes.Buffer
		c := New()
		c.SetArgs(append(args, "-o=json"))
		c.SetOut(&stdout)
		c.SetErr(io.Discard)
		c.SilenceUsage = true
		_ = c.Execute() // what is told says how it went
		require.NoError(t, json.Unmarshal(stdout.Bytes(), &r))
		return r
	}
	for shard, shards := range map[string]uint64{"": 0, "--shard=1/3": 3} {
		args := []string{"--first-seed=128", "--runs=640"}
		first := "--runs=192"
		if shard != "" {
			args, first = append(args, shard), "--runs=576" // of which a third is its own
		}
		whole, begun := told(args...), told(append(args, first)...)
		c := New()
		require.NoError(t, c.Flags().Parse(args))
		f, plan := &searchFlags{}, &search.Plan{First: 2, Blocks: 10, Shard: 1, Shards: shards}
		summary := &search.Summary{Blocks: 3, Runs: 192}
		text := f.interrupted(c, summary, plan, 0)
		assert.Contains(t, text, "; to run the rest, on its own, since without --resume FILE no results are kept to go on with:\n")
		rest := told(strings.Fields(text[strings.LastIndex(text, "\n"):])[1:]...)
		assert.Equal(t, whole, result{begun.Runs + rest.Runs, begun.Events + rest.Events, begun.Failing + rest.Failing}, text)
	}
}

func TestInterruptedWords(t *testing.T) {
	c := New()
	require.NoError(t, c.Flags().Parse([]string{"--for=10m", "--corpus=it's", "--keep=found"}))
	f := &searchFlags{length: 10 * time.Minute}
	got := f.interrupted(c, &search.Summary{Blocks: 3, Runs: 192}, &search.Plan{Corpus: 1}, 4*time.Minute)
	assert.Equal(t, "interrupted after 192 runs, 4m0s of 10m0s, which are not kept; to begin anew, so that the next time the same "+
		"command goes on:\nsearch --for=10m0s --resume=results.jsonl --corpus='it'\\''s' --keep=found", got)
}

// TestOverBeforeItBegan: a search without a single run has shown nothing, whatever ended it.
func TestOverBeforeItBegan(t *testing.T) {
	f := &searchFlags{length: time.Hour}
	none := search.NewSummary()
	require.NoError(t, f.noRuns(context.Background(), none, &search.Plan{}))
	interrupted, stop := context.WithCancel(context.Background())
	stop()
	var failed *exit.Error
	require.ErrorAs(t, f.noRuns(interrupted, none, &search.Plan{}), &failed)
	assert.Equal(t, &exit.Error{Code: exit.HarnessFailed, Text: "interrupted before any run had ended: nothing is known"}, failed)
	require.NoError(t, f.noRuns(interrupted, none, &search.Plan{Blocks: 1, Shard: 1, Shards: 2}), "nothing was asked of this shard")
	none.Blocks++
	require.NoError(t, f.noRuns(interrupted, none, &search.Plan{}))
}
