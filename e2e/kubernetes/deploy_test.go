package kubernetes_test

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"k8s.io/client-go/rest"

	"interregnum/e2e/kubernetes/cluster"
)

// collections are where the API server has objects of a kind; %s is a namespace.
var collections = map[string]string{
	"v1 ServiceAccount":                          "/api/v1/namespaces/%s/serviceaccounts",
	"v1 PersistentVolumeClaim":                   "/api/v1/namespaces/%s/persistentvolumeclaims",
	"apps/v1 Deployment":                         "/apis/apps/v1/namespaces/%s/deployments",
	"batch/v1 Job":                               "/apis/batch/v1/namespaces/%s/jobs",
	"coordination.k8s.io/v1 Lease":               "/apis/coordination.k8s.io/v1/namespaces/%s/leases",
	"rbac.authorization.k8s.io/v1 Role":          "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles",
	"rbac.authorization.k8s.io/v1 RoleBinding":   "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings",
	"policy/v1 PodDisruptionBudget":              "/apis/policy/v1/namespaces/%s/poddisruptionbudgets",
	"flowcontrol.apiserver.k8s.io/v1 FlowSchema": "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
}

// manifest is an object in YAML.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name, Namespace string }
	text       string
}

// manifests reads the objects of a file; of a Kustomization it has none.
func manifests(t *testing.T, text string) (all []manifest) {
	t.Helper()
	for _, one := range strings.Split(text, "\n---\n") {
		m := manifest{text: one}
		require.NoError(t, yaml.Unmarshal([]byte(one), &m))
		if m.Kind != "Kustomization" {
			all = append(all, m)
		}
	}
	return all
}

// post has a server create an object, or pretend to.
func (m manifest) post(t *testing.T, server *cluster.Cluster, namespace string, query string) {
	t.Helper()
	path, known := collections[m.APIVersion+" "+m.Kind]
	require.True(t, known, "%s %s", m.APIVersion, m.Kind)
	code, warnings, body := send(t, server, http.MethodPost, strings.Replace(path, "%s", namespace, 1)+query, m.text)
	require.Equal(t, http.StatusCreated, code, "%s: %s", m.Kind, body)
	require.Empty(t, warnings)
}

// send is a request of the user admin.
func send(
	t *testing.T, server *cluster.Cluster, method, path, body string,
) (code int, warnings []string, answer string) {
	t.Helper()
	client, err := rest.HTTPClientFor(server.Config("admin"))
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), method, server.URL()+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/yaml")
	request.Header.Set("Accept", "application/json")
	reply, err := client.Do(request)
	require.NoError(t, err)
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	require.NoError(t, err)
	return reply.StatusCode, reply.Header.Values("Warning"), string(text)
}

// deployed is the folder of the manifests.
var deployed = filepath.Join("..", "..", "deploy")

const pretend = "?dryRun=All&fieldValidation=Strict"

// strictNamespace is one in which the server warns of pods that need more than the restricted Pod Security Standard allows.
const strictNamespace = `
apiVersion: v1
kind: Namespace
metadata: {name: manifests, labels: {pod-security.kubernetes.io/warn: restricted}}
`

// TestManifests: the API server takes each object of deploy, without a warning, and what kustomize makes of them.
func TestManifests(t *testing.T) {
	server, kinds := theServer(t), map[string]int{}
	code, _, body := send(t, server, http.MethodPost, "/api/v1/namespaces", strictNamespace)
	require.Equal(t, http.StatusCreated, code, body)
	require.NoError(t, filepath.WalkDir(deployed, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range manifests(t, string(text)) {
			kinds[m.Kind]++
			t.Run(path, func(t *testing.T) { m.post(t, server, "manifests", pretend) })
		}
		return err
	}))
	require.Equal(t, map[string]int{
		"ServiceAccount": 1, "PersistentVolumeClaim": 1, "Deployment": 1, "Job": 2, "Lease": 1, "Role": 1, "RoleBinding": 1,
		"PodDisruptionBudget": 1, "FlowSchema": 1,
	}, kinds)
	for folder, objects := range map[string]int{
		"elector": 5, "elector-without-create": 6, "elector/flowschema": 1, "search": 2, "search/merge": 1,
	} {
		t.Run("kustomize "+folder, func(t *testing.T) {
			all := manifests(t, kustomize(t, folder))
			require.Len(t, all, objects)
			for _, m := range all {
				m.post(t, server, "manifests", pretend)
			}
		})
	}
}

// kustomize is what kubectl makes of a folder.
func kustomize(t *testing.T, folder string) string {
	t.Helper()
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("no kubectl here")
	}
	var problems bytes.Buffer
	c := exec.CommandContext(t.Context(), kubectl, "kustomize", filepath.Join(deployed, folder))
	c.Stderr = &problems
	out, err := c.Output()
	require.NoError(t, err, problems.String())
	require.Empty(t, problems.String())
	return string(out)
}

// tokenOf is a token of a service account, as a pod is given one.
func tokenOf(t *testing.T, server *cluster.Cluster, namespace, account string) string {
	t.Helper()
	code, _, body := send(t, server, http.MethodPost,
		"/api/v1/namespaces/"+namespace+"/serviceaccounts/"+account+"/token",
		`{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"audiences":[]}}`)
	require.Equal(t, http.StatusCreated, code, body)
	var answer struct{ Status struct{ Token string } }
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	require.NotEmpty(t, answer.Status.Token)
	return answer.Status.Token
}
