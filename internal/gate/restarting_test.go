package gate

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// overlapOfFile returns the overlap of a scenario in testdata/attacks.
func overlapOfFile(t *testing.T, name string) time.Duration {
	t.Helper()
	attack, err := scenarios.ReadFile("testdata/attacks/" + name + ".yaml")
	require.NoError(t, err)
	return gatetest.Overlap(t, attack)
}

// judgedOf returns the verdict on 15s and these timings, with answers within 1 ms, which must be the one given.
func judgedOf(t *testing.T, target *Target, deadline time.Duration, want Verdict, e bound.Environment) *Judgement {
	t.Helper()
	target.Timings = machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: deadline, RetryPeriod: 2 * time.Second}
	j, err := Judge(*target, &e)
	require.NoError(t, err)
	require.Equal(t, want, j.Verdict)
	return j
}

// TestRestarted: a process that starts again under its own name within a second is a condition of the verdict, unless each has a new name.
func TestRestarted(t *testing.T) {
	t.Parallel()
	const condition = "no process starts again under its own name within a second"
	e := bound.Environment{MaxRoundTrip: time.Millisecond}
	shown := overlapOfFile(t, "restart")
	require.Positive(t, shown)
	j := judgedOf(t, &Target{Config: bound.Config{Profile: machine.ClientGo}}, 12500*time.Millisecond, Safe, e)
	assert.Contains(t, j.Conditions(), condition)
	assert.GreaterOrEqual(t, j.IfRestarted(), shown)
	assert.Contains(t, j.restartWords(), "unsafe by 503ms")

	j.Timeout.Kind = programs.Half
	assert.Zero(t, j.IfRestarted(), "each process has a new name")

	e.Reruns = true
	judgedOf(t, &Target{Config: bound.Config{Profile: machine.ClientGo}}, 12500*time.Millisecond, Unsafe, e)
}

// TestMovedName: a name that is used again on a host whose clock is behind is outside of what a safe verdict assumes, whatever the lease.
func TestMovedName(t *testing.T) {
	t.Parallel()
	require.Positive(t, overlapOfFile(t, "other-host"))
	j := judgedOf(t, &Target{Config: bound.Config{Profile: machine.ClientGo}}, 10*time.Second, Safe, bound.Environment{MaxRoundTrip: time.Millisecond})
	assert.Contains(t, j.environmentWords(), "nor a name used again on a host whose clock is behind")
}

// TestLateRelease: with whole seconds nothing refuses a release whose elector runs again in its second. The more leaders lose the lock so,
// one a second, the longer two work at once.
func TestLateRelease(t *testing.T) {
	t.Parallel()
	target := Target{Config: bound.Config{Profile: machine.ClientGoV024, Lock: plan.ConfigMap, ReleaseOnCancel: true, RequestTimeout: time.Second}}
	e := bound.Environment{MaxRoundTrip: 500 * time.Millisecond, Reruns: true}
	j := judgedOf(t, &target, 10*time.Second, Unsafe, e)
	assert.Equal(t, bound.LateReleases, j.Result.Plan.Endless)

	attack, err := scenarios.ReadFile("testdata/attacks/late-release.yaml")
	require.NoError(t, err)
	shown := gatetest.Overlap(t, attack)
	require.Greater(t, shown, j.Result.Overlap)
	for n := range 6 {
		*attack = *again(attack, n+1)
		longer := gatetest.Overlap(t, attack)
		assert.Greater(t, longer, shown+300*time.Millisecond, "%d more", n+1)
		shown = longer
	}

	target.Lock = plan.Lease // whose microseconds change the version
	most, known := judgedOf(t, &target, 10*time.Second, Unsafe, e).Result.AtMost()
	assert.True(t, known)
	assert.Less(t, most, shown)
}

// again returns a copy of the scenario late-release in which the n-th candidate after the first one, the last, does what that does, n seconds
// later, and another one follows.
func again(s *scenarios.Scenario, n int) *scenarios.Scenario {
	later, c := *s, s.Candidates[0]
	at := time.Duration(n) * time.Second
	id := s.Candidates[n].ID
	c.ID, c.StartAt = fmt.Sprintf("c%d", n), at+time.Second
	later.Candidates = append(slices.Clone(s.Candidates), c)
	later.Candidates[n].StartAt = at
	for _, f := range s.Faults[:4] {
		f.At, f.On = f.At+at, []string{id}
		if f.Kind == plan.FaultDelay {
			f.Until = new(*f.Until + at)
		}
		later.Faults = append(slices.Clone(later.Faults), f)
	}
	return &later
}

// TestTuneRestarted: what Tune recommends is safe only if no process starts again under its own name within a second, unless each has a new
// name.
func TestTuneRestarted(t *testing.T) {
	t.Parallel()
	w := Wish{Config: bound.Config{Profile: machine.ClientGo}, Environment: bound.Environment{MaxRoundTrip: 100 * time.Millisecond}, Candidates: 3, MaxLease: time.Minute}
	best := Tune(&w)
	require.NotNil(t, best)
	assert.Equal(t, 200*time.Millisecond, best.IfRestarted(&w))
	w.Timeout.Kind = programs.Half
	assert.Zero(t, best.IfRestarted(&w))
	w.Timeout.Kind, w.Environment.Reruns = programs.Unknown, true
	require.NotNil(t, Tune(&w))
	assert.Zero(t, Tune(&w).IfRestarted(&w))
}
