package fakekube

import (
	"fmt"
	"math"
	"strconv"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// uidFormat makes the store's number of an object's life a UUID.
const uidFormat = "00000000-0000-4000-8000-%012x"

func uidOf(number uint64) types.UID { return types.UID(fmt.Sprintf(uidFormat, number)) }

// numberOf is the inverse of uidOf: 0 for none, and a number that no object has for what is none of
// ours.
func numberOf(uid types.UID) uint64 {
	if uid == "" {
		return 0
	}
	var number uint64
	if _, err := fmt.Sscanf(string(uid), uidFormat, &number); err != nil || uidOf(number) != uid {
		return math.MaxUint64
	}
	return number
}

func versionOf(lease *coordinationv1.Lease) (uint64, error) {
	if lease.ResourceVersion == "" {
		return 0, nil
	}
	version, err := strconv.ParseUint(lease.ResourceVersion, 10, 64)
	if err != nil {
		return 0, internal(err.Error())
	}
	return version, nil
}

// objectOf is what a request on the path of a namespace is about.
func objectOf(namespace string, lease *coordinationv1.Lease) (object, error) {
	if lease.Namespace != "" && lease.Namespace != namespace {
		return object{}, apierrors.NewBadRequest(
			"the namespace of the provided object does not match the namespace sent on the request")
	}
	return object{namespace, lease.Name}, nil
}

func leaseOf(o object, r *simlock.Result) *coordinationv1.Lease {
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       o.namespace,
			Name:            o.name,
			UID:             uidOf(r.UID),
			ResourceVersion: strconv.FormatUint(r.Version, 10),
		},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity:       ptr.To(r.Record.Holder),
			LeaseDurationSeconds: ptr.To(int32(r.Record.DurationSeconds)),
			AcquireTime:          microTime(r.Record.Acquire),
			RenewTime:            microTime(r.Record.Renew),
			LeaseTransitions:     ptr.To(int32(r.Record.Transitions)),
		},
	}
}

func recordOf(spec *coordinationv1.LeaseSpec) machine.Record {
	return machine.Record{
		Holder:          ptr.Deref(spec.HolderIdentity, ""),
		DurationSeconds: int64(ptr.Deref(spec.LeaseDurationSeconds, 0)),
		Acquire:         machine.WallOf(ptr.Deref(spec.AcquireTime, metav1.MicroTime{}).Time),
		Renew:           machine.WallOf(ptr.Deref(spec.RenewTime, metav1.MicroTime{}).Time),
		Transitions:     int64(ptr.Deref(spec.LeaseTransitions, 0)),
	}
}

// microTime is in local time, as a client reads it.
func microTime(w machine.Wall) *metav1.MicroTime {
	if w == machine.NoTime {
		return nil
	}
	return ptr.To(metav1.NewMicroTime(w.Time().Local()))
}
