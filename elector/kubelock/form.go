package kubelock

import (
	"maps"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// object is a pointer to an API object, such as *corev1.ConfigMap.
type object interface {
	comparable
	runtime.Object
	metav1.ObjectMetaAccessor
}

// metaOf returns the metadata of an object, which must not be nil.
func metaOf[T object](o T) *metav1.ObjectMeta { return o.GetObjectMeta().(*metav1.ObjectMeta) }

// form tells how objects of one kind hold a record: how to make, read and write them.
type form[T object] struct {
	kind schema.GroupVersionKind
	// unit is what a record's times are cut to.
	unit time.Duration
	// empty returns a new object without anything.
	empty func() T
	// read returns the record, and the bytes by which an observer tells that it has changed.
	read  func(object T) (*resourcelock.LeaderElectionRecord, []byte, error)
	write func(object T, record *resourcelock.LeaderElectionRecord) error
}

// sort returns the word that errors use for such an object: its kind in lower case.
func (f *form[T]) sort() string { return strings.ToLower(f.kind.Kind) }

// blank returns a new object, not yet created, with that metadata.
func (f *form[T]) blank(meta metav1.ObjectMeta) T {
	object := f.empty()
	object.GetObjectKind().SetGroupVersionKind(f.kind)
	*metaOf(object) = meta
	return object
}

// annotated returns the form of objects of the core group, of that kind, that hold the record in an annotation. empty returns a
// new object without anything.
func annotated[T object](kind string, empty func() T) form[T] {
	return form[T]{
		kind: corev1.SchemeGroupVersion.WithKind(kind), unit: annotationUnit, empty: empty,
		read: func(object T) (*resourcelock.LeaderElectionRecord, []byte, error) {
			return readAnnotation(metaOf(object))
		},
		write: func(object T, record *resourcelock.LeaderElectionRecord) error {
			return writeAnnotation(metaOf(object), record)
		},
	}
}

// newConfigMap returns a lock on the ConfigMap that at names. It sends nothing.
func newConfigMap(at place, client corev1client.ConfigMapsGetter) *objectLock[*corev1.ConfigMap] {
	return &objectLock[*corev1.ConfigMap]{
		place: at, client: client.ConfigMaps(at.namespace),
		form: annotated("ConfigMap", func() *corev1.ConfigMap { return &corev1.ConfigMap{} }),
	}
}

// endpointsObject is deprecated in favour of EndpointSlice, and served all the same.
//
//lint:ignore SA1019 the lock is for programs that share it with older ones
type endpointsObject = corev1.Endpoints

// newEndpoints returns a lock on the Endpoints object that at names. It sends nothing.
func newEndpoints(at place, client corev1client.EndpointsGetter) *objectLock[*endpointsObject] {
	return &objectLock[*endpointsObject]{
		place: at, client: client.Endpoints(at.namespace),
		form: annotated("Endpoints", func() *endpointsObject { return &endpointsObject{} }),
	}
}

// newLease returns a lock on the Lease that at names. It puts the labels and annotations on the Lease with each write. It sends
// nothing.
func newLease(
	at place, client coordinationv1client.LeasesGetter, labels, annotations map[string]string,
) *objectLock[*coordinationv1.Lease] {
	return &objectLock[*coordinationv1.Lease]{
		place: at, client: client.Leases(at.namespace),
		form: form[*coordinationv1.Lease]{
			kind: coordinationv1.SchemeGroupVersion.WithKind("Lease"), unit: time.Microsecond,
			empty: func() *coordinationv1.Lease { return &coordinationv1.Lease{} },
			read: func(object *coordinationv1.Lease) (*resourcelock.LeaderElectionRecord, []byte, error) {
				record := resourcelock.LeaseSpecToLeaderElectionRecord(&object.Spec)
				raw, err := encode(record)
				return record, raw, err
			},
			write: func(object *coordinationv1.Lease, record *resourcelock.LeaderElectionRecord) error {
				object.Spec = resourcelock.LeaderElectionRecordToLeaseSpec(record)
				object.Labels = put(object.Labels, labels)
				object.Annotations = put(object.Annotations, annotations)
				return nil
			},
		},
	}
}

// put copies all entries of more into the map on, and returns the map. If on is nil it makes a new one, unless more is empty:
// then it returns nil.
func put(on, more map[string]string) map[string]string {
	if on == nil && len(more) > 0 {
		on = make(map[string]string, len(more))
	}
	maps.Copy(on, more)
	return on
}
