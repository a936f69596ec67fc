package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"

	"interregnum/cmd/simulate/internal/exit"
)

// manifest reads a file of deploy/search as the API server does: unknown and misspelt fields are errors.
func manifest[T runtime.Object](t *testing.T, file string) T {
	text, err := os.ReadFile(filepath.Join("../../deploy/search", file))
	require.NoError(t, err)
	codecs := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict)
	object, _, err := codecs.UniversalDeserializer().Decode(text, nil, nil)
	require.NoError(t, err)
	require.IsType(t, *new(T), object)
	return object.(T)
}

// hardened asserts what a restricted namespace asks of a pod, and that it leaves room for others.
func hardened(t *testing.T, s *corev1.PodSpec) {
	assert.Equal(t, corev1.RestartPolicyNever, s.RestartPolicy)
	assert.False(t, *s.AutomountServiceAccountToken)
	assert.True(t, *s.SecurityContext.RunAsNonRoot)
	assert.NotZero(t, *s.SecurityContext.RunAsUser)
	assert.Equal(t, corev1.SeccompProfileTypeRuntimeDefault, s.SecurityContext.SeccompProfile.Type)
	require.Len(t, s.Containers, 1)
	c := &s.Containers[0]
	assert.False(t, *c.SecurityContext.AllowPrivilegeEscalation)
	assert.True(t, *c.SecurityContext.ReadOnlyRootFilesystem)
	assert.Equal(t, []corev1.Capability{"ALL"}, c.SecurityContext.Capabilities.Drop)
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		assert.Contains(t, c.Resources.Requests, name)
		assert.Contains(t, c.Resources.Limits, name)
	}
	require.Len(t, s.Volumes, 1)
	assert.Equal(t, s.Volumes[0].Name, c.VolumeMounts[0].Name)
}

// TestSearchManifests: they are what Kubernetes takes, and agree with each other.
func TestSearchManifests(t *testing.T) {
	search, merge := manifest[*batchv1.Job](t, "job.yaml"), manifest[*batchv1.Job](t, "merge/job.yaml")
	claim := manifest[*corev1.PersistentVolumeClaim](t, "results.yaml")
	for _, job := range []*batchv1.Job{search, merge} {
		pod := &job.Spec.Template.Spec
		hardened(t, pod)
		assert.Equal(t, claim.Name, pod.Volumes[0].PersistentVolumeClaim.ClaimName)
		for _, rule := range job.Spec.PodFailurePolicy.Rules {
			if rule.OnExitCodes != nil {
				assert.Equal(t, pod.Containers[0].Name, *rule.OnExitCodes.ContainerName)
				assert.Equal(t, []int32{exit.NotAsExpected, exit.BadInput}, rule.OnExitCodes.Values)
			}
		}
	}
	assert.Equal(t, batchv1.IndexedCompletion, *search.Spec.CompletionMode)
	env := search.Spec.Template.Spec.Containers[0].Env
	assert.Equal(t, fmt.Sprint(*search.Spec.Completions), env[0].Value)
	for _, folder := range []string{"", "merge"} {
		text, err := os.ReadFile(filepath.Join("../../deploy/search", folder, "kustomization.yaml"))
		require.NoError(t, err)
		var k struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string
			Resources  []string
			Images     []struct {
				Name    string
				NewName string `yaml:"newName"`
				NewTag  string `yaml:"newTag"`
			}
		}
		strict := yaml.NewDecoder(bytes.NewReader(text))
		strict.KnownFields(true)
		require.NoError(t, strict.Decode(&k))
		for _, file := range k.Resources {
			assert.FileExists(t, filepath.Join("../../deploy/search", folder, file))
		}
		assert.Equal(t, search.Spec.Template.Spec.Containers[0].Image, k.Images[0].Name)
	}
}

// container runs what a container of a job runs, with $(VARIABLES) expanded as Kubernetes does, and fewer runs.
func container(t *testing.T, c *corev1.Container, results, index string) (code int, stdout string) {
	pairs := []string{"$(JOB_COMPLETION_INDEX)", index, "/results", results, "--runs=100000000", "--runs=1000"}
	for _, e := range c.Env {
		pairs = append(pairs, "$("+e.Name+")", e.Value)
	}
	var args []string
	for _, a := range c.Args {
		args = append(args, strings.NewReplacer(pairs...).Replace(a))
	}
	p := exec.Command(os.Args[0], args...)
	p.Env = append(os.Environ(), "INTERREGNUM_TEST_MAIN=1")
	out, err := p.Output()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return p.ProcessState.ExitCode(), string(out)
}

// TestSearchJobs runs both jobs as Kubernetes would, one pod a second time: together they are the unsharded search.
func TestSearchJobs(t *testing.T) {
	search, merge := manifest[*batchv1.Job](t, "job.yaml"), manifest[*batchv1.Job](t, "merge/job.yaml")
	pod, results := &search.Spec.Template.Spec.Containers[0], t.TempDir()
	for i := range *search.Spec.Completions {
		code, _ := container(t, pod, results, fmt.Sprint(i))
		require.Equal(t, exit.AsExpected, code)
	}
	file := filepath.Join(results, "shard-2.jsonl")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(file, int64(len(text)/2)))
	code, _ := container(t, &merge.Spec.Template.Spec.Containers[0], results, "")
	assert.Equal(t, exit.BadInput, code, "half a shard is missing")
	code, _ = container(t, pod, results, "2")
	require.Equal(t, exit.AsExpected, code)

	code, together := container(t, &merge.Spec.Template.Spec.Containers[0], results, "")
	alone := simulate("", "search", "--profile=strict", "--runs=1000", "--output=json")
	assert.Equal(t, alone.code, code)
	assert.Equal(t, alone.stdout, together)
}
