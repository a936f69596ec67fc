package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// versionOf is what a report in JSON has of the version of client-go, of its first target.
func versionOf(t *testing.T, r ran) (version, source, profile string, overlap time.Duration) {
	t.Helper()
	var got struct {
		Targets []struct {
			ClientGo, ClientGoSource, Profile string
			WorstOverlapNs, AtMostNs          time.Duration
		}
	}
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &got), r.stderr)
	require.NotEmpty(t, got.Targets, r.stderr)
	first := got.Targets[0]
	return first.ClientGo, first.ClientGoSource, first.Profile, max(first.WorstOverlapNs, first.AtMostNs)
}

// TestGateClientGo: the version of client-go that a flag gives is judged, for timings from flags and for files that do not say it, and the
// printed command judges it again.
func TestGateClientGo(t *testing.T) {
	flags := []string{"gate", "--lease-duration", "15s", "--renew-deadline", "10s", "--retry-period", "2s", "--request-timeout", "5s", "--release-on-cancel", "-o", "json"}
	for given, want := range map[string]struct {
		version, profile string
		overlap          time.Duration
	}{
		"v0.24":    {"v0.24", "client-go-v0.24", 5 * time.Second},
		"v0.29.15": {"v0.29", "client-go-v0.24", 5 * time.Second},
		"v0.30":    {"v0.30", "client-go", 10 * time.Second},
		"v0.36.3":  {"v0.36", "client-go", 19 * time.Second},
		"v0.37.0":  {"v0.37", "client-go", 23 * time.Second},
	} {
		got := simulate("", append(flags, "--client-go", given)...)
		version, source, profile, overlap := versionOf(t, got)
		assert.Equal(t, want.version, version, given)
		assert.Equal(t, "--client-go", source, given)
		assert.Equal(t, want.profile, profile, given)
		assert.Equal(t, want.overlap, overlap, given)
		assert.Contains(t, got.stderr, " --client-go "+want.version+" ")
		assert.NotContains(t, got.stderr, "--profile")
		_, _, _, again := versionOf(t, simulate("", append(strings.Fields(got.stderr)[1:], "-o", "json")...))
		assert.Equal(t, overlap, again, got.stderr)
	}

	version, source, _, _ := versionOf(t, simulate(one("example.com/mine", "--leader-elect"), "gate", "-", "-o", "json", "--client-go", "v0.28"))
	assert.Equal(t, "v0.28 --client-go", version+" "+source)
	got := simulate(one("quay.io/jetstack/cert-manager-controller:v1.18.2"), "gate", "-", "-o", "json")
	version, source, _, _ = versionOf(t, got)
	assert.Equal(t, "v0.37 assumed", version+" "+source)
	assert.Contains(t, got.stdout, "client-go v0.37, on a Lease (assumed); ")
	version, source, _, _ = versionOf(t, simulate(one("registry.k8s.io/kube-scheduler:v1.34.0"), "gate", "-", "-o", "json", "--client-go", "v0.28"))
	assert.Equal(t, "v0.34 that of kube-scheduler v1.34", version+" "+source, "its release says it")
	old := simulate(one("registry.k8s.io/kube-scheduler:v1.17.0"), "gate", "-", "-o", "json")
	version, _, _, _ = versionOf(t, old)
	assert.Equal(t, "v0.17", version)
	assert.Empty(t, old.stderr, "no flag says that version")
}

// TestGateClientGoOverridden: an entry of overrides gives the version of single targets, and wins.
func TestGateClientGoOverridden(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("o.yaml", []byte("targets:\n- name: \"*\"\n  clientGo: v0.26.1\n"), 0o666))
	for _, image := range []string{"example.com/mine", "registry.k8s.io/kube-scheduler:v1.34.0"} {
		version, source, profile, _ := versionOf(t, simulate(one(image, "--leader-elect"), "gate", "-", "-o", "json", "--client-go", "v0.28", "--overrides", "o.yaml"))
		assert.Equal(t, "v0.26 o.yaml:2 client-go-v0.24", version+" "+source+" "+profile, image)
	}
	got := simulate("name: x\nhorizon: 9s\ndefaults: {profile: strict}\ncandidates: [{id: a}]\n", "gate", "-", "--overrides", "o.yaml")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "o.yaml:2: clientGo v0.26 of a target with profile strict: want one with client-go and a lock on an object of Kubernetes")
}

// TestClientGoBadInput: versions of which nothing is known, and what contradicts one.
func TestClientGoBadInput(t *testing.T) {
	folder(t)
	for version, why := range map[string]string{
		"v0.17.17": "want client-go v0.18 to v0.37: before, nothing ends a request, so that no bound is known",
		"v0.38":    "want client-go v0.18 to v0.37: none newer was read",
		"0.29":     "want a version of k8s.io/client-go such as v0.29 or v0.29.3",
		"v1.29":    "want a version of k8s.io/client-go such as v0.29 or v0.29.3",
	} {
		for _, command := range [][]string{{"gate", "--lease-duration", "15s"}, {"tune"}} {
			got := simulate("", append(command, "--client-go", version)...)
			assert.Equal(t, exit.BadInput, got.code, version)
			assert.Contains(t, got.stderr, why, version)
		}
		require.NoError(t, os.WriteFile("o.yaml", []byte("targets: [{name: x, clientGo: "+version+"}]\n"), 0o666))
		assert.Contains(t, simulate("a: b", "gate", "-", "--overrides", "o.yaml").stderr, why)
	}
	for flag, why := range map[string]string{
		"--profile=strict": "--client-go v0.29 and --profile strict: want one of them",
		"--lock=kv-ttl":    "--client-go v0.29 is about locks on objects of Kubernetes; that is --lock kv-ttl",
	} {
		for _, command := range [][]string{{"gate", "--lease-duration", "15s"}, {"tune"}} {
			got := simulate("", append(command, "--client-go", "v0.29", flag)...)
			assert.Equal(t, exit.BadInput, got.code, flag)
			assert.Contains(t, got.stderr, why, flag)
		}
	}
}

// TestTuneClientGo: timings are safe with the version, as the gate judges it.
func TestTuneClientGo(t *testing.T) {
	got := simulate("", "tune", "--client-go", "v0.29", "--max-lease", "40s")
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Contains(t, strings.Join(strings.Fields(got.stdout), " "), "client-go v0.29 (--client-go), by profile client-go-v0.24 and what differs from it")
	first, _, _ := strings.Cut(got.stdout, "\n")
	gated := simulate("", append([]string{"gate", "--client-go", "v0.29"}, strings.Fields(first)...)...)
	assert.Equal(t, exit.AsExpected, gated.code, gated.stdout)
	var wish struct{ ClientGo string }
	require.NoError(t, json.Unmarshal([]byte(simulate("", "tune", "--client-go", "v0.29.1", "--max-lease", "40s", "-o", "json").stdout), &wish))
	assert.Equal(t, "v0.29", wish.ClientGo)
}
