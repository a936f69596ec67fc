package scenarios

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
)

// FuzzRun: what the reader takes runs to its end, or is said to stand still; twice, to the same hash. Of plans that mean much
// work only the beginning runs: they are no error.
func FuzzRun(f *testing.F) {
	require.NoError(f, fs.WalkDir(shipped, libraryFolder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := shipped.ReadFile(path)
		f.Add(text)
		return err
	}))
	for _, pattern := range []string{"../testdata/regress/*.yaml", "testdata/contract.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		require.NotEmpty(f, files, pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(bytes.NewReader(data), "x.yaml")
		if err != nil || !little(s) {
			return
		}
		first, err := Run(s, Options{Explain: true})
		again, errAgain := Run(s, Options{Explain: true, Sinks: []trace.Sink{&counter{}}})
		if err != nil {
			require.EqualError(t, errAgain, err.Error())
			return
		}
		require.NoError(t, errAgain)
		require.Equal(t, first, again)
	})
}

// little cuts a scenario short so that it means little work, and tells whether that could be done.
func little(s *Scenario) bool {
	shortest := time.Second
	for i := range s.Candidates {
		c := &s.Candidates[i]
		for _, d := range []time.Duration{c.RetryPeriod, c.LeaseDuration, c.RenewDeadline, c.WriteEvery} {
			if d > 0 {
				shortest = min(shortest, d)
			}
		}
	}
	s.Horizon = min(s.Horizon, 1000*shortest)
	return len(s.Candidates) <= 10 && len(s.Faults) <= 50 && s.Validate() == nil
}

type counter struct{ events int }

// Observe counts.
func (c *counter) Observe(*trace.Event) { c.events++ }
