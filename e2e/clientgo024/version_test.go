//go:debug randseednop=0

package parity

import (
	"math/rand"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"

	"interregnum/elector/machine"
	"interregnum/plan"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard()) // this version has no other way to a logger
	leaderelection.SetProvider(metrics{})
	os.Exit(m.Run())
}

// adapt makes of a plan what this version can show: it reads the real clock for its records, and draws jitter from
// the global source of math/rand, so that the first draw after a seed is all that a candidate can be given.
func adapt(p *plan.Plan) *plan.Plan {
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Profile = machine.ClientGoV024
		c.Clock.Offset = 0
		jitter := rand.New(rand.NewSource(seedOf(c))).Float64()
		c.Jitter = &jitter
	}
	return p
}

// seedOf is as good as random: plans put everything at random nanoseconds.
func seedOf(c *plan.Candidate) int64 { return int64(c.StartAt) }

// mover seeds the global source whenever a call of the lock returns to a candidate: whatever wait.Jitter draws, it
// draws next.
type mover struct{ plan *plan.Plan }

func (m *mover) Store(candidate int32) {
	//lint:ignore SA1019 the library of this version draws from the global source, which nothing else fixes
	rand.Seed(seedOf(&m.plan.Candidates[candidate]))
}

func (w *world) fixJitter() { w.mover.plan = w.plan }

// setClock has nothing to do: adapt leaves no clock ahead.
func setClock(*leaderelection.LeaderElector, time.Duration) {}

// metrics is the library's metrics provider, of which there can be but one.
type metrics struct{}

func (metrics) NewLeaderMetric() leaderelection.SwitchMetric { return metrics{} }
func (metrics) On(name string)                               { noteMetric(name, "on") }
func (metrics) Off(name string)                              { noteMetric(name, "off") }
