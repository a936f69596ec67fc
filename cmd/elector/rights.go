package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typedauthorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"

	"interregnum/elector/kubelock"
)

// reviewRights asks, once in a --lease-duration, whether this candidate may update the lock object. One that stands by
// writes nothing: it would find out when it is to take over, and have been ready until then. A server that does not
// answer such a question is not asked for more.
func (c *candidate) reviewRights(
	ctx context.Context, reviews typedauthorizationv1.SelfSubjectAccessReviewInterface, namespace string,
) {
	for {
		c.reviewUpdate(ctx, reviews, namespace)
		select {
		case <-ctx.Done():
			return
		case <-time.After(c.o.lease):
		}
	}
}

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

// resourcesOf is the resources of a kind of lock.
func resourcesOf(kind string) []string {
	if !pair(kind) {
		return []string{kind}
	}
	return []string{strings.TrimSuffix(kind, "leases"), kubelock.LeasesResourceLock}
}

// lacks notes that the right to a verb is missing, and why that is known, or with "" that it is there. It tells whether
// that is new and missing.
func (c *candidate) lacks(verb, why string) (news bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.missing == nil {
		c.missing = map[string]string{}
	}
	_, known := c.missing[verb]
	if why == "" {
		delete(c.missing, verb)
		return false
	}
	c.missing[verb] = why
	return !known
}

// missingRight is a right that is missing, "" for none. The caller has c.mu.
func (c *candidate) missingRight() string {
	for _, verb := range slices.Sorted(maps.Keys(c.missing)) {
		return c.missing[verb]
	}
	return ""
}
