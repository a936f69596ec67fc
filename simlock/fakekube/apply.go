package fakekube

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	if uid := config.GetUID(); uid != "" && old == nil {
		return nil, conflict(r, fmt.Errorf("uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	if v := config.GetResourceVersion(); v != "" && old != nil && v != metaOf(old).ResourceVersion {
		return nil, conflict(r, errModified)
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
	if old != nil && len(metaOf(old).ManagedFields) == 0 && !slices.ContainsFunc(r.owned, func(e metav1.ManagedFieldsEntry) bool {
		return e.Manager == r.manager
	}) {
		r.owned = nil // nothing is applied yet
	}
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

// readConfig decodes and checks the object in an apply request, and returns it. If the object has no name, it gets the request's. A
// request on the status keeps only the metadata and the status. A request on the object drops the status, if the kind has a
// subresource status.
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
		return nil, badRequest(fmt.Sprintf("invalid object type: %s", gvk))
	}
	if config.GetName() == "" {
		config.SetName(r.name)
	}
	// A real server shows no namespace in its errors.
	if err := cmp.Or(checkName(r, config), checkNamespace(r, config.DeepCopy())); err != nil {
		return nil, err
	}
	if len(config.GetManagedFields()) > 0 {
		return nil, badRequest("metadata.managedFields must be nil")
	}
	if err := k.undeclared(config); err != nil {
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

// undeclared returns the error 500 for an object of a program's own kind that has a field which the Go type does not have, or one of
// another type; nil for another kind, whose fields the field manager knows.
func (k *kind) undeclared(config *unstructured.Unstructured) error {
	if !k.custom {
		return nil
	}
	obj, err := k.new()
	if err == nil {
		err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(config.Object, obj, true)
	}
	if err == nil {
		return nil
	}
	why := err.Error()
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		field, _ := strconv.Unquote(strings.TrimPrefix(strict.Errors()[0].Error(), "unknown field "))
		why = "." + field + ": field not declared in schema"
	}
	return internal(fmt.Sprintf("failed to create typed patch object (%s/%s; %s): %s", config.GetNamespace(), config.GetName(),
		k.GroupVersionKind, why))
}
