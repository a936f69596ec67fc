package fakekube

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"
)

// tracker is a Tracker for client-go's fake clientset that writes into the Server. The tracker of client-go has a store of its
// own, so that the server would never see an object added to it. As in client-go's, no rules check the writes.
type tracker struct{ server *Server }

var _ ktesting.ObjectTracker = (*tracker)(nil)

var errTracker = errors.New("fakekube: this version of client-go keeps its fake clientset's tracker elsewhere: objects " +
	"added to it would be lost")

// setTracker replaces the tracker of a fake clientset by t. It writes an unexported field, since there is no other way. It
// returns an error for a version of client-go that has no such field.
func setTracker(c *fake.Clientset, t ktesting.ObjectTracker) error {
	f := reflect.ValueOf(c).Elem().FieldByName("tracker")
	if !f.IsValid() || f.Type() != reflect.TypeFor[ktesting.ObjectTracker]() {
		return errTracker
	}
	*(*ktesting.ObjectTracker)(unsafe.Pointer(f.UnsafeAddr())) = t
	return nil
}

// Add puts an object, or the items of a list, into the server. It replaces existing objects of the same name, as
// client-go's tracker does.
func (t *tracker) Add(obj runtime.Object) error {
	if obj != nil && meta.IsListType(obj) {
		items, err := meta.ExtractList(obj)
		for _, item := range items {
			err = errors.Join(err, t.Add(item))
		}
		return err
	}
	resource, k, err := t.server.resourceOf(obj)
	if err != nil {
		return err
	}
	return t.server.put(resource, k, obj, "", true)
}

// put stores an object in the server under that resource. A namespace that is not "" replaces the object's own. If an object of
// the same name exists, put replaces it if replace is true, and otherwise returns an error. It returns an error too for a
// resource that the server does not have, for an object without a name or a namespace that it needs, and for one of another namespace.
func (t *tracker) put(resource schema.GroupVersionResource, obj runtime.Object, namespace string, replace bool) error {
	k := t.server.kindOf(resource)
	if k == nil {
		return noSuchPage("")
	}
	if m, ok := obj.(metav1.ObjectMetaAccessor); ok && k.namespaced {
		if own := m.GetObjectMeta().GetNamespace(); own != "" && own != namespace {
			return badRequest(fmt.Sprintf("request namespace does not match object namespace, request: %q object: %q", namespace, own))
		}
	}
	return t.server.put(resource, k, obj, namespace, replace)
}

// Create stores a new object in the namespace. It returns an error if the object exists, and those of put.
func (t *tracker) Create(
	resource schema.GroupVersionResource, obj runtime.Object, namespace string, _ ...metav1.CreateOptions,
) error {
	return t.put(resource, obj, namespace, false)
}

// Update replaces an object in the namespace. It returns an error if the object does not exist, and those of put.
func (t *tracker) Update(
	resource schema.GroupVersionResource, obj runtime.Object, namespace string, _ ...metav1.UpdateOptions,
) error {
	m, ok := obj.(metav1.ObjectMetaAccessor)
	if !ok {
		return badRequest("want an object with metadata")
	}
	if _, err := t.Get(resource, namespace, m.GetObjectMeta().GetName()); err != nil {
		return err
	}
	return t.put(resource, obj, namespace, true)
}

// Patch replaces an object in the namespace by obj, the result of a patch. It returns an error if the object does not exist,
// and those of put.
func (t *tracker) Patch(
	resource schema.GroupVersionResource, obj runtime.Object, namespace string, _ ...metav1.PatchOptions,
) error {
	return t.Update(resource, obj, namespace)
}

// Apply stores obj in the namespace, in place of the object of that name if there is one. It returns the errors of put.
func (t *tracker) Apply(
	resource schema.GroupVersionResource, obj runtime.Object, namespace string, _ ...metav1.PatchOptions,
) error {
	return t.put(resource, obj, namespace, true)
}

// Get returns a copy of the object of that namespace and name, or an error if it does not exist.
func (t *tracker) Get(
	resource schema.GroupVersionResource, namespace, name string, _ ...metav1.GetOptions,
) (runtime.Object, error) {
	obj, _, err := t.server.apply(&request{verb: "get", resource: resource, namespace: namespace, name: name})
	return obj, err
}

// List returns the list of the objects in the namespace, or in all for "", that the first of the options selects; all objects
// if there are no options.
func (t *tracker) List(
	resource schema.GroupVersionResource, _ schema.GroupVersionKind, namespace string, options ...metav1.ListOptions,
) (runtime.Object, error) {
	r := &request{verb: "list", resource: resource, namespace: namespace}
	if len(options) > 0 {
		r.list = options[0]
	}
	obj, _, err := t.server.apply(r)
	return obj, err
}

// Watch returns a stream of the changes of the objects in the namespace, or in all for "", that the first of the options
// selects; of all objects if there are no options.
func (t *tracker) Watch(
	resource schema.GroupVersionResource, namespace string, options ...metav1.ListOptions,
) (watch.Interface, error) {
	r := &request{verb: "watch", resource: resource, namespace: namespace}
	if len(options) > 0 {
		r.list = options[0]
	}
	_, stream, err := t.server.apply(r)
	return stream, err
}

// Delete removes the object of that namespace and name at once, even if it has finalizers. It returns an error if there is no
// such object.
func (t *tracker) Delete(resource schema.GroupVersionResource, namespace, name string, _ ...metav1.DeleteOptions) error {
	t.server.mu.Lock()
	defer t.server.mu.Unlock()
	r := &request{resource: resource, namespace: namespace, name: name}
	old := t.server.find(r)
	if old == nil {
		return notFound(r)
	}
	t.server.commit(r.stored(), r.key(), old, nil)
	return nil
}
