package fakekube

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// strictDecoder returns a decoder of YAML or, if yaml is false, of JSON. The decoder returns an error for unknown and duplicate fields.
func (k *kind) strictDecoder(yaml bool) runtime.Decoder {
	return jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, k.scheme, k.scheme,
		jsonserializer.SerializerOptions{Yaml: yaml, Strict: true})
}

// judgeUnknown handles err, which decoding obj from an applied object or from the result of a patch has returned; err can be
// nil. If err is only about unknown and duplicate fields, it makes them warnings, ignores them or returns an error, as the
// request's fieldValidation says. For any other err it returns an error. shown is the object's text in that error.
func (r *request) judgeUnknown(shown string, obj runtime.Object, err error) error {
	strict, isStrict := runtime.AsStrictDecodingError(err)
	if isStrict && obj != nil && r.validation != metav1.FieldValidationStrict {
		r.warnOf(strict.Errors())
		return nil
	}
	if err != nil {
		return patchInvalid(shown, err)
	}
	return nil
}

// patchInvalid returns the error 422 for a patch that has led to an invalid object; value is the object's text.
func patchInvalid(value string, err error) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), value, err.Error())})
}

// warnOf adds a warning to the answer for each unknown or duplicate field, unless the request's fieldValidation is
// "Ignore".
func (r *request) warnOf(unknown []error) {
	for _, e := range unknown {
		if r.validation != metav1.FieldValidationIgnore {
			r.warn(e.Error())
		}
	}
}
