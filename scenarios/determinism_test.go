package scenarios_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "interregnum/internal/few/garbage"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

var update = flag.Bool("update", false, "write what came into the files that tests compare with")

var hashesFile = filepath.Join("..", "testdata", "hashes.txt")

const hashesHead = `# The trace hash of each scenario that ships, with its own seed, and how many events it covers.
# A hash that changed is a run that changed: find out why. go test ./scenarios -run TestPinnedHashes -update
`

// TestPinnedHashes: the shipped scenarios run as they did, event by event, on every machine.
func TestPinnedHashes(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	var got strings.Builder
	got.WriteString(hashesHead)
	for _, s := range all {
		r := run(t, s)
		fmt.Fprintf(&got, "%s %s %d\n", s.Name, r.TraceHash, r.Stats.Events)
	}
	if *update {
		require.NoError(t, os.WriteFile(hashesFile, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(hashesFile)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String())
}

// TestRunsAgree: the same scenario again, brief or not, on one thread or two, with the short cut or without, gives the same
// result.
func TestRunsAgree(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, s := range all {
		first := run(t, s)
		for _, threads := range []int{1, 2} {
			runtime.GOMAXPROCS(threads)
			assert.Equal(t, first, run(t, s), s.Name)
		}
		plain, err := scenarios.Run(s, scenarios.Options{NoShortcut: true})
		require.NoError(t, err)
		assert.Equal(t, first, plain, s.Name)
		brief, err := scenarios.Run(s, scenarios.Options{Brief: true})
		require.NoError(t, err)
		assert.Equal(t, first.TraceHash, brief.TraceHash, s.Name)
		assert.Equal(t, first.Properties, brief.Properties, s.Name)
	}
}

// TestHashCoversTheEvents that a sink sees: all of them, and nothing else.
func TestHashCoversTheEvents(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	seen := map[string]string{}
	for _, s := range all {
		again := trace.NewHash()
		r, err := scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{again}})
		require.NoError(t, err)
		assert.Equal(t, r.TraceHash, again.Sum().String(), s.Name)
		assert.Empty(t, seen[r.TraceHash], "%s runs as another does", s.Name)
		seen[r.TraceHash] = s.Name
	}
}

// TestSeedMatters only where something is random.
func TestSeedMatters(t *testing.T) {
	s, err := scenarios.Named("healthy-failover")
	require.NoError(t, err)
	for _, random := range []bool{false, true} {
		hashes := map[string]bool{}
		for seed := range uint64(5) {
			s.Seed = seed
			hashes[run(t, s).TraceHash] = true
		}
		assert.Len(t, hashes, map[bool]int{false: 1, true: 5}[random])
		for i := range s.Candidates {
			s.Candidates[i].Jitter = nil
		}
	}
}

func run(t *testing.T, s *scenarios.Scenario) *scenarios.Result {
	r, err := scenarios.Run(s, scenarios.Options{})
	require.NoError(t, err)
	return r
}
