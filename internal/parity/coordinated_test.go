package parity

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"interregnum/plan"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
)

// TestCoordinated compares candidates of coordinated elections, whose Lease somebody edits as a coordinator would: a new
// holder for five seconds, the end of a term, another strategy. The coordinator itself is compared in e2e/coordinator.
func TestCoordinated(t *testing.T) {
	seen := map[string]int{}
	for seed := 1; seed <= 300; seed++ {
		p := coordinatedPlan(seed)
		samples := instants(p, uint64(seed))
		library := runCoordinated(t, p, samples)
		require.Empty(t, difference(library, simulate(t, p, samples)), "plan %d\n%s", seed, describe(p))
		seen["terms"] += len(library.terms)
		seen["writes"] += len(library.writes)
	}
	require.NotZero(t, seen["terms"])
	t.Log(seen)
}

// TestCoordinatedCanFail makes sure that the comparison tells coordinated from other elections, and one edit from another.
func TestCoordinatedCanFail(t *testing.T) {
	for name, change := range map[string]func(*plan.Plan){
		"not coordinated": func(p *plan.Plan) {
			for i := range p.Candidates {
				p.Candidates[i].Coordinated, p.Candidates[i].BinaryVersion = false, ""
			}
		},
		"no end of term": func(p *plan.Plan) {
			for i := range p.Faults {
				p.Faults[i].PreferredHolder = nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := 1; seed <= 100; seed++ {
				plan := coordinatedPlan(seed)
				samples := instants(plan, uint64(seed))
				library := runCoordinated(t, plan, samples)
				change(plan)
				if difference(library, simulate(t, plan, samples)) != "" {
					return
				}
			}
			t.Fatal("the comparison did not notice")
		})
	}
}

// coordinatedPlan is a plan like all others, with edits.
func coordinatedPlan(seed int) *plan.Plan {
	p := plans.Example(seed)
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	names := []string{"nobody"}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Coordinated, c.BinaryVersion = true, "1.36"
		names = append(names, identityOf(c), identityOf(c))
	}
	at := time.Duration(0)
	for at < p.Horizon {
		at += time.Duration(r.Int64N(int64(8*time.Second))) + 1
		f := plan.Fault{Kind: plan.FaultEdit, At: at}
		who, strategy, lease := names[r.IntN(len(names))], "OldestEmulationVersion", 5*time.Second
		switch r.IntN(5) {
		case 0:
			f.PreferredHolder, f.Strategy = &who, &strategy
		case 1:
			f.Edit.LeaseDuration = new(time.Duration(1+r.IntN(20)) * time.Second)
		default:
			f.Holder, f.Strategy, f.Edit.LeaseDuration, f.PreferredHolder = &who, &strategy, &lease, new("")
		}
		p.Faults = append(p.Faults, f)
	}
	return p
}

// runCoordinated is runLibrary with edits.
func runCoordinated(t *testing.T, p *plan.Plan, samples []time.Duration) history {
	var h history
	synctest.Test(t, func(*testing.T) {
		w := &world{
			plan: p, start: time.Now(), over: make(chan struct{}),
			processes: make([]*process, len(p.Candidates)),
			byName:    map[string]*process{},
			targets:   make([][]int, len(p.Faults)),
			active:    make([]bool, len(p.Faults)),
		}
		w.ctx, w.end = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
		current.Store(w)
		w.fixJitter()
		for i := range p.Faults {
			if f := &p.Faults[i]; f.Kind == plan.FaultEdit {
				w.at(f.At, func() { w.note(func(*history) { w.service.edit(&f.Edit) }) })
			}
		}
		w.run(samples)
		h = w.history
	})
	h.sorted()
	return h
}

// edit is what somebody changes in the Lease by hand.
func (s *service) edit(e *plan.Edit) {
	before := s.lease
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "lock"}}
	if before != nil {
		lease = before.DeepCopy()
	} else if e.Holder == nil || e.LeaseDuration == nil {
		return
	}
	spec := &lease.Spec
	if before == nil {
		s.lives++
		lease.UID = types.UID("life-" + strconv.Itoa(s.lives))
		now := metav1.NewMicroTime(time.Now())
		spec.RenewTime, spec.AcquireTime, spec.LeaseTransitions = &now, &metav1.MicroTime{}, new(int32(0))
	}
	if e.Holder != nil {
		spec.HolderIdentity = e.Holder
	}
	if e.LeaseDuration != nil {
		spec.LeaseDurationSeconds = new(int32(*e.LeaseDuration / time.Second))
	}
	if e.PreferredHolder != nil {
		spec.PreferredHolder = e.PreferredHolder
		if *e.PreferredHolder == "" {
			spec.PreferredHolder = nil
		}
	}
	if e.Strategy != nil {
		spec.Strategy = (*coordinationv1.CoordinatedLeaseStrategy)(e.Strategy)
	}
	if before == nil || !sameSpec(&before.Spec, spec) {
		s.store(lease)
	}
}

func sameSpec(a, b *coordinationv1.LeaseSpec) bool {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	return *a.HolderIdentity == *b.HolderIdentity && *a.LeaseDurationSeconds == *b.LeaseDurationSeconds &&
		text(a.PreferredHolder) == text(b.PreferredHolder) &&
		text((*string)(a.Strategy)) == text((*string)(b.Strategy))
}
