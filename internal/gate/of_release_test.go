package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/stage"
	"interregnum/plan"
)

// TestOfRelease: Kubernetes' own programs are judged with the client-go of their release. From v1.32 to v1.33 the closing of a connection
// makes a difference. Of v1.20 no timeout is known, and nothing else ends its release.
func TestOfRelease(t *testing.T) {
	t.Parallel()
	const s, endless = time.Second, -1
	for tag, want := range map[string][2]time.Duration{ // of kube-scheduler, which releases the lock, and of kube-controller-manager
		"v1.20.0": {endless, 0}, "v1.24.17": {5 * s, 0}, "v1.29.0": {5 * s, 0},
		"v1.30.0": {10 * s, 5 * s}, "v1.31.0": {10 * s, 5 * s}, "v1.32.0": {13 * s, 7 * s}, "v1.33.0": {11 * s, 6 * s},
		"v1.34.0": {19 * s, 6 * s}, "v1.36.0": {19 * s, 6 * s}, "v1.37.0": {23 * s, 6 * s},
	} {
		for i, program := range []string{"kube-scheduler", "kube-controller-manager"} {
			j := ofContainer(t, "image: '"+program+":"+tag+"'", "")
			most, known := j.Result.AtMost()
			if want[i] == endless {
				assert.True(t, j.Result.Unbounded, "%s %s", program, tag)
				continue
			}
			assert.True(t, known, "%s %s", program, tag)
			assert.Equal(t, want[i], max(0, most), "%s %s", program, tag)
			assert.LessOrEqual(t, j.Shown, most)
		}
	}
	j := ofContainer(t, "image: 'kube-scheduler:v1.31.0'", Unsafe)
	assert.Contains(t, j.Assumes(), "client-go v0.31 (that of kube-scheduler v1.31), by profile client-go and what differs from it; ")
	assert.True(t, j.OlderThanShown())
	assert.False(t, ofContainer(t, "image: 'kube-scheduler:v1.34.0'", Unsafe).OlderThanShown())
}

// TestClosedReadFails: before v0.32 a read whose connection was closed is not sent again, and no run in which it is shows what a release
// of that time does.
func TestClosedReadFails(t *testing.T) {
	t.Parallel()
	j := ofContainer(t, "image: 'kube-scheduler:v1.31.0', args: [--leader-elect-lease-duration=60s, --leader-elect-renew-deadline=45s, --leader-elect-retry-period=10s]", Unsafe)
	most, known := j.Result.AtMost()
	assert.True(t, known)
	assert.Equal(t, 43*time.Second, most)
	assert.LessOrEqual(t, j.Shown, most)
}

// TestRetryAfterOutlasts: before v0.33 a leader that waits a Retry-After out works on after its RenewDeadline, and after the deadline of its
// release.
func TestRetryAfterOutlasts(t *testing.T) {
	c := bound.Config{
		Timings: machine.Timings{LeaseDuration: 60 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
		Profile: machine.ClientGo, RequestTimeout: 5 * time.Second, Client: &plan.Client{Retries: true},
	}
	e := &bound.Environment{MaxRoundTrip: 10 * time.Millisecond, MaxRetryAfter: 4 * time.Second}
	overlap := func(minor int) time.Duration {
		of := c
		of.Minor = minor
		r, err := bound.Of(&of, e)
		require.NoError(t, err)
		return r.Overlap
	}
	assert.Equal(t, overlap(33)+8*time.Second, overlap(32)) // a call of the last attempt outlasts its timeout, too
	c.ReleaseOnCancel = true
	assert.Equal(t, 5*time.Second, overlap(33))
	assert.Equal(t, 9*time.Second, overlap(32))
	c.Profile = machine.ClientGoV024
	assert.Equal(t, 9*time.Second, overlap(0))
	j, err := Judge(Target{Config: c, Timeout: programs.Timeout{Kind: programs.Half}}, e)
	require.NoError(t, err)
	assert.True(t, j.Result.Upper)
	assert.InDelta(t, 5*time.Second, j.Shown, float64(stage.Agree))
}
