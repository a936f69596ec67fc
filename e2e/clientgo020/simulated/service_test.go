package parity

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/trace"
)

// object is a Lease, a ConfigMap or an Endpoints.
type object interface {
	runtime.Object
	metav1.Object
}

// payload is what a request carries: a Get and a Create an object of the sort that it is about.
type payload struct{ object }

func (p payload) DeepCopy() payload { return payload{p.DeepCopyObject().(object)} }

// objectOf is what a request is of.
func objectOf(in payload) string {
	switch in.object.(type) {
	case *coordinationv1.Lease:
		return trace.Lease.String()
	case *corev1.ConfigMap:
		return trace.ConfigMap.String()
	}
	return trace.Endpoints.String()
}

// sort tells objects of the three sorts apart.
func sort(o object) reflect.Type { return reflect.TypeOf(o) }

// service is a lock service of one object of each sort, as a kube-apiserver answers.
type service struct {
	objects map[reflect.Type]object
	version int
	lives   int
}

// names is whether the record of any object names that holder.
func (s *service) names(holder string) bool {
	for _, o := range s.objects {
		if recordOf(o).HolderIdentity == holder {
			return true
		}
	}
	return false
}

func (s *service) reply(verb string, in payload) (reply, bool) {
	stored := s.objects[sort(in.object)]
	switch verb {
	case "get":
		if stored == nil {
			return reply{status: http.StatusNotFound}, false
		}
		return answered(stored, http.StatusOK), false
	case "create":
		if !acceptable(in.object) {
			return reply{status: http.StatusUnprocessableEntity}, false
		}
		if stored != nil {
			return reply{status: http.StatusConflict}, false
		}
		s.lives++
		in.SetUID(types.UID("life-" + strconv.Itoa(s.lives)))
		return answered(s.store(in.object), http.StatusCreated), true
	}
	if stored == nil || stored.GetUID() != in.GetUID() || stored.GetResourceVersion() != in.GetResourceVersion() {
		return reply{status: http.StatusConflict}, false
	}
	if !acceptable(in.object) {
		return reply{status: http.StatusUnprocessableEntity}, false
	}
	fromWire(in.object)
	if wire(stored) == wire(in.object) {
		return answered(stored, http.StatusOK), false
	}
	return answered(s.store(in.object), http.StatusOK), true
}

func answered(o object, status int) reply {
	return reply{payload: payload{o}.DeepCopy(), status: status}
}

func (s *service) store(in object) object {
	s.version++
	o := payload{in}.DeepCopy().object
	fromWire(o)
	o.SetResourceVersion(strconv.Itoa(s.version))
	if s.objects == nil {
		s.objects = map[reflect.Type]object{}
	}
	s.objects[sort(o)] = o
	return o
}

func (s *service) delete(which string) {
	for sort, o := range s.objects {
		if which == "" || which == objectOf(payload{o}) {
			s.version++
			delete(s.objects, sort)
		}
	}
}

func acceptable(in object) bool {
	lease, ok := in.(*coordinationv1.Lease)
	return !ok || *lease.Spec.LeaseDurationSeconds > 0 && *lease.Spec.LeaseTransitions >= 0
}

// fromWire leaves of the times what comes back from the wire.
func fromWire(o object) {
	if lease, ok := o.(*coordinationv1.Lease); ok {
		for _, t := range []**metav1.MicroTime{&lease.Spec.AcquireTime, &lease.Spec.RenewTime} {
			kept := metav1.NewMicroTime((*t).UTC().Round(0).Truncate(time.Microsecond))
			*t = &kept
		}
	}
}

func wire(o object) string {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func recordOf(o object) *resourcelock.LeaderElectionRecord {
	if lease, ok := o.(*coordinationv1.Lease); ok {
		return resourcelock.LeaseSpecToLeaderElectionRecord(&lease.Spec)
	}
	record := &resourcelock.LeaderElectionRecord{}
	if err := json.Unmarshal([]byte(o.GetAnnotations()[resourcelock.LeaderElectionRecordAnnotationKey]), record); err != nil {
		panic(err)
	}
	return record
}

type reply struct {
	payload
	status int
}

func (r *reply) holder() string { return recordOf(r.object).HolderIdentity }

func (r *reply) transitions() int { return recordOf(r.object).LeaderTransitions }

func statusError(verb string, status int) error {
	resource := schema.GroupResource{Resource: "locks"}
	switch {
	case status == http.StatusConflict && verb == "create":
		return apierrors.NewAlreadyExists(resource, "lock")
	case status == http.StatusConflict:
		return apierrors.NewConflict(resource, "lock", errors.New("the object has been modified"))
	}
	return apierrors.NewGenericServerResponse(status, verb, resource, "lock", "", 0, true)
}

// empty is what a typed client returns beside an error.
func empty(in object) object {
	switch in.(type) {
	case *coordinationv1.Lease:
		return &coordinationv1.Lease{}
	case *corev1.ConfigMap:
		return &corev1.ConfigMap{}
	}
	return &corev1.Endpoints{}
}
