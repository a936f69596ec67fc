package fakekube

import (
	"encoding/json"
	"fmt"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// patched changes what is there. A resourceVersion in the patch is a precondition, none is none.
func (s *Server) patched(r *request, k *kind) (runtime.Object, error) {
	if r.patchType == types.ApplyPatchType || r.patchType == types.ApplyCBORPatchType {
		return nil, status(http.StatusUnsupportedMediaType, "UnsupportedMediaType",
			"fakekube has no server-side apply: send a JSON, merge or strategic merge patch, or create and update")
	}
	old := s.find(r)
	if old == nil {
		return nil, notFound(r)
	}
	stored, err := k.sent(old)
	if err != nil {
		return nil, err
	}
	stored.GetObjectKind().SetGroupVersionKind(k.GroupVersionKind)
	before, err := json.Marshal(stored)
	if err != nil {
		return nil, internal(err.Error())
	}
	after, err := k.applyPatch(r, before)
	if err != nil {
		return nil, err
	}
	obj, err := k.decodePatched(r, after)
	if err != nil {
		return nil, err
	}
	if err := checkName(r, metaOf(obj)); err != nil {
		return nil, err
	}
	if err := checkNamespace(r, obj); err != nil {
		return nil, err
	}
	return s.replace(r, k, old, obj)
}

// decodePatched reads what a patch has made of an object, by the rules of fieldValidation.
func (k *kind) decodePatched(r *request, after []byte) (runtime.Object, error) {
	obj, actual, err := strictDecoder(false).Decode(after, &k.GroupVersionKind, nil)
	strict, isStrict := runtime.AsStrictDecodingError(err)
	isStrict = isStrict && obj != nil
	switch {
	case isStrict && r.validation != metav1.FieldValidationStrict:
		r.warnOf(strict.Errors())
	case err != nil:
		return nil, patchInvalid(string(after), err)
	case *actual != k.GroupVersionKind:
		return nil, patchInvalid(string(after), fmt.Errorf("the kind is %s", actual))
	}
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return obj, nil
}

func patchInvalid(value string, err error) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), value, err.Error())})
}

func (k *kind) applyPatch(r *request, before []byte) ([]byte, error) {
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
		return after, nil
	case types.MergePatchType:
		if err := r.checkPatch(&map[string]any{}); err != nil {
			return nil, err
		}
		after, err := jsonpatch.MergePatch(before, r.patch)
		if err != nil {
			return nil, badRequest(err.Error())
		}
		return after, nil
	case types.StrategicMergePatchType:
		return k.mergeStrategically(before, r.patch)
	}
	return nil, status(http.StatusUnsupportedMediaType, "UnsupportedMediaType",
		fmt.Sprintf("unknown type of patch %q", r.patchType))
}

// jsonPatchOp is what an operation of a JSON patch may hold.
type jsonPatchOp struct {
	Op, Path, From string
	Value          any
}

// checkPatch is what a real server does before it applies a patch, for the sake of warnings; so not where they are ignored.
func (r *request) checkPatch(into any) error {
	if r.validation == metav1.FieldValidationIgnore {
		return nil
	}
	if err := json.Unmarshal(r.patch, into); err != nil {
		return badRequest("error decoding patch: " + err.Error())
	}
	return nil
}

// mergeStrategically leaves the kind as it is.
func (k *kind) mergeStrategically(before, patch []byte) ([]byte, error) {
	like, err := k.new()
	if err != nil {
		return nil, badRequest(err.Error())
	}
	var change map[string]any
	if err := json.Unmarshal(patch, &change); err != nil {
		return nil, badRequest(err.Error())
	}
	delete(change, "kind")
	delete(change, "apiVersion")
	if patch, err = json.Marshal(change); err != nil {
		return nil, badRequest(err.Error())
	}
	after, err := strategicpatch.StrategicMergePatch(before, patch, like)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	return after, nil
}
