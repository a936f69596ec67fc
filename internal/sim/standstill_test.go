package sim

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestStandstill: a network that takes no time, and a release that conflicts each time it is tried.
func TestStandstill(t *testing.T) {
	conflict := but(window(plan.FaultError, 5*sec, 6*sec, "b"), answers(409), of(update))
	plan := with(aPlan(time.Hour, who("a", 40*sec), who("b", 0, releases)), conflict, fault(plan.FaultCancel, 5*sec, "b"))
	stats, err := Run(plan)
	var still *StandstillError
	require.ErrorAs(t, err, &still)
	assert.Equal(t, StandstillError{At: 5 * sec, Candidate: "b"}, *still)
	assert.ErrorContains(t, err, "stands still at 5s: 1000000 events at one instant")
	assert.ErrorContains(t, err, "the last of them of candidate b")
	assert.Zero(t, stats)

	// With answers that take 1 ms time passes: Get at 5, Update at 5.001, Get at 5.002 … At 6.001 s the update
	// is taken.
	plan.Network.Response = fixed(ms)
	p := play(t, plan)
	assert.Equal(t, []time.Duration{6002 * ms}, p.at("b", trace.RunReturned))
}

// TestManyAtOnce: a crowd that starts at one instant, is cancelled, comes back, and loses its lock, is none.
func TestManyAtOnce(t *testing.T) {
	const n = 10_000
	setup := aPlan(40 * sec)
	for i := range n {
		setup.Candidates = append(setup.Candidates, who(fmt.Sprint("n", i), sec, releases, rejoins(0)))
	}
	with(setup, fault(plan.FaultCancel, 5*sec), fault(plan.FaultDelete, 7*sec), fault(plan.FaultRestart, 9*sec),
		window(plan.FaultPause, 13*sec, 17*sec), fault(plan.FaultCrash, 21*sec, plan.RoleLeader))
	stats, err := Run(setup)
	require.NoError(t, err)
	assert.Greater(t, stats.StoreOps, uint64(15*n))
}

// TestStandstillCountsOneInstant: more than a million events that time goes by between are none either.
func TestStandstillCountsOneInstant(t *testing.T) {
	p := aPlan(14*time.Hour, who("a", 0, timings(15*sec, 10*sec, 100*ms)))
	stats, err := Run(p)
	require.NoError(t, err)
	assert.Greater(t, stats.Events, uint64(standstill))
}

// TestRunRefuses what Validate does.
func TestRunRefuses(t *testing.T) {
	_, err := Run(aPlan(0, who("a", 0)))
	var field *plan.FieldError
	require.True(t, errors.As(err, &field))
	assert.Equal(t, "horizon", field.Path)
}
