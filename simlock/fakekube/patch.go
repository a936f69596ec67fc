package fakekube

import (
	"errors"
	"fmt"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// patched executes a patch, server-side apply included, and returns the new object. A resourceVersion in the patch is a
// precondition. It returns an error if there is no such object, except for an apply, and if the patch does not fit or changes
// the name or namespace. Apply in CBOR, and a strategic merge patch of a custom resource, are errors.
func (s *Server) patched(r *request, k *kind) (runtime.Object, error) {
	switch {
	case r.patchType == types.ApplyYAMLPatchType:
		return s.applied(r, k)
	case r.patchType == types.ApplyCBORPatchType:
		return nil, statusError(http.StatusUnsupportedMediaType, "UnsupportedMediaType",
			"fakekube reads server-side apply as YAML or JSON, not as CBOR")
	case r.patchType == types.StrategicMergePatchType && k.custom:
		return nil, unknownPatchType()
	}
	old := s.find(r)
	if old == nil {
		return nil, notFound(r)
	}
	stored, err := k.sent(old)
	if err != nil {
		return nil, err
	}
	obj, err := k.applyPatch(r, stored)
	if err != nil {
		return nil, err
	}
	if err := checkName(r, metaOf(obj)); err != nil {
		return nil, err
	}
	if err := checkNamespace(r, metaOf(obj)); err != nil {
		return nil, err
	}
	r.dropDuplicateOwners(metaOf(obj), " after mutating admission happens")
	return s.replace(r, k, old, obj)
}

// decodePatched decodes an object from after, the JSON text that a patch has produced, and converts it to the version of k. It
// handles unknown fields as the request's fieldValidation says, and returns an error for an object of another kind.
func (k *kind) decodePatched(r *request, after []byte) (runtime.Object, error) {
	obj, actual, err := k.strictDecoder(false).Decode(after, &k.GroupVersionKind, nil)
	if err := r.judgeUnknown(string(after), obj, err); err != nil {
		return nil, err
	}
	if actual.GroupKind() != k.GroupKind() {
		return nil, patchInvalid(string(after), fmt.Errorf("the kind is %s", actual))
	}
	return k.received(obj) // it may be of another version
}

// applyPatch applies the request's patch to obj and returns the result as a new object. It sets the kind and apiVersion in obj
// itself. It returns an error for a patch that is invalid, does not fit, or is of a type that this server does not know.
func (k *kind) applyPatch(r *request, obj runtime.Object) (runtime.Object, error) {
	obj.GetObjectKind().SetGroupVersionKind(k.GroupVersionKind)
	before, err := json.Marshal(obj)
	if err != nil {
		return nil, internal(err.Error())
	}
	switch r.patchType {
	case types.JSONPatchType:
		if err := r.checkPatch(&[]jsonPatchOp{}); err != nil {
			return nil, err
		}
		p, err := jsonpatch.DecodePatch(r.patch)
		if err != nil {
			return nil, badRequest(err.Error())
		}
		after, err := p.Apply(before)
		if err != nil {
			return nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "",
				schema.GroupResource{}, "", err.Error(), 0, false)
		}
		return k.decodePatched(r, after)
	case types.MergePatchType:
		if err := r.checkPatch(&map[string]any{}); err != nil {
			return nil, err
		}
		after, err := jsonpatch.MergePatch(before, r.patch)
		if err != nil {
			return nil, badRequest(err.Error())
		}
		return k.decodePatched(r, after)
	case types.StrategicMergePatchType:
		return k.mergeStrategically(r, before)
	}
	return nil, statusError(http.StatusUnsupportedMediaType, "UnsupportedMediaType",
		fmt.Sprintf("unknown type of patch %q", r.patchType))
}

// jsonPatchOp has the fields of an operation of a JSON patch.
type jsonPatchOp struct {
	Op, Path, From string
	Value          any
}

// checkPatch decodes the request's patch into the given value, and returns the error 400 if that fails. If the fieldValidation
// is Ignore it does nothing, as a real server does.
func (r *request) checkPatch(into any) error {
	if r.validation == metav1.FieldValidationIgnore {
		return nil
	}
	if err := json.Unmarshal(r.patch, into); err != nil {
		return badRequest("error decoding patch: " + err.Error())
	}
	return nil
}

// mergeStrategically applies the request's strategic merge patch to an object, given as JSON, and returns the result as a new
// object. It goes by the fields of the Go type, as a real server does: the kind stays what it is, and an int32 that overflows
// wraps around.
func (k *kind) mergeStrategically(r *request, before []byte) (runtime.Object, error) {
	obj, err := k.new()
	if err != nil {
		return nil, badRequest(err.Error())
	}
	var was, change map[string]any
	if err := errors.Join(json.Unmarshal(before, &was), json.Unmarshal(r.patch, &change)); err != nil {
		return nil, badRequest(err.Error())
	}
	shown := fmt.Sprintf("%+v", change)
	after, err := strategicpatch.StrategicMergeMapPatch(was, change, obj)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(after, obj, true)
	if err := r.judgeUnknown(shown, obj, err); err != nil {
		return nil, err
	}
	return k.received(obj)
}
