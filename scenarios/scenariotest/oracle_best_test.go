package scenariotest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// coordinated generates coordinated elections with right clocks and a coordinator that nothing happens to: candidates of several
// versions come one after the other, some crash, and some leave and come back. The last two minutes are quiet.
func coordinated(seed int) *scenarios.Scenario {
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	upTo := func(most time.Duration) time.Duration { return time.Duration(r.Int64N(int64(most))) }
	leg := func() scenarios.Delay {
		d := upTo(5 * time.Millisecond)
		return scenarios.Delay{Min: d, Max: d + time.Duration(r.IntN(2))*upTo(5*time.Millisecond)}
	}
	s := &scenarios.Scenario{Name: "coordinated", About: "a random coordinated election"}
	s.Seed, s.Horizon, s.Coordinator = uint64(seed), 3*time.Minute, &plan.Coordinator{}
	s.Network = scenarios.Network{Request: leg(), Response: leg()}
	// Two may say that they lead, and client-go's deadline leaves less than the window: docs/locks.md.
	s.Expect = map[string]scenarios.Expectation{check.SingleBelief: scenarios.ExpectAny, check.SafetyWindow: scenarios.ExpectAny}
	rejoin := time.Second
	for i := range 2 + r.IntN(3) {
		binary := 34 + r.IntN(3)
		emulation := 34 + r.IntN(binary-33)
		s.Candidates = append(s.Candidates, scenarios.Candidate{
			ID: fmt.Sprintf("%c", 'a'+i), Profile: machine.ClientGo, Lock: plan.Lease, Timings: usual, Rejoin: &rejoin,
			// Not two in one second: equals that were created in one take turns.
			StartAt: time.Duration(i)*6*time.Second + upTo(4*time.Second), Coordinated: true,
			BinaryVersion: fmt.Sprintf("1.%d", binary), EmulationVersion: fmt.Sprintf("1.%d", emulation),
		})
	}
	leader := []string{plan.RoleLeader}
	leavers := [][]string{nil, leader, leader, {plan.RoleFollower}, {"a"}, {"b"}}
	for range r.IntN(3) {
		// A successor that crashes once the holder's term was ended leaves nobody: coordinated-successor-crashes.yaml.
		f := scenarios.Fault{Kind: plan.FaultCrash, At: upTo(40 * time.Second), On: leader}
		if r.IntN(2) == 0 {
			f.Kind, f.On = plan.FaultCancel, leavers[r.IntN(len(leavers))]
		}
		s.Faults = append(s.Faults, f)
	}
	return s
}

// leaders knows who should lead in the end: of those who are still there the one with the oldest emulation version, then the
// oldest binary version, then who came first.
type leaders struct {
	s       *scenarios.Scenario
	there   []bool
	working map[int32]bool
}

func newLeaders(s *scenarios.Scenario) *leaders {
	return &leaders{s: s, there: make([]bool, len(s.Candidates)), working: map[int32]bool{}}
}

// Observe takes in an event.
func (l *leaders) Observe(e *trace.Event) {
	if e.Candidate < 0 || int(e.Candidate) >= len(l.there) {
		return
	}
	switch e.Kind {
	case trace.RunStarted:
		l.there[e.Candidate] = true
	case trace.Crashed:
		l.there[e.Candidate] = false
	case trace.WorkStarted:
		l.working[e.Candidate] = true
	case trace.WorkEnded:
		delete(l.working, e.Candidate)
	}
}

// right tells whether just the best one works, if there is any.
func (l *leaders) right() bool {
	best := -1
	version := func(i int) string { return l.s.Candidates[i].EmulationVersion + " " + l.s.Candidates[i].BinaryVersion }
	for i, there := range l.there {
		if there && (best < 0 || version(i) < version(best)) {
			best = i
		}
	}
	return best < 0 && len(l.working) == 0 || len(l.working) == 1 && l.working[int32(best)]
}

// TestTheOldestLeads: in random coordinated elections one works at a time, and in the end the oldest version.
func TestTheOldestLeads(t *testing.T) {
	terms := 0
	for seed := range 300 {
		s := coordinated(seed)
		l := newLeaders(s)
		r, err := scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{l}})
		require.NoError(t, err)
		text, _ := s.MarshalJSON()
		_, report := unexpected(s, r)
		require.True(t, r.AsExpected, "seed %d: %s %s", seed, report, text)
		require.True(t, l.right(), "seed %d: %v %s", seed, l.working, text)
		terms += len(r.Terms)
	}
	assert.Greater(t, terms, 450, "hardly anybody ever took over")
}
