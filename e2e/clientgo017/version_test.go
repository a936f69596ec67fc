//go:debug randseednop=0

package parity

import (
	"flag"
	"io"
	"math/rand"
	"os"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog"

	"interregnum/elector/machine"
	"interregnum/plan"
)

func TestMain(m *testing.M) {
	silence()
	leaderelection.SetProvider(metrics{})
	os.Exit(m.Run())
}

// silence takes the library's log away, for which this version has nothing but flags.
func silence() {
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			panic(err)
		}
	}
	klog.SetOutput(io.Discard)
}

// adapt makes of a plan what this version can show: it reads the real clock for its records, and draws jitter from
// the global source of math/rand before each attempt to acquire, when nothing tells whose attempt it is. So all
// candidates have the same jitter.
func adapt(p *plan.Plan) *plan.Plan {
	jitter := rand.New(rand.NewSource(seedOf(p))).Float64()
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Profile = machine.ClientGoV017
		c.Clock.Offset = 0
		c.Jitter = &jitter
	}
	return p
}

// seedOf is as good as random: plans put everything at random nanoseconds.
func seedOf(p *plan.Plan) int64 { return int64(p.Horizon) }

// mover has nothing to tell.
type mover struct{}

func (*mover) Store(int32) {}

// fixJitter seeds the global source, so that whoever draws next draws the plan's jitter. Every draw is followed by a
// Get, which calls it again.
func (w *world) fixJitter() {
	//lint:ignore SA1019 the library of this version draws from the global source, which nothing else fixes
	rand.Seed(seedOf(w.plan))
}

// setClock has nothing to do: adapt leaves no clock ahead.
func setClock(*leaderelection.LeaderElector, time.Duration) {}

// metrics is the library's metrics provider, of which there can be but one.
type metrics struct{}

func (metrics) NewLeaderMetric() leaderelection.SwitchMetric { return metrics{} }
func (metrics) On(name string)                               { noteMetric(name, "on") }
func (metrics) Off(name string)                              { noteMetric(name, "off") }
