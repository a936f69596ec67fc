package fakekube_test

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"

	"interregnum/simlock/fakekube"
)

type backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Keep int `json:"keep,omitempty"`
	} `json:"spec,omitempty"`
	Status struct {
		Done bool `json:"done,omitempty"`
	} `json:"status,omitempty"`
}

func (b *backup) DeepCopyObject() runtime.Object {
	c := *b
	b.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return &c
}

type backupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []backup `json:"items"`
}

func (l *backupList) DeepCopyObject() runtime.Object {
	c := *l
	c.Items = nil
	for i := range l.Items {
		c.Items = append(c.Items, *l.Items[i].DeepCopyObject().(*backup))
	}
	return &c
}

var backups = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "backups"}

func ownScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypeWithName(backups.GroupVersion().WithKind("Backup"), &backup{})
	s.AddKnownTypeWithName(backups.GroupVersion().WithKind("BackupList"), &backupList{})
	metav1.AddToGroupVersion(s, backups.GroupVersion())
	return s
}

func newBackup(keep int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Backup", "metadata": map[string]any{"name": "b"},
		"spec": map[string]any{"keep": keep}, "status": map[string]any{"done": true},
	}}
}

// TestOwn: a resource of the program's own is served as a custom resource: the status by its subresource alone, updates with
// a version alone, no strategic merge patch, a generation, a place in discovery.
func TestOwn(t *testing.T) {
	ctx := context.Background()
	var server fakekube.Server
	require.NoError(t, server.Serve(ownScheme(), fakekube.Resource{Object: &backup{}}))
	all := dynamic.NewForConfigOrDie(server.ConfigFor("a")).Resource(backups).Namespace("default")
	created, err := all.Create(ctx, newBackup(1), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.NotContains(t, created.Object["status"], "done", "a create drops the status")
	assert.EqualValues(t, 1, created.GetGeneration())

	stale := created.DeepCopy()
	require.NoError(t, unstructured.SetNestedField(created.Object, true, "status", "done"))
	created, err = all.UpdateStatus(ctx, created, metav1.UpdateOptions{})
	require.NoError(t, err)
	done, _, _ := unstructured.NestedBool(created.Object, "status", "done")
	assert.True(t, done)
	assert.EqualValues(t, 1, created.GetGeneration())
	_, err = all.Update(ctx, stale, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	_, err = all.Update(ctx, newBackup(2), metav1.UpdateOptions{})
	assert.True(t, apierrors.IsInvalid(err), "an update without a version: %v", err)

	patched, err := all.Patch(ctx, "b", types.MergePatchType, []byte(`{"spec":{"keep":5},"status":{"done":false}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	done, _, _ = unstructured.NestedBool(patched.Object, "status", "done")
	assert.True(t, done, "the main resource leaves the status")
	assert.EqualValues(t, 2, patched.GetGeneration())
	_, err = all.Patch(ctx, "b", types.StrategicMergePatchType, []byte(`{}`), metav1.PatchOptions{})
	assert.True(t, apierrors.IsUnsupportedMediaType(err), "%v", err)

	applied, err := all.Apply(ctx, "b", &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Backup", "metadata": map[string]any{"name": "b"},
		"spec": map[string]any{"keep": int64(6)}}}, metav1.ApplyOptions{FieldManager: "x", Force: true})
	require.NoError(t, err)
	keep, _, _ := unstructured.NestedInt64(applied.Object, "spec", "keep")
	assert.EqualValues(t, 6, keep)

	list, err := all.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	assert.Len(t, list.Items, 1)
	require.NoError(t, all.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	_, err = all.Get(ctx, "b", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)

	found, err := discovery.NewDiscoveryClientForConfigOrDie(server.ConfigFor("a")).ServerResourcesForGroupVersion("example.com/v1")
	require.NoError(t, err)
	var names []string
	for _, r := range found.APIResources {
		names = append(names, r.Name)
	}
	assert.Equal(t, []string{"backups", "backups/status"}, names)
}

func TestServeRefuses(t *testing.T) {
	listless := runtime.NewScheme()
	listless.AddKnownTypeWithName(backups.GroupVersion().WithKind("Backup"), &backup{})
	for want, add := range map[string]func(s *fakekube.Server) error{
		"the scheme does not know the type": func(s *fakekube.Server) error {
			return s.Serve(ownScheme(), fakekube.Resource{Object: &corev1.Pod{}})
		},
		"no BackupList": func(s *fakekube.Server) error {
			return s.Serve(listless, fakekube.Resource{Object: &backup{}})
		},
		"is served already": func(s *fakekube.Server) error {
			return s.Serve(ownScheme(), fakekube.Resource{Object: &backup{}}, fakekube.Resource{Object: &backup{}})
		},
		"got nil": func(s *fakekube.Server) error { return s.Serve(nil, fakekube.Resource{}) },
	} {
		assert.ErrorContains(t, add(new(fakekube.Server)), want)
	}
}

// TestOpenAPI: who looks a kind up finds it, one of the program's own too.
func TestOpenAPI(t *testing.T) {
	var server fakekube.Server
	require.NoError(t, server.Serve(ownScheme(), fakekube.Resource{Object: &backup{}}))
	pages, err := discovery.NewDiscoveryClientForConfigOrDie(server.ConfigFor("a")).OpenAPIV3().Paths()
	require.NoError(t, err)
	require.Contains(t, pages, "api/v1")
	require.Contains(t, pages, "apis/example.com/v1")
	text, err := pages["apis/example.com/v1"].Schema("application/json")
	require.NoError(t, err)
	assert.Contains(t, string(text), `"com.example.v1.Backup"`)
	_, err = discovery.NewDiscoveryClientForConfigOrDie(server.ConfigFor("a")).RESTClient().Get().
		AbsPath("/openapi/v3/apis/none/v1").DoRaw(context.Background())
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
}

// TestOpenAPISchema: v2 as client-go asks for it, which takes protobuf alone, has the same kinds as in JSON.
func TestOpenAPISchema(t *testing.T) {
	var server fakekube.Server
	require.NoError(t, server.Serve(ownScheme(), fakekube.Resource{Object: &backup{}}))
	client := discovery.NewDiscoveryClientForConfigOrDie(server.ConfigFor("a"))
	document, err := client.OpenAPISchema()
	require.NoError(t, err)
	assert.Equal(t, "2.0", document.GetSwagger())
	var names []string
	for _, named := range document.GetDefinitions().GetAdditionalProperties() {
		names = append(names, named.GetName())
	}
	assert.Subset(t, names, []string{"com.example.v1.Backup", "core.v1.Pod"})

	text, err := client.RESTClient().Get().AbsPath("/openapi/v2").SetHeader("Accept", "application/json").DoRaw(t.Context())
	require.NoError(t, err)
	var same struct{ Definitions map[string]any }
	require.NoError(t, json.Unmarshal(text, &same))
	assert.ElementsMatch(t, slices.Collect(maps.Keys(same.Definitions)), names)
}

// TestOwnKindOnTheWire: over HTTP an object of a program's own kind names its kind, also in a list, and has no field that its type lacks.
func TestOwnKindOnTheWire(t *testing.T) {
	var server fakekube.Server
	require.NoError(t, server.Serve(ownScheme(), fakekube.Resource{Object: &backup{}}))
	require.NoError(t, server.Add(&backup{ObjectMeta: metav1.ObjectMeta{Name: "b", Namespace: "default"}}))
	send := func(method, path, contentType, body string) (int, string) {
		q, err := http.NewRequestWithContext(t.Context(), method, "http://fakekube/apis/example.com/v1/namespaces/default/backups"+path,
			strings.NewReader(body))
		require.NoError(t, err)
		q.Header.Set("Content-Type", contentType)
		a, err := server.ConfigFor("a").Transport.RoundTrip(q)
		require.NoError(t, err)
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		require.NoError(t, err)
		return a.StatusCode, string(text)
	}
	_, list := send(http.MethodGet, "", "", "")
	assert.Contains(t, list, `"items":[{"kind":"Backup","apiVersion":"example.com/v1",`)
	code, text := send(http.MethodPost, "", "application/json", `{"metadata":{"name":"c"}}`)
	assert.Equal(t, http.StatusBadRequest, code, text)
	code, text = send(http.MethodPatch, "/b?fieldManager=x", string(types.ApplyYAMLPatchType),
		`{"kind":"Backup","apiVersion":"example.com/v1","metadata":{"name":"b"},"spec":{"x":1}}`)
	assert.Equal(t, http.StatusInternalServerError, code)
	assert.Contains(t, text, ".spec.x: field not declared in schema")
}

// TestOwnFieldSelectors: what a field selector may name, and the words of a real server (ConvertFieldLabel of apiextensions-apiserver).
func TestOwnFieldSelectors(t *testing.T) {
	for field, want := range map[string][2]string{ // in a namespace, and in none
		"metadata.name":      {},
		"metadata.namespace": {"", "field label not supported: metadata.namespace"},
		"spec.keep":          {"field label not supported: spec.keep", "field label not supported: spec.keep"},
	} {
		for i, scoped := range []bool{false, true} {
			var server fakekube.Server
			require.NoError(t, server.Serve(ownScheme(), fakekube.Resource{Object: &backup{}, ClusterScoped: scoped}))
			_, err := dynamic.NewForConfigOrDie(server.ConfigFor("a")).Resource(backups).List(t.Context(), metav1.ListOptions{FieldSelector: field + "=b"})
			if want[i] == "" {
				require.NoError(t, err)
				continue
			}
			require.True(t, apierrors.IsBadRequest(err), "%v", err)
			assert.EqualError(t, err, want[i])
		}
	}
}
