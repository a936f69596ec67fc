package fakekube_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"interregnum/simlock/fakekube"
)

// both runs a test on the fake clientset and on a real one, over HTTP.
func both(t *testing.T, test func(t *testing.T, server *fakekube.Server, client kubernetes.Interface)) {
	t.Run("clientset", func(t *testing.T) {
		var server fakekube.Server
		test(t, &server, server.ClientsetFor("a"))
	})
	t.Run("http", func(t *testing.T) {
		var server fakekube.Server
		test(t, &server, kubernetes.NewForConfigOrDie(server.ConfigFor("a")))
	})
}

func TestScale(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		ctx, all := context.Background(), client.AppsV1().Deployments("default")
		require.NoError(t, server.Add(&appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: "d", Namespace: "default"},
			Spec: appsv1.DeploymentSpec{Selector: &metav1.LabelSelector{
				MatchLabels: map[string]string{"app": "d"}}},
			Status: appsv1.DeploymentStatus{Replicas: 7},
		}))
		scale, err := all.GetScale(ctx, "d", metav1.GetOptions{})
		require.NoError(t, err)
		assert.EqualValues(t, 1, scale.Spec.Replicas)
		assert.EqualValues(t, 7, scale.Status.Replicas)
		assert.Equal(t, "app=d", scale.Status.Selector)

		stale := scale.DeepCopy()
		scale.Spec.Replicas = 3
		scale, err = all.UpdateScale(ctx, "d", scale, metav1.UpdateOptions{})
		require.NoError(t, err)
		assert.EqualValues(t, 3, scale.Spec.Replicas)
		d, err := all.Get(ctx, "d", metav1.GetOptions{})
		require.NoError(t, err)
		assert.EqualValues(t, 3, *d.Spec.Replicas)
		assert.EqualValues(t, 2, d.Generation)
		assert.Equal(t, scale.ResourceVersion, d.ResourceVersion)

		stale.Spec.Replicas = 4
		_, err = all.UpdateScale(ctx, "d", stale, metav1.UpdateOptions{})
		assert.True(t, apierrors.IsConflict(err), "%v", err)
		scale.Spec.Replicas = -1
		_, err = all.UpdateScale(ctx, "d", scale, metav1.UpdateOptions{})
		assert.True(t, apierrors.IsInvalid(err), "%v", err)
		_, err = all.GetScale(ctx, "none", metav1.GetOptions{})
		assert.True(t, apierrors.IsNotFound(err), "%v", err)
	})
}

// pod returns a pod that runs and is ready.
func pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": "p"}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{
			{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
}

// TestEviction: a pod goes if its budget allows that, and each takes one disruption.
func TestEviction(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		ctx, pods := context.Background(), client.CoreV1().Pods("default")
		require.NoError(t, server.Add(pod("p"), pod("q"), pod("r"), &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Name: "b", Namespace: "default"},
			Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{
				MatchLabels: map[string]string{"app": "p"}}},
			Status: policyv1.PodDisruptionBudgetStatus{
				ObservedGeneration: 1, DisruptionsAllowed: 1, DesiredHealthy: 2, CurrentHealthy: 3},
		}))
		evict := func(name string) error {
			return pods.EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}})
		}
		require.NoError(t, evict("p"))
		_, err := pods.Get(ctx, "p", metav1.GetOptions{})
		assert.True(t, apierrors.IsNotFound(err), "%v", err)
		err = evict("q")
		assert.True(t, apierrors.IsTooManyRequests(err), "%v", err)
		assert.True(t, apierrors.HasStatusCause(err, policyv1.DisruptionBudgetCause))
		_, err = pods.Get(ctx, "q", metav1.GetOptions{})
		assert.NoError(t, err)
		assert.True(t, apierrors.IsNotFound(evict("none")))
	})
}

// TestUnreadyPods: a pod that is not ready goes without a disruption, if the budget has what it desires.
func TestUnreadyPods(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		unready := pod("p")
		unready.Status.Conditions = nil
		require.NoError(t, server.Add(unready, &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Name: "b", Namespace: "default"},
			Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: unready.Labels}},
			Status:     policyv1.PodDisruptionBudgetStatus{ObservedGeneration: 1, DesiredHealthy: 2, CurrentHealthy: 2},
		}))
		require.NoError(t, client.CoreV1().Pods("default").EvictV1(context.Background(),
			&policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "default"}}))
	})
}

// TestEvictionBeta: the options of an eviction count in each of its versions.
func TestEvictionBeta(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		ctx := context.Background()
		require.NoError(t, server.Add(pod("p")))
		evict := func(options metav1.DeleteOptions) error {
			return client.PolicyV1beta1().Evictions("default").Evict(ctx, &policyv1beta1.Eviction{
				ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "default"}, DeleteOptions: &options})
		}
		err := evict(metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("other")})
		assert.True(t, apierrors.IsConflict(err), "%v", err)
		require.NoError(t, evict(metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}))
		_, err = client.CoreV1().Pods("default").Get(ctx, "p", metav1.GetOptions{})
		require.NoError(t, err)
		require.NoError(t, evict(metav1.DeleteOptions{}))
		_, err = client.CoreV1().Pods("default").Get(ctx, "p", metav1.GetOptions{})
		assert.True(t, apierrors.IsNotFound(err), "%v", err)
	})
}

// TestDeleteSubresource: only the object itself can be deleted.
func TestDeleteSubresource(t *testing.T) {
	var server fakekube.Server
	require.NoError(t, server.Add(pod("p")))
	client := kubernetes.NewForConfigOrDie(server.ConfigFor("a")).CoreV1()
	err := client.RESTClient().Delete().Namespace("default").Resource("pods").Name("p").SubResource("status").
		Do(context.Background()).Error()
	assert.True(t, apierrors.IsMethodNotSupported(err), "%v", err)
	_, err = client.Pods("default").Get(context.Background(), "p", metav1.GetOptions{})
	assert.NoError(t, err)
}

// TestAccess: rights are faults of status 403, and a review tells of them without meeting one.
func TestAccess(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		ctx := context.Background()
		server.Inject(fakekube.Fault{User: "a", Verb: "update", Resource: "leases", Status: 403, Times: 1})
		ask := func(verb string) bool {
			r, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{
				Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
					Verb: verb, Group: "coordination.k8s.io", Resource: "leases", Namespace: "default"}},
			}, metav1.CreateOptions{})
			require.NoError(t, err)
			return r.Status.Allowed
		}
		assert.True(t, ask("get"))
		assert.False(t, ask("update"))
		assert.False(t, ask("update"), "a question is no request: the fault is still there")
		other, err := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
			Spec: authorizationv1.SubjectAccessReviewSpec{User: "b", ResourceAttributes: &authorizationv1.ResourceAttributes{
				Verb: "update", Resource: "leases"}},
		}, metav1.CreateOptions{})
		require.NoError(t, err)
		assert.True(t, other.Status.Allowed)
		_, err = client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{},
			metav1.CreateOptions{})
		assert.True(t, apierrors.IsInvalid(err), "%v", err)
		incomplete := func() bool {
			rules, err := client.AuthorizationV1().SelfSubjectRulesReviews().Create(ctx, &authorizationv1.SelfSubjectRulesReview{
				Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: "default"}}, metav1.CreateOptions{})
			require.NoError(t, err)
			return rules.Status.Incomplete
		}
		assert.True(t, incomplete())
		_, err = client.CoordinationV1().Leases("default").Update(ctx, &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Name: "x"}}, metav1.UpdateOptions{})
		assert.True(t, apierrors.IsForbidden(err), "%v", err)
		assert.False(t, incomplete(), "the fault was for one request")
		who, err := client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{},
			metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Equal(t, "a", who.Status.UserInfo.Username)
	})
}

// TestApply: who applies owns what it sends, and only that; another's value is a conflict unless it is forced.
func TestApply(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		ctx, maps := context.Background(), client.CoreV1().ConfigMaps("default")
		apply := func(manager, data string, force *bool) (*corev1.ConfigMap, error) {
			return maps.Patch(ctx, "m", types.ApplyYAMLPatchType,
				[]byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":`+data+`}`),
				metav1.PatchOptions{FieldManager: manager, Force: force})
		}
		m, err := apply("x", `{"a":"1","b":"1"}`, nil)
		require.NoError(t, err)
		assert.Equal(t, map[string]string{"a": "1", "b": "1"}, m.Data)
		require.Len(t, m.ManagedFields, 1)
		assert.Equal(t, "x", m.ManagedFields[0].Manager)

		same, err := apply("x", `{"a":"1","b":"1"}`, nil)
		require.NoError(t, err)
		assert.Equal(t, m.ResourceVersion, same.ResourceVersion)

		_, err = apply("y", `{"a":"2"}`, nil)
		require.True(t, apierrors.IsConflict(err), "%v", err)
		assert.ErrorContains(t, err, `conflict with "x"`)
		m, err = apply("y", `{"a":"2"}`, ptr.To(true))
		require.NoError(t, err)
		assert.Equal(t, map[string]string{"a": "2", "b": "1"}, m.Data)

		m, err = apply("x", `{}`, nil)
		require.NoError(t, err)
		assert.Equal(t, map[string]string{"a": "2"}, m.Data, "what x no longer sends is gone, what y owns is not")

		m.Data["c"] = "3"
		_, err = maps.Update(ctx, m, metav1.UpdateOptions{FieldManager: "z"})
		require.NoError(t, err)
		_, err = apply("x", `{"c":"4"}`, nil)
		assert.ErrorContains(t, err, `conflict with "z"`)
		_ = server
	})
}
