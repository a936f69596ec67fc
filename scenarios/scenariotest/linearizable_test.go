package scenariotest

import (
	"fmt"
	"math"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// call is a request as its caller sees it. Status 0: no answer came, and it may have taken effect at any later time,
// or never.
type call struct {
	verb          trace.Verb
	base, version uint64
	status        int16
	holder        string
	// changed: an update that changes nothing keeps the version.
	changed bool
}

// state is the object of the lock service: a register with compare-and-swap, whose versions grow.
type state struct {
	exists  bool
	version uint64
	holder  string
}

// register is what the service promises, written for this test alone.
var register = porcupine.Model{
	Init: func() any { return state{} },
	Step: func(s, _, output any) (bool, any) {
		before, c := s.(state), output.(call)
		after := state{exists: true, version: c.version, holder: c.holder}
		grew := c.version > before.version
		switch {
		case c.status == 0 || c.status == 422:
			return true, before
		case c.verb == trace.Get && c.status == 404:
			return !before.exists, before
		case c.verb == trace.Get:
			return before == after, before
		case c.verb == trace.Create && c.status == 409:
			return before.exists, before
		case c.verb == trace.Create:
			return !before.exists && grew, after
		case c.status == 409:
			return !before.exists || before.version != c.base, before
		}
		return before.exists && before.version == c.base && (c.changed && grew || !c.changed && before == after), after
	},
	DescribeOperation: func(_, output any) string { return fmt.Sprintf("%+v", output) },
}

// calls builds a history from a run's events. Applied requests whose answer was lost or altered have the outcome that
// the service logged, and no end.
type calls struct {
	history []porcupine.Operation
	open    map[[2]uint64]int
}

// Observe takes in an event.
func (c *calls) Observe(e *trace.Event) {
	key := [2]uint64{uint64(e.Candidate), e.Request}
	i, known := c.open[key]
	switch e.Kind {
	case trace.RequestSent:
		c.open[key] = len(c.history)
		c.history = append(c.history, porcupine.Operation{
			ClientId: int(e.Candidate), Call: e.At, Return: math.MaxInt64, Output: call{verb: e.Verb},
		})
	case trace.RequestApplied, trace.Written:
		c.history[i].Output = call{
			verb: e.Verb, base: e.Base, version: e.Version, status: e.Status, holder: e.Holder,
			changed: e.Kind == trace.Written,
		}
	case trace.ResponseHandled:
		if known {
			c.history[i].Return = e.At
		}
	}
}

func historyOf(t *testing.T, s *scenarios.Scenario) []porcupine.Operation {
	c := &calls{open: map[[2]uint64]int{}}
	_, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{c}})
	require.NoError(t, err)
	return c.history
}

// TestStoreIsLinearizable has an independent oracle judge the lock service, under every fault.
func TestStoreIsLinearizable(t *testing.T) {
	operations := 0
	for _, p := range machine.Profiles() {
		random := Random(Environment{Profile: p, Freezes: true})
		for seed := range 60 {
			s := random.Example(seed)
			s.Seed = uint64(seed)
			history := historyOf(t, s)
			require.True(t, porcupine.CheckOperations(register, history), "%s, seed %d", p.Name, seed)
			operations += len(history)
		}
	}
	t.Logf("%d operations", operations)
}

// TestOracleCanFail spoils a history as a broken store would: a lost update, a stale read, a version used twice.
func TestOracleCanFail(t *testing.T) {
	for name, spoil := range map[string]func(c *call, previous call) bool{
		"lost update": func(c *call, previous call) bool {
			c.base = previous.base
			return c.verb == trace.Update && previous.verb == trace.Update && c.base != previous.version
		},
		"stale read": func(c *call, previous call) bool {
			c.version = previous.base
			return c.verb == trace.Get && previous.verb == trace.Update
		},
		"version reuse": func(c *call, previous call) bool {
			c.version = c.base
			return c.verb == trace.Update
		},
		"foreign holder": func(c *call, previous call) bool {
			c.holder = "nobody"
			return c.verb == trace.Get
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := scenarios.Named("healthy-failover")
			require.NoError(t, err)
			history := historyOf(t, s)
			require.True(t, porcupine.CheckOperations(register, history))
			for i := len(history) - 1; i > 0; i-- {
				spoilt := history[i].Output.(call)
				if spoilt.status != 200 || history[i-1].Output.(call).status != 200 {
					continue
				}
				if spoil(&spoilt, history[i-1].Output.(call)) {
					history[i].Output = spoilt
					assert.False(t, porcupine.CheckOperations(register, history))
					return
				}
			}
			t.Fatal("nothing to spoil")
		})
	}
}
