package scenarios

import (
	"bufio"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// setUnusual gives a value that is not the default to what in points to.
func setUnusual(t *testing.T, in any) {
	switch in := in.(type) {
	case *time.Duration:
		*in = 3 * time.Second
	case **time.Duration:
		*in = new(3 * time.Second)
	case *bool:
		*in = true
	case *string:
		*in = "unusual"
	case *int:
		*in = 7
	case *int64:
		*in = 7
	case *machine.Profile:
		*in = machine.Strict
	case *plan.Lock:
		*in = plan.SQLTTL
	case *plan.OnLoss:
		*in = plan.LossExit
	case *plan.Now:
		*in = plan.DatabaseNow
	case *plan.Rate:
		*in = 3
	case *plan.HTTP1:
		*in = true
	case *[]plan.Traffic:
		*in = []plan.Traffic{{At: 1, Count: 2}}
	case plan.Draws:
		*in.Rest, *in.First = new(0.25), []float64{0.5}
	case **plan.LivenessProbe:
		*in = &plan.LivenessProbe{Period: time.Second, FailureThreshold: 1}
	case **plan.Client:
		*in = &plan.Client{QPS: 3, Burst: 4}
	case *Clock:
		*in = Clock{DriftPPM: 1}
	case *Delay:
		*in = Delay{Min: 1, Max: 2}
	case **Delay:
		*in = &Delay{Min: 1, Max: 2}
	default:
		require.Fail(t, "no value of that type", "%T", in)
	}
}

// TestFieldsReadBack: each field of each table is written where it is not the default, and reads back.
func TestFieldsReadBack(t *testing.T) {
	t.Parallel()
	readBack(t, plan.CandidateFields(), usualCandidate, candidateMembers,
		func(d *decoder, n *node, c *Candidate) {
			for _, f := range n.fields {
				d.candidateField(f.name, f.value, c)
			}
		})
	readBack(t, plan.ClientFields(), plan.Client{QPS: 5, Burst: 10}, clientMembers,
		func(d *decoder, n *node, c *plan.Client) { *c = *d.client(n, c) })
	readBack(t, trafficFields, plan.Traffic{Count: 1},
		func(of *plan.Traffic) members { return otherValue([]plan.Traffic{*of}).([]members)[0] },
		func(d *decoder, n *node, of *plan.Traffic) { *of = d.traffic(n) })
	readBack(t, probeFields, builtinProbe(), probeMembers,
		func(d *decoder, n *node, p *plan.LivenessProbe) { *p = *d.livenessProbe(n, nil) })
	readBack(t, coordinatorFields, plan.Coordinator{}, coordinatorMembers,
		func(d *decoder, n *node, c *plan.Coordinator) { *c = *d.coordinator(n) })
	readBack(t, coordinatorLegs, plan.Coordinator{}, coordinatorMembers,
		func(d *decoder, n *node, c *plan.Coordinator) { *c = *d.coordinator(n) })
}

func readBack[T any](t *testing.T, table []plan.Field[T], usual T, written func(*T) members, read func(*decoder, *node, *T)) {
	for _, field := range table {
		want, got := usual, usual
		if field.In(&want) == nil {
			continue
		}
		setUnusual(t, field.In(&want))
		require.NotEqual(t, usual, want, field.Name)
		var text strings.Builder
		f := &fileForm{b: bufio.NewWriter(&text), yaml: true}
		f.value(written(&want))
		require.NoError(t, f.b.Flush())
		root, ferr := parse([]byte(text.String()))
		require.Nil(t, ferr, text.String())
		d := decoder{path: []step{{line: root.line}}}
		read(&d, root, &got)
		require.Nil(t, d.err, text.String())
		assert.Equal(t, want, got, text.String())
	}
}
