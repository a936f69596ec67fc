package fakekube

import (
	"cmp"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// applied executes a server-side apply and returns the new object. The request's field manager then owns the fields
// that it sends, and no others. An object gets managedFields with its first apply; its earlier fields are owned by
// "before-first-apply".
func (s *Server) applied(r *request, k *kind) (runtime.Object, error) {
	config, err := readConfig(r, k)
	if err != nil {
		return nil, err
	}
	old := s.find(r)
	if old == nil && r.subresource != "" {
		return nil, notFound(r)
	}
	live, err := k.live(old, r)
	if err != nil {
		return nil, internal(err.Error())
	}
	if v := config.GetResourceVersion(); v != "" && (old == nil || v != metaOf(old).ResourceVersion) {
		return nil, conflict(r, errModified)
	}
	if err := k.checkUID(r, config.GetUID(), old); err != nil {
		return nil, err
	}
	manager, err := k.owners(r.subresource)
	if err != nil {
		return nil, internal(err.Error())
	}
	result, err := manager.Apply(live, config, r.manager, r.force != nil && *r.force)
	if err != nil {
		if _, ok := err.(apierrors.APIStatus); ok {
			return nil, err
		}
		return nil, internal(err.Error())
	}
	return s.storeApplied(r, k, old, result)
}

// storeApplied stores the result of an apply in place of old or, if old is nil, as a new object. It returns a copy of the stored
// object.
func (s *Server) storeApplied(r *request, k *kind, old, result runtime.Object) (runtime.Object, error) {
	obj, err := k.received(result)
	if err != nil {
		return nil, err
	}
	r.owned = metaOf(obj).ManagedFields
	r.dropDuplicateOwners(metaOf(obj), " after mutating admission happens")
	if old == nil {
		metaOf(obj).ResourceVersion = ""
		return s.insert(r, k, obj)
	}
	metaOf(obj).ResourceVersion = metaOf(old).ResourceVersion
	return s.replace(r, k, old, obj)
}

// live returns the object that an apply starts from: a copy of old or, if old is nil, an empty object with the request's name
// and namespace.
func (k *kind) live(old runtime.Object, r *request) (runtime.Object, error) {
	obj, err := k.new()
	if old != nil {
		obj, err = k.sent(old)
	}
	if err != nil {
		return nil, err
	}
	if old == nil {
		metaOf(obj).Name, metaOf(obj).Namespace = r.name, r.namespace
	}
	obj.GetObjectKind().SetGroupVersionKind(k.GroupVersionKind)
	return obj, nil
}

// readConfig decodes and checks the object in an apply request, and returns it. A request on the status keeps only the metadata
// and the status. A request on the object drops the status, if the kind has a subresource status.
func readConfig(r *request, k *kind) (*unstructured.Unstructured, error) {
	var content map[string]any
	wire, err := yaml.ToJSON(r.patch)
	if err == nil {
		err = json.Unmarshal(wire, &content)
	}
	if err != nil {
		return nil, badRequest(fmt.Sprintf("error decoding YAML: %v", err))
	}
	config := &unstructured.Unstructured{Object: content}
	if gvk := config.GroupVersionKind(); gvk != k.GroupVersionKind {
		return nil, badRequest(fmt.Sprintf("incorrect kind or apiVersion in the applied object: want %s %s, got %q %q",
			k.GroupVersion(), k.Kind, config.GetAPIVersion(), config.GetKind()))
	}
	if config.GetName() == "" {
		config.SetName(r.name)
	}
	if err := cmp.Or(checkName(r, config), checkNamespace(r, config)); err != nil {
		return nil, err
	}
	if len(config.GetManagedFields()) > 0 {
		return nil, badRequest("metadata.managedFields must be nil")
	}
	obj, err := k.new()
	if err != nil {
		return nil, internal(err.Error())
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(config.Object, obj, true)
	if err := r.judgeUnknown(fmt.Sprintf("%+v", config.Object), obj, err); err != nil {
		return nil, err
	}
	if r.subresource == "" && k.status != nil {
		delete(config.Object, "status")
	}
	for name := range config.Object {
		if r.subresource == "status" && !slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, name) {
			delete(config.Object, name)
		}
	}
	return config, nil
}
