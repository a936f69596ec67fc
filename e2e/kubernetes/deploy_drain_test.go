package kubernetes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"interregnum/e2e/kubernetes/cluster"
	"interregnum/internal/electorproc"
)

// TestDrained: the PodDisruptionBudget lets a drain take one replica of the Deployment at a time, and any that is not ready.
// A real controller manager makes the replicas, and nothing runs in them: the test says which are ready.
func TestDrained(t *testing.T) {
	t.Parallel()
	server := cluster.Start(t)
	server.StartControllers(t)
	s := operate(t, server, "drained")
	s.apply(t, "elector")
	first := s.replicas(t, nil)
	require.Len(t, first[0].Spec.TopologySpreadConstraints, 2, "the replicas are spread")
	for i := range first {
		s.ready(t, &first[i], true)
	}
	s.allowed(t, 1)
	require.NoError(t, s.evict(t, &first[0]))
	second := s.replicas(t, &first[0])
	s.allowed(t, 0)
	require.True(t, apierrors.IsTooManyRequests(s.evict(t, &first[1])), "the last that is ready")

	for i := range second {
		s.ready(t, &second[i], false)
	}
	s.healthy(t, 0)
	s.kubectl(t, "", "patch", "pdb", "elector", "--patch", `{"spec":{"unhealthyPodEvictionPolicy":"IfHealthyBudget"}}`)
	require.True(t, apierrors.IsTooManyRequests(s.evict(t, &second[0])), "with the default policy a drain waits for ever")
	s.apply(t, "elector")
	require.NoError(t, s.evict(t, &second[0]))
}

// replicas waits for the two pods of the Deployment, once one has gone.
func (s *operated) replicas(t *testing.T, gone *corev1.Pod) []corev1.Pod {
	t.Helper()
	var pods *corev1.PodList
	electorproc.Eventually(t, "two replicas", func() (two bool) {
		var err error
		pods, err = s.client.CoreV1().Pods(s.namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "app.kubernetes.io/name=elector"})
		require.NoError(t, err)
		two = len(pods.Items) == 2
		for i := range pods.Items {
			two = two && (gone == nil || pods.Items[i].UID != gone.UID)
		}
		return two
	})
	return pods.Items
}

// ready has a pod run, and be ready or not.
func (s *operated) ready(t *testing.T, p *corev1.Pod, ready bool) {
	t.Helper()
	now, err := s.client.CoreV1().Pods(s.namespace).Get(t.Context(), p.Name, metav1.GetOptions{})
	require.NoError(t, err)
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	now.Status.Phase = corev1.PodRunning
	now.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.Now()}}
	_, err = s.client.CoreV1().Pods(s.namespace).UpdateStatus(t.Context(), now, metav1.UpdateOptions{})
	require.NoError(t, err)
}

func (s *operated) evict(t *testing.T, p *corev1.Pod) error {
	t.Helper()
	return s.client.CoreV1().Pods(s.namespace).EvictV1(t.Context(), &policyv1.Eviction{
		ObjectMeta: metav1.ObjectMeta{Name: p.Name, Namespace: s.namespace},
	})
}

// allowed waits until the budget lets so many replicas be evicted.
func (s *operated) allowed(t *testing.T, n int32) {
	t.Helper()
	s.budget(t, func(b *policyv1.PodDisruptionBudgetStatus) bool {
		return b.ExpectedPods == 2 && b.DisruptionsAllowed == n
	})
}

// healthy waits until the budget knows of so many replicas that are ready.
func (s *operated) healthy(t *testing.T, n int32) {
	t.Helper()
	s.budget(t, func(b *policyv1.PodDisruptionBudgetStatus) bool { return b.ExpectedPods == 2 && b.CurrentHealthy == n })
}

func (s *operated) budget(t *testing.T, as func(b *policyv1.PodDisruptionBudgetStatus) bool) {
	t.Helper()
	electorproc.Eventually(t, "the budget", func() bool {
		b, err := s.client.PolicyV1().PodDisruptionBudgets(s.namespace).Get(t.Context(), "elector", metav1.GetOptions{})
		require.NoError(t, err)
		return b.Status.ObservedGeneration == b.Generation && as(&b.Status)
	})
}
