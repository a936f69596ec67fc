package files

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRead: no input makes the reader panic or hang. Every line that comes of it is one line with the file's name,
// and every target has timings.
func FuzzRead(f *testing.F) {
	whole, err := filepath.Glob("testdata/real/*")
	require.NoError(f, err)
	for _, path := range whole {
		if !strings.HasSuffix(path, ".golden") {
			content, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(content)
		}
	}
	for _, path := range []string{"testdata/errors.txt", "testdata/forms.txt", "testdata/places.txt"} {
		content, err := os.ReadFile(path)
		require.NoError(f, err)
		for c := range strings.SplitSeq(string(content), "====\n") {
			input, _, _ := strings.Cut(c, "----\n")
			f.Add([]byte(input))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found := Read("x.yaml", bytes.NewReader(data))
		require.NotZero(t, len(found.Targets)+len(found.Notes)+len(found.Problems))
		for _, target := range found.Targets {
			require.Positive(t, target.LeaseDuration)
			require.Positive(t, target.RenewDeadline)
			require.Positive(t, target.RetryPeriod)
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(show(found), "\n"), "\n") {
			require.Regexp(t, `^(target|skipped|disabled|unread|ignored|error|unknown) +x\.yaml(:[1-9][0-9]*)?\b`, line)
		}
	})
}

// BenchmarkRead is a thousand manifests, one after the other.
func BenchmarkRead(b *testing.B) {
	var all [][]byte
	for _, name := range []string{"helm.yaml", "csi.yaml", "kube-scheduler-pod.yaml", "get-deploy.yaml"} {
		content, err := os.ReadFile("testdata/real/" + name)
		require.NoError(b, err)
		all = append(all, content)
	}
	for b.Loop() {
		for i := range 1000 {
			found := Read("x.yaml", bytes.NewReader(all[i%len(all)]))
			require.NotEmpty(b, found.Targets)
		}
	}
}
