package fakekube

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// review answers a review: it fills in obj's status.
type review = func(s *Server, r *request, obj runtime.Object) error

// reviews are questions about rights: they are created, answered, and not stored. Rights are expressed by faults of
// status 403: whatever meets none of them is allowed.
var reviews = map[schema.GroupVersionResource]review{
	authorizationv1.SchemeGroupVersion.WithResource("selfsubjectaccessreviews"):  reviewSelf,
	authorizationv1.SchemeGroupVersion.WithResource("subjectaccessreviews"):      reviewSubject,
	authorizationv1.SchemeGroupVersion.WithResource("localsubjectaccessreviews"): reviewLocal,
	authorizationv1.SchemeGroupVersion.WithResource("selfsubjectrulesreviews"):   reviewRules,
	authenticationv1.SchemeGroupVersion.WithResource("selfsubjectreviews"):       reviewWho,
}

// reviewed executes the create of a review: it returns the review with its status filled in, and stores nothing. The
// caller holds the server's lock.
func (s *Server) reviewed(r *request, k *kind) (runtime.Object, error) {
	if r.verb != "create" {
		return nil, notAllowed(r)
	}
	obj, err := k.received(r.object)
	if err != nil {
		return nil, err
	}
	if err := reviews[r.resource](s, r, obj); err != nil {
		return nil, err
	}
	r.created = true
	return obj, nil
}

// reviewSelf fills in the status of a SelfSubjectAccessReview: whether the user who asks may do something.
func reviewSelf(s *Server, r *request, obj runtime.Object) error {
	a := obj.(*authorizationv1.SelfSubjectAccessReview)
	return s.judgeAccess(r, "SelfSubjectAccessReview", r.user, a.Spec.ResourceAttributes, a.Spec.NonResourceAttributes, &a.Status)
}

// reviewSubject fills in the status of a SubjectAccessReview: whether the user whom it names may do something.
func reviewSubject(s *Server, r *request, obj runtime.Object) error {
	a := obj.(*authorizationv1.SubjectAccessReview)
	return s.judgeAccess(r, "SubjectAccessReview", a.Spec.User, a.Spec.ResourceAttributes, a.Spec.NonResourceAttributes, &a.Status)
}

// reviewLocal fills in the status of a LocalSubjectAccessReview: whether the user whom it names may do something in
// the namespace of the request.
func reviewLocal(s *Server, r *request, obj runtime.Object) error {
	a := obj.(*authorizationv1.LocalSubjectAccessReview)
	if of := a.Spec.ResourceAttributes; of != nil && of.Namespace != r.namespace {
		return reviewInvalid("LocalSubjectAccessReview", field.Invalid(field.NewPath("spec.resourceAttributes.namespace"),
			of.Namespace, "must match metadata.namespace"))
	}
	return s.judgeAccess(r, "LocalSubjectAccessReview", a.Spec.User, a.Spec.ResourceAttributes, a.Spec.NonResourceAttributes, &a.Status)
}

// reviewInvalid returns the error for a review of the kind name with an invalid field.
func reviewInvalid(name string, cause *field.Error) error {
	k := &kind{GroupVersionKind: authorizationv1.SchemeGroupVersion.WithKind(name)}
	return k.invalid("", field.ErrorList{cause})
}

// judgeAccess stores in status whether the user may do what a review asks about: access the resource that of names, or
// the URL path that page names, which is always allowed. Exactly one of them must be nil. The error is for an invalid
// review of the kind name, by the rules of k8s.io/kubernetes/pkg/apis/authorization/validation.
func (s *Server) judgeAccess(
	r *request, name, user string, of *authorizationv1.ResourceAttributes, page *authorizationv1.NonResourceAttributes,
	status *authorizationv1.SubjectAccessReviewStatus,
) error {
	switch {
	case of != nil && page != nil:
		return reviewInvalid(name, field.Invalid(spec.Child("nonResourceAttributes"), page,
			"cannot be specified in combination with resourceAttributes"))
	case of == nil && page == nil:
		return reviewInvalid(name, field.Invalid(spec.Child("resourceAttributes"), of,
			"exactly one of nonResourceAttributes or resourceAttributes must be specified"))
	}
	*status = authorizationv1.SubjectAccessReviewStatus{Allowed: true}
	if of != nil {
		status.Allowed = !s.forbids(&request{
			user: user, verb: of.Verb, namespace: of.Namespace, name: of.Name, subresource: of.Subresource,
			resource: schema.GroupVersionResource{Group: of.Group, Version: of.Version, Resource: of.Resource},
		})
	}
	return nil
}

// forbids tells whether a fault would answer such a request with status 403. It does not count towards the fault's
// Times.
func (s *Server) forbids(r *request) bool {
	for i := len(s.faults) - 1; i >= 0; i-- {
		if f := s.faults[i]; !f.spent() && f.meets(r) {
			return f.Status == 403
		}
	}
	return false
}

// reviewRules fills in the status of a SelfSubjectRulesReview: the user who asks may do everything. It sets Incomplete
// where a fault of status 403 that has not met all its Times concerns the user, since what is left cannot be listed.
// The error is always nil.
func reviewRules(s *Server, r *request, obj runtime.Object) error {
	a := obj.(*authorizationv1.SelfSubjectRulesReview)
	all := []string{"*"}
	a.Status = authorizationv1.SubjectRulesReviewStatus{
		ResourceRules:    []authorizationv1.ResourceRule{{Verbs: all, APIGroups: all, Resources: all}},
		NonResourceRules: []authorizationv1.NonResourceRule{{Verbs: all, NonResourceURLs: all}},
	}
	for _, f := range s.faults {
		a.Status.Incomplete = a.Status.Incomplete || !f.spent() && f.Status == 403 && (f.User == "" || f.User == r.user)
	}
	return nil
}

// reviewWho fills in the status of a SelfSubjectReview with the name of the user who asks and the group
// system:authenticated.
func reviewWho(_ *Server, r *request, obj runtime.Object) error {
	a := obj.(*authenticationv1.SelfSubjectReview)
	a.Status.UserInfo = authenticationv1.UserInfo{Username: r.user, Groups: []string{"system:authenticated"}}
	return nil
}
