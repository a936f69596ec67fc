package adversary

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
	"interregnum/internal/fate"
	"interregnum/internal/few"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestScenario: what a plan comes to is written, read back and run, and shows the same overlap to the nanosecond.
func TestScenario(t *testing.T) {
	kept, lost := 0, 0
	for _, kind := range []Kind{{Library: true}, {}} {
		for seed := range uint64(few.Of(25)) {
			c := kind.Draw(seed)
			f := climb(c, Simulated{}, seed, 300, bound.MaxDuration)
			if f.score <= 0 {
				continue
			}
			s, err := Scenario(c, f.g, "found")
			if err != nil {
				t.Log(err)
				lost++
				continue
			}
			kept++
			path := filepath.Join(t.TempDir(), "found.yaml")
			write(t, s, path)
			back, err := scenarios.ReadFile(path)
			require.NoError(t, err)
			shown, err := Replayed(back)
			require.NoError(t, err)
			assert.Equal(t, f.score, shown, "%v", c)
		}
	}
	t.Logf("%d kept, %d cannot be said", kept, lost)
	assert.Greater(t, kept, 10*lost, "nearly all plans can be said")
}

// TestUnsayable: what a scenario file cannot say is named.
func TestUnsayable(t *testing.T) {
	c := plain(timings(15, 10, 2), 0, time.Second)
	g := &Genome{Horizon: time.Minute, Parts: []Part{{}, {Jitter: 0.1, Waits: []Wait{{Step{0, 2}, 0.9}}}}}
	s, err := Scenario(&c, g, "draws")
	require.NoError(t, err)
	assert.Equal(t, []float64{0.9}, s.Candidates[1].FirstJitters, "a list can be said")
	assert.Equal(t, 0.1, *s.Candidates[1].Jitter)

	c.Env.Reruns = true
	g.Parts[0].Cancels = []Anchor{{Step: Step{1, 1}}, {Step: Step{3, 1}}}
	g.Parts[0].Reruns = []time.Duration{1, 2}
	_, err = Scenario(&c, g, "unsayable")
	assert.ErrorContains(t, err, "times after which Runs begin again that differ: a after [1ns 2ns]")
}

// TestNetworkIsEasy: a file says of each request what becomes of it, so that the network of the scenario has no part in it.
func TestNetworkIsEasy(t *testing.T) {
	c := plain(timings(15, 4, 2), 0, 5100*time.Millisecond)
	var s *scenarios.Scenario
	var overlap time.Duration
	for seed := uint64(1); s == nil && seed <= attacks; seed++ {
		if f := climb(&c, Simulated{}, seed, 8000, 0); f.score > 0 {
			if said, err := Scenario(&c, f.g, "network"); err == nil { // a file cannot say every plan
				s, overlap = said, f.score
			}
		}
	}
	require.NotNil(t, s)
	s.Network.Request = plan.Delay{Min: time.Hour, Max: time.Hour}
	shown, err := Replayed(s)
	require.NoError(t, err)
	assert.Equal(t, overlap, shown)
}

func write(t *testing.T, s *scenarios.Scenario, path string) {
	var file bytes.Buffer
	require.NoError(t, s.WriteYAML(&file))
	require.NoError(t, os.WriteFile(path, file.Bytes(), 0o644))
}

// TestWaits: a draw is that of the wait after a request, wherever the plan runs: a Run that is cancelled while it acquires draws once
// more on the library, and what later Runs draw stays the same.
func TestWaits(t *testing.T) {
	c := plain(timings(15, 10, 2), 0, time.Second).in(func(e *bound.Environment) { e.Reruns = true })
	g := &Genome{Horizon: time.Minute, Parts: []Part{{}, {
		Start: time.Second, Base: Fate{Back: fate.Way{Delay: time.Second}}, Waits: []Wait{{Step{0, 2}, 0.5}, {Step{1, 1}, 0.25}, {Step{1, 2}, 0.75}},
		Cancels: []Anchor{{Step{0, 3}, time.Millisecond}}, Reruns: []time.Duration{0},
	}}}
	var sent [][]time.Duration
	for _, w := range []world{Simulated{}, libraryWorld{t}} {
		o := w.run(&c, g)
		require.NoError(t, o.Err)
		assert.Equal(t, 2, o.Runs[1])
		var all []time.Duration
		for _, q := range o.Sent {
			if q.Candidate == 1 {
				all = append(all, q.Sent)
			}
		}
		sent = append(sent, all)
	}
	assert.Equal(t, sent[0], sent[1])
}

// TestHeldAndCancelled: a cancel that hangs on a request counts from the call, be that held in the limiter or not, wherever the plan runs.
func TestHeldAndCancelled(t *testing.T) {
	c := plain(timings(15, 10, 2), time.Second, 6*time.Second).in(func(e *bound.Environment) { e.Reruns = true })
	g := &Genome{Horizon: time.Minute, Parts: []Part{{
		Segments: []Segment{{1, 2, 2, AllVerbs, Fate{Hold: 5 * time.Second}}},
		Cancels:  []Anchor{{Step{1, 2}, time.Second}}, Reruns: []time.Duration{0},
	}}}
	for _, w := range []world{Simulated{}, libraryWorld{t}} {
		o := w.run(&c, g)
		require.NoError(t, o.Err)
		require.Len(t, o.Works, 2)
		assert.Equal(t, 3*time.Second, o.Works[0].End.Truncate(time.Millisecond))
	}
}
