package kubernetes_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestSearchJob runs the Jobs of deploy/search, as docs/search.md has it, and compares them with the same search in one
// process. Times are limited only so that what hangs is told.
func TestSearchJob(t *testing.T) {
	if out, err := exec.Command("unshare", "-r", "-m", "-p", "-f", "unshare", "-U", "true").CombinedOutput(); err != nil {
		t.Skipf("no name spaces here: %v: %s", err, out)
	}
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("no kubectl here")
	}
	ctx, s := newSearchCluster(t)
	ctx, cancel := context.WithTimeout(ctx, 20*time.Minute)
	defer cancel()
	t.Run("holds", func(t *testing.T) { holds(t, s.campaign(ctx, t, "holds", "--profile=strict", "--runs=200000")) })
	t.Run("violates", func(t *testing.T) {
		violates(t, s.campaign(ctx, t, "violates", "--profile=strict", "--lock=sql-ttl", "--max-clock-offset=6s",
			"--lease-duration=15s", "--renew-deadline=10s", "--retry-period=2s", "--runs=20000"))
	})
	t.Run("stopped", func(t *testing.T) {
		stopped(t, s.campaign(ctx, t, "stopped", "--profile=client-go", "--property=single-work",
			"--lease-duration=15s", "--renew-deadline=10s", "--retry-period=2s", "--runs=200000"))
	})
}

// holds: one pod is killed, one evicted and one deleted. Others go on in their places, where their files end.
func holds(t *testing.T, c *campaign) {
	c.apply(t)
	killed, before := c.killed(t, 0)
	evicted, deleted := c.evicted(t, 1), c.deleted(t, 2)
	printed := c.merge(t)
	search, pods := c.job(t, "interregnum-search")
	ended(t, search, batchv1.JobComplete)
	require.Equal(t, "0-3", search.Status.CompletedIndexes)
	require.Equal(t, int32(2), search.Status.Failed, "the eviction does not count")
	require.Equal(t, map[string][]int32{"0": {0, 137}, "1": {0}, "2": {0}, "3": {0}}, exits(t, pods))
	require.Regexp(t, wasInterrupted, c.log(t, evicted), tooLate, 1)
	require.Regexp(t, wasInterrupted, c.log(t, deleted), tooLate, 2)
	for i := range pods {
		if index(&pods[i]) == "0" && pods[i].UID != killed.UID {
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
	c.requireWhole(t, printed, 0)
}

// violates: what one shard finds ends its index alone, and the merge has it.
func violates(t *testing.T, c *campaign) {
	c.apply(t)
	printed := c.merge(t)
	search, pods := c.job(t, "interregnum-search")
	require.Equal(t, batchv1.JobReasonFailedIndexes, ended(t, search, batchv1.JobFailed))
	require.Equal(t, "0-2", search.Status.CompletedIndexes)
	require.Equal(t, "3", *search.Status.FailedIndexes)
	require.Equal(t, map[string][]int32{"0": {0}, "1": {0}, "2": {0}, "3": {1}}, exits(t, pods))
	c.requireMergeFailed(t, 1)
	c.requireWhole(t, printed, 1)
}

// stopped: of two shards that have found something already, the pod of one is deleted, and that of the other evicted. Both
// exit 1. The index of the deleted one fails before its shard has ended, and the merge tells what is missing. When the
// Jobs are made anew, they run just that.
func stopped(t *testing.T, c *campaign) {
	c.apply(t)
	c.found(t, 0)
	deleted := c.deleted(t, 0)
	c.found(t, 1)
	evicted := c.evicted(t, 1)
	printed := c.merge(t)
	require.Regexp(t, wasInterrupted, c.log(t, deleted), tooLate, 0)
	require.Regexp(t, wasInterrupted, c.log(t, evicted), tooLate, 1)
	search, pods := c.job(t, "interregnum-search")
	require.Equal(t, batchv1.JobReasonFailedIndexes, ended(t, search, batchv1.JobFailed))
	require.Equal(t, int32(4), search.Status.Failed, "the eviction does not count")
	require.Equal(t, map[string][]int32{"1": {1}, "2": {1}, "3": {1}}, exits(t, pods))
	c.requireMergeFailed(t, 2)
	require.Regexp(t, `^simulate: /results/shard-0\.jsonl: \d+ of 782 blocks are missing, from block \d+ on\n$`, printed)

	c.remove(t)
	c.apply(t)
	printed = c.merge(t)
	_, pods = c.job(t, "interregnum-search")
	require.Equal(t, map[string][]int32{"0": {1}, "1": {1}, "2": {1}, "3": {1}}, exits(t, pods))
	for i := range pods {
		if index(&pods[i]) != "0" {
			require.Regexp(t, `^simulate: \d+ runs, 0 a second, `, c.log(t, &pods[i]), "nothing is left to run")
		}
	}
	c.requireMergeFailed(t, 1)
	c.requireWhole(t, printed, 1)
}

// wasInterrupted matches what a search says last that was asked to stop.
const wasInterrupted = `interrupted after \d+ of \d+ runs; to go on:\n`

// requireWhole asserts that the same search in one process prints this text, has this exit code, and writes the results
// file that merging those on the volume writes.
func (c *campaign) requireWhole(t *testing.T, printed string, code int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "whole.jsonl")
	args := append([]string{"search", "--output=json", "--resume=" + file}, c.flags...)
	cmd := exec.CommandContext(c.ctx, c.program, args...)
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
	pods, err := c.client.CoreV1().Pods(c.namespace).List(c.ctx, metav1.ListOptions{
		LabelSelector: batchv1.JobNameLabel + "=" + name,
	})
	require.NoError(t, err)
	return job, pods.Items
}

// exits are the exit codes of the pods that are there, by completion index.
func exits(t *testing.T, pods []corev1.Pod) map[string][]int32 {
	t.Helper()
	codes := map[string][]int32{}
	for i := range pods {
		require.Len(t, pods[i].Status.ContainerStatuses, 1, "%+v", pods[i].Status)
		end := pods[i].Status.ContainerStatuses[0].State.Terminated
		require.NotNil(t, end, "%+v", pods[i].Status)
		of := index(&pods[i])
		codes[of] = append(codes[of], end.ExitCode)
		slices.Sort(codes[of])
	}
	return codes
}

// index is the completion index of a pod; that of a Job which is not indexed has none.
func index(pod *corev1.Pod) string { return pod.Annotations[batchv1.JobCompletionIndexAnnotation] }

// requireMergeFailed asserts that the merge has failed at once, with that exit code.
func (c *campaign) requireMergeFailed(t *testing.T, code int32) {
	t.Helper()
	merge, pods := c.job(t, "interregnum-merge")
	require.Equal(t, batchv1.JobReasonPodFailurePolicy, ended(t, merge, batchv1.JobFailed))
	require.Equal(t, map[string][]int32{"": {code}}, exits(t, pods))
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
