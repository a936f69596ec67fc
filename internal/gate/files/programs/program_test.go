package programs

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/gate/files/setting"
)

// TestProgramsPage: docs/gate-files.md has the table, with its sources.
func TestProgramsPage(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`| program | known by | lease / deadline / retry | timeout | releases | source |
| --- | --- | --- | --- | --- | --- |
`)
	for i := range programs {
		p := &programs[i]
		assert.NotEmpty(t, p.Source, p.Name)
		if _, known := machine.ProfileNamed(p.Profile); p.Profile != "" {
			assert.True(t, known, p.Name)
		}
		assert.NotZero(t, p.timings, p.Name)
		timeout, releases := "?", "no"
		if p.Timeout.Kind != Unknown {
			timeout = string(p.Timeout.Kind)
		}
		if since := p.earlier.timeoutSince; since != (release{}) {
			timeout += fmt.Sprintf(" since v%d.%d", since.major, since.minor)
		}
		if p.Timeout.Kind == Fixed {
			timeout = p.Timeout.Of.String()
		}
		follows := p.follows()
		if p.Newer {
			follows += "; newer versions"
		}
		switch {
		case p.releaseVaries:
			releases = "in some versions"
		case p.Release:
			releases = "yes"
		case p.releaseGate != "":
			releases = "with " + p.releaseGate + "=true"
		}
		if p.releaseIsAssumed {
			releases += ", *assumed*"
		}
		assert.False(t, p.releaseVaries && !p.Release, "%s: the worse counts", p.Name)
		fmt.Fprintf(&b, "| %s | %s | %v / %v / %v%s | %s | %s | %s |\n", p.Name, strings.Join(slices.Concat(p.names, p.kinds, p.knownSettings()), ", "),
			p.timings.LeaseDuration, p.timings.RenewDeadline, p.timings.RetryPeriod, follows, timeout, releases, p.Source)
	}
	const (
		page  = "../../../../docs/gate-files.md"
		begin = "<!-- from here on written by go test ./internal/gate/files/programs -run TestProgramsPage -rewrite -->\n"
		end   = "<!-- to here -->\n"
	)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	require.True(t, found && ended, "%s: expected the lines %s and %s", page, begin, end)
	compare(t, page, before+begin+b.String()+end+after)
}

var rewrite = flag.Bool("rewrite", false, "write the table of docs/gate-files.md")

// compare compares a file with what it shall have, or writes that.
func compare(t *testing.T, path, want string) {
	t.Helper()
	if *rewrite {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o600))
		return
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), path)
}

// follows says which timings follow from others.
func (p *Program) follows() string {
	switch {
	case p.Fixed:
		return "; fixed"
	case p.ofLease:
		return "; the deadline is half of the lease, the retry period a quarter"
	case p.afterRenew > 0:
		return fmt.Sprintf("; the lease is the deadline and %v", p.afterRenew)
	case p.perRetry.lease > 0:
		return fmt.Sprintf("; the lease is %d, the deadline %d retry periods", p.perRetry.lease, p.perRetry.renew)
	}
	return ""
}

// TestProgramNames: names find their program, and no other.
func TestProgramNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ image, container, want string }{
		{"registry.k8s.io/kube-scheduler:v1.34.0@sha256:aa", "", "kube-scheduler"},
		{"localhost:5000/kube-scheduler", "", "kube-scheduler"},
		{"example.com/mine:kube-scheduler", "", ""},
		{"example.com/kube-scheduler/mine", "", ""},
		{"example.com/mine", "kube-scheduler", "kube-scheduler"},
		{"example.com/my-descheduler-fips", "", "descheduler"},
		{"example.com/deschedulers", "", ""},
		{"registry.k8s.io/ingress-nginx/controller:v1", "controller", "ingress-nginx"},
		{"example.com/controller", "controller", ""},
		{"quay.io/openshift/cluster-network-operator", "", ""},
		{"quay.io/jetstack/cert-manager-cainjector:v1", "", "cert-manager's cainjector"},
		{"quay.io/jetstack/cert-manager-webhook:v1", "", ""},
		{"registry/mirror/cert-manager-controller", "", "cert-manager"},
		{"rancher/mirrored-kube-vip-kube-vip-iptables", "", "kube-vip"},
		{"rancher/mirrored-fluxcd-source-controller:v1", "", "a Flux controller"},
		{"quay.io/cilium/operator-aws", "", "Cilium's operator"},
		{"rancher/mirrored-cilium-operator-generic:v1", "", "Cilium's operator"},
		{"openshift4/ose-csi-external-attacher-rhel8", "", "CSI's attacher"},
		{"hetznercloud/hcloud-cloud-controller-manager", "", "cloud-controller-manager"},
		{"ghcr.io/kedacore/keda:2.6.1", "", "KEDA"},
		{"mirror/keda:2.6.1", "keda-operator", "KEDA"},
		{"mirror/keda:2.6.1", "keda", ""},
		{"docker.elastic.co/elastic-agent/elastic-agent-complete", "", "the Elastic Agent"},
		{"registry.k8s.io/kube-controller-manager-amd64:v1.13.5", "", "kube-controller-manager"},
		// Words beside the name, or another organisation, make it another program.
		{"rancher/fleet-agent:v0.10.2", "fleet-agent", "Fleet's agent"},
		{"rancher/fleet:v0.10.2", "fleet-controller", "Fleet"},
		{"quay.io/cilium/tetragon-operator", "tetragon-operator", ""},
		{"quay.io/argoprojlabs/argo-rollouts-manager", "manager", ""},
		{"docker.io/rocm/gpu-operator", "gpu-operator", ""},
		{"nvcr.io/nvidia/gpu-operator", "gpu-operator", "NVIDIA's operators"},
		{"rancher/helm-controller", "helm-controller", ""},
		{"ghcr.io/vmware-tanzu/source-controller", "", ""},
		{"quay.io/solo-io/gloo-fed", "gloo-fed", ""},
		{"quay.io/solo-io/gloo", "gloo", "Gloo"},
		{"gcr.io/gloo-mesh/gloo-mesh-mgmt-server", "", ""},
		{"ghcr.io/kyverno/policy-reporter", "", ""},
		{"quay.io/jetstack/cert-manager-approver-policy", "", ""},
		{"registry.cn-hangzhou.aliyuncs.com/acs/cloud-controller-manager-amd64", "", "Alibaba's cloud-controller-manager"},
		{"example.com/radanalyticsio/spark-operator", "", ""},
		{"", "", ""},
	} {
		name := ""
		if p := Named(c.image, c.container); p != nil {
			name = p.Name
		}
		assert.Equal(t, c.want, name, "%s %s", c.image, c.container)
	}
	assert.Equal(t, "kueue", OfKind("config.kueue.x-k8s.io/v1beta1", "Configuration").Name)
	assert.Equal(t, "cert-manager", OfKind("controller.config.cert-manager.io/v1alpha1", "ControllerConfiguration").Name)
	assert.Nil(t, OfKind("example.com/v1", "Configuration"))
}

// knownSettings returns, in words, the settings by which the program is known.
func (p *Program) knownSettings() (all []string) {
	for _, s := range p.settings {
		all = append(all, "settings with "+s)
	}
	return all
}

// speakOf returns what tells whether a setting of that name speaks of a word.
func speakOf(name string) func(word string) bool {
	return func(word string) bool { return strings.Contains(setting.Normal(name), word) }
}

// TestJavaDurations: programs in Java write durations as Flink does, or as ISO 8601 has them; others do not.
func TestJavaDurations(t *testing.T) {
	t.Parallel()
	inJava := OfSettings(speakOf("QUARKUS_LEADER_ELECTION_LEASE_DURATION"))
	require.NotNil(t, inJava)
	for text, want := range map[string]string{
		"15 s": "15s", "15 sec": "15s", "2 minutes": "2m", "1 h": "1h", "1500 ms": "1500ms", "3 millis": "3ms",
		"PT15S": "15s", "PT1M30S": "1m30s", "15s": "15s", "15": "15", "15 eons": "15 eons", "15 S": "15s", "": "", "s": "s",
	} {
		assert.Equal(t, want, inJava.GoDuration(text), text)
		assert.Equal(t, text, (*Program)(nil).GoDuration(text))
		assert.Equal(t, text, programs[len(programs)-1].GoDuration(text))
	}
	flink := OfSettings(speakOf("high-availability.kubernetes.leader-election.lease-duration"))
	require.NotNil(t, flink)
	assert.Equal(t, "15000ms", flink.GoDuration("15000"), "without a unit")
}
