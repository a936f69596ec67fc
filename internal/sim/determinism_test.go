package sim

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// hashesOf runs plans that never change, and a few that draw much, and returns their hashes.
func hashesOf(t require.TestingT) string {
	var hashes []string
	for i := range 40 {
		hashes = append(hashes, play(t, anyPlan().Example(i)).stats.TraceHash.String())
	}
	hashes = append(hashes, play(t, randomPlan()).stats.TraceHash.String())
	return strings.Join(hashes, " ")
}

// childEnv tells a copy of the test binary to print its hashes.
const childEnv = "SIM_TEST_PRINT_HASHES"

// TestSameEverywhere: twice in one process, in others, on one thread or two.
func TestSameEverywhere(t *testing.T) {
	want := hashesOf(t)
	if os.Getenv(childEnv) != "" {
		fmt.Printf("hashes %s\n", want)
		return
	}
	assert.Equal(t, want, hashesOf(t))
	self, err := os.Executable()
	require.NoError(t, err)
	for _, threads := range []string{"1", "2"} {
		child := exec.Command(self, "-test.run=^TestSameEverywhere$", "-test.timeout=30s")
		child.Env = append(os.Environ(), childEnv+"=1", "GOMAXPROCS="+threads)
		out, err := child.Output()
		require.NoError(t, err)
		first, _, _ := strings.Cut(string(out), "\n")
		assert.Equal(t, "hashes "+want, first, "GOMAXPROCS=%s", threads)
	}
}

// TestRunIsAFunctionOfItsPlan: any plan, twice, gives the same events, and is left as it was. So it does in a Runner that
// has run others before.
func TestRunIsAFunctionOfItsPlan(t *testing.T) {
	var used Runner
	rapid.Check(t, func(t *rapid.T) {
		plan := rapid.OneOf(anyPlan(), clientPlan()).Draw(t, "plan")
		before := copyPlan(plan)
		first, second := play(t, plan), play(t, plan)
		require.Equal(t, first.events, second.events)
		require.Equal(t, first.stats, second.stats)
		third := tape{plan: plan}
		stats, err := used.Run(plan, &third)
		require.NoError(t, err)
		require.Equal(t, first.events, third.events)
		require.Equal(t, first.stats, stats)
		require.Equal(t, before, plan)
		require.Equal(t, uint64(len(first.events)), first.stats.Events)
	})
}

// TestSinksDoNotMatter: a run without any has the same hash.
func TestSinksDoNotMatter(t *testing.T) {
	plan := randomPlan()
	bare, err := Run(plan)
	require.NoError(t, err)
	again := trace.NewHash()
	withTwo, err := Run(plan, again, &tape{plan: plan})
	require.NoError(t, err)
	assert.Equal(t, bare, withTwo)
	assert.Equal(t, bare.TraceHash, again.Sum(), "the hash is one of the events that sinks see")
}

// account checks the events of a run against each other, by the rules that hold for every plan.
type account struct {
	t       require.TestingT
	p       *tape
	ops     uint64
	working map[[3]int32]trace.Kind
	// inFlight is by candidate, with watches apart from all other requests.
	inFlight map[waiting]uint64
}

type waiting struct {
	candidate int32
	watch     bool
}

// TestEventsAddUp: work starts, is cancelled, ends; a request that was sent is answered or given up before
// the next.
func TestEventsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := rapid.OneOf(anyPlan(), clientPlan()).Draw(t, "plan")
		for i := range plan.Candidates {
			if c := &plan.Candidates[i]; !c.Profile.CarriesContext() {
				c.Profile = machine.ClientGo // the other leaves attempts running, beside which it sends
			}
		}
		p := play(t, plan)
		a := account{t: t, p: p, working: map[[3]int32]trace.Kind{}, inFlight: map[waiting]uint64{}}
		for i := range p.events {
			a.take(&p.events[i])
		}
		require.Equal(t, p.stats.StoreOps, a.ops)
	})
}

func (a *account) take(e *trace.Event) {
	term := [3]int32{e.Candidate, e.Incarnation, e.Term}
	wait := waiting{e.Candidate, e.Verb == trace.Watch}
	switch e.Kind {
	case trace.WorkStarted:
		require.NotContains(a.t, a.working, term)
		a.working[term] = e.Kind
	case trace.WorkCancelled:
		require.Equal(a.t, trace.WorkStarted, a.working[term], a.p.line(e))
		a.working[term] = e.Kind
	case trace.WorkEnded:
		require.Equal(a.t, trace.WorkCancelled, a.working[term], a.p.line(e))
		a.working[term] = e.Kind
	case trace.RequestSent:
		require.Zero(a.t, a.inFlight[wait], a.p.line(e))
		a.inFlight[wait] = e.Request
	case trace.ResponseHandled, trace.GaveUp:
		require.Equal(a.t, a.inFlight[wait], e.Request, a.p.line(e))
		a.inFlight[wait] = 0
	case trace.ResponseLate:
		require.NotEqual(a.t, a.inFlight[wait], e.Request, a.p.line(e))
	case trace.Crashed:
		a.inFlight[wait], a.inFlight[waiting{e.Candidate, true}] = 0, 0
	case trace.RequestApplied, trace.Written:
		a.ops++
	}
}
