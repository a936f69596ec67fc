package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
	"interregnum/scenarios"
)

// TestNextIsNotJudged with a release: client-go's bound does not hold for it. A run within the environment shows a longer
// overlap than the one that is the longest for client-go.
func TestNextIsNotJudged(t *testing.T) {
	s, err := scenarios.ReadFile("testdata/next-late-release.yaml")
	require.NoError(t, err)
	target := seconds(5, 2, 1)
	target.ReleaseOnCancel = true
	e := &bound.Environment{MaxRoundTrip: 2 * time.Millisecond, Drain: 5150 * time.Millisecond}
	w := watched(t, s)
	require.Empty(t, w.outside(s, e))
	assert.Equal(t, 8052*time.Millisecond, w.score())
	r, err := bound.Of(&target.Config, e)
	require.NoError(t, err)
	most, known := r.AtMost()
	require.True(t, known)
	assert.Equal(t, 7150*time.Millisecond, most)

	target.Profile = machine.ClientGoNext
	_, err = Judge(target, e)
	assert.ErrorAs(t, err, &files.Problem{})
	assert.ErrorContains(t, err, "profile client-go-next cannot be judged: no bound is known for this profile with releaseOnCancel")
	assert.ErrorContains(t, err, "want releaseOnCancel: false, or profile client-go")
}
