package fakekube

import (
	"encoding/json"
	"fmt"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
	before, err := json.Marshal(stored)
	if err != nil {
		return nil, internal(err.Error())
	}
	after, err := k.applyPatch(r, before)
	if err != nil {
		return nil, err
	}
	obj, err := k.decode(after)
	if err != nil {
		return nil, apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
			field.Invalid(field.NewPath("patch"), string(r.patch), err.Error())})
	}
	if m := metaOf(obj); m.Name != r.name {
		return nil, badRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)",
			m.Name, r.name))
	}
	if err := checkNamespace(r, obj); err != nil {
		return nil, err
	}
	return s.replace(r, k, old, obj)
}

func (k *kind) applyPatch(r *request, before []byte) ([]byte, error) {
	var after []byte
	var err error
	switch r.patchType {
	case types.JSONPatchType:
		p, err := jsonpatch.DecodePatch(r.patch)
		if err != nil {
			return nil, badRequest(err.Error())
		}
		if after, err = p.Apply(before); err != nil {
			return nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "",
				schema.GroupResource{}, "", err.Error(), 0, false)
		}
		return after, nil
	case types.MergePatchType:
		after, err = jsonpatch.MergePatch(before, r.patch)
	case types.StrategicMergePatchType:
		var like runtime.Object
		if like, err = k.new(); err == nil {
			after, err = strategicpatch.StrategicMergePatch(before, r.patch, like)
		}
	default:
		return nil, status(http.StatusUnsupportedMediaType, "UnsupportedMediaType",
			fmt.Sprintf("unknown type of patch %q", r.patchType))
	}
	if err != nil {
		return nil, badRequest(err.Error())
	}
	return after, nil
}
