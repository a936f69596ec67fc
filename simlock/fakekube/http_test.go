package fakekube

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
)

// TestOtherClients: the dynamic one, that of discovery, and one that speaks protobuf.
func TestOtherClients(t *testing.T) {
	var s Server
	resource := schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}
	leases := dynamic.NewForConfigOrDie(s.ConfigFor("a")).Resource(resource).Namespace("default")
	l := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": map[string]any{"name": "g"},
		"spec": map[string]any{"holderIdentity": "a"},
	}}
	made, err := leases.Create(ctx, l, creating)
	require.NoError(t, err)
	assert.Equal(t, "1", made.GetResourceVersion())
	assert.Equal(t, "Lease", made.GetKind())
	_, err = leases.Update(ctx, l, updating)
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	require.NoError(t, unstructured.SetNestedField(made.Object, "b", "spec", "holderIdentity"))
	_, err = leases.Update(ctx, made, updating)
	require.NoError(t, err)
	list, err := leases.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	assert.Equal(t, "LeaseList", list.GetKind())

	found := discovery.NewDiscoveryClientForConfigOrDie(s.ConfigFor("a"))
	groups, err := restmapper.GetAPIGroupResources(found)
	require.NoError(t, err)
	mapping, err := restmapper.NewDiscoveryRESTMapper(groups).RESTMapping(
		schema.GroupKind{Group: "coordination.k8s.io", Kind: "Lease"})
	require.NoError(t, err)
	assert.Equal(t, resource, mapping.Resource)
	assert.Equal(t, meta.RESTScopeNameNamespace, mapping.Scope.Name())

	config := s.ConfigFor("a")
	config.ContentType = "application/vnd.kubernetes.protobuf"
	typed := clientset.NewForConfigOrDie(config).CoordinationV1().Leases("default")
	got, err := typed.Create(ctx, lease("p"), creating)
	require.NoError(t, err)
	assert.Equal(t, "3", got.ResourceVersion)
	err = typed.Delete(ctx, "p", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("x")})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	require.NoError(t, typed.Delete(ctx, "p", deleting))
	require.NoError(t, typed.DeleteCollection(ctx, deleting, metav1.ListOptions{}))
	_, err = typed.Get(ctx, "g", getting)
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
}
