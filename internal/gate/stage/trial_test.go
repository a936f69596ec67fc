package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
)

// TestTrialsRun: a run of the simulated world shows no more than the overlap of a trial, and mostly as much.
func TestTrialsRun(t *testing.T) {
	runs, agreed := 0, 0
	for seed := *exactFirst; seed < *exactFirst+few.Of(100); seed++ {
		a := drawTicked.Example(seed)
		a.e.MaxDriftPPM = int64(seed % 2 * 200)
		s := newStage(a.c, a.e)
		if !s.tries() {
			continue
		}
		trial := s.newTrial()
		o := trial.longestCourse()
		if o.overlap <= 0 {
			continue
		}
		runs++
		require.Equal(t, o.overlap, trial.play(&o.course))
		s.played(trial)
		require.Empty(t, gatetest.Watched(t, s.s).Outside(s.s, a.e))
		shown := gatetest.Overlap(t, s.s)
		about := time.Millisecond // a trial has the leader's clock alone
		about += time.Duration(2*a.e.MaxDriftPPM) * (a.c.LeaseDuration + a.c.RenewDeadline) / 1_000_000
		require.LessOrEqual(t, shown, o.overlap+about, "-exact.first %d: %+v in %+v with %+v", seed, *a.c, *a.e, *a.c.Client)
		if shown >= o.overlap-about {
			agreed++
		}
	}
	t.Logf("%d trials run, of which %d show what they have", runs, agreed)
	assert.Greater(t, 2*agreed, runs)
}
