package fakekube

import (
	"encoding/json"
	"reflect"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"
)

// kind is what sets the objects of a resource apart: what k8s.io/kubernetes/pkg/registry calls its strategy.
type kind struct {
	schema.GroupVersionKind
	// createOnUpdate: an update of what is not there creates it. unconditional: an update without a
	// resourceVersion is taken.
	createOnUpdate, unconditional bool
	namespaced                    bool
	// generation counts the changes of all but metadata and status.
	generation bool
	// status is the index of the field Status, nil where there is none.
	status []int
	// fields are what a field selector may name, beside metadata.name and metadata.namespace.
	fields   []string
	nameRule validation.ValidateNameFunc
	// prepare drops what the server does not keep; coordinated is Server.CoordinatedLeaderElection.
	prepare func(obj runtime.Object, coordinated bool)
	// scheme knows the Go type. custom: a resource of the program's own, as by a CustomResourceDefinition.
	scheme *runtime.Scheme
	custom bool
	// review: an object of the kind is only ever created, answered, and not stored. See reviews.
	review bool
	// subresources are those besides status, and what kind of object is sent there.
	subresources map[string]*kind
	validate     func(obj, old runtime.Object) field.ErrorList
}

// subresource is the kind of object that is sent to a subresource, nil for one that there is not.
func (k *kind) subresource(name string) *kind {
	if name == "" || name == "status" && k.status != nil && !k.review {
		return k
	}
	return k.subresources[name]
}

func (k *kind) new() (runtime.Object, error) { return k.scheme.New(k.GroupVersionKind) }

// decode reads an object of this kind from JSON. It has no kind and apiVersion then, as with a typed client.
func (k *kind) decode(wire []byte) (runtime.Object, error) {
	obj, err := k.new()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(wire, obj); err != nil {
		return nil, err
	}
	// A typed client sees none of it.
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return obj, nil
}

// received returns an object as it arrives at the server: a copy with what JSON keeps of it.
func (k *kind) received(obj runtime.Object) (runtime.Object, error) {
	wire, err := json.Marshal(obj)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	obj, err = k.decode(wire)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	return obj, nil
}

// sent is a copy of a stored object, in the API version that was asked for.
func (k *kind) sent(obj runtime.Object) (runtime.Object, error) {
	if gvks, _, err := k.scheme.ObjectKinds(obj); err == nil && gvks[0] == k.GroupVersionKind {
		return obj.DeepCopyObject(), nil
	}
	return k.received(obj)
}

// metaOf is the metadata of an object; all that the server has have some.
func metaOf(obj runtime.Object) *metav1.ObjectMeta {
	return obj.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}

// statusOf is the status of an object that has one.
func (k *kind) statusOf(obj runtime.Object) reflect.Value {
	return reflect.ValueOf(obj).Elem().FieldByIndex(k.status)
}

// pathSegment is the rule for the names of kinds that take any name that fits into a path.
func pathSegment(name string, _ bool) []string { return rest.IsValidPathSegmentName(name) }
