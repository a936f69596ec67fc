package scenariotest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// call is a request as its caller sees it, and how the service logged it.
type call struct {
	verb          trace.Verb
	base, version uint64
	// status 0: it never arrived.
	status int16
	// asked is the holder that a write would name, holder the one that the answer names.
	asked, holder string
	// changed: an update that changes nothing keeps the version.
	changed bool
	// deleted: no request, but somebody who deletes the object.
	deleted bool
}

// state is the object of the lock service: a register with compare-and-swap, whose versions grow.
type state struct {
	exists  bool
	version uint64
	holder  string
}

// register is what the service promises, written for these tests alone.
var register = porcupine.Model{
	Init:              func() any { return state{} },
	Step:              func(s, _, output any) (bool, any) { return s.(state).step(output.(call)) },
	DescribeOperation: func(_, output any) string { return fmt.Sprintf("%+v", output) },
}

func (before state) step(c call) (bool, any) {
	after := state{exists: true, version: c.version, holder: c.holder}
	grew := c.version > before.version
	switch {
	case c.deleted:
		return before.exists, state{version: before.version}
	case c.status == 422:
		return true, before
	case c.verb == trace.Get && c.status == 404:
		return !before.exists, before
	case c.verb == trace.Get:
		return before == after, before
	case c.verb == trace.Create && c.status == 409:
		return before.exists, before
	case c.verb == trace.Patch:
		return before.patched(c)
	case c.status == 409:
		return !before.exists || before.version != c.base, before
	case c.holder != c.asked:
		return false, before
	case c.verb == trace.Create:
		return !before.exists && grew, after
	}
	return before.exists && before.version == c.base && (c.changed && grew || !c.changed && before == after), after
}

// patched is what becomes of the object by a patch, which is never refused for its version. It writes the holder that asks, or keeps
// the one that is there, whoever that is.
func (before state) patched(c call) (bool, any) {
	if c.status == 404 {
		return !before.exists, before
	}
	after := state{exists: true, version: c.version, holder: c.holder}
	wrote := c.holder == c.asked || c.holder == before.holder
	return before.exists && wrote && (c.changed && c.version > before.version || !c.changed && before == after), after
}

// calls builds a history from a run's events. Applied requests whose answer was lost or altered have the outcome that
// the service logged, and no end.
type calls struct {
	// object is the one whose history it is.
	object  trace.Object
	history []porcupine.Operation
	open    map[[2]uint64]int
}

func newCalls() *calls { return &calls{open: make(map[[2]uint64]int)} }

// Observe takes in an event.
func (c *calls) Observe(e *trace.Event) {
	if e.Object != c.object {
		return
	}
	key := [2]uint64{uint64(e.Candidate), e.Request}
	i, known := c.open[key]
	switch e.Kind {
	case trace.Deleted:
		c.history = append(c.history, porcupine.Operation{Call: e.At, Return: e.At, Output: call{deleted: true, changed: true}})
	case trace.RequestSent:
		c.open[key] = len(c.history)
		c.history = append(c.history, porcupine.Operation{
			ClientId: int(e.Candidate), Call: e.At, Return: math.MaxInt64, Output: call{verb: e.Verb, asked: e.Holder},
		})
	case trace.RequestApplied, trace.Written:
		if known {
			c.history[i].Output = call{
				verb: e.Verb, base: e.Base, version: e.Version, status: e.Status, holder: e.Holder,
				asked: c.history[i].Output.(call).asked, changed: e.Kind == trace.Written,
			}
		}
	case trace.ResponseHandled:
		if known {
			c.history[i].Return = e.At
		}
	}
}

// operations is the history without what nobody can have noticed: requests that never arrived, and those that changed
// nothing and were never answered. Each of them could have come at any later time, so that a search over their places
// would grow without bound and show nothing. What is left without an end are writes, and their versions order them.
func (c *calls) operations() []porcupine.Operation {
	return slices.DeleteFunc(c.history, func(o porcupine.Operation) bool {
		out := o.Output.(call)
		return !out.changed && (out.status == 0 || o.Return == math.MaxInt64)
	})
}

// historyOf is that of the Lease.
func historyOf(t *testing.T, s *scenarios.Scenario) []porcupine.Operation {
	return historiesOf(t, s)[0][trace.Lease]
}

// historiesOf are those of all objects, by election and kind.
func historiesOf(t *testing.T, s *scenarios.Scenario) (histories [][trace.Objects][]porcupine.Operation) {
	var sinks []trace.Sink
	var all [][trace.Objects]*calls
	runs := s.Header().Project()
	for election := range max(len(runs), 1) {
		var own [trace.Objects]*calls
		for o := range own {
			own[o] = newCalls()
			own[o].object = trace.Object(o)
			if len(runs) > 0 {
				sinks = append(sinks, &inElection{runs[election], own[o]})
			} else {
				sinks = append(sinks, own[o])
			}
		}
		all = append(all, own)
	}
	_, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: sinks})
	require.NoError(t, err)
	for _, own := range all {
		var of [trace.Objects][]porcupine.Operation
		for o, c := range own {
			of[o] = c.operations()
		}
		histories = append(histories, of)
	}
	return histories
}

// inElection passes on what is about one of several elections.
type inElection struct {
	run *trace.Projection
	of  trace.Sink
}

func (i *inElection) Observe(e *trace.Event) {
	if own := i.run.Event(e); own != nil {
		i.of.Observe(own)
	}
}
