package fakekube_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"

	"interregnum/simlock/fakekube"
)

// TestDifferentialKinds of e2e/kubernetes compares these rules, and others, with a real server.

// TestStringData: what a program writes into stringData, it reads in data.
func TestStringData(t *testing.T) {
	both(t, func(t *testing.T, _ *fakekube.Server, client kubernetes.Interface) {
		ctx, secrets := context.Background(), client.CoreV1().Secrets("default")
		s, err := secrets.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s"},
			StringData: map[string]string{"a": "b"}}, metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Equal(t, map[string][]byte{"a": []byte("b")}, s.Data)
		assert.Empty(t, s.StringData)
		for _, patchType := range []types.PatchType{types.MergePatchType, types.StrategicMergePatchType} {
			s, err = secrets.Patch(ctx, "s", patchType, []byte(`{"stringData":{"a":"`+string(patchType)+`"}}`), metav1.PatchOptions{})
			require.NoError(t, err)
			assert.Equal(t, map[string][]byte{"a": []byte(patchType)}, s.Data)
			assert.Empty(t, s.StringData)
		}
	})
}

// TestRulesOfKinds: what a kind refuses, and what it takes.
func TestRulesOfKinds(t *testing.T) {
	var server fakekube.Server
	client := kubernetes.NewForConfigOrDie(server.ConfigFor("a"))
	ctx := context.Background()
	d, err := client.AppsV1().Deployments("default").Create(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "d"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	d.Annotations = map[string]string{"a": "1"}
	d, err = client.AppsV1().Deployments("default").UpdateStatus(ctx, d, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a": "1"}, d.Annotations, "a write of the status keeps the metadata")
	d.Finalizers = []string{"cleanup"}
	_, err = client.AppsV1().Deployments("default").Update(ctx, d, metav1.UpdateOptions{})
	assert.ErrorContains(t, err, "name is neither a standard finalizer name nor is it fully qualified")

	b, err := client.PolicyV1().PodDisruptionBudgets("default").Create(ctx,
		&policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 1, b.Generation)
	b.ResourceVersion = ""
	_, err = client.PolicyV1().PodDisruptionBudgets("default").Update(ctx, b, metav1.UpdateOptions{})
	assert.ErrorContains(t, err, "must be specified for an update")

	_, err = client.CoreV1().Services("default").Create(ctx, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "a.b"}}, metav1.CreateOptions{})
	assert.ErrorContains(t, err, "must not contain dots")
	m, err := client.CoreV1().ConfigMaps("default").Create(ctx,
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: strings.Repeat("g", 70)}}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Len(t, m.Name, 63)
	role, err := client.RbacV1().ClusterRoles().Create(ctx,
		&rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "r", Namespace: "other"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Empty(t, role.Namespace)
}

// TestOptions: invalid options are refused, by each kind of client.
func TestOptions(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		ctx, maps := context.Background(), client.CoreV1().ConfigMaps("default")
		require.NoError(t, server.Add(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m", Namespace: "default"}}))
		patch := func(patchType types.PatchType, body string, options metav1.PatchOptions) error {
			_, err := maps.Patch(ctx, "m", patchType, []byte(body), options)
			return err
		}
		yes, odd := true, metav1.DeletionPropagation("Odd")
		_, ofCreate := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "n"}}, metav1.CreateOptions{DryRun: []string{"Some"}})
		_, ofUpdate := maps.Update(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m"}}, metav1.UpdateOptions{FieldValidation: "Odd"})
		_, ofList := maps.List(ctx, metav1.ListOptions{ResourceVersionMatch: "Exact"})
		_, ofWatch := maps.Watch(ctx, metav1.ListOptions{SendInitialEvents: &yes})
		for what, err := range map[string]error{
			"dry run": ofCreate, "field validation": ofUpdate, "list": ofList, "watch": ofWatch,
			"apply without a manager": patch(types.ApplyYAMLPatchType, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"}}`,
				metav1.PatchOptions{}),
			"forced merge":       patch(types.MergePatchType, `{}`, metav1.PatchOptions{Force: &yes}),
			"unknown field":      patch(types.MergePatchType, `{"x":1}`, metav1.PatchOptions{FieldValidation: "Strict"}),
			"propagation":        maps.Delete(ctx, "m", metav1.DeleteOptions{PropagationPolicy: &odd}),
			"propagation of all": maps.DeleteCollection(ctx, metav1.DeleteOptions{PropagationPolicy: &odd}, metav1.ListOptions{}),
		} {
			assert.True(t, apierrors.IsInvalid(err), "%s: %v", what, err)
		}
		_, err := maps.Get(ctx, "m", metav1.GetOptions{})
		assert.NoError(t, err)
	})
}

// TestEvents: an Event that is recorded by one API is read by the other, and watched.
func TestEvents(t *testing.T) {
	both(t, func(t *testing.T, _ *fakekube.Server, client kubernetes.Interface) {
		ctx := context.Background()
		w, err := client.CoreV1().Events("default").Watch(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=p"})
		require.NoError(t, err)
		defer w.Stop()
		_, err = client.EventsV1().Events("default").Create(ctx, &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Name: "e"},
			Note: "hello", Regarding: corev1.ObjectReference{Name: "p"}}, metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Equal(t, "hello", (<-w.ResultChan()).Object.(*corev1.Event).Message)
		e, err := client.CoreV1().Events("default").Get(ctx, "e", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, "hello", e.Message)
		e.Message = "bye"
		_, err = client.CoreV1().Events("default").Update(ctx, e, metav1.UpdateOptions{})
		require.NoError(t, err)
		all, err := client.EventsV1().Events("default").List(ctx, metav1.ListOptions{FieldSelector: "regarding.name=p"})
		require.NoError(t, err)
		require.Len(t, all.Items, 1)
		assert.Equal(t, "bye", all.Items[0].Note)
		require.NoError(t, client.EventsV1().Events("default").Delete(ctx, "e", metav1.DeleteOptions{}))
		_, err = client.CoreV1().Events("default").Get(ctx, "e", metav1.GetOptions{})
		assert.True(t, apierrors.IsNotFound(err), "%v", err)
	})
}

// TestMetadata: an informer of metadata works; what the server cannot give it refuses.
func TestMetadata(t *testing.T) {
	var server fakekube.Server
	require.NoError(t, server.Add(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s", Namespace: "default"}}))
	client := metadata.NewForConfigOrDie(server.ConfigFor("a"))
	secrets := corev1.SchemeGroupVersion.WithResource("secrets")
	informers := metadatainformer.NewSharedInformerFactory(client, 0)
	lister := informers.ForResource(secrets).Lister()
	informers.Start(t.Context().Done())
	for _, ok := range informers.WaitForCacheSync(t.Context().Done()) {
		require.True(t, ok)
	}
	obj, err := lister.ByNamespace("default").Get("s")
	require.NoError(t, err)
	assert.Equal(t, "s", obj.(*metav1.PartialObjectMetadata).Name)
	w, err := client.Resource(secrets).Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer w.Stop()
	assert.Equal(t, "s", (<-w.ResultChan()).Object.(*metav1.PartialObjectMetadata).Name)

	err = kubernetes.NewForConfigOrDie(server.ConfigFor("a")).CoreV1().RESTClient().Get().AbsPath("/api/v1/secrets").
		SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").Do(t.Context()).Error()
	assert.True(t, apierrors.ReasonForError(err) == metav1.StatusReasonNotAcceptable, "%v", err)
}

// TestReviews: what is no question about rights is refused, and a user without rights may ask about itself.
func TestReviews(t *testing.T) {
	both(t, func(t *testing.T, server *fakekube.Server, client kubernetes.Interface) {
		ctx := context.Background()
		server.Inject(fakekube.Fault{User: "a", Status: 403})
		self, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{
			Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
				Verb: "get", Resource: "pods"}}}, metav1.CreateOptions{})
		require.NoError(t, err)
		assert.False(t, self.Status.Allowed)
		_, err = client.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{}, metav1.CreateOptions{})
		assert.True(t, apierrors.IsForbidden(err), "%v", err)
	})
	var server fakekube.Server
	client := server.ClientsetFor("b")
	token, err := client.AuthenticationV1().TokenReviews().Create(t.Context(),
		&authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: "x"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.False(t, token.Status.Authenticated)
	_, err = client.AuthorizationV1().SubjectAccessReviews().Create(t.Context(), &authorizationv1.SubjectAccessReview{}, metav1.CreateOptions{})
	assert.ErrorContains(t, err, "at least one of user or group must be specified")
}

// TestApplyWithVersion: a version in what is applied protects from a change, not from a delete.
func TestApplyWithVersion(t *testing.T) {
	both(t, func(t *testing.T, _ *fakekube.Server, client kubernetes.Interface) {
		maps := client.CoreV1().ConfigMaps("default")
		apply := func(metadata string) error {
			_, err := maps.Patch(t.Context(), "m", types.ApplyYAMLPatchType,
				[]byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":`+metadata+`}`), metav1.PatchOptions{FieldManager: "x"})
			return err
		}
		require.NoError(t, apply(`{"name":"m","resourceVersion":"7"}`))
		err := apply(`{"name":"m","resourceVersion":"7"}`)
		assert.True(t, apierrors.IsConflict(err), "%v", err)
		err = apply(`{"name":"m","uid":"other"}`)
		assert.True(t, apierrors.IsInvalid(err), "%v", err)
		require.NoError(t, maps.Delete(t.Context(), "m", metav1.DeleteOptions{}))
		err = apply(`{"name":"m","uid":"other"}`)
		assert.True(t, apierrors.IsConflict(err), "%v", err)
	})
}

// TestNamesInRequests: no client sends a name that does not fit into a URL path, and the tracker moves no object to another namespace.
func TestNamesInRequests(t *testing.T) {
	both(t, func(t *testing.T, _ *fakekube.Server, client kubernetes.Interface) {
		_, err := client.CoreV1().ConfigMaps("default").Get(t.Context(), "a/b", metav1.GetOptions{})
		assert.EqualError(t, err, `invalid resource name "a/b": [may not contain '/']`)
	})
	var server fakekube.Server
	err := server.ClientsetFor("a").Tracker().Create(corev1.SchemeGroupVersion.WithResource("configmaps"),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m", Namespace: "a"}}, "b")
	assert.True(t, apierrors.IsBadRequest(err), "%v", err)
}
