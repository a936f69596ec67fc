package kubernetes_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
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
	b := &searchCluster{server: cluster.Start(t), program: filepath.Join(t.TempDir(), "simulate")}
	build := exec.CommandContext(t.Context(), "go", "build", "-C", filepath.Join("..", ".."), "-o", b.program, "./cmd/simulate")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	ctx := b.server.StartControllers(t)
	b.client = kubernetes.NewForConfigOrDie(b.server.Config("admin"))
	b.node = node.Start(ctx, t, b.server.Config("admin"), "virtual", map[string]node.Image{
		"registry.example.com/interregnum:latest": { // what the Dockerfile makes
			Files: map[string]string{"/simulate": b.program}, Folders: []string{"/work"}, WorkingDir: "/work",
			Entrypoint: []string{"/simulate"},
		},
	})
	return ctx, b
}

// campaign is a search in a namespace and on a volume of its own.
type campaign struct {
	*searchCluster
	ctx                     context.Context
	namespace, dir, results string
	kubeconfig              string
	flags                   []string
}

const shippedFlags = "            - --profile=strict\n            - --runs=100000000\n"

// campaign makes a namespace in which nothing but restricted pods may run, a volume, and a copy of deploy/search that
// searches with the flags.
func (b *searchCluster) campaign(ctx context.Context, t *testing.T, name string, flags ...string) *campaign {
	t.Helper()
	c := &campaign{searchCluster: b, ctx: ctx, namespace: name, dir: t.TempDir(), results: t.TempDir(), flags: flags}
	restricted := map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}
	_, err := b.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: restricted},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = b.client.CoreV1().PersistentVolumes().Create(ctx, &corev1.PersistentVolume{
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
	require.NoError(t, os.WriteFile(filepath.Join(copied, "job.yaml"), bytes.Replace(text, []byte(shippedFlags), []byte(given), 1), 0o600))

	c.kubeconfig = b.server.Kubeconfig(t, "admin", "")
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

// documented are the command lines of docs/search.md that run both Jobs: apply and wait, twice, and the log. They wait
// less between two looks.
func documented(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "search.md"))
	require.NoError(t, err)
	_, text, found := bytes.Cut(text, []byte("\n### Kubernetes\n"))
	require.True(t, found)
	_, text, found = bytes.Cut(text, []byte("\n```text\n"))
	require.True(t, found)
	block, _, _ := strings.Cut(string(text), "\n```\n")
	lines := strings.Split(regexp.MustCompile(`sleep \d+`).ReplaceAllString(block, "sleep 0.2"), "\n")
	require.Len(t, lines, 5, block)
	return lines
}

// requireWhole asserts that the same search in one process prints this text, has this exit code, and writes the results
// file that merging those on the volume writes.
func (c *campaign) requireWhole(t *testing.T, printed string, code int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "whole.jsonl")
	cmd := exec.CommandContext(c.ctx, c.program, append([]string{"search", "--output=json", "--resume=" + file}, c.flags...)...)
	out, err := cmd.Output()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	require.Equal(t, code, cmd.ProcessState.ExitCode())
	require.Equal(t, string(out), printed)
	results, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(results), string(c.merged(t)))
}

// merged is the results file that merging the files on the volume writes.
func (c *campaign) merged(t *testing.T) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "merged.jsonl")
	out, err := exec.CommandContext(c.ctx, c.program, "report", "merge", c.results, "--out="+file).CombinedOutput()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err, string(out))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err, string(out))
	return text
}

// log is what a pod has written, which may have gone.
func (c *campaign) log(t *testing.T, pod *corev1.Pod) string {
	t.Helper()
	text, err := c.node.Log(pod.UID)
	require.NoError(t, err)
	return text
}

// job is a Job as it is, and its pods.
func (c *campaign) job(t *testing.T, name string) (*batchv1.Job, []corev1.Pod) {
	t.Helper()
	job, err := c.client.BatchV1().Jobs(c.namespace).Get(c.ctx, name, metav1.GetOptions{})
	require.NoError(t, err)
	pods, err := c.client.CoreV1().Pods(c.namespace).List(c.ctx, metav1.ListOptions{LabelSelector: batchv1.JobNameLabel + "=" + name})
	require.NoError(t, err)
	return job, pods.Items
}

// exits are the exit codes of the pods that are there, by completion index.
func exits(t *testing.T, pods []corev1.Pod) map[string][]int32 {
	t.Helper()
	codes := map[string][]int32{}
	for i := range pods {
		index := pods[i].Annotations[batchv1.JobCompletionIndexAnnotation]
		require.Len(t, pods[i].Status.ContainerStatuses, 1, "%+v", pods[i].Status)
		end := pods[i].Status.ContainerStatuses[0].State.Terminated
		require.NotNil(t, end, "%+v", pods[i].Status)
		codes[index] = append(codes[index], end.ExitCode)
	}
	return codes
}

// ended is the reason of the condition by which a Job has ended.
func ended(t *testing.T, job *batchv1.Job, want batchv1.JobConditionType) string {
	t.Helper()
	for _, c := range job.Status.Conditions {
		if c.Type == want && c.Status == corev1.ConditionTrue {
			return c.Reason
		}
	}
	require.Fail(t, "expected the Job to be "+string(want), "%+v", job.Status)
	return ""
}

// TestSearchJob runs the Jobs of deploy/search, as docs/search.md has it, and compares them with the same search in one
// process. Times are limited only so that what hangs is told.
func TestSearchJob(t *testing.T) {
	if out, err := exec.Command("unshare", "-r", "-m", "-p", "-f", "unshare", "-U", "true").CombinedOutput(); err != nil {
		t.Skipf("no name spaces here: %v: %s", err, out)
	}
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("no kubectl here")
	}
	ctx, b := newSearchCluster(t)
	ctx, cancel := context.WithTimeout(ctx, 15*time.Minute)
	defer cancel()
	t.Run("holds", func(t *testing.T) { holds(t, b.campaign(ctx, t, "holds", "--profile=strict", "--runs=200000")) })
	t.Run("stopped", func(t *testing.T) {
		stopped(t, b.campaign(ctx, t, "stopped", "--profile=client-go", "--property=single-work",
			"--lease-duration=15s", "--renew-deadline=10s", "--retry-period=2s", "--runs=200000"))
	})
	t.Run("violates", func(t *testing.T) {
		violates(t, b.campaign(ctx, t, "violates", "--profile=strict", "--lock=sql-ttl", "--max-clock-offset=6s",
			"--lease-duration=15s", "--renew-deadline=10s", "--retry-period=2s", "--runs=20000"))
	})
}

// violates: what one shard finds ends its index alone, and the merge has it.
func violates(t *testing.T, c *campaign) {
	lines := documented(t)
	for _, line := range lines[:4] {
		c.shell(t, line)
	}
	log := c.shell(t, lines[4])
	search, pods := c.job(t, "interregnum-search")
	require.Equal(t, batchv1.JobReasonFailedIndexes, ended(t, search, batchv1.JobFailed))
	require.Equal(t, "0-2", search.Status.CompletedIndexes)
	require.Equal(t, "3", *search.Status.FailedIndexes)
	require.Equal(t, map[string][]int32{"0": {0}, "1": {0}, "2": {0}, "3": {1}}, exits(t, pods))
	merge, pods := c.job(t, "interregnum-merge")
	require.Equal(t, batchv1.JobReasonPodFailurePolicy, ended(t, merge, batchv1.JobFailed))
	require.Equal(t, map[string][]int32{"": {1}}, exits(t, pods))
	c.requireWhole(t, log, 1)
}

// holds: one pod is killed, one evicted and one deleted. Others go on in their places, where their files end.
func holds(t *testing.T, c *campaign) {
	lines := documented(t)
	c.shell(t, lines[0])
	killed, before := c.killed(t, 0)
	evicted, deleted := c.evicted(t, 1), c.deleted(t, 2)
	for _, line := range lines[1:4] {
		c.shell(t, line)
	}
	log := c.shell(t, lines[4])
	search, pods := c.job(t, "interregnum-search")
	ended(t, search, batchv1.JobComplete)
	require.Equal(t, "0-3", search.Status.CompletedIndexes)
	require.Equal(t, int32(2), search.Status.Failed, "an eviction does not count")
	require.Equal(t, map[string][]int32{"0": {137, 0}, "1": {0}, "2": {0}, "3": {0}}, exits(t, pods))
	for _, pod := range []*corev1.Pod{evicted, deleted} {
		require.Regexp(t, `interrupted after \d+ of \d+ runs; to go on:`, c.log(t, pod))
	}
	for i := range pods {
		if pods[i].Annotations[batchv1.JobCompletionIndexAnnotation] == "0" && pods[i].UID != killed.UID {
			require.Contains(t, c.log(t, &pods[i]), "the last line was not complete, and its block runs again")
		}
	}
	after, err := os.ReadFile(filepath.Join(c.results, "shard-0.jsonl"))
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(after, before))
	require.Greater(t, len(after), len(before))

	merge, pods := c.job(t, "interregnum-merge")
	ended(t, merge, batchv1.JobComplete)
	require.Equal(t, map[string][]int32{"": {0}}, exits(t, pods))
	c.requireWhole(t, log, 0)
}

// stopped: of two shards that have found something already, the pod of one is deleted and that of the other evicted. The
// deleted one exits as a shard that has found something and ended does, and its index fails; the merge tells what is
// missing, and the Jobs made anew run just that.
func stopped(t *testing.T, c *campaign) {
	lines := documented(t)
	c.shell(t, lines[0])
	c.found(t, 0)
	deleted := c.deleted(t, 0)
	c.found(t, 1)
	evicted := c.evicted(t, 1)
	for _, line := range lines[1:4] {
		c.shell(t, line)
	}
	log := c.shell(t, lines[4])
	search, pods := c.job(t, "interregnum-search")
	require.Equal(t, batchv1.JobReasonFailedIndexes, ended(t, search, batchv1.JobFailed))
	fmt.Println(log, c.log(t, deleted)[:0], evicted.Name, search.Status.Failed, exits(t, pods))
	merge, pods := c.job(t, "interregnum-merge")
	require.Equal(t, batchv1.JobReasonPodFailurePolicy, ended(t, merge, batchv1.JobFailed))
	require.Equal(t, map[string][]int32{"": {2}}, exits(t, pods))

	c.shell(t, "kubectl delete job interregnum-search interregnum-merge")
	for _, line := range lines[:4] {
		c.shell(t, line)
	}
	log = c.shell(t, lines[4])
	_, pods = c.job(t, "interregnum-search")
	require.Equal(t, map[string][]int32{"0": {1}, "1": {1}, "2": {1}, "3": {1}}, exits(t, pods))
	c.requireWhole(t, log, 1)
}
