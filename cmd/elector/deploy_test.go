package main

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"

	"interregnum/internal/electorproc"
	"interregnum/simlock/fakekube"
)

// manifest reads a file of deploy/elector as the API server does: unknown and misspelt fields are errors.
func manifest[T runtime.Object](t *testing.T, file string) T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../deploy/elector", file))
	require.NoError(t, err)
	codecs := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict)
	object, _, err := codecs.UniversalDeserializer().Decode(text, nil, nil)
	require.NoError(t, err)
	require.IsType(t, *new(T), object)
	return object.(T)
}

// TestManifests: they are what Kubernetes takes, fit together, and run, with the rights of the Role and no others.
func TestManifests(t *testing.T) {
	t.Parallel()
	account := manifest[*corev1.ServiceAccount](t, "serviceaccount.yaml")
	lease := manifest[*coordinationv1.Lease](t, "../elector-without-create/lease.yaml")
	role := manifest[*rbacv1.Role](t, "role.yaml")
	binding := manifest[*rbacv1.RoleBinding](t, "rolebinding.yaml")
	deployment := manifest[*appsv1.Deployment](t, "deployment.yaml")
	budget := manifest[*policyv1.PodDisruptionBudget](t, "poddisruptionbudget.yaml")
	flow := manifest[*flowcontrolv1.FlowSchema](t, "flowschema/flowschema.yaml")
	require.Equal(t, coordinationv1.LeaseSpec{}, lease.Spec)
	require.Equal(t, lease.Name, role.Rules[0].ResourceNames[0])
	require.Equal(t, account.Name, flow.Spec.Rules[0].Subjects[0].ServiceAccount.Name)
	require.Equal(t, rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name}, binding.RoleRef)
	require.Equal(t, []rbacv1.Subject{{Kind: "ServiceAccount", Name: account.Name}}, binding.Subjects)
	spec := &deployment.Spec.Template.Spec
	require.Equal(t, account.Name, spec.ServiceAccountName)
	require.Equal(t, deployment.Spec.Selector.MatchLabels, deployment.Spec.Template.Labels)
	require.Equal(t, deployment.Spec.Selector, budget.Spec.Selector)
	for _, spread := range spec.TopologySpreadConstraints {
		require.Equal(t, deployment.Spec.Selector, spread.LabelSelector)
	}
	require.True(t, *spec.SecurityContext.RunAsNonRoot)
	c := &spec.Containers[0]
	require.Equal(t, "metadata.name", c.Env[0].ValueFrom.FieldRef.FieldPath)
	require.Equal(t, "POD_NAME", c.Env[0].Name)

	require.Equal(t, []string{"create"}, role.Rules[2].Verbs, "what elector-without-create takes away")
	for name, create := range map[string]bool{"elector": true, "elector-without-create": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var server fakekube.Server
			rights := role.DeepCopy()
			if !create {
				rights.Rules = rights.Rules[:2]
				_, err := server.Clientset().CoordinationV1().Leases("jobs").Create(t.Context(), lease, metav1.CreateOptions{})
				require.NoError(t, err)
			}
			deployed(t, &server, rights, c)
		})
	}
}

// deployed starts the container of the Deployment, with the rights of a Role.
func deployed(t *testing.T, server *fakekube.Server, role *rbacv1.Role, c *corev1.Container) {
	for _, verb := range []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"} {
		for _, resource := range []string{"leases", "events", "configmaps", "endpoints"} {
			if !allowed(role, "elector", verb, resource) {
				server.Inject(fakekube.Fault{User: "a", Verb: verb, Resource: resource, Status: http.StatusForbidden})
			}
		}
	}
	p := start(t, server, "a", slices.DeleteFunc(slices.Clone(c.Args), func(a string) bool {
		return strings.HasPrefix(a, "--listen=")
	})...)
	electorproc.Eventually(t, "leads", p.leads)
	for _, probe := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe} {
		require.Equal(t, c.Ports[0].Name, probe.HTTPGet.Port.String())
		code, text := p.get(probe.HTTPGet.Path)
		require.Equal(t, http.StatusOK, code, text)
	}
	p.delete()
	require.Equal(t, exitDone, <-p.code)
	require.NotContains(t, p.err.String(), "forbidden")
}

// TestKustomized: no Lease is among what is applied with elector itself, to be pruned or deleted with it.
func TestKustomized(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../deploy/elector/kustomization.yaml")
	require.NoError(t, err)
	files, err := filepath.Glob("../../deploy/elector/*.yaml")
	require.NoError(t, err)
	for _, file := range files {
		if name := filepath.Base(file); name != "kustomization.yaml" {
			require.Contains(t, string(text), name)
			require.NotContains(t, string(read(t, file)), "kind: Lease\n")
		}
	}
}

func read(t *testing.T, file string) []byte {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return text
}

// allowed tells whether a Role allows a verb on a resource, for one name.
func allowed(role *rbacv1.Role, name, verb, resource string) bool {
	return slices.ContainsFunc(role.Rules, func(r rbacv1.PolicyRule) bool {
		named := len(r.ResourceNames) == 0 || verb != "create" && slices.Contains(r.ResourceNames, name)
		return named && slices.Contains(r.Verbs, verb) && slices.Contains(r.Resources, resource)
	})
}
