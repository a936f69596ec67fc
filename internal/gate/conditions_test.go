package gate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestConditions: what a safe verdict of a container rests on, and no file says.
func TestConditions(t *testing.T) {
	t.Parallel()
	const noRelease, noClosing = "the program does not release the lock", "the client closes no connection"
	for _, c := range []struct {
		container string
		verdict   Verdict
		want      []string
	}{
		{ // Datadog's operator, which halves the lease
			"image: gcr.io/datadoghq/operator:1.8.0, args: [--enable-leader-election, --leader-election-lease-duration=60s]", Safe,
			[]string{noRelease, "renewDeadline is 10s and retryPeriod is 2s, as assumed"},
		}, {
			"image: x/x, args: [--leader-elect-lease-duration=40s, --leader-elect-renew-deadline=20s]", Safe,
			[]string{noClosing, noRelease, "retryPeriod is 2s, as assumed"},
		}, {
			"image: x/x, args: [--leader-elect-lease-duration=120s, --leader-elect-renew-deadline=20s]", Safe,
			[]string{noRelease}, // safe with every RetryPeriod
		}, {
			"image: x/x, args: [--leader-elect-lease-duration=60s, --leader-elect-renew-deadline=20s, --leader-elect-retry-period=5s]", Safe,
			[]string{noRelease},
		}, {
			"image: x/x, args: [--leader-elect, --leader-lease-duration=40s, --leader-renew-deadline=20s, --leader-retry-duration=15s]", Safe,
			[]string{noClosing, noRelease, "retryPeriod is 2s, as assumed", "--leader-retry-duration is none of the durations that count"},
		}, {
			"image: x/x, args: [--leader-elect]", Unsafe, nil,
		},
	} {
		assert.Equal(t, c.want, ofContainer(t, c.container, c.verdict).Conditions(), c.container)
	}
}

// ofContainer returns the judgement of a container, given by its fields, in the default environment. It is an error if the verdict is not
// the one that is given.
func ofContainer(t *testing.T, container string, verdict Verdict) *Judgement {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.yaml")
	require.NoError(t, os.WriteFile(path, []byte("containers: [{name: c, "+container+"}]\n"), 0o600))
	unsaid := clientGo
	unsaid.Timeout.Kind = ""
	r := JudgeFiles([]string{path}, nil, &unsaid, DefaultEnvironment())
	require.Empty(t, r.Problems, container)
	require.Len(t, r.Targets, 1, container)
	require.Equal(t, verdict, r.Targets[0].Verdict, container)
	return r.Targets[0]
}
