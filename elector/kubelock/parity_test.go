package kubelock_test

import (
	"bufio"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/elector/kubelock"
	"interregnum/internal/few"
	"interregnum/internal/lockscript"
	"interregnum/internal/mutants/planted"
)

var newLock = kubelock.New

var (
	transcriptsTo    = flag.String("transcripts.to", "", "write transcripts to this file, for e2e/clientgo020")
	transcriptsFirst = flag.Uint64("transcripts.first", 1, "seed of the first transcript to write")
	transcriptsCount = flag.Int("transcripts.n", 100, "how many transcripts to write")
	transcriptsBug   = flag.String("transcripts.planted", "", "the bug that is in force, where bugs are planted in this build")
)

// TestParity compares with what the locks of client-go v0.20.15 did, as e2e/clientgo020 has recorded it: in the first
// scripts line by line, in many by their sums.
func TestParity(t *testing.T) {
	text := read(t, "testdata/v0.20.15.txt")
	sums := strings.Fields(read(t, "testdata/v0.20.15.sums"))
	for i, sum := range sums[:few.Of(len(sums))] {
		seed := uint64(i + 1)
		transcript, err := lockscript.Transcript(seed, library{})
		require.NoError(t, err)
		if text != "" {
			rest, same := strings.CutPrefix(text, transcript)
			if !same {
				t.Fatalf("the locks of v0.20.15 did something else (- theirs, + these): %s",
					lockscript.Difference(text[:min(len(text), len(transcript))], transcript))
			}
			text = rest
		}
		if lockscript.Sum(transcript) != sum {
			t.Fatalf("the locks of v0.20.15 did something else; what: cd e2e/clientgo020 && "+
				"go test . -run Fresh -parity.first %d -parity.fresh 1", seed)
		}
	}
	require.Empty(t, text)
}

// TestScriptsBite makes sure that the scripts reach what locks can meet.
func TestScriptsBite(t *testing.T) {
	wanted := map[string]int{
		`= {"leaderelection.k8s.io/unknown"`: 0, "= Conflict": 0, "= AlreadyExists": 0, "= NotFound": 0, "= Invalid": 0,
		"= Forbidden": 0, "= error": 0, "    lost": 0, "answer lost": 0, "answered without metadata": 0,
		"answered <html>": 0, "event *v1.Lease": 0, "event *v1.ConfigMap": 0, "event *v1.Endpoints": 0,
		`"finalizers":["example.org/keep"]`: 0, `"uid":"uid-3"`: 0, "2999": 0,
	}
	for seed := range uint64(500) {
		transcript, err := lockscript.Transcript(seed, library{})
		require.NoError(t, err)
		for what := range wanted {
			wanted[what] += strings.Count(transcript, what)
		}
	}
	for what, n := range wanted {
		require.Greater(t, n, 10, what)
	}
	t.Log(wanted)
}

func read(t *testing.T, path string) string {
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}

// TestTranscripts writes transcripts of fresh scripts where it is told to.
func TestTranscripts(t *testing.T) {
	if *transcriptsTo == "" {
		t.Skip("no file to write to")
	}
	planted.Switch(*transcriptsBug)
	file, err := os.Create(*transcriptsTo)
	require.NoError(t, err)
	out := bufio.NewWriter(file)
	for i := range *transcriptsCount {
		transcript, err := lockscript.Transcript(*transcriptsFirst+uint64(i), library{})
		require.NoError(t, err)
		_, err = out.WriteString(transcript)
		require.NoError(t, err)
	}
	require.NoError(t, out.Flush())
	require.NoError(t, file.Close())
}
