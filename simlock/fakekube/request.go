package fakekube

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// request is one request, whichever client it came from.
type request struct {
	user, verb, subresource string
	resource                schema.GroupVersionResource
	namespace, name         string
	// object is what create and update send; it belongs to the server.
	object    runtime.Object
	patch     []byte
	patchType types.PatchType
	// version is the least that a get wants to see.
	version string
	dryRun  bool
	// manager and force are those of an apply; a manager of another write is who then has its fields.
	manager string
	// owned are the managedFields that the request leads to; none where nothing was ever applied to the object.
	owned []metav1.ManagedFieldsEntry
	force *bool
	// validation is what becomes of unknown and duplicate fields: "Ignore", "Strict", or else a warning.
	validation string
	// warnings are sent with the answer, whatever it is.
	warnings []string
	// created is set where the request made an object.
	created bool
	list    metav1.ListOptions // of list, watch and deletecollection
	delete  metav1.DeleteOptions
}

func (r *request) warn(text string) { r.warnings = append(r.warnings, text) }

// objectName returns the name of the object that a request is about, which may be in the object alone.
func (r *request) objectName() string {
	if r.name == "" && r.object != nil {
		return metaOf(r.object).Name
	}
	return r.name
}

func (r *request) key() types.NamespacedName {
	return types.NamespacedName{Namespace: r.namespace, Name: r.name}
}

// apply executes a request at once and as a whole. A watch answers a stream, a delete that leaves nothing a Status.
func (s *Server) apply(r *request) (obj runtime.Object, stream watch.Interface, err error) {
	k := s.kindOf(r.resource)
	if k == nil || k.subresource(r.subresource) == nil {
		return nil, nil, noSuchPage(r.verb)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = true
	switch {
	case k.review != nil:
		obj, err = s.reviewed(r, k)
		return obj, nil, err
	case r.subresource == "scale":
		obj, err = s.scaled(r, k)
		return obj, nil, err
	case r.subresource == "eviction":
		obj, err = s.evicted(r, k)
		return obj, nil, err
	}
	switch r.verb {
	case "get":
		obj, err = s.get(r, k)
	case "list":
		obj, err = s.listed(r, k)
	case "watch":
		stream, err = s.watch(r, k)
	case "create":
		obj, err = s.create(r, k)
	case "update":
		obj, err = s.update(r, k)
	case "patch":
		obj, err = s.patched(r, k)
	case "delete":
		obj, err = s.remove(r, k)
	case "deletecollection":
		obj, err = s.removeAll(r, k)
	default:
		err = notAllowed(r)
	}
	return obj, stream, err
}
