package outlook

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/forecast"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files/programs"
)

// known is what a forecast knows that does not end.
var known = forecast.Forecast{Windows: 3, Causes: []forecast.Cause{{Name: "usual times"}}}

// endless is a forecast that tells its progress, if it has any, and goes on until its context ends.
func endless(progress bool) func(context.Context, *forecast.Question, *forecast.Options) (*forecast.Forecast, error) {
	return func(ctx context.Context, _ *forecast.Question, o *forecast.Options) (*forecast.Forecast, error) {
		f := known
		if progress {
			o.Progress(&f)
			f.Windows = 0
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
}

// makes returns a maker with that Run, and what two targets of the gate are.
func makes(t *testing.T, run func(context.Context, *forecast.Question, *forecast.Options) (*forecast.Forecast, error)) (*Maker, *gate.Report) {
	timeout := programs.Timeout{Kind: programs.None}
	g := &gate.Report{Targets: []*gate.Judgement{judged(t, timeout, machine.ClientGo), judged(t, timeout, machine.ClientGo)}}
	limit := 1.0
	return &Maker{
		Site:    &Site{Behaviour: &behaviour.Behaviour{}, Replicas: 2, Thresholds: Thresholds{MaxLosses: &limit}},
		Options: &forecast.Options{}, Run: run,
		Start: func(string) (func(*forecast.Forecast), func()) { return func(*forecast.Forecast) {}, func() {} },
	}, g
}

// TestMake: each target has its forecast and its verdict. What cannot be simulated is bad input, and the others go on.
func TestMake(t *testing.T) {
	calls := 0
	m, g := makes(t, func(_ context.Context, q *forecast.Question, _ *forecast.Options) (*forecast.Forecast, error) {
		if calls++; calls == 1 {
			return nil, errors.New("of such a lock nothing can be said")
		}
		assert.Equal(t, 15*time.Second, q.Candidate.LeaseDuration)
		f := known
		return &f, nil
	})
	r := m.Make(t.Context(), g)
	require.Len(t, r.Targets, 1)
	assert.Equal(t, Met, r.Targets[0].Verdict)
	assert.False(t, r.Targets[0].Fails())
	assert.Equal(t, &known, r.Targets[0].Forecast)
	require.Len(t, g.Problems, 1)
	assert.EqualError(t, g.Problems[0], "f.yaml: of such a lock nothing can be said")
}

// TestMakeFor: when the time is over, what is known counts; if nothing is, that is bad input.
func TestMakeFor(t *testing.T) {
	m, g := makes(t, endless(true))
	m.Limit = 1
	r := m.Make(t.Context(), g)
	require.Len(t, r.Targets, 2)
	for _, target := range r.Targets {
		assert.True(t, target.Cut)
		assert.Equal(t, &known, target.Forecast, "a copy of what was told")
	}
	m, g = makes(t, endless(false))
	m.Limit = 1
	assert.Empty(t, m.Make(t.Context(), g).Targets)
	require.Len(t, g.Problems, 2)
	assert.EqualError(t, g.Problems[0], "f.yaml: nothing is known after 1ns; want more time")
}

// TestMakeInterrupted: what is known of the forecast that was interrupted counts, and no other begins.
func TestMakeInterrupted(t *testing.T) {
	for _, progress := range []bool{true, false} {
		ctx, stop := context.WithCancel(t.Context())
		m, g := makes(t, endless(progress))
		m.Start = func(string) (func(*forecast.Forecast), func()) {
			if !progress {
				stop()
			}
			return func(*forecast.Forecast) { stop() }, func() {}
		}
		r := m.Make(ctx, g)
		assert.Empty(t, g.Problems)
		if !progress {
			assert.Empty(t, r.Targets)
			continue
		}
		require.Len(t, r.Targets, 1)
		assert.True(t, r.Targets[0].Cut)
	}
}
