package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/plan"
)

// TestTriedChain: where few tokens come in a RetryPeriod a witness has attempts that each outlast a tick and so empty the bucket. No other
// plan of a witness shows anything here.
func TestTriedChain(t *testing.T) {
	j := &Judgement{Target: Target{Config: bound.Config{
		Timings: machine.Timings{LeaseDuration: 17 * time.Second, RenewDeadline: 12 * time.Second, RetryPeriod: time.Second},
		Profile: machine.ClientGo, Client: &plan.Client{QPS: 3, Burst: 6}, RequestTimeout: 1950 * time.Millisecond,
	}}, Environment: bound.Environment{MaxRoundTrip: 100 * time.Millisecond, OtherBurst: 5}}
	withoutClosings(t, j)
	assert.GreaterOrEqual(t, j.Shown, 666*time.Millisecond)
	assert.LessOrEqual(t, j.Shown, j.Result.Overlap)
}

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
		require.Empty(t, watched(t, s.s).outside(s.s, a.e))
		_, shown, err := new(Judgement).play(s.s)
		require.NoError(t, err)
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
