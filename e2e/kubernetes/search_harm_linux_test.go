package kubernetes_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// tooLate says why a shard may have no pod that could be harmed.
const tooLate = "shard %d has ended before anything could be done to it: it needs more runs"

// found waits until the file of a shard has a violation.
func (c *campaign) found(t *testing.T, shard int) {
	t.Helper()
	c.awaitResults(t, shard, func(text []byte) bool { return bytes.Contains(text, []byte(`"failures":`)) })
}

// awaitResults waits until the file of a shard is as it should be.
func (c *campaign) awaitResults(t *testing.T, shard int, is func([]byte) bool) (file string) {
	t.Helper()
	file = filepath.Join(c.results, fmt.Sprintf("shard-%d.jsonl", shard))
	for {
		text, err := os.ReadFile(file)
		if is(text) {
			return file
		}
		require.NoError(t, c.ctx.Err(), "what shard %d has written: %q, %v", shard, text, err)
		time.Sleep(10 * time.Millisecond)
	}
}

// begun waits until a shard has results, and returns its file and its pod, which runs.
func (c *campaign) begun(t *testing.T, shard int) (file string, pod *corev1.Pod) {
	t.Helper()
	file = c.awaitResults(t, shard, func(text []byte) bool {
		return bytes.Count(text, []byte("\n")) >= 2 // the first is the header
	})
	pods, err := c.client.CoreV1().Pods(c.namespace).List(c.ctx, metav1.ListOptions{
		LabelSelector: fmt.Sprintf("%s=%d", batchv1.JobCompletionIndexAnnotation, shard),
	})
	require.NoError(t, err)
	require.Len(t, pods.Items, 1)
	return file, &pods.Items[0]
}

// patient gives a pod longer than 30 s to end, which on a busy machine a search may need that makes small what it found.
func patient() *metav1.DeleteOptions {
	given := int64(600)
	return &metav1.DeleteOptions{GracePeriodSeconds: &given}
}

// killed kills the pod of a shard, and leaves what the machine leaves that goes down with it: half a line. It returns
// what was in the file before.
func (c *campaign) killed(t *testing.T, shard int) (pod *corev1.Pod, before []byte) {
	t.Helper()
	file, pod := c.begun(t, shard)
	dead := make(chan error)
	require.True(t, c.node.Kill(pod.UID, func() {
		text, err := os.ReadFile(file)
		before = text[:bytes.LastIndexByte(text, '\n')+1]
		if err == nil {
			err = os.WriteFile(file, append(bytes.Clone(before), `{"block`...), 0o600)
		}
		dead <- err
	}), tooLate, shard)
	require.NoError(t, <-dead)
	return pod, before
}

// evicted has the pod of a shard evicted, as a drain of its node does.
func (c *campaign) evicted(t *testing.T, shard int) *corev1.Pod {
	t.Helper()
	_, pod := c.begun(t, shard)
	require.NoError(t, c.client.PolicyV1().Evictions(c.namespace).Evict(c.ctx, &policyv1.Eviction{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: pod.Name}, DeleteOptions: patient(),
	}))
	return pod
}

// deleted deletes the pod of a shard.
func (c *campaign) deleted(t *testing.T, shard int) *corev1.Pod {
	t.Helper()
	_, pod := c.begun(t, shard)
	require.NoError(t, c.client.CoreV1().Pods(c.namespace).Delete(c.ctx, pod.Name, *patient()))
	return pod
}
