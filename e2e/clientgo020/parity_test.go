package kubelock_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/lockscript"
)

var newLock = resourcelock.New

var (
	update = flag.Bool("update", false, "write the files that kubelock's own test compares with")
	fresh  = flag.Int("parity.fresh", 1000, "how many fresh scripts to compare")
	first  = flag.Uint64("parity.first", 1_000_000, "the first seed of the fresh scripts")
)

// top is the folder of the main module.
const top = "../.."

// What the main module's test compares kubelock with: some transcripts, and the sums of more.
const (
	goldenText = top + "/elector/kubelock/testdata/v0.20.15.txt"
	goldenSums = top + "/elector/kubelock/testdata/v0.20.15.sums"
	shown      = 12
	summed     = 1500
)

func TestGolden(t *testing.T) {
	var text, sums strings.Builder
	for seed := uint64(1); seed <= summed; seed++ {
		transcript := theirs(t, seed)
		if seed <= shown {
			text.WriteString(transcript)
		}
		fmt.Fprintln(&sums, lockscript.Sum(transcript))
	}
	golden(t, goldenText, text.String())
	golden(t, goldenSums, sums.String())
}

func golden(t *testing.T, path, want string) {
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	written, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Empty(t, lockscript.Difference(want, string(written)), path)
}

// TestFresh compares scripts that nobody has seen: go test . -run Fresh -parity.fresh 20000 -parity.first N.
func TestFresh(t *testing.T) {
	if difference := compare(t, build(t), *first, *fresh); difference != "" {
		t.Fatalf("kubelock does not do what v0.20.15 does (- theirs, + ours): %s", difference)
	}
}

func theirs(t *testing.T, seed uint64) string {
	transcript, err := lockscript.Transcript(seed, library{})
	require.NoError(t, err)
	return transcript
}

// build returns the path of kubelock's tests, which are built in the main module, with these flags.
func build(t *testing.T, flags ...string) string {
	program := filepath.Join(t.TempDir(), "kubelock.test")
	command := exec.Command("go", append([]string{"test", "-c", "-ldflags=-s -w", "-vet=off", "-o", program}, flags...)...)
	command.Dir = filepath.Join(top, "elector/kubelock")
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s\n%s", command, output)
	return program
}

// compare runs the scripts of n seeds on the locks of this build and on kubelock, by its tests in program with these flags. It returns
// the first difference, or "".
func compare(t *testing.T, program string, first uint64, n int, flags ...string) string {
	path := filepath.Join(t.TempDir(), "kubelock.txt")
	command := exec.Command(program, append([]string{"-test.run", "^TestTranscripts$", "-transcripts.to", path,
		"-transcripts.first", fmt.Sprint(first), "-transcripts.n", fmt.Sprint(n)}, flags...)...)
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s\n%s", command, output)
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	ours := bufio.NewReader(file)
	for seed := first; seed < first+uint64(n); seed++ {
		want := theirs(t, seed)
		got := make([]byte, len(want))
		read, err := io.ReadFull(ours, got)
		if err == nil && string(got) == want {
			continue
		}
		if rest, err := ours.Peek(1000); err == nil || err == io.EOF {
			got = append(got[:read], rest...)
		}
		return lockscript.Difference(want, string(got))
	}
	require.NoError(t, file.Close())
	return ""
}
