package fakekube

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
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
