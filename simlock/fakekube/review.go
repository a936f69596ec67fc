package fakekube

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// reviews are questions about rights: they are created, answered, and not stored. Rights are expressed by faults of
// status 403: whatever meets none of them is allowed.
var reviews = []schema.GroupVersionResource{
	authorizationv1.SchemeGroupVersion.WithResource("selfsubjectaccessreviews"),
	authorizationv1.SchemeGroupVersion.WithResource("subjectaccessreviews"),
	authorizationv1.SchemeGroupVersion.WithResource("localsubjectaccessreviews"),
	authorizationv1.SchemeGroupVersion.WithResource("selfsubjectrulesreviews"),
	authenticationv1.SchemeGroupVersion.WithResource("selfsubjectreviews"),
	authenticationv1.SchemeGroupVersion.WithResource("tokenreviews"),
}

// nobody is the error for a review that asks about no user and no group.
var nobody = field.ErrorList{field.Invalid(spec.Child("user"), "", "at least one of user or group must be specified")}

// reviewed executes the create of a review: it returns the review with its status filled in, and stores nothing. It returns an
// error for any other verb, and for a review without what it must name, such as a user. The caller holds the server's lock.
func (s *Server) reviewed(r *request, k *kind) (runtime.Object, error) {
	switch {
	case r.verb == "create":
	case r.name != "":
		return nil, noSuchPage(r.verb)
	default:
		return nil, noSuchMethod(r.verb)
	}
	obj, err := k.received(r.object)
	if err != nil {
		return nil, err
	}
	switch a := obj.(type) {
	case *authorizationv1.SelfSubjectAccessReview:
		err = s.judgeAccess(k, r.user, a.Spec.ResourceAttributes, a.Spec.NonResourceAttributes, &a.Status)
	case *authorizationv1.SubjectAccessReview:
		if a.Spec.User == "" && len(a.Spec.Groups) == 0 {
			return nil, k.invalid("", nobody)
		}
		err = s.judgeAccess(k, a.Spec.User, a.Spec.ResourceAttributes, a.Spec.NonResourceAttributes, &a.Status)
	case *authorizationv1.LocalSubjectAccessReview:
		if of := a.Spec.ResourceAttributes; of != nil && of.Namespace != r.namespace {
			return nil, k.invalid("", field.ErrorList{field.Invalid(field.NewPath("spec.resourceAttributes.namespace"),
				of.Namespace, "must match metadata.namespace")})
		}
		if a.Spec.User == "" && len(a.Spec.Groups) == 0 {
			return nil, k.invalid("", nobody)
		}
		err = s.judgeAccess(k, a.Spec.User, a.Spec.ResourceAttributes, a.Spec.NonResourceAttributes, &a.Status)
	case *authorizationv1.SelfSubjectRulesReview:
		if a.Spec.Namespace == "" {
			return nil, badRequest("no namespace on request")
		}
		a.Status = s.rules(r.user)
	case *authenticationv1.SelfSubjectReview:
		a.Status.UserInfo = authenticationv1.UserInfo{Username: r.user, Groups: []string{"system:authenticated"}}
	case *authenticationv1.TokenReview:
		if a.Spec.Token == "" {
			return nil, badRequest("token is required for TokenReview in authentication")
		}
		a.Status = authenticationv1.TokenReviewStatus{Error: "fakekube knows no tokens"}
	}
	if err != nil {
		return nil, err
	}
	r.created = true
	return obj, nil
}

// judgeAccess stores in status whether the user is allowed what a review asks about: access to the resource that of names, or to
// the URL path that page names. A path is always allowed; a resource is, unless a fault of status 403 meets the request. If not
// exactly one of of and page is nil, it returns an error for the invalid review, of kind k, by the rules of
// k8s.io/kubernetes/pkg/apis/authorization/validation.
func (s *Server) judgeAccess(
	k *kind, user string, of *authorizationv1.ResourceAttributes, page *authorizationv1.NonResourceAttributes,
	status *authorizationv1.SubjectAccessReviewStatus,
) error {
	switch {
	case of != nil && page != nil:
		return k.invalid("", field.ErrorList{field.Invalid(spec.Child("nonResourceAttributes"), page,
			"cannot be specified in combination with resourceAttributes")})
	case of == nil && page == nil:
		return k.invalid("", field.ErrorList{field.Invalid(spec.Child("resourceAttributes"), of,
			"exactly one of nonResourceAttributes or resourceAttributes must be specified")})
	}
	*status = authorizationv1.SubjectAccessReviewStatus{Allowed: true}
	if of != nil {
		met := s.meeting(&request{
			user: user, verb: of.Verb, namespace: of.Namespace, name: of.Name, subresource: of.Subresource,
			resource: schema.GroupVersionResource{Group: of.Group, Version: of.Version, Resource: of.Resource},
		})
		status.Allowed = met == nil || met.Status != 403
	}
	return nil
}

// rules returns what the user is allowed: everything. It sets Incomplete if a fault of status 403 that is not spent concerns the
// user, since then not everything is allowed and the exceptions cannot be listed.
func (s *Server) rules(user string) authorizationv1.SubjectRulesReviewStatus {
	all := []string{"*"}
	status := authorizationv1.SubjectRulesReviewStatus{
		ResourceRules:    []authorizationv1.ResourceRule{{Verbs: all, APIGroups: all, Resources: all}},
		NonResourceRules: []authorizationv1.NonResourceRule{{Verbs: all, NonResourceURLs: all}},
	}
	for _, f := range s.faults {
		status.Incomplete = status.Incomplete || !f.spent() && f.Status == 403 && (f.User == "" || f.User == user)
	}
	return status
}
