package fakekube

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// TestSimulatorsStore compares with simlock.Store, which the simulator uses: random requests on two Leases get
// the same status, life, version and record.
func TestSimulatorsStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Server
		var store simlock.Store
		leases := s.Clientset().CoordinationV1().Leases("default")
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			op := drawOp(t, &store)
			if op.Verb == 0 {
				err := leases.Delete(ctx, op.Key, deleting)
				require.Equal(t, store.Delete(op.Key), err == nil)
				continue
			}
			sent := &coordinationv1.Lease{
				ObjectMeta: metav1.ObjectMeta{Name: op.Key}, Spec: specOf(&op.Record),
			}
			if op.Version != 0 {
				sent.ResourceVersion = versionText(op.Version)
			}
			if op.UID != 0 {
				sent.UID = uidOf(op.UID)
			}
			before := s.version
			var got *coordinationv1.Lease
			var err error
			switch op.Verb {
			case machine.Get:
				got, err = leases.Get(ctx, op.Key, getting)
			case machine.Create:
				got, err = leases.Create(ctx, sent, creating)
			default:
				got, err = leases.Update(ctx, sent, updating)
			}
			want := store.Apply(&op)
			require.Equal(t, want.Status/100 == 2, err == nil, "%v: %v", want, err)
			require.Equal(t, want.Changed, s.version != before)
			if err != nil {
				require.Equal(t, want.Status, statusOf(err), "%v", err)
				continue
			}
			require.Equal(t, versionText(want.Version), got.ResourceVersion)
			require.Equal(t, uidOf(want.UID), got.UID)
			require.Equal(t, specOf(&want.Record), got.Spec)
		}
	})
}

func statusOf(err error) int {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return 0
	}
	return int(status.Status().Code)
}

// drawOp draws a request; one without a verb is a delete.
func drawOp(t *rapid.T, store *simlock.Store) simlock.Op {
	op := simlock.Op{
		Verb: rapid.SampledFrom([]machine.Verb{
			machine.Get, machine.Create, machine.Update, machine.Update, machine.Update, 0,
		}).Draw(t, "verb"),
		Key: fmt.Sprintf("g%d", rapid.IntRange(0, 1).Draw(t, "key")),
		Record: machine.Record{
			Holder:          rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "holder"),
			DurationSeconds: rapid.Int64Range(-1, 3).Draw(t, "duration"),
			Transitions:     rapid.Int64Range(-1, 2).Draw(t, "transitions"),
			Acquire:         wall(rapid.Int64Range(0, 3000).Draw(t, "acquire")),
			Renew:           wall(rapid.Int64Range(0, 3000).Draw(t, "renew")),
		},
	}
	if op.Verb == machine.Update {
		there := store.Apply(&simlock.Op{Verb: machine.Get, Key: op.Key})
		some := func(it uint64) *rapid.Generator[uint64] {
			return rapid.OneOf(rapid.Just(it), rapid.Just(it), rapid.Uint64Range(0, 12))
		}
		op.UID, op.Version = some(there.UID).Draw(t, "uid"), some(there.Version).Draw(t, "version")
	}
	return op
}

func wall(ns int64) machine.Wall { return machine.WallOf(when.Add(time.Duration(ns))) }

func specOf(r *machine.Record) coordinationv1.LeaseSpec {
	return coordinationv1.LeaseSpec{
		HolderIdentity:       &r.Holder,
		LeaseDurationSeconds: ptr.To(int32(r.DurationSeconds)),
		LeaseTransitions:     ptr.To(int32(r.Transitions)),
		AcquireTime:          ptr.To(metav1.NewMicroTime(r.Acquire.Time().Local())),
		RenewTime:            ptr.To(metav1.NewMicroTime(r.Renew.Time().Local())),
	}
}
