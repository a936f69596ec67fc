package kubelock

import (
	"maps"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

type configMaps struct{}

// newConfigMap returns a lock on the ConfigMap that at names. It sends nothing.
func newConfigMap(at place, client corev1client.ConfigMapsGetter) *objectLock[*corev1.ConfigMap] {
	return &objectLock[*corev1.ConfigMap]{place: at, client: client.ConfigMaps(at.namespace), form: configMaps{}}
}

// sort returns the word for the object in errors.
func (configMaps) sort() string { return "configmap" }

// unit returns the unit to which a record's times are cut.
func (configMaps) unit() time.Duration { return annotationUnit }

// blank returns a new ConfigMap, not yet created, with that metadata.
func (configMaps) blank(meta metav1.ObjectMeta) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{Kind: "ConfigMap", APIVersion: corev1.SchemeGroupVersion.String()},
		ObjectMeta: meta,
	}
}

func (configMaps) meta(object *corev1.ConfigMap) *metav1.ObjectMeta { return &object.ObjectMeta }

// read returns the record in the ConfigMap's annotation and the annotation's text.
func (configMaps) read(object *corev1.ConfigMap) (*resourcelock.LeaderElectionRecord, []byte, error) {
	return readAnnotation(&object.ObjectMeta)
}

// write puts the record into the ConfigMap's annotation.
func (configMaps) write(object *corev1.ConfigMap, record *resourcelock.LeaderElectionRecord) error {
	return writeAnnotation(&object.ObjectMeta, record)
}

// endpointsObject is deprecated in favour of EndpointSlice, and served all the same.
//
//lint:ignore SA1019 the lock is for programs that share it with older ones
type endpointsObject = corev1.Endpoints

type endpoints struct{}

// newEndpoints returns a lock on the Endpoints object that at names. It sends nothing.
func newEndpoints(at place, client corev1client.EndpointsGetter) *objectLock[*endpointsObject] {
	return &objectLock[*endpointsObject]{place: at, client: client.Endpoints(at.namespace), form: endpoints{}}
}

// sort returns the word for the object in errors.
func (endpoints) sort() string { return "endpoints" }

// unit returns the unit to which a record's times are cut.
func (endpoints) unit() time.Duration { return annotationUnit }

// blank returns a new Endpoints object, not yet created, with that metadata.
func (endpoints) blank(meta metav1.ObjectMeta) *endpointsObject {
	return &endpointsObject{
		TypeMeta:   metav1.TypeMeta{Kind: "Endpoints", APIVersion: corev1.SchemeGroupVersion.String()},
		ObjectMeta: meta,
	}
}

func (endpoints) meta(object *endpointsObject) *metav1.ObjectMeta { return &object.ObjectMeta }

// read returns the record in the annotation of the Endpoints and the annotation's text.
func (endpoints) read(object *endpointsObject) (*resourcelock.LeaderElectionRecord, []byte, error) {
	return readAnnotation(&object.ObjectMeta)
}

// write puts the record into the annotation of the Endpoints.
func (endpoints) write(object *endpointsObject, record *resourcelock.LeaderElectionRecord) error {
	return writeAnnotation(&object.ObjectMeta, record)
}

// leases puts its labels and annotations on each object that it writes.
type leases struct {
	labels, annotations map[string]string
}

// newLease returns a lock on the Lease that at names. It sends nothing.
func newLease(at place, client coordinationv1client.LeasesGetter) *objectLock[*coordinationv1.Lease] {
	return &objectLock[*coordinationv1.Lease]{place: at, client: client.Leases(at.namespace), form: leases{}}
}

// sort returns the word for the object in errors.
func (leases) sort() string { return "lease" }

// unit returns the unit to which a record's times are cut.
func (leases) unit() time.Duration { return time.Microsecond }

// blank returns a new Lease, not yet created, with that metadata.
func (leases) blank(meta metav1.ObjectMeta) *coordinationv1.Lease {
	return &coordinationv1.Lease{
		TypeMeta:   metav1.TypeMeta{Kind: "Lease", APIVersion: coordinationv1.SchemeGroupVersion.String()},
		ObjectMeta: meta,
	}
}

func (leases) meta(object *coordinationv1.Lease) *metav1.ObjectMeta { return &object.ObjectMeta }

// read returns the record of the Lease, and its JSON, by which an observer tells that it has changed.
func (leases) read(object *coordinationv1.Lease) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record := resourcelock.LeaseSpecToLeaderElectionRecord(&object.Spec)
	raw, err := encode(record)
	return record, raw, err
}

// write replaces the Lease's specification by the record, and adds the lock's labels and annotations.
func (l leases) write(object *coordinationv1.Lease, record *resourcelock.LeaderElectionRecord) error {
	object.Spec = resourcelock.LeaderElectionRecordToLeaseSpec(record)
	object.Labels = put(object.Labels, l.labels)
	object.Annotations = put(object.Annotations, l.annotations)
	return nil
}

// put copies all entries of more into the map on and returns it. Where on is nil it makes a map, unless more is empty.
func put(on, more map[string]string) map[string]string {
	if on == nil && len(more) > 0 {
		on = make(map[string]string, len(more))
	}
	maps.Copy(on, more)
	return on
}
