package gate

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

func seconds(lease, deadline, period time.Duration) Target {
	return Target{Position: files.Position{File: "flags"}, Config: bound.Config{
		Timings: machine.Timings{
			LeaseDuration: lease * time.Second, RenewDeadline: deadline * time.Second, RetryPeriod: period * time.Second,
		},
		Profile: machine.ClientGo,
	}}
}

func TestJudge(t *testing.T) {
	released, strict := seconds(60, 15, 5), seconds(15, 10, 2)
	released.ReleaseOnCancel, strict.Profile = true, machine.Strict
	for _, c := range []struct {
		name    string
		target  Target
		trip    time.Duration
		verdict Verdict
		margin  time.Duration
	}{
		{"the default timings, slow answers", seconds(15, 10, 2), 5 * time.Second, Unsafe, -10 * time.Second},
		{"the default timings at the edge", seconds(15, 10, 2), 2 * time.Second / 3, Safe, 2},
		{"the example's timings", seconds(60, 15, 5), time.Second, Safe, 36 * time.Second},
		{"the example's timings, released", released, time.Second, Unsafe, -15 * time.Second},
		{"OpenShift's single node", seconds(270, 240, 60), 0, Unsafe, -30 * time.Second},
		{"strict", strict, time.Minute, Safe, 5 * time.Second},
	} {
		j, err := Judge(c.target, &bound.Environment{MaxRoundTrip: c.trip})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.verdict, j.Verdict, c.name)
		assert.Equal(t, c.margin, j.Margin(), c.name)
		assert.Equal(t, c.verdict == Unsafe, j.Witness != nil, c.name)
		assert.InDelta(t, float64(max(0, -c.margin)), float64(j.Shown), float64(time.Millisecond), c.name)
	}
}

func TestChanges(t *testing.T) {
	j, err := Judge(seconds(15, 10, 2), &bound.Environment{MaxRoundTrip: 5 * time.Second})
	require.NoError(t, err)
	assert.Equal(t, []Change{
		{"lease-duration", "15s", "25s"}, {"max-round-trip", "5s", "666ms"},
	}, j.Changes)
	// Three answers acquire for as long as a lease, whatever the rest.
	assert.Equal(t, []string{"renew-deadline", "retry-period", "request-timeout"}, j.None)
	assert.Equal(t, -5*time.Second, j.Strict.Overlap)
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		target Target
		reason string
	}{
		{seconds(10, 10, 2), "leaseDuration must be greater than renewDeadline"},
		{seconds(15, 10, 9), "renewDeadline must be greater than retryPeriod*JitterFactor"},
	} {
		j, err := Judge(c.target, &bound.Environment{})
		require.NoError(t, err)
		assert.Equal(t, Refused, j.Verdict)
		assert.Contains(t, j.Reason, c.reason)
		assert.Nil(t, j.Witness)
		assert.NotEmpty(t, j.Changes)
	}
}

// TestCannotBeJudged: what is no fault of the configuration, and yet has no verdict.
func TestCannotBeJudged(t *testing.T) {
	old := seconds(15, 10, 2)
	old.Profile = machine.ClientGoV017
	hasty := seconds(15, 10, 2)
	hasty.RequestTimeout = 31
	for _, c := range []struct {
		target Target
		want   string
	}{
		{hasty, "requestTimeout 31ns cannot be judged: want a microsecond at least"},
		{old, "flags: profile client-go-v0.17 cannot be judged: no bound is known"},
		{seconds(3e8, 2e8, 1e7), "want a year (8760h) at most"},
		{seconds(90_000, 70_000, 1), "at most 60000 retry periods"},
	} {
		_, err := Judge(c.target, &bound.Environment{})
		assert.ErrorAs(t, err, &files.Problem{})
		assert.ErrorContains(t, err, c.want)
	}
}

// TestJudgeRandom: every verdict is shown by its witness, and every change makes it safe.
func TestJudgeRandom(t *testing.T) {
	for _, p := range []machine.Profile{machine.ClientGo, machine.ClientGoV024, machine.Strict} {
		t.Run(p.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c, e := gatetest.DrawLocked(t, p, rapid.SampledFrom(append(plan.Locks(), plan.Lease, plan.Lease, "")).Draw(t, "lock"))
				target := Target{Config: *c}
				j, err := Judge(target, e)
				require.NoError(t, err)
				if j.Verdict == Safe {
					assert.Nil(t, j.Witness)
					assert.Empty(t, j.Changes)
				}
				for _, c := range j.Changes {
					changed, env := changedBy(t, target.Config, *e, c)
					require.NoError(t, bound.Refused(&changed), "%v", c)
					r, err := bound.Of(&changed, &env)
					require.NoError(t, err)
					assert.True(t, r.Safe(), "%v in %+v: %+v", target.Config, e, c)
				}
			})
		})
	}
}

// changedBy makes a change.
func changedBy(t require.TestingT, c bound.Config, e bound.Environment, change Change) (bound.Config, bound.Environment) {
	timings := map[string]*time.Duration{
		"lease-duration": &c.LeaseDuration, "renew-deadline": &c.RenewDeadline, "retry-period": &c.RetryPeriod,
		"request-timeout": &c.RequestTimeout, "max-round-trip": &e.MaxRoundTrip, "max-pause": &e.MaxPause, "drain": &e.Drain,
		"max-clock-offset": &e.MaxClockOffset,
	}
	var err error
	switch change.Parameter {
	case "release-on-cancel":
		c.ReleaseOnCancel, err = strconv.ParseBool(change.To)
	case "max-drift-ppm":
		e.MaxDriftPPM, err = strconv.ParseInt(change.To, 10, 64)
	default:
		*timings[change.Parameter], err = time.ParseDuration(change.To)
	}
	require.NoError(t, err)
	return c, e
}

// TestBesideAnEdge: where an attempt outlasts a tick by a nanosecond the witness of shorter round trips does.
func TestBesideAnEdge(t *testing.T) {
	target := seconds(10, 8, 2)
	target.RequestTimeout = time.Second
	j, err := Judge(target, &bound.Environment{MaxRoundTrip: time.Second, MaxDriftPPM: 200})
	require.NoError(t, err)
	require.Equal(t, Unsafe, j.Verdict)
	assert.NotNil(t, j.Witness)
	assert.Positive(t, j.Shown)
}
