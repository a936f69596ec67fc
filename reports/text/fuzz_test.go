package text

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestAnyStory draws pictures of runs without sense: none is wider than asked for, none hides a leader
// or an overlap.
func TestAnyStory(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := randomStory(r)
		run := s.run()
		width := 60 + r.IntN(141)
		var b strings.Builder
		require.NoError(t, Timeline(&b, s.timeline, run.Result, width))
		for line := range strings.Lines(b.String()) {
			require.LessOrEqual(t, len([]rune(line))-1, width, "seed %d\n%s", seed, b.String())
		}
		for _, p := range run.Result.Properties {
			shown := strings.Contains(b.String(), "\n"+p.Name+" ")
			require.Equal(t, p.Verdict == check.Violated, shown, "seed %d\n%s", seed, b.String())
		}
		checkRows(t, s, b.String())
	}
}

// checkRows wants a work row for all of a few candidates that ever worked.
func checkRows(t *testing.T, s *story, picture string) {
	worked := 0
	for i := range s.timeline.Candidates {
		if len(s.timeline.Candidates[i].Terms) > 0 {
			worked++
		}
	}
	rows := 0
	for line := range strings.Lines(picture) {
		if strings.HasPrefix(strings.TrimSpace(line), "work  ") {
			rows++
			assert.True(t, strings.ContainsAny(line, "█▒X|"), picture)
		}
	}
	assert.GreaterOrEqual(t, rows, min(worked, maxShown), picture)
}

func randomStory(r *rand.Rand) *story {
	ids := []string{"a", "b", "a-rather-long-name-of-a-pod-1", "a-rather-long-name-of-a-pod-2"}[:2+r.IntN(3)]
	longest := []time.Duration{50, time.Second, time.Hour, 100 * 365 * 24 * time.Hour}[r.IntN(4)]
	horizon := time.Duration(1 + r.Int64N(int64(longest)))
	kinds := []string{"delay", "partition", "crash", "pause", "delete", "clock"}
	var faults []scenarios.Fault
	for range r.IntN(12) {
		f := scenarios.Fault{Kind: plan.FaultKind(kinds[r.IntN(len(kinds))])}
		if r.IntN(2) == 0 {
			f.On = []string{[]string{"a", "b", "leader", "follower"}[r.IntN(4)]}
		}
		faults = append(faults, f)
	}
	s := newStory(horizon, faults, ids...)
	var now time.Duration
	working, terms := make([]bool, len(ids)), make([]int32, len(ids))
	for now < horizon {
		c := int32(r.IntN(len(ids)))
		e := trace.Event{At: int64(now), Candidate: c, Incarnation: 1, Term: terms[c]}
		e.Kind = trace.Kind(1 + r.IntN(int(trace.FaultVoid)))
		switch e.Kind {
		case trace.WorkStarted:
			if working[c] {
				continue
			}
			working[c] = true
			terms[c]++
			e.Term = terms[c]
		case trace.WorkEnded:
			if !working[c] {
				continue
			}
			working[c] = false
		case trace.Written:
			e.Holder = []string{"", ids[c]}[r.IntN(2)]
			e.Version = s.seq + 1
		case trace.RunStarted:
			e.Holder = ids[c]
		case trace.FaultBegan, trace.FaultEnded, trace.FaultVoid:
			if len(faults) == 0 {
				continue
			}
			e.Candidate, e.Fault = trace.Nobody, int32(r.IntN(len(faults)))
			if e.Kind == trace.FaultBegan && r.IntN(2) == 0 {
				e.On = []int32{c}
			}
		case trace.Deleted:
			e.Candidate = trace.Nobody
		}
		s.tell(e)
		now += time.Duration(r.Int64N(int64(horizon)/20 + 1))
		if now == 0 || r.IntN(100) == 0 {
			now++
		}
	}
	return s
}
