package explore

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/check"
	"interregnum/internal/search"
)

func timings(lease, deadline, retry int) machine.Timings {
	return machine.Timings{
		LeaseDuration: time.Duration(lease) * time.Second, RenewDeadline: time.Duration(deadline) * time.Second,
		RetryPeriod: time.Duration(retry) * time.Second,
	}
}

// hazard is a small world in which one hazard shows, with as few faults as it takes.
type hazard struct {
	name   string
	config Config
	faults int
}

func hazards() []hazard {
	return []hazard{
		{"h01", Config{
			Config: bound.Config{Timings: timings(5, 3, 1)}, Candidates: 2, MaxRoundTrip: 2 * time.Second, Waits: 1,
		}, 2},
		{"h02", Config{Config: bound.Config{Timings: timings(4, 3, 2)}, Candidates: 2}, 1},
		{"h03", Config{Config: bound.Config{Timings: timings(8, 3, 1), ReleaseOnCancel: true}, Candidates: 2}, 2},
		{"h04", Config{
			Config: bound.Config{Timings: timings(4, 2, 1), ReleaseOnCancel: true}, Candidates: 3,
			MaxRoundTrip: time.Second, Waits: 1, Bystanders: true,
		}, 2},
		{"h16", Config{
			Config: bound.Config{Timings: timings(5, 3, 1), RequestTimeout: 2 * time.Second}, Candidates: 2,
		}, 2},
	}
}

func explored(t rapid.TB, c Config, p machine.Profile) *Result {
	t.Helper()
	c.Grid, c.Profile = time.Second, p
	require.NoError(t, c.Validate())
	r, err := Run(context.Background(), &c)
	require.NoError(t, err)
	t.Logf("%s: %d states in layers %v, %d events, %d runs", p.Name, r.States, r.Layers, r.Events, r.Runs)
	return r
}

func TestFindsTheHazards(t *testing.T) {
	for _, h := range hazards() {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			h.config.Faults = h.faults
			r := explored(t, h.config, machine.ClientGo)
			require.NotNil(t, r.Found)
			require.Equal(t, h.faults, r.Found.Faults)
			violated, err := search.Violated(r.Found.Scenario)
			require.NoError(t, err)
			require.Contains(t, violated, check.SingleWork)
		})
	}
}

var all = flag.Bool("explore.all", false, "larger worlds too, for minutes")

func TestStrictHoldsWithinTheSameBounds(t *testing.T) {
	for _, h := range hazards() {
		t.Run(h.name, func(t *testing.T) {
			if h.name == "h04" && !*all {
				t.Skip("100,000 states: -explore.all")
			}
			t.Parallel()
			h.config.Faults = h.faults
			r := explored(t, h.config, machine.Strict)
			require.Nil(t, r.Found)
			require.True(t, r.Complete)
			require.Zero(t, r.Unshown)
		})
	}
}

// TestStrictHoldsWithReruns: each Run that returns is followed by another of the same elector.
func TestStrictHoldsWithReruns(t *testing.T) {
	for _, release := range []bool{false, true} {
		c := Config{
			Config:     bound.Config{Timings: timings(5, 3, 1), ReleaseOnCancel: release},
			Candidates: 2, Waits: 1, MaxRoundTrip: time.Second, Faults: 2, Rerun: true,
		}
		r := explored(t, c, machine.Strict)
		require.Nil(t, r.Found)
		require.True(t, r.Complete)
	}
}

// TestNoScheduleExceedsTheBound has bound.Of predict the worst, and looks for worse.
func TestNoScheduleExceedsTheBound(t *testing.T) {
	for _, c := range []Config{
		{Config: bound.Config{Timings: timings(4, 3, 2)}},
		{Config: bound.Config{Timings: timings(4, 2, 1)}, MaxRoundTrip: time.Second},
		{Config: bound.Config{Timings: timings(5, 3, 1), RequestTimeout: 2 * time.Second}},
		{Config: bound.Config{Timings: timings(5, 3, 1), ReleaseOnCancel: true}},
	} {
		t.Run(c.LeaseDuration.String(), func(t *testing.T) {
			t.Parallel()
			c.Candidates, c.Faults, c.Waits, c.Profile = 2, 2, 1, machine.ClientGo
			worst, err := bound.Of(&c.Config, &bound.Environment{MaxRoundTrip: c.MaxRoundTrip})
			require.NoError(t, err)
			c.Exceeds = max(0, worst.Overlap)
			r := explored(t, c, machine.ClientGo)
			require.Nil(t, r.Found)
			require.Zero(t, r.Unshown)
			require.True(t, r.Complete)
		})
	}
}

func TestEndsWhereItMust(t *testing.T) {
	c := Config{Config: bound.Config{Timings: timings(5, 3, 1)}, Candidates: 2, Faults: 1, MaxStates: 100}
	require.False(t, explored(t, c, machine.Strict).Complete)

	c.MaxStates, c.Grid, c.Profile = 0, time.Second, machine.Strict
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Run(ctx, &c)
	require.NoError(t, err)
	require.False(t, r.Complete)
}

// TestEndsAfterTheLastLayer: where no state needs more faults, the search is complete, however many were allowed.
func TestEndsAfterTheLastLayer(t *testing.T) {
	c := Config{
		Config: bound.Config{Timings: timings(4, 3, 2)}, Candidates: 2, Waits: 1, Exceeds: time.Hour, Faults: 1_000_000_000,
	}
	r := explored(t, c, machine.ClientGo)
	require.True(t, r.Complete)
	require.Less(t, len(r.Layers), 1000)
	require.Positive(t, r.Layers[len(r.Layers)-1])
}

func TestRefusesWhatItCannotExplore(t *testing.T) {
	good := Config{
		Config:     bound.Config{Timings: timings(5, 3, 1), Profile: machine.ClientGo},
		Candidates: 2, Grid: time.Second,
	}
	require.NoError(t, good.Validate())
	for want, change := range map[string]func(*Config){
		"--candidates 1: want 2":     func(c *Config) { c.Candidates = 1 },
		"multiple of the grid":       func(c *Config) { c.MaxRoundTrip = 1500 * time.Millisecond },
		"--grid 1µs: want whole":     func(c *Config) { c.Grid = time.Microsecond },
		"--faults -1: want 0":        func(c *Config) { c.Faults = -1 },
		"leaves attempts running":    func(c *Config) { c.Profile = machine.ClientGoV017 },
		"greater than renewDeadline": func(c *Config) { c.LeaseDuration = time.Second },
	} {
		c := good
		change(&c)
		require.ErrorContains(t, c.Validate(), want)
	}
}
