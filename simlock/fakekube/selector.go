package fakekube

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// matcher returns a function that tells whether a list or a watch selects an object, by namespace, name, labels and fields. It
// returns an error for a selector that cannot be parsed, or that names a field which the kind has no selector for.
func (k *kind) matcher(r *request) (func(runtime.Object) bool, error) {
	label, err := labels.Parse(r.list.LabelSelector)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	about, err := fields.ParseSelector(r.list.FieldSelector)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	names := []string{"metadata.name", "metadata.namespace"}
	if k.custom && !k.namespaced {
		names = names[:1]
	}
	for _, q := range about.Requirements() {
		if _, ok := k.fields[q.Field]; ok || slices.Contains(names, q.Field) {
			continue
		}
		if k.fields != nil || k.custom { // ConvertFieldLabel of apiextensions-apiserver, pkg/apiserver/conversion
			return nil, badRequest("field label not supported: " + q.Field)
		}
		// The words of runtime.DefaultMetaV1FieldSelectorConversion.
		return nil, badRequest(fmt.Sprintf("%q is not a known field selector: only %q, %q", q.Field, names[0], names[1]))
	}
	return func(obj runtime.Object) bool {
		m := metaOf(obj)
		return (r.namespace == "" || m.Namespace == r.namespace) && (r.name == "" || m.Name == r.name) &&
			label.Matches(labels.Set(m.Labels)) && k.matches(about, obj)
	}, nil
}

// matches tells whether a field selector selects an object. An object whose fields cannot be read is selected by its name and namespace alone.
func (k *kind) matches(about fields.Selector, obj runtime.Object) bool {
	m := metaOf(obj)
	set := fields.Set{"metadata.name": m.Name, "metadata.namespace": m.Namespace}
	var content map[string]any // of other fields; that costs more than all else of a watch
	for _, q := range about.Requirements() {
		if set.Has(q.Field) {
			continue
		}
		if content == nil {
			if content = k.content(obj); content == nil {
				return false
			}
		}
		set[q.Field] = k.fields[q.Field]
		value, found, err := unstructured.NestedFieldNoCopy(content, strings.Split(q.Field, ".")...)
		if text := fmt.Sprint(value); found && err == nil && text != "" {
			set[q.Field] = text
		}
	}
	return about.Matches(set)
}

// content returns the fields of an object as it is sent; nil if they cannot be read.
func (k *kind) content(obj runtime.Object) map[string]any {
	obj, err := k.sent(obj)
	if err != nil {
		return nil
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil
	}
	return content
}
