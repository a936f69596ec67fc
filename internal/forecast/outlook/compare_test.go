package outlook

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/forecast"
)

// comparing is the Compare of a Maker that knows that much when it ends.
type comparing func(context.Context, []*forecast.Question, *forecast.Options) (*forecast.Comparison, error)

// both has the forecasts of two targets, of which the second loses more.
func both() *forecast.Comparison {
	a, b := known, known
	b.Losses = forecast.Estimate{Value: 2, Low: 1.5, High: 3}
	return &forecast.Comparison{
		Forecasts: []*forecast.Forecast{&a, &b}, Differences: []forecast.Difference{{}, {Losses: b.Losses}},
	}
}

// TestMakeCompares: each target but the first has its difference from it. One question is asked for each.
func TestMakeCompares(t *testing.T) {
	m, g := makes(t, nil)
	m.Compare = func(_ context.Context, q []*forecast.Question, _ *forecast.Options) (*forecast.Comparison, error) {
		require.Len(t, q, 2)
		return both(), nil
	}
	r := m.Make(t.Context(), g)
	require.Len(t, r.Targets, 2)
	assert.Same(t, r.Targets[0], r.First())
	assert.Nil(t, r.Targets[0].Against)
	assert.Equal(t, 2.0, r.Targets[1].Against.Losses.Value)
	assert.Equal(t, Violated, r.Targets[1].Verdict)
	assert.False(t, r.Targets[1].Cut)
	assert.Equal(t, 2*Month.Seconds(), Differences(r.Targets[1].Against)[0].Value)
}

// TestMakeComparesFor: what is known when the time is over counts; if nothing is, that is bad input, and so is what cannot be simulated.
func TestMakeComparesFor(t *testing.T) {
	for name, c := range map[string]struct {
		run    comparing
		limit  bool
		known  int
		wanted string
	}{
		"something is known": {run: func(ctx context.Context, _ []*forecast.Question, _ *forecast.Options) (*forecast.Comparison, error) {
			<-ctx.Done()
			return both(), ctx.Err()
		}, limit: true, known: 2},
		"nothing is known": {run: func(ctx context.Context, _ []*forecast.Question, _ *forecast.Options) (*forecast.Comparison, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, limit: true, wanted: "f.yaml: nothing is known after 1ns for each target; want more time"},
		"not to be simulated": {run: func(context.Context, []*forecast.Question, *forecast.Options) (*forecast.Comparison, error) {
			return nil, errors.New("of such a lock nothing can be said")
		}, wanted: "f.yaml: of such a lock nothing can be said"},
	} {
		t.Run(name, func(t *testing.T) {
			m, g := makes(t, nil)
			m.Compare = c.run
			if c.limit {
				m.Limit = 1
			}
			r := m.Make(t.Context(), g)
			assert.Len(t, r.Targets, c.known)
			for _, target := range r.Targets {
				assert.True(t, target.Cut)
			}
			if c.wanted == "" {
				assert.Empty(t, g.Problems)
				return
			}
			assert.Nil(t, r.First())
			require.Len(t, g.Problems, 1)
			assert.EqualError(t, g.Problems[0], c.wanted)
		})
	}
}

// TestMakeComparesInterrupted: nothing is known, and that is no bad input.
func TestMakeComparesInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	m, g := makes(t, nil)
	m.Compare = func(ctx context.Context, _ []*forecast.Question, _ *forecast.Options) (*forecast.Comparison, error) {
		stop()
		return nil, ctx.Err()
	}
	assert.Empty(t, m.Make(ctx, g).Targets)
	assert.Empty(t, g.Problems)
}
