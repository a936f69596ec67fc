package main

import (
	"context"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typedauthorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"

	"interregnum/elector/kubelock"
)

// reviewUpdate asks the API server whether this candidate may update each object of the lock. A candidate that stands by writes
// nothing: without asking, it would learn that only when it is to take over, and would say until then that it is ready. It
// stores for /readyz whether a right is missing, and logs a right that was not known to be missing. If the server does not
// answer, or answers with an error, it stores nothing.
func (c *candidate) reviewUpdate(
	ctx context.Context, reviews typedauthorizationv1.SelfSubjectAccessReviewInterface, namespace string,
) {
	missing := ""
	for _, resource := range resourcesOf(c.o.lockKind) {
		asked := &authorizationv1.ResourceAttributes{
			Namespace: namespace, Verb: "update", Resource: resource, Name: c.o.name,
		}
		if resource == kubelock.LeasesResourceLock {
			asked.Group = coordinationv1.GroupName
		}
		review, err := reviews.Create(ctx, &authorizationv1.SelfSubjectAccessReview{
			Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: asked},
		}, metav1.CreateOptions{})
		if err != nil {
			c.log.Debug("cannot ask for the rights", "err", err)
			return
		}
		if !review.Status.Allowed {
			missing = lacking(asked.Verb, asked.Group, resource, namespace, c.o.name)
		}
	}
	if c.lacks("update", missing) {
		c.log.Error("a right is missing", "err", missing)
	}
}

// resourcesOf returns the resources of the one or two objects that a lock of that kind is on.
func resourcesOf(kind string) []string {
	if !pair(kind) {
		return []string{kind}
	}
	return []string{strings.TrimSuffix(kind, "leases"), kubelock.LeasesResourceLock}
}
