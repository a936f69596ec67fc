//go:debug randseednop=0

package parity

import (
	"math/rand"
	"os"
	"slices"
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

// families are kinds of lock that candidates of one plan can have, as during a migration.
var families = [][]plan.Lock{
	{plan.Lease}, {plan.ConfigMap}, {plan.Endpoints}, {plan.ConfigMapsLeases}, {plan.EndpointsLeases},
	{plan.ConfigMapsLeases, plan.ConfigMap}, {plan.EndpointsLeases, plan.Endpoints},
	{plan.ConfigMapsLeases, plan.Lease}, {plan.EndpointsLeases, plan.Lease},
	{plan.ConfigMap, plan.ConfigMapsLeases, plan.Lease}, {plan.Endpoints, plan.EndpointsLeases, plan.Lease},
	{plan.Lease, plan.ConfigMap, plan.Endpoints, plan.ConfigMapsLeases, plan.EndpointsLeases},
}

// adapt makes of a plan what this version can show, as for v0.24, with kinds of lock, and with faults of one kind of object.
// They are drawn from what the plan has drawn already.
func adapt(p *plan.Plan) *plan.Plan {
	family := families[int(p.Horizon/time.Nanosecond)%len(families)]
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Profile = machine.ClientGoV024
		c.Lock = family[int(c.StartAt/time.Nanosecond)%len(family)]
		c.Clock.Offset = 0
		jitter := rand.New(rand.NewSource(seedOf(c))).Float64()
		c.Jitter = &jitter
	}
	for i := range p.Faults {
		f := &p.Faults[i]
		switch f.Kind {
		case plan.FaultDelay, plan.FaultLose, plan.FaultError, plan.FaultDelete:
			objects := p.Candidates[int(f.At)%len(p.Candidates)].Lock.Objects()
			if i := int(f.At / 7 % 4); i < len(objects) {
				f.Object = objects[i].String()
			}
		}
		// Two objects can name two holders. What happens to a process at an instant happens to one: see targets.
		if !f.Kind.Window() && slices.Contains(f.On, plan.RoleLeader) {
			f.On = []string{p.Candidates[0].ID}
		}
	}
	return p
}

// seedOf is as good as random: plans put everything at random nanoseconds.
func seedOf(c *plan.Candidate) int64 { return int64(c.StartAt) }

// mover seeds the global source whenever a request returns to a candidate: whatever wait.Jitter draws, it draws next.
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
