package fakekube

import (
	"cmp"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	listvalidation "k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The options of a request are read and validated before its object is, as in k8s.io/apiserver/pkg/endpoints/handlers.

// readOptions decodes the parameters of a query into the options to. It returns the error 400 if they cannot be decoded.
func readOptions(query url.Values, to runtime.Object) error {
	if err := scheme.ParameterCodec.DecodeParameters(query, metav1.SchemeGroupVersion, to); err != nil {
		return badRequest(err.Error())
	}
	return nil
}

// optionsInvalid returns the error 422 for options of that kind; causes say what is invalid. It returns nil if there are no
// causes.
func optionsInvalid(kind string, causes field.ErrorList) error {
	if len(causes) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: kind}, "", causes)
}

// readWriteOptions reads the options of a create or an update from the query into r. It returns an error if they are invalid.
func readWriteOptions(query url.Values, r *request) error {
	var o metav1.CreateOptions // those of an update are the same
	if err := readOptions(query, &o); err != nil {
		return err
	}
	r.dryRun, r.validation, r.manager = len(o.DryRun) > 0, o.FieldValidation, o.FieldManager
	kind := map[string]string{"create": "CreateOptions", "update": "UpdateOptions"}[r.verb]
	return optionsInvalid(kind, validation.ValidateCreateOptions(&o))
}

// patchTypes are the types of patches that a real server takes. Not all of them are supported: see Server.patched.
var patchTypes = []types.PatchType{types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType,
	types.ApplyYAMLPatchType, types.ApplyCBORPatchType}

// readPatchOptions reads the options of a patch from the query into r. It returns an error if they are invalid.
func readPatchOptions(query url.Values, r *request) error {
	var o metav1.PatchOptions
	if err := readOptions(query, &o); err != nil {
		return err
	}
	r.dryRun, r.validation, r.manager, r.force = len(o.DryRun) > 0, o.FieldValidation, o.FieldManager, o.Force
	return optionsInvalid("PatchOptions", validation.ValidatePatchOptions(&o, r.patchType))
}

// readDeleteOptions reads the options of a delete into r.delete, and sets r.dryRun. It reads them from the body, whose content
// type is media ("" is JSON), or from the query if the body is empty. It returns an error if they cannot be read or are
// invalid, and for an unknown content type.
func readDeleteOptions(query url.Values, media string, body []byte, r *request) error {
	o := &r.delete
	if len(body) > 0 {
		info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), cmp.Or(media, "application/json"))
		if !ok {
			return unsupportedMediaType()
		}
		kind := metav1.SchemeGroupVersion.WithKind("DeleteOptions")
		obj, _, err := scheme.Codecs.DecoderToVersion(info.Serializer, kind.GroupVersion()).Decode(body, &kind, o)
		if err != nil {
			return badRequest(err.Error())
		}
		if obj != runtime.Object(o) {
			return badRequest("decoded object cannot be converted to DeleteOptions")
		}
	} else if err := readOptions(query, o); err != nil {
		return err
	}
	r.dryRun = len(o.DryRun) > 0
	return optionsInvalid("DeleteOptions", validation.ValidateDeleteOptions(o))
}

// readList reads the options of a list, a watch or a deletecollection from the query into to. It returns an error if they are
// invalid.
func readList(query url.Values, to *metav1.ListOptions) error {
	var o internalversion.ListOptions
	if err := readOptions(query, &o); err != nil {
		return err
	}
	if err := optionsInvalid("ListOptions", listvalidation.ValidateListOptions(&o, true)); err != nil {
		return err
	}
	if err := metav1.Convert_url_Values_To_v1_ListOptions(&query, to, nil); err != nil {
		return badRequest(err.Error())
	}
	return nil
}
