package parity

import (
	"reflect"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	_ "k8s.io/apimachinery/pkg/util/wait" // holds jitterRand
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/utils/clock"

	"interregnum/internal/newest"
	"interregnum/plan"
)

// This file is what is particular to the library's version. The others are shared with the comparisons with older
// versions, in e2e.

func TestMain(m *testing.M) {
	leaderelection.SetProvider(metrics{})
	newest.Main(m, rest.AnonymousClientConfig)
}

// adapt turns a plan into one that this version can show: here it is the plan itself.
func adapt(p *plan.Plan) *plan.Plan { return p }

// jitterRand is the library's only source of random numbers.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

// mover is the number of a candidate.
type mover struct{ atomic.Int32 }

func (w *world) fixJitter() {
	jitterRand = func() float64 { return *w.plan.Candidates[w.mover.Load()].Jitter }
}

// setClock gives an elector a wall clock that is ahead. The library's tests set the same field. Where the plan's elections
// are coordinated it says so too: what calls this is shared with versions that know of none.
func setClock(e *leaderelection.LeaderElector, ahead time.Duration) {
	if current.Load().plan.Candidates[0].Coordinated {
		config := reflect.ValueOf(e).Elem().FieldByName("config")
		(*leaderelection.LeaderElectionConfig)(unsafe.Pointer(config.UnsafeAddr())).Coordinated = true
	}
	field := reflect.ValueOf(e).Elem().FieldByName("clock")
	*(*clock.Clock)(unsafe.Pointer(field.UnsafeAddr())) = aheadClock{ahead: ahead}
}

type aheadClock struct {
	clock.RealClock
	ahead time.Duration
}

func (c aheadClock) Now() time.Time {
	if beforeNow != nil {
		beforeNow(c.ahead)
	}
	return time.Now().Add(c.ahead)
}

// beforeNow, where a test sets it, is called as an elector reads its clock, with how far that is ahead.
var beforeNow func(ahead time.Duration)

func (c aheadClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// metrics is the library's metrics provider, of which there can be but one.
type metrics struct{}

func (metrics) NewLeaderMetric() leaderelection.LeaderMetric { return metrics{} }
func (metrics) On(name string)                               { noteMetric(name, "on") }
func (metrics) Off(name string)                              { noteMetric(name, "off") }
func (metrics) SlowpathExercised(name string)                { noteMetric(name, "slowPath") }
