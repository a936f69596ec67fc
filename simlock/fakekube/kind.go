package fakekube

import (
	"encoding/json"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"
)

// kind has what is special about the objects of a resource; k8s.io/kubernetes/pkg/registry calls that its strategy.
type kind struct {
	schema.GroupVersionKind
	// createOnUpdate: an update of an object that does not exist creates it. unconditional: an update need not have a
	// resourceVersion.
	createOnUpdate, unconditional bool
	namespaced                    bool
	// generation: the objects count their changes, as specChanged says.
	generation bool
	// status is the index of the field Status, nil where there is none.
	status []int
	// statusAlone: a write to the subresource status changes no metadata.
	statusAlone bool
	// fields are those that a field selector may name, besides metadata.name and metadata.namespace, with the values that a
	// real server fills in where an object has none.
	fields   map[string]string
	nameRule validation.ValidateNameFunc
	// anyFinalizer: a finalizer needs no domain in its name.
	anyFinalizer bool
	// deletedAnswered: a delete answers the object, and not a Status.
	deletedAnswered bool
	// prepare drops what the server does not keep; coordinated is Server.CoordinatedLeaderElection.
	prepare func(obj runtime.Object, coordinated bool)
	// scheme knows the Go type. custom: the resource is the program's own, as by a CustomResourceDefinition.
	scheme *runtime.Scheme
	custom bool
	// review: an object of this kind is only created and answered, and never stored. See reviews.
	review bool
	// otherVersion is a version besides that of the kind in which a body may be; "" for none.
	otherVersion string
	// subresources has, for each subresource but status, the kind of the objects that are sent to it.
	subresources map[string]*kind
	validate     func(obj, old runtime.Object) field.ErrorList
}

// subresource returns the kind of the objects that are sent to the subresource of that name, nil if there is no such
// subresource. For "", the object itself, and for "status" it returns k.
func (k *kind) subresource(name string) *kind {
	if name == "" || name == "status" && k.status != nil && !k.review {
		return k
	}
	return k.subresources[name]
}

// new returns an empty object of this kind.
func (k *kind) new() (runtime.Object, error) { return k.scheme.New(k.GroupVersionKind) }

// decode reads an object of this kind from JSON. As with a typed client, the object has no kind and apiVersion. A Secret has its
// stringData in its data.
func (k *kind) decode(wire []byte) (runtime.Object, error) {
	obj, err := k.new()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(wire, obj); err != nil {
		return nil, err
	}
	if s, ok := obj.(*corev1.Secret); ok {
		mergeStringData(s)
	}
	// A typed client sees neither of them.
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return obj, nil
}

// mergeStringData moves a Secret's stringData into its data: Convert_v1_Secret_To_core_Secret of k8s.io/kubernetes/pkg/apis/core/v1.
func mergeStringData(s *corev1.Secret) {
	for key, value := range s.StringData {
		if s.Data == nil {
			s.Data = map[string][]byte{}
		}
		s.Data[key] = []byte(value)
	}
	s.StringData = nil
}

// received returns an object as it arrives at the server: a copy of kind k, made by encoding obj as JSON and decoding it. The
// error is 400.
func (k *kind) received(obj runtime.Object) (runtime.Object, error) {
	wire, err := k.wireOf(obj)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	obj, err = k.decode(wire)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	return obj, nil
}

// sent returns a copy of a stored object as a client gets it, in the API version of this kind.
func (k *kind) sent(obj runtime.Object) (runtime.Object, error) {
	if gvks, _, err := k.scheme.ObjectKinds(obj); err == nil && gvks[0] == k.GroupVersionKind {
		return obj.DeepCopyObject(), nil
	}
	return k.received(obj)
}

// metaOf returns a pointer to the metadata of an object, which the caller can change. It panics for an object without metadata;
// the server has none.
func metaOf(obj runtime.Object) *metav1.ObjectMeta {
	return obj.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}

// statusOf returns the field Status of an object, which the caller can set. The kind must have one.
func (k *kind) statusOf(obj runtime.Object) reflect.Value {
	return reflect.ValueOf(obj).Elem().FieldByIndex(k.status)
}

// pathSegment returns what is wrong with a name that must fit into one segment of a URL path; nothing for a valid name.
func pathSegment(name string, _ bool) []string { return rest.IsValidPathSegmentName(name) }
