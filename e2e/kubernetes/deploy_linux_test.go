package kubernetes_test

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// inPod runs a program where a service account's files are as in a pod: "$0" is their folder, "$@" the program.
const inPod = `mount -t tmpfs tmpfs /run && mkdir -p /run/secrets/kubernetes.io &&
	ln -s "$0" /run/secrets/kubernetes.io/serviceaccount && exec "$@"`

// TestInCluster: without a kubeconfig elector finds the server, its namespace and its token as a pod does, and goes on
// with the next token when the one that it has is refused.
func TestInCluster(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("client-go looks for another token once a minute")
	}
	if err := exec.Command("unshare", "-r", "-m", "mount", "-t", "tmpfs", "tmpfs", "/run").Run(); err != nil {
		t.Skip("no name spaces here: ", err)
	}
	in, files := install(t, "in-cluster"), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		next := filepath.Join(files, name+".next")
		require.NoError(t, os.WriteFile(next, []byte(text), 0o600))
		require.NoError(t, os.Rename(next, filepath.Join(files, name)))
	}
	write("ca.crt", string(in.server.CA()))
	write("namespace", in.namespace)
	write("token", tokenOf(t, in.server, in.namespace, "elector"))
	server, err := url.Parse(in.server.URL())
	require.NoError(t, err)
	program := electorproc.Build(t, filepath.Join("..", "..", "cmd", "elector"))
	p := electorproc.Start(t, "unshare", []string{
		"KUBECONFIG=", "KUBERNETES_SERVICE_HOST=" + server.Hostname(), "KUBERNETES_SERVICE_PORT=" + server.Port(),
	}, append([]string{"-r", "-m", "sh", "-c", inPod, files, program}, in.flags("--id=pod")...)...)
	awaitLine(t, p, "Leading")

	// A token is its account's: that of an account which was made anew is refused.
	accounts := "/api/v1/namespaces/" + in.namespace + "/serviceaccounts"
	code, _, body := send(t, in.server, http.MethodDelete, accounts+"/elector", "")
	require.Equal(t, http.StatusOK, code, body)
	awaitLine(t, p, "Unauthorized")
	code, _, body = send(t, in.server, http.MethodPost, accounts,
		`{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"elector"}}`)
	require.Equal(t, http.StatusCreated, code, body)
	terms := strings.Count(p.Err.String(), `"Leading"`)
	awaitLine(t, p, "No longer leading")
	write("token", tokenOf(t, in.server, in.namespace, "elector"))
	require.Eventually(t, func() bool { return strings.Count(p.Err.String(), `"Leading"`) > terms },
		75*time.Second, 100*time.Millisecond, "client-go reads the file every minute")
	end(t, p)
}
