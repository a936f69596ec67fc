package fakekube

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
	name := metaOf(r.object).Name
	if name != "" && name != r.name {
		return nil, badRequest("name in URL does not match name in Eviction object")
	}
	old := s.find(r)
	if old == nil {
		return nil, notFound(r)
	}
	gone := *r
	gone.subresource, gone.verb, gone.delete = "", "delete", metav1.DeleteOptions{}
	if e, ok := r.object.(*policyv1.Eviction); ok && e.DeleteOptions != nil {
		gone.delete = *e.DeleteOptions
		gone.dryRun = gone.dryRun || len(e.DeleteOptions.DryRun) > 0
	}
	if pod, ok := old.(*corev1.Pod); ok && !evictedAtOnce(pod) {
		if err := s.disrupt(&gone, pod); err != nil {
			return nil, err
		}
	}
	if _, err := s.remove(&gone, k); err != nil {
		return nil, err
	}
	r.created = true
	return &metav1.Status{Status: metav1.StatusSuccess, Code: 201}, nil
}

// evictedAtOnce tells whether a pod is evicted regardless of its budgets: it is pending, has ended or is being
// deleted.
func evictedAtOnce(pod *corev1.Pod) bool {
	switch pod.Status.Phase {
	case corev1.PodSucceeded, corev1.PodFailed, corev1.PodPending:
		return true
	}
	return pod.DeletionTimestamp != nil
}

// budgets is the resource of disruption budgets.
var budgets = schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}

// disrupt takes one allowed disruption from the status of the pod's budget. It changes nothing for a pod without a budget, or in
// a dry run. It returns an error if the budget refuses, or if the pod has more than one budget.
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
	if err := refusedBy(b); err != nil || r.dryRun {
		return err
	}
	less := b.DeepCopy()
	less.Status.DisruptionsAllowed--
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
		err := tooMany("The disruption budget %s needs %d healthy pods and has %d currently", b.Name,
			b.Status.DesiredHealthy, b.Status.CurrentHealthy)
		err.ErrStatus.Details.RetryAfterSeconds = 0
		return err
	}
	return nil
}

// tooMany returns the error 429 of an eviction that a budget refuses; the format and args are its cause.
func tooMany(format string, args ...any) *apierrors.StatusError {
	err := apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 10)
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type: policyv1.DisruptionBudgetCause, Message: fmt.Sprintf(format, args...)})
	return err
}
