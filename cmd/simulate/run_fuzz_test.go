package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/few"
	"interregnum/scenarios"
)

// unseen is what a terminal obeys rather than shows.
var unseen = regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f\x{80}-\x{9f}]`)

// FuzzShow: what the reader takes can be run and shown in every form, page and trace included, and no name in it makes the
// terminal do anything. Without -fuzz, go test shows a quarter of the scenarios that ship.
func FuzzShow(f *testing.F) {
	for _, pattern := range []string{"../../scenarios/library/*.yaml", "../../testdata/regress/*.yaml", "../../scenarios/testdata/contract.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		require.NotEmpty(f, files, pattern)
		fuzzed := flag.Lookup("test.fuzz").Value.String() != ""
		for i, file := range files {
			if !fuzzed && !few.All() && i%4 != 0 {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(text, uint8(len(text)))
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, form uint8) {
		s, err := scenarios.Read(bytes.NewReader(data), "x.yaml")
		if err != nil || len(s.Candidates) > 10 || len(s.Faults) > 50 {
			return
		}
		// Only the beginning, of what would mean much work.
		shortest := time.Second
		for i := range s.Candidates {
			if d := min(s.Candidates[i].RetryPeriod, s.Candidates[i].LeaseDuration); d > 0 {
				shortest = min(shortest, d)
			}
		}
		s.Horizon = min(s.Horizon, 300*shortest)
		var text strings.Builder
		if s.Validate() != nil {
			return
		}
		require.NoError(t, s.WriteYAML(&text))
		forms := []string{cliflag.Text, cliflag.JSON, cliflag.JUnit, cliflag.Markdown}
		got := simulate(text.String(), "run", "-", "-o", forms[int(form)%len(forms)], "--html", dir+"/x.html", "--trace", dir+"/x.jsonl",
			"--perfetto", dir+"/x.json", "--force")
		if got.code == exit.HarnessFailed {
			require.Contains(t, got.stderr, "stands still")
		} else {
			require.LessOrEqual(t, got.code, exit.NotAsExpected, got.stderr)
		}
		require.NotRegexp(t, unseen, got.stdout)
		require.NotRegexp(t, unseen, got.stderr)
	})
}
