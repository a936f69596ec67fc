package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
)

// shards runs a search in n parts and returns their results files.
func shards(t require.TestingT, dir string, n int, args ...string) []string {
	var files []string
	for i := range n {
		file := filepath.Join(dir, fmt.Sprintf("shard-%d.jsonl", i))
		ran := simulate("", append([]string{"search", "--shard", fmt.Sprintf("%d/%d", i, n), "--resume", file}, args...)...)
		require.LessOrEqual(t, ran.code, exit.NotAsExpected, ran.stderr)
		files = append(files, file)
	}
	return files
}

// TestMergeIsTheSearch: merged shards say what the unsharded search says, to the byte, and so does their file.
func TestMergeIsTheSearch(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		require.NoError(rt, err)
		profile := rapid.SampledFrom([]string{"client-go-v0.24", "strict"}).Draw(rt, "profile")
		args := []string{"--profile", profile, "--runs", fmt.Sprint(rapid.IntRange(1, 40).Draw(rt, "runs"))}
		args = append(args, rapid.SampledFrom([][]string{
			nil, {"--max-pause", "20s", "--max-drift-ppm", "1000"}, {"--same-identity", "--deletes", "--drain", "3s"}, {"--corpus", regressDir},
			append(strings.Fields(searchDefault), "--property", "single-work", "--max-round-trip", "8s"),
		}).Draw(rt, "target")...)
		whole, again := filepath.Join(dir, "whole"), filepath.Join(dir, "again")
		files := shards(rt, dir, rapid.IntRange(1, 5).Draw(rt, "shards"), args...)
		merge := append([]string{"report", "merge"}, rapid.SampledFrom([][]string{files, {dir}}).Draw(rt, "named")...)
		form := rapid.SampledFrom([]string{cliflag.Text, cliflag.JSON}).Draw(rt, "form")
		searched := simulate("", append([]string{"search", "--resume", whole, "-o", form}, args...)...)
		merged := simulate("", append(merge, "-o", form, "--out", again, "--force")...)
		assert.Equal(rt, searched.code, merged.code, merged.stderr)
		assert.Equal(rt, searched.stdout, merged.stdout)
		assert.Empty(rt, merged.stderr)
		want, err := os.ReadFile(whole)
		require.NoError(rt, err)
		got, err := os.ReadFile(again)
		require.NoError(rt, err)
		assert.Equal(rt, string(want), string(got))
	})
}

func TestMergeBadInput(t *testing.T) {
	dir := t.TempDir()
	files := shards(t, dir, 2, "--profile", "strict", "--runs", "200")
	text, err := os.ReadFile(files[1])
	require.NoError(t, err)
	short, none := filepath.Join(dir, "short"), t.TempDir()
	fifth := filepath.Join(t.TempDir(), "fifth")
	require.NoError(t, os.WriteFile(fifth, bytes.Replace(text, []byte(`"shard":1,"shards":2`), []byte(`"shard":5`), 1), 0o666))
	require.NoError(t, os.WriteFile(short, text[:len(text)-3], 0o666))
	for args, want := range map[string]string{
		"":                         "want results files of a search, or folders of them",
		"nowhere":                  "nowhere: no such file",
		fifth:                      "want a shard from 0 to 0, got 5",
		none:                       "no file in it is called *.jsonl",
		files[0]:                   "missing: shard 1/2",
		dir + " " + short:          "are both shard 1/2",
		files[0] + " " + short:     "short: the last line is not complete and is left out",
		short + " " + files[0]:     "short: 1 of 2 blocks are missing, from block 3 on",
		dir + " -o junit":          `--output "junit": want text or json`,
		dir + " --out " + files[0]: "would overwrite what is merged",
		dir + " --out " + none:     "is a directory; want a file",
		dir + " --out " + short:    "short: exists already; --force replaces it",
	} {
		ran := simulate("", append([]string{"report", "merge"}, strings.Fields(args)...)...)
		assert.Equal(t, exit.BadInput, ran.code, args)
		assert.Contains(t, ran.stderr, want, args)
		assert.Empty(t, ran.stdout, args)
	}
	left, err := os.ReadDir(none)
	require.NoError(t, err)
	assert.Empty(t, left)
}
