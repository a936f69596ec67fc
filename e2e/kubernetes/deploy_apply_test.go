package kubernetes_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"interregnum/e2e/kubernetes/cluster"
	"interregnum/internal/electorproc"
)

// operated is a namespace in which somebody works with kubectl.
type operated struct {
	installed
	// admin is a kubeconfig file.
	admin  string
	client kubernetes.Interface
}

// operate makes a namespace whose server warns of pods that need more than the restricted Pod Security Standard allows.
func operate(t *testing.T, server *cluster.Cluster, namespace string) *operated {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("no kubectl here")
	}
	code, _, body := send(t, server, http.MethodPost, "/api/v1/namespaces", strings.Replace(strictNamespace, "manifests", namespace, 1))
	require.Equal(t, http.StatusCreated, code, body)
	return &operated{
		installed: installed{server: server, namespace: namespace},
		admin:     server.Kubeconfig(t, "admin", ""), client: kubernetes.NewForConfigOrDie(server.Config("admin")),
	}
}

// kubectl runs kubectl in the namespace, and returns what it printed. It wants it to succeed without a warning.
func (s *operated) kubectl(t *testing.T, input string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "kubectl", append([]string{"--kubeconfig", s.admin, "-n", s.namespace}, args...)...)
	var problems strings.Builder
	c.Stdin, c.Stderr = strings.NewReader(input), &problems
	out, err := c.Output()
	require.NoError(t, err, "kubectl %v: %s", args, problems.String())
	require.Empty(t, problems.String(), "kubectl %v", args)
	return string(out)
}

// apply is kubectl apply -k of a folder of deploy, in the namespace.
func (s *operated) apply(t *testing.T, folder string, more ...string) string {
	t.Helper()
	return s.kubectl(t, kustomize(t, folder), append([]string{"apply", "--validate=strict", "-f", "-"}, more...)...)
}

// holder returns who holds elector's Lease; "" where there is no Lease.
func (s *operated) holder(t *testing.T) string {
	t.Helper()
	lease, err := s.client.CoordinationV1().Leases(s.namespace).Get(t.Context(), "elector", metav1.GetOptions{})
	if err != nil || lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// TestApplied: elector, with the token of its service account, makes the Lease and leads; to apply the folder again, to prune
// and to delete it leaves the Lease alone.
func TestApplied(t *testing.T) {
	t.Parallel()
	s := operate(t, theServer(t), "applied")
	require.Equal(t, 5, strings.Count(s.apply(t, "elector"), " created\n"))
	s.kubeconfig = s.account(t)
	program := electorproc.Build(t, "../../cmd/elector")
	p := s.start(t, program, "--id=a")
	awaitLine(t, p, "Leading")
	again := s.apply(t, "elector")
	require.Equal(t, 4, strings.Count(again, " unchanged\n"), again)
	require.Contains(t, again, "poddisruptionbudget.policy/elector configured\n") // kubectl replaces selectors of those each time
	prune := []string{"--prune", "-l", "app.kubernetes.io/name=elector", "--prune-allowlist=coordination.k8s.io/v1/Lease"}
	s.apply(t, "elector", prune...)
	require.Equal(t, "a", s.holder(t))

	// The prune is one: it deletes a Lease that was applied with the same label.
	const other = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"other","labels":{"app.kubernetes.io/name":"elector"}}}`
	s.kubectl(t, other, "apply", "-f", "-")
	require.Contains(t, s.apply(t, "elector", prune...), "lease.coordination.k8s.io/other pruned")
	require.Equal(t, "a", s.holder(t))

	require.NotContains(t, p.Err.String(), "may not")
	end(t, p)
	require.Equal(t, 5, strings.Count(s.kubectl(t, kustomize(t, "elector"), "delete", "-f", "-"), " deleted"))
	_, err := s.client.CoordinationV1().Leases(s.namespace).Get(t.Context(), "elector", metav1.GetOptions{})
	require.NoError(t, err, "the Lease has gone with the rest")
}

// TestAppliedWithoutCreate: to apply the folder again, with or without --server-side, leaves the holder of its Lease alone. Where
// somebody deletes the Lease, elector is not ready and says why, until the folder is applied again.
func TestAppliedWithoutCreate(t *testing.T) {
	t.Parallel()
	s := operate(t, theServer(t), "applied-without-create")
	require.Equal(t, 6, strings.Count(s.apply(t, "elector-without-create"), " created\n"))
	s.allows(t, false, "create", coordinationv1.GroupName, "leases", "")
	s.allows(t, true, "update", coordinationv1.GroupName, "leases", "elector")
	s.kubeconfig = s.account(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	at := free.Addr().String()
	require.NoError(t, free.Close())
	p := s.start(t, electorproc.Build(t, "../../cmd/elector"), "--id=a", "--listen="+at)
	awaitLine(t, p, "Leading")
	s.apply(t, "elector-without-create")
	s.apply(t, "elector-without-create", "--server-side", "--force-conflicts")
	require.Equal(t, "a", s.holder(t))
	require.Equal(t, 1, strings.Count(p.Err.String(), `"Leading"`))

	s.kubectl(t, "", "delete", "lease", "elector")
	electorproc.Eventually(t, "not ready", func() bool {
		code, text := get(t, "http://"+at+"/readyz")
		return code == http.StatusServiceUnavailable && strings.Contains(text, `the verb "create"`)
	})
	require.Contains(t, s.apply(t, "elector-without-create"), "lease.coordination.k8s.io/elector created")
	electorproc.Eventually(t, "leads again", func() bool {
		code, _ := get(t, "http://"+at+"/readyz")
		return code == http.StatusOK && s.holder(t) == "a"
	})
	end(t, p)
}

func get(t *testing.T, url string) (code int, text string) {
	t.Helper()
	reply, err := http.Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer reply.Body.Close()
	all, err := io.ReadAll(reply.Body)
	require.NoError(t, err)
	return reply.StatusCode, string(all)
}

// TestFlowSchema: with it, and only then, the server has what elector asks for its Lease go before other requests.
func TestFlowSchema(t *testing.T) {
	t.Parallel()
	s := operate(t, theServer(t), "flowing")
	s.apply(t, "elector")
	client, err := rest.HTTPClientFor(&rest.Config{
		Host: s.server.URL(), TLSClientConfig: rest.TLSClientConfig{CAData: s.server.CA()}, BearerToken: tokenOf(t, s.server, s.namespace, "elector"),
	})
	require.NoError(t, err)
	// classified returns the FlowSchema and the priority level of a request, by their UIDs.
	classified := func(method, resource, body string) (flow, level string) {
		request, err := http.NewRequestWithContext(t.Context(), method, s.server.URL()+fmt.Sprintf(resource, s.namespace), strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		reply, err := client.Do(request)
		require.NoError(t, err)
		require.NoError(t, reply.Body.Close())
		return reply.Header.Get("X-Kubernetes-PF-FlowSchema-UID"), reply.Header.Get("X-Kubernetes-PF-PriorityLevel-UID")
	}
	levels := s.client.FlowcontrolV1().PriorityLevelConfigurations()
	election, err := levels.Get(t.Context(), "leader-election", metav1.GetOptions{})
	require.NoError(t, err)
	const leases = "/apis/coordination.k8s.io/v1/namespaces/%s/leases"
	_, before := classified(http.MethodGet, leases+"/elector", "")
	require.NotEqual(t, string(election.UID), before, "without the FlowSchema")

	// As its comment says: the namespace in place of default, twice.
	text := kustomize(t, "elector/flowschema")
	require.Equal(t, 2, strings.Count(text, "default"))
	s.kubectl(t, strings.ReplaceAll(text, "default", s.namespace), "apply", "--validate=strict", "-f", "-")
	var schema struct{ Metadata struct{ UID string } }
	require.NoError(t, json.Unmarshal([]byte(s.kubectl(t, "", "get", "flowschema", "elector", "-o", "json")), &schema))
	electorproc.Eventually(t, "the server has heard of it", func() bool {
		flow, _ := classified(http.MethodGet, leases+"/elector", "")
		return flow == schema.Metadata.UID
	})
	const object = `{"metadata":{"name":"elector"}}`
	for _, r := range [][3]string{
		{http.MethodGet, leases + "/elector", ""}, {http.MethodPost, leases, object}, {http.MethodPut, leases + "/elector", object},
	} {
		flow, level := classified(r[0], r[1], r[2])
		require.Equal(t, schema.Metadata.UID, flow, r)
		require.Equal(t, string(election.UID), level, r)
	}
	flow, level := classified(http.MethodGet, "/api/v1/namespaces/%s/events", "")
	require.NotEqual(t, schema.Metadata.UID, flow, "other requests")
	require.NotEqual(t, string(election.UID), level, "other requests")
}
