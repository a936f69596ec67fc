package fakekube

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// evicted executes an eviction and returns a Status. It deletes a pod if the pod's disruption budget allows that, or if budgets do
// not count (evictedAtOnce), by the rules of k8s.io/kubernetes/pkg/registry/core/pod/storage/eviction.go, and otherwise returns an
// error. Nobody counts healthy pods here: a budget allows what its status says, one pod less each time.
func (s *Server) evicted(r *request, k *kind) (runtime.Object, error) {
	if r.verb != "create" {
		return nil, notAllowed(r)
	}
	obj, err := k.subresources["eviction"].received(r.object) // it may be of another version
	if err != nil {
		return nil, err
	}
	e := obj.(*policyv1.Eviction)
	if e.Name != "" && e.Name != r.name {
		return nil, badRequest("name in URL does not match name in Eviction object")
	}
	pod, ok := s.find(r).(*corev1.Pod)
	if !ok {
		return nil, notFound(r)
	}
	gone := *r
	gone.subresource, gone.verb, gone.delete = "", "delete", metav1.DeleteOptions{}
	if e.DeleteOptions != nil {
		gone.delete = *e.DeleteOptions
		gone.dryRun = gone.dryRun || len(e.DeleteOptions.DryRun) > 0
	}
	if !evictedAtOnce(pod) {
		if err := s.disrupt(&gone, pod); err != nil {
			return nil, err
		}
	}
	if err := k.checkPreconditions(gone.delete.Preconditions, &pod.ObjectMeta); err != nil {
		return nil, err
	}
	gone.delete.Preconditions = nil
	if !gone.dryRun {
		s.commit(r.stored(), r.key(), pod, disrupted(pod))
	}
	if _, err := s.remove(&gone, k); err != nil {
		return nil, err
	}
	r.created = true
	return &metav1.Status{Status: metav1.StatusSuccess, Code: 201}, nil
}

// evictedAtOnce tells whether a pod is evicted regardless of its budgets: it is pending, as a pod without a phase is, has ended or
// is being deleted.
func evictedAtOnce(pod *corev1.Pod) bool {
	switch pod.Status.Phase {
	case corev1.PodSucceeded, corev1.PodFailed, corev1.PodPending, "":
		return true
	}
	return pod.DeletionTimestamp != nil
}

// disrupted returns a copy of a pod with the condition that it is evicted, in place of an earlier one.
func disrupted(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	pod.Status.Conditions = append(slices.DeleteFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget
	}), corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, LastTransitionTime: secondsNow(),
		Reason: "EvictionByEvictionAPI", Message: "Eviction API: evicting"})
	return pod
}

// unguarded tells whether a budget lets a pod go without counting it. That is so if the pod is not ready, and if the budget either
// always lets unready pods go, or desires healthy pods and has as many as it desires.
func unguarded(b *policyv1.PodDisruptionBudget, pod *corev1.Pod) bool {
	ready := slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
	policy := b.Spec.UnhealthyPodEvictionPolicy
	return !ready && (policy != nil && *policy == policyv1.AlwaysAllow ||
		b.Status.DesiredHealthy > 0 && b.Status.CurrentHealthy >= b.Status.DesiredHealthy)
}

// budgets is the resource of disruption budgets.
var budgets = schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}

// disrupt takes one allowed disruption from the status of the pod's budget, and adds the pod to the disrupted ones there. It changes
// nothing for a pod without a budget, for an unguarded one, or in a dry run. It returns an error if the budget refuses, or if the
// pod has more than one budget.
func (s *Server) disrupt(r *request, pod *corev1.Pod) error {
	var found []*policyv1.PodDisruptionBudget
	for _, obj := range s.sorted(&request{resource: budgets}) {
		b, ok := obj.(*policyv1.PodDisruptionBudget)
		if !ok || b.Namespace != pod.Namespace || b.Spec.Selector == nil {
			continue
		}
		selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
		if err == nil && selector.Matches(labels.Set(pod.Labels)) {
			found = append(found, b)
		}
	}
	switch {
	case len(found) == 0:
		return nil
	case len(found) > 1:
		return internal("This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.")
	}
	b := found[0]
	if unguarded(b, pod) {
		return nil
	}
	if err := refusedBy(b); err != nil || r.dryRun {
		return err
	}
	less := b.DeepCopy()
	less.Status.DisruptionsAllowed--
	if less.Status.DisruptionsAllowed == 0 {
		meta.SetStatusCondition(&less.Status.Conditions, metav1.Condition{
			Type: policyv1.DisruptionAllowedCondition, Status: metav1.ConditionFalse,
			Reason: policyv1.InsufficientPodsReason, ObservedGeneration: less.Status.ObservedGeneration,
		})
	}
	if less.Status.DisruptedPods == nil {
		less.Status.DisruptedPods = map[string]metav1.Time{}
	}
	less.Status.DisruptedPods[pod.Name] = secondsNow()
	s.commit(budgets.GroupResource(), keyOf(b), b, less)
	return nil
}

// refusedBy returns the error with which a budget refuses a disruption, nil if it allows one.
func refusedBy(b *policyv1.PodDisruptionBudget) error {
	if b.Status.ObservedGeneration < b.Generation {
		return tooMany("The disruption budget %s is still being processed by the server.", b.Name)
	}
	if b.Status.DisruptionsAllowed < 0 {
		return apierrors.NewForbidden(budgets.GroupResource(), b.Name, fmt.Errorf("pdb disruptions allowed is negative"))
	}
	if b.Status.DisruptionsAllowed == 0 {
		err := tooMany("The disruption budget %s %s", b.Name, whyNone(&b.Status))
		err.ErrStatus.Details.RetryAfterSeconds = 0
		return err
	}
	return nil
}

// whyNone returns the end of the sentence that says why a budget allows no disruption.
func whyNone(status *policyv1.PodDisruptionBudgetStatus) string {
	condition := meta.FindStatusCondition(status.Conditions, policyv1.DisruptionAllowedCondition)
	explained := condition != nil && condition.Status == metav1.ConditionFalse && condition.Message != ""
	switch {
	case explained && condition.Reason == policyv1.SyncFailedReason:
		return "does not allow evicting pods currently because it failed sync: " + condition.Message
	case status.CurrentHealthy <= status.DesiredHealthy:
		return fmt.Sprintf("needs %d healthy pods and has %d currently", status.DesiredHealthy, status.CurrentHealthy)
	case explained:
		return fmt.Sprintf("does not allow evicting pods currently (%s): %s", condition.Reason, condition.Message)
	}
	return "does not allow evicting pods currently"
}

// tooMany returns the error 429 of an eviction that a budget refuses; the format and args are its cause.
func tooMany(format string, args ...any) *apierrors.StatusError {
	err := apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 10)
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type: policyv1.DisruptionBudgetCause, Message: fmt.Sprintf(format, args...)})
	return err
}
