package kubernetes_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"

	"interregnum/e2e/kubernetes/cluster"
	"interregnum/internal/electorproc"
)

// installed is a namespace with all that deploy/elector has, and a kubeconfig file of its service account.
type installed struct {
	server                *cluster.Cluster
	namespace, kubeconfig string
}

func install(t *testing.T, namespace string) installed {
	t.Helper()
	in := installed{server: theServer(t), namespace: namespace}
	code, _, body := send(t, in.server, http.MethodPost, "/api/v1/namespaces",
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"`+namespace+`"}}`)
	require.Equal(t, http.StatusCreated, code, body)
	files, err := filepath.Glob(filepath.Join(deployed, "elector", "*.yaml"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range manifests(t, string(text)) {
			m.post(t, in.server, namespace, "?fieldValidation=Strict")
		}
	}
	in.kubeconfig = in.account(t)
	return in
}

// account writes a kubeconfig file of elector's service account, and returns its path.
func (in installed) account(t *testing.T) string {
	t.Helper()
	config := api.NewConfig()
	config.Clusters["test"] = &api.Cluster{Server: in.server.URL(), CertificateAuthorityData: in.server.CA()}
	config.AuthInfos["pod"] = &api.AuthInfo{Token: tokenOf(t, in.server, in.namespace, "elector")}
	config.Contexts["test"] = &api.Context{Cluster: "test", AuthInfo: "pod", Namespace: in.namespace}
	config.CurrentContext = "test"
	path := filepath.Join(t.TempDir(), "config")
	require.NoError(t, clientcmd.WriteToFile(*config, path))
	return path
}

// lease makes the Lease beforehand, as deploy/elector-without-create does.
func (in installed) lease(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(deployed, "elector-without-create", "lease.yaml"))
	require.NoError(t, err)
	manifests(t, string(text))[0].post(t, in.server, in.namespace, "")
}

// start starts a pod's elector.
func (in installed) start(t *testing.T, program string, args ...string) *electorproc.Process {
	t.Helper()
	return electorproc.Start(t, program, []string{"KUBECONFIG=" + in.kubeconfig}, in.flags(args...)...)
}

func (in installed) flags(more ...string) []string {
	return append([]string{
		"--lock=kubernetes", "--name=elector", "--lease-duration=4s", "--renew-deadline=2500ms", "--retry-period=200ms",
	}, more...)
}

// rules replaces what the Role allows, in YAML.
func (in installed) rules(t *testing.T, rules string) {
	t.Helper()
	code, _, body := send(t, in.server, http.MethodPut,
		"/apis/rbac.authorization.k8s.io/v1/namespaces/"+in.namespace+"/roles/elector?fieldValidation=Strict",
		"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: elector}\nrules:\n"+rules)
	require.Equal(t, http.StatusOK, code, body)
}

// onLease is a rule for elector's Lease, on events one for events.
func onLease(verbs string) string {
	return "- {apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [elector], verbs: [" + verbs + "]}\n"
}

const onEvents = "- {apiGroups: [\"\"], resources: [events], verbs: [create, patch]}\n"

// allows waits until RBAC allows a verb on the Lease or on events to the service account, or does not any more.
func (in installed) allows(t *testing.T, want bool, verb, group, resource, name string) {
	t.Helper()
	review := fmt.Sprintf(`{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":%q,
		"resourceAttributes":{"namespace":%q,"verb":%q,"group":%q,"resource":%q,"name":%q}}}`,
		"system:serviceaccount:"+in.namespace+":elector", in.namespace, verb, group, resource, name)
	electorproc.Eventually(t, "RBAC has heard of it", func() bool {
		_, _, body := send(t, in.server, http.MethodPost, "/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
		return strings.Contains(body, `"allowed":true`) == want
	})
}

// awaitLine waits until an elector has logged a text.
func awaitLine(t *testing.T, p *electorproc.Process, text string) {
	t.Helper()
	electorproc.Eventually(t, text, func() bool {
		return strings.Contains(p.Err.String(), strings.ReplaceAll(text, `"`, `\"`))
	})
}

// end has an elector end in good order.
func end(t *testing.T, p *electorproc.Process) {
	t.Helper()
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Zero(t, p.End(t), p.Err.String())
}

// lacks is what elector says of a right that is missing.
func (in installed) lacks(verb, resource, name string) string {
	return fmt.Sprintf("the service account may not %s %s %q in namespace %q: its Role lacks the verb %q on %s",
		verb, resource, name, in.namespace, verb, resource)
}

// TestDeployed: with the rights of deploy/elector/role.yaml, by the server's own RBAC, electors lead in turns and record
// events.
func TestDeployed(t *testing.T) {
	t.Parallel()
	program := electorproc.Build(t, filepath.Join("..", "..", "cmd", "elector"))
	in := install(t, "deployed")
	a := in.start(t, program, "--id=a")
	awaitLine(t, a, "Leading")
	b := in.start(t, program, "--id=b")
	end(t, a)
	awaitLine(t, b, "Leading")
	end(t, b)
	require.NotContains(t, a.Err.String()+b.Err.String(), "may not")
	require.NotContains(t, a.Err.String()+b.Err.String(), `"level":"ERROR"`)
	_, _, events := send(t, in.server, http.MethodGet, "/api/v1/namespaces/deployed/events", "")
	for _, want := range []string{"a became leader", "a stopped leading", "b became leader", "b stopped leading"} {
		require.Contains(t, events, want)
	}

	o := in.start(t, program, "--observe")
	awaitLine(t, o, in.lacks("list", "leases.coordination.k8s.io", "elector"))
	in.rules(t, onLease("get, update, list")+onEvents)
	awaitLine(t, o, in.lacks("watch", "leases.coordination.k8s.io", "elector"))
	in.rules(t, onLease("get, update, list, watch")+onEvents)
	c := in.start(t, program, "--id=c")
	electorproc.Eventually(t, "c is seen", func() bool { return strings.Contains(o.Out.String(), `"holder":"c"`) })
	end(t, c)
	end(t, o)
}

// TestDeployedWithLess: each right that is missing is named; who lacks one goes on once it is there.
func TestDeployedWithLess(t *testing.T) {
	t.Parallel()
	const group, lease = "coordination.k8s.io", "leases.coordination.k8s.io"
	program := electorproc.Build(t, filepath.Join("..", "..", "cmd", "elector"))
	in := install(t, "deployed-with-less")
	all := onLease("get, update") + onEvents
	in.lease(t)
	for verb, rules := range map[string]string{
		"get": onLease("update") + onEvents, "update": onLease("get") + onEvents,
	} {
		in.rules(t, rules)
		in.allows(t, false, verb, group, "leases", "elector")
		p := in.start(t, program, "--id="+verb)
		awaitLine(t, p, in.lacks(verb, lease, "elector"))
		in.rules(t, all)
		awaitLine(t, p, "Leading")
		end(t, p)
	}
	in.rules(t, onLease("get, update"))
	in.allows(t, false, "create", "", "events", "")
	p := in.start(t, program, "--id=mute")
	awaitLine(t, p, "Leading")
	awaitLine(t, p, "cannot record an event")
	end(t, p)

	const path = "/apis/coordination.k8s.io/v1/namespaces/deployed-with-less/leases/elector"
	code, _, body := send(t, in.server, http.MethodDelete, path, "")
	require.Equal(t, http.StatusOK, code, body)
	p = in.start(t, program, "--id=late")
	awaitLine(t, p, in.lacks("create", lease, "elector"))
	in.lease(t)
	awaitLine(t, p, "Leading")
	end(t, p)
}
