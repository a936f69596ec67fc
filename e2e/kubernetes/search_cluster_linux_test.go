package kubernetes_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"interregnum/e2e/kubernetes/cluster"
	"interregnum/e2e/kubernetes/node"
)

// searchCluster is where the Jobs of deploy/search run.
type searchCluster struct {
	server *cluster.Cluster
	client kubernetes.Interface
	node   *node.Node
	// program is simulate, as in the image.
	program string
}

// newSearchCluster starts a server with controllers and a node. The context ends when the controllers do.
func newSearchCluster(t *testing.T) (context.Context, *searchCluster) {
	t.Helper()
	s := &searchCluster{server: cluster.Start(t), program: filepath.Join(t.TempDir(), "simulate")}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", s.program, "./cmd/simulate")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	ctx := s.server.StartControllers(t)
	s.client = kubernetes.NewForConfigOrDie(s.server.Config("admin"))
	s.node = node.Start(ctx, t, s.server.Config("admin"), "virtual", map[string]node.Image{
		"registry.example.com/interregnum:latest": { // what the Dockerfile makes
			Files: map[string]string{"/simulate": s.program}, Folders: []string{"/work"}, WorkingDir: "/work",
			Entrypoint: []string{"/simulate"},
		},
	})
	return ctx, s
}

// campaign is a search in a namespace and on a volume of its own.
type campaign struct {
	*searchCluster
	ctx context.Context
	// dir has a copy of deploy. results is the volume. kubeconfig names the namespace.
	namespace, dir, results, kubeconfig string
	flags                               []string
}

const shippedFlags = "            - --profile=strict\n            - --runs=100000000\n"

// campaign makes a namespace in which nothing but restricted pods may run, a volume, and a copy of deploy/search that
// searches with the flags.
func (s *searchCluster) campaign(ctx context.Context, t *testing.T, name string, flags ...string) *campaign {
	t.Helper()
	c := &campaign{searchCluster: s, ctx: ctx, namespace: name, dir: t.TempDir(), results: t.TempDir(), flags: flags}
	restricted := map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}
	_, err := s.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: restricted},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = s.client.CoreV1().PersistentVolumes().Create(ctx, &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PersistentVolumeSpec{
			Capacity:               corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")},
			AccessModes:            []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany},
			ClaimRef:               &corev1.ObjectReference{Namespace: name, Name: "interregnum-results"},
			PersistentVolumeSource: corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: c.results}},
		},
	}, metav1.CreateOptions{})
	require.NoError(t, err)

	copied := filepath.Join(c.dir, "deploy", "search")
	require.NoError(t, os.CopyFS(copied, os.DirFS(filepath.Join(deployed, "search"))))
	text, err := os.ReadFile(filepath.Join(copied, "job.yaml"))
	require.NoError(t, err)
	require.Equal(t, 1, bytes.Count(text, []byte(shippedFlags)), "the flags that job.yaml ships with")
	given := "            - " + strings.Join(flags, "\n            - ") + "\n"
	text = bytes.Replace(text, []byte(shippedFlags), []byte(given), 1)
	require.NoError(t, os.WriteFile(filepath.Join(copied, "job.yaml"), text, 0o600))

	c.kubeconfig = s.server.Kubeconfig(t, "admin", "")
	config, err := clientcmd.LoadFromFile(c.kubeconfig)
	require.NoError(t, err)
	config.Contexts[config.CurrentContext].Namespace = name
	require.NoError(t, clientcmd.WriteToFile(*config, c.kubeconfig))
	return c
}

// shell runs a command line where deploy is, with kubectl in the namespace, and returns what it printed.
func (c *campaign) shell(t *testing.T, line string) string {
	t.Helper()
	cmd := exec.CommandContext(c.ctx, "/bin/sh", "-c", line)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "KUBECONFIG="+c.kubeconfig)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%s%s\n%v", line, out, problems.String(), context.Cause(c.ctx))
	return string(out)
}

// block matches a block of command lines.
var block = regexp.MustCompile("(?s)\n```text\n(.*?)\n```\n")

// documented are the command lines of docs/search.md for Kubernetes: those that run both Jobs, which are apply and wait,
// twice, and the log; and that which deletes both. They wait less between two looks.
func documented(t *testing.T) (run []string, remove string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "search.md"))
	require.NoError(t, err)
	_, after, _ := strings.Cut(string(text), "\n### Kubernetes\n")
	section, _, _ := strings.Cut(after, "\n### ")
	blocks := block.FindAllStringSubmatch(section, -1)
	require.Len(t, blocks, 2, section)
	run = strings.Split(regexp.MustCompile(`sleep \d+`).ReplaceAllString(blocks[0][1], "sleep 0.2"), "\n")
	require.Len(t, run, 5)
	return run, blocks[1][1]
}

// apply starts the search, as documented.
func (c *campaign) apply(t *testing.T) {
	t.Helper()
	run, _ := documented(t)
	c.shell(t, run[0])
}

// merge waits until the search has ended, and merges, as documented. It returns the log.
func (c *campaign) merge(t *testing.T) (log string) {
	t.Helper()
	run, _ := documented(t)
	for _, line := range run[1:] {
		log = c.shell(t, line)
	}
	return log
}

// remove deletes both Jobs, as documented.
func (c *campaign) remove(t *testing.T) {
	t.Helper()
	_, line := documented(t)
	c.shell(t, line)
}
