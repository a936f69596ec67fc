package fakekube

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// scaled executes a get, patch or update of the subresource scale: it reads or writes the number of replicas, as
// k8s.io/kubernetes/pkg/registry/apps/*/storage does. It returns the workload's Scale. Other verbs are an error.
func (s *Server) scaled(r *request, k *kind) (runtime.Object, error) {
	old := s.find(r)
	if old == nil {
		return nil, notFound(r)
	}
	there, err := scaleOf(old)
	if err != nil {
		return nil, internal(err.Error())
	}
	given, ok := r.object.(*autoscalingv1.Scale)
	switch {
	case r.verb == "get":
		return there, nil
	case r.verb == "patch":
		patched, err := k.subresources["scale"].applyPatch(r, there)
		if err != nil {
			return nil, err
		}
		given = patched.(*autoscalingv1.Scale)
	case r.verb != "update" || !ok:
		return nil, notAllowed(r)
	}
	return s.setScale(r, k, old, given)
}

// setScale writes the number of replicas in given to the workload old, and returns the workload's new Scale. It returns an error
// for a negative number. It also returns one if a name, UID or resourceVersion in given is not the workload's; an empty one is
// not checked.
func (s *Server) setScale(r *request, k *kind, old runtime.Object, given *autoscalingv1.Scale) (runtime.Object, error) {
	if given.Name != "" && given.Name != r.name {
		return nil, checkName(r, &given.ObjectMeta)
	}
	if n := given.Spec.Replicas; n < 0 {
		return nil, k.subresources["scale"].invalid(r.name, field.ErrorList{
			field.Invalid(spec.Child("replicas"), n, "must be greater than or equal to 0")})
	}
	if err := k.checkUID(r, given.UID, old); err != nil {
		return nil, err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(old)
	if err == nil {
		err = unstructured.SetNestedField(content, int64(given.Spec.Replicas), "spec", "replicas")
	}
	obj, err2 := k.new()
	if err == nil {
		err = err2
	}
	if err == nil {
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(content, obj)
	}
	if err != nil {
		return nil, internal(err.Error())
	}
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	if given.ResourceVersion != "" {
		metaOf(obj).ResourceVersion = given.ResourceVersion
	}
	whole := *r
	whole.subresource = ""
	if obj, err = s.replace(&whole, k, old, obj); err != nil {
		return nil, err
	}
	return scaleOf(obj)
}

// scaleOf returns the Scale of a workload. A workload that does not say how many replicas it wants counts as wanting one, as a
// real server fills in.
func scaleOf(obj runtime.Object) (*autoscalingv1.Scale, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	m := metaOf(obj)
	scale := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{
		Name: m.Name, Namespace: m.Namespace, UID: m.UID, ResourceVersion: m.ResourceVersion,
		CreationTimestamp: m.CreationTimestamp,
	}}
	wanted, found, err := unstructured.NestedInt64(content, "spec", "replicas")
	if !found {
		wanted = 1
	}
	there, _, err2 := unstructured.NestedInt64(content, "status", "replicas")
	if err == nil {
		err = err2
	}
	scale.Spec.Replicas, scale.Status.Replicas = int32(wanted), int32(there)
	if err == nil {
		scale.Status.Selector, err = selectorText(content)
	}
	return scale, err
}

// selectorText returns a workload's selector in the form of a list's labelSelector, "" if it has none. content has the
// workload's fields. The selector of a ReplicationController is a map of labels; others are LabelSelectors.
func selectorText(content map[string]any) (string, error) {
	fields, found, err := unstructured.NestedMap(content, "spec", "selector")
	if err != nil || !found {
		return "", err
	}
	if same, _, err := unstructured.NestedStringMap(content, "spec", "selector"); err == nil {
		return labels.SelectorFromSet(same).String(), nil
	}
	var selector metav1.LabelSelector
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &selector); err != nil {
		return "", err
	}
	all, err := metav1.LabelSelectorAsSelector(&selector)
	if err != nil {
		return "", err
	}
	return all.String(), nil
}
