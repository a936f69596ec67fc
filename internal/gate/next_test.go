package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// nextly is a target of client-go-next that releases the lock.
func nextly(lease, deadline, period time.Duration) Target {
	target := seconds(lease, deadline, period)
	target.ReleaseOnCancel, target.Profile = true, machine.ClientGoNext
	return target
}

// TestNextLateRelease: client-go's bound does not hold for client-go-next with a release. A run within the environment shows a longer
// overlap than the one that is the longest for client-go, and no longer one than that of client-go-next.
func TestNextLateRelease(t *testing.T) {
	s, err := scenarios.ReadFile("stage/testdata/next-late-release.yaml")
	require.NoError(t, err)
	target := nextly(5, 2, 1)
	e := &bound.Environment{MaxRoundTrip: 2 * time.Millisecond, Drain: 5150 * time.Millisecond}
	w := gatetest.Watched(t, s)
	require.Empty(t, w.Outside(s, e))
	assert.Equal(t, 8052*time.Millisecond, w.Score())
	today := target.Config
	today.Profile = machine.ClientGo
	r, err := bound.Of(&today, e)
	require.NoError(t, err)
	most, known := r.AtMost()
	require.True(t, known)
	assert.Equal(t, 7150*time.Millisecond, most)

	j, err := Judge(target, e)
	require.NoError(t, err)
	assert.Equal(t, Unsafe, j.Verdict)
	assert.Equal(t, 8152*time.Millisecond, j.Result.Overlap)
	assert.True(t, j.Result.AtLeast, "the drain lets leaders gather")
	assert.InDelta(t, j.Result.Overlap, j.Shown, float64(time.Millisecond))
}

// TestNextIsSafe as long as no follower can take over before the release has read; the verdict says what it takes for granted.
func TestNextIsSafe(t *testing.T) {
	e := &bound.Environment{MaxRoundTrip: 100 * time.Millisecond, Drain: 2 * time.Second}
	j, err := Judge(nextly(15, 10, 2), e)
	require.NoError(t, err)
	assert.Equal(t, Safe, j.Verdict)
	assert.Equal(t, 200*time.Millisecond, j.Margin())
	assert.Contains(t, j.Assumes(), "releases the lock when OnStartedLeading returns (assumed), and all work is over by then")
}

// TestNextIsNotJudged on two objects, where no bound of its own is derived.
func TestNextIsNotJudged(t *testing.T) {
	target := nextly(5, 2, 1)
	target.Lock = plan.ConfigMapsLeases
	_, err := Judge(target, &bound.Environment{MaxRoundTrip: 2 * time.Millisecond})
	assert.ErrorAs(t, err, &files.Problem{})
	assert.ErrorContains(t, err, "profile client-go-next cannot be judged: no bound is known for this profile with releaseOnCancel on a lock of two objects")
	assert.ErrorContains(t, err, "want releaseOnCancel: false, or profile client-go")
}

// TestNextEndless: what is without bound for client-go is so for client-go-next. Where work ends at once the two ask the same of the service.
func TestNextEndless(t *testing.T) {
	for name, least := range map[string]time.Duration{
		"gathering": 37 * time.Second, "two-releases": 26 * time.Second, "surviving": 18 * time.Second, "conflicting": 49 * time.Second,
	} {
		s, err := scenarios.ReadFile("stage/testdata/" + name + ".yaml")
		require.NoError(t, err)
		today := gatetest.Watched(t, s)
		for i := range s.Candidates {
			s.Candidates[i].Profile = machine.ClientGoNext
		}
		next := gatetest.Watched(t, s)
		assert.Equal(t, today.Requests, next.Requests, name)
		assert.Greater(t, next.Score(), least, name)
	}
}

// TestLateReleaseAtAnEdge: two lost answers leave a nanosecond of the last poll. Its leader, frozen as that ends, must not renew as it wakes.
func TestLateReleaseAtAnEdge(t *testing.T) {
	target := nextly(0, 0, 0)
	target.LeaseDuration, target.RenewDeadline, target.RetryPeriod = 112900*time.Millisecond, 35142430801, 8*time.Second
	target.RequestTimeout = target.RenewDeadline / 2
	e := &bound.Environment{MaxRoundTrip: 5912087677, MaxPause: 35 * time.Second}
	for _, p := range []machine.Profile{machine.ClientGo, machine.ClientGoNext} {
		target.Profile = p
		j, err := Judge(target, e)
		require.NoError(t, err)
		assert.InDelta(t, j.Result.Overlap, j.Shown, float64(time.Millisecond))
	}
}
