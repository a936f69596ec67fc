package fakekube

import (
	"cmp"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// notFound returns the error for an object that does not exist.
func notFound(r *request) error { return apierrors.NewNotFound(r.resource.GroupResource(), r.name) }

// nameTaken returns the error for a create of an object whose name is taken. given is the new object's metadata, there that of
// the existing object. If the existing object waits for its finalizers, the error says that it is being deleted.
func nameTaken(r *request, given, there *metav1.ObjectMeta) error {
	err := apierrors.NewAlreadyExists(r.resource.GroupResource(), r.name)
	if given.GenerateName != "" {
		err = apierrors.NewGenerateNameConflict(r.resource.GroupResource(), r.name, 1)
	}
	if there.DeletionTimestamp != nil {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// conflict returns the error 409 for a write; err says why.
func conflict(r *request, err error) error {
	return apierrors.NewConflict(r.resource.GroupResource(), r.name, err)
}

// invalid returns the error 422 for an object of this kind and name with invalid content. An Event is one of the core group there.
func (k *kind) invalid(name string, causes field.ErrorList) error {
	of := k.GroupKind()
	if of.Group == eventsGroup {
		of.Group = ""
	}
	return apierrors.NewInvalid(of, name, causes)
}

// versionRequired returns the error for an update that has no resourceVersion and needs one. It names the resource in
// place of the kind, as a real server does.
func versionRequired(r *request) error {
	return apierrors.NewInvalid(schema.GroupKind{Group: r.resource.Group, Kind: r.resource.Resource}, r.name,
		field.ErrorList{field.Invalid(field.NewPath("metadata", "resourceVersion"), 0,
			"must be specified for an update")})
}

// checkUID returns the error 409 for an update or apply whose UID, given, is not that of the stored object; nil if it is, or if
// given is "". old is the stored object, nil if there is none, whose UID then counts as "".
func (k *kind) checkUID(r *request, given types.UID, old runtime.Object) error {
	there := types.UID("")
	if old != nil {
		there = metaOf(old).UID
	}
	if given == "" || given == there {
		return nil
	}
	place := r.resource.Resource + "/"
	if k.Group == "" && k.Kind == "Endpoints" {
		place = "services/endpoints/" // an old place in etcd
	}
	if !r.dryRun {
		place = "registry/" + place
	}
	if r.namespace != "" {
		place += r.namespace + "/"
	}
	return conflict(r, fmt.Errorf("StorageError: invalid object, Code: 4, Key: /%s%s, "+
		"ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, "+
		"UID in object meta: %s", place, r.name, given, there))
}

// checkPreconditions returns the error 409 for a delete whose preconditions the object does not meet; nil if it meets them, or
// if only is nil. The error names the kind in place of the resource, as a real server's does.
func (k *kind) checkPreconditions(only *metav1.Preconditions, there *metav1.ObjectMeta) error {
	resource := schema.GroupResource{Group: k.Group, Resource: k.Kind}
	switch {
	case only == nil:
	case only.UID != nil && *only.UID != there.UID:
		return apierrors.NewConflict(resource, there.Name, fmt.Errorf("the UID in the precondition (%s) does not "+
			"match the UID in record (%s). The object might have been deleted and then recreated",
			*only.UID, there.UID))
	case only.ResourceVersion != nil && *only.ResourceVersion != there.ResourceVersion:
		return apierrors.NewConflict(resource, there.Name, fmt.Errorf("the ResourceVersion in the precondition "+
			"(%s) does not match the ResourceVersion in record (%s). The object might have been modified",
			*only.ResourceVersion, there.ResourceVersion))
	}
	return nil
}

// notAllowed returns the error 405 for a verb that the resource does not have.
func notAllowed(r *request) error {
	return apierrors.NewMethodNotSupported(r.resource.GroupResource(), r.verb)
}

// forbidden returns the error 403 for a request that RBAC does not allow, whether or not the object exists.
func forbidden(r *request) error {
	resource := r.resource.Resource
	if r.subresource != "" {
		resource += "/" + r.subresource
	}
	where := "at the cluster scope"
	if ns := r.namespace; ns != "" || r.resource.Resource == "namespaces" && r.name != "" {
		where = fmt.Sprintf("in the namespace %q", cmp.Or(ns, r.name))
	}
	what := fmt.Sprintf("User %q cannot %s resource %q in API group %q %s",
		r.user, r.verb, resource, r.resource.Group, where)
	return apierrors.NewForbidden(r.resource.GroupResource(), r.name, errors.New(what))
}
