package kubelock

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// The kinds of lock, by the names that flags and configuration files have for them.
const (
	EndpointsResourceLock        = "endpoints"
	ConfigMapsResourceLock       = "configmaps"
	LeasesResourceLock           = "leases"
	EndpointsLeasesResourceLock  = "endpointsleases"
	ConfigMapsLeasesResourceLock = "configmapsleases"
)

var kinds = []string{
	LeasesResourceLock, EndpointsResourceLock, ConfigMapsResourceLock, EndpointsLeasesResourceLock,
	ConfigMapsLeasesResourceLock,
}

// New returns a lock of that kind on the object, or the two objects, of that name. It sends nothing.
//
// A client that the kind does not need can be nil. An unknown kind is an error, and so is a nil client that the kind needs.
//
// The lock is for one candidate and, like those of client-go, not for several goroutines at a time. It tells elector its
// fencing tokens: the resourceVersion of what it has written last, for two objects that of the secondary. Tokens of two
// kinds of lock compare as long as the API server keeps both sorts of object in one etcd.
func New(
	kind, ns, name string, coreClient corev1.CoreV1Interface,
	coordinationClient coordinationv1.CoordinationV1Interface, rlc resourcelock.ResourceLockConfig,
) (resourcelock.Interface, error) {
	if !slices.Contains(kinds, kind) {
		return nil, fmt.Errorf("lock kind: want one of %s, got %q", strings.Join(kinds, ", "), kind)
	}
	twoObjects := kind == EndpointsLeasesResourceLock || kind == ConfigMapsLeasesResourceLock
	if kind != LeasesResourceLock && coreClient == nil {
		return nil, fmt.Errorf("lock kind %s needs a core/v1 client, got nil", kind)
	}
	if (kind == LeasesResourceLock || twoObjects) && coordinationClient == nil {
		return nil, fmt.Errorf("lock kind %s needs a coordination/v1 client, got nil", kind)
	}
	at := place{namespace: ns, name: name, config: rlc}
	var primary part
	switch kind {
	case EndpointsResourceLock, EndpointsLeasesResourceLock:
		primary = newEndpoints(at, coreClient)
	case ConfigMapsResourceLock, ConfigMapsLeasesResourceLock:
		primary = newConfigMap(at, coreClient)
	default:
		return newLease(at, coordinationClient, nil, nil), nil
	}
	if !twoObjects {
		return primary, nil
	}
	return &pair{primary: primary, secondary: newLease(at, coordinationClient, nil, nil)}, nil
}

// NewLease returns a lock on the Lease that meta names. Labels and annotations of meta are put on the Lease with each write;
// others that it has are kept. It returns an error if client is nil.
func NewLease(
	meta metav1.ObjectMeta, client coordinationv1.LeasesGetter, rlc resourcelock.ResourceLockConfig,
) (resourcelock.Interface, error) {
	if client == nil {
		return nil, fmt.Errorf("lock kind %s needs a coordination/v1 client, got nil", LeasesResourceLock)
	}
	at := place{namespace: meta.Namespace, name: meta.Name, config: rlc}
	return newLease(at, client, meta.Labels, meta.Annotations), nil
}
