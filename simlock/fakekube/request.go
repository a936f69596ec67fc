package fakekube

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// request is one request to the server, from any of its kinds of client, and what serving it has found out.
type request struct {
	user, verb, subresource string
	resource                schema.GroupVersionResource
	namespace, name         string
	// object is what create and update send; it belongs to the server from then on.
	object    runtime.Object
	patch     []byte
	patchType types.PatchType
	// version is the lowest resourceVersion that a get may answer with.
	version string
	dryRun  bool
	// manager and force are options of an apply. In another write, manager is who owns the fields that the write changes.
	manager string
	// owned are the managedFields of the object after the request; none where nothing was ever applied to the object.
	owned []metav1.ManagedFieldsEntry
	force *bool
	// validation says what happens to unknown and duplicate fields: "Ignore", "Strict", otherwise a warning.
	validation string
	// warnings are sent with the answer, whatever it is.
	warnings []string
	// created is set where the request made an object.
	created bool
	list    metav1.ListOptions // of list, watch and deletecollection
	delete  metav1.DeleteOptions
}

// warn adds a warning to the answer to the request.
func (r *request) warn(text string) { r.warnings = append(r.warnings, text) }

// objectName returns the name of the object that a request is about. A request without a name of its own has that of
// the object that it sends.
func (r *request) objectName() string {
	if r.name == "" && r.object != nil {
		return metaOf(r.object).Name
	}
	return r.name
}

// stored returns the resource as which the objects of the request are stored.
func (r *request) stored() schema.GroupResource { return storedAs(r.resource.GroupResource()) }

// key returns the namespace and the name that the request is about.
func (r *request) key() types.NamespacedName {
	return types.NamespacedName{Namespace: r.namespace, Name: r.name}
}
