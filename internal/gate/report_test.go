package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/gate/files/programs"
)

// manifest is a Deployment with a renew deadline of so many seconds.
func manifest(deadline int) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: foo, namespace: bar}
spec: {template: {spec: {containers: [{name: manager, args: [
  --leader-elect-lease-duration=15s, --leader-elect-renew-deadline=%ds, --leader-elect-retry-period=2s]}]}}}
`, deadline)
}

// manifests writes so many files; every fifth is unsafe in the default environment.
func manifests(t testing.TB, n int) []string {
	dir := t.TempDir()
	var paths []string
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("%04d.yaml", i))
		require.NoError(t, os.WriteFile(path, []byte(manifest(6+i%5)), 0o666))
		paths = append(paths, path)
	}
	return paths
}

var clientGo = Unsaid{Profile: machine.ClientGo, Timeout: programs.Timeout{Kind: programs.None}}

func TestJudgeFilesInOrder(t *testing.T) {
	paths := manifests(t, 100)
	r := JudgeFiles(paths, nil, &clientGo, DefaultEnvironment())
	require.Len(t, r.Targets, len(paths))
	names := map[string]bool{}
	for i, j := range r.Targets {
		assert.Equal(t, paths[i], j.File)
		assert.Equal(t, i%5 == 4, j.Verdict == Unsafe)
		if j.Witness != nil {
			assert.False(t, names[j.Witness.Name], "witnesses have names of their own")
			names[j.Witness.Name] = true
			require.NoError(t, j.Witness.Validate())
		}
	}
	assert.Equal(t, Unsafe, r.Verdict())
}

// TestTheRestIsJudged: bad input keeps nothing else from being judged, and nothing is safe with it.
func TestTheRestIsJudged(t *testing.T) {
	path := manifests(t, 1)[0]
	r := JudgeFiles([]string{"missing.yaml", path, "-"}, strings.NewReader("{"), &clientGo, DefaultEnvironment())
	assert.Len(t, r.Targets, 1)
	require.Len(t, r.Problems, 2)
	assert.Equal(t, "missing.yaml", r.Problems[0].File)
	assert.Equal(t, Unknown, r.Verdict())
}

func TestUnsaid(t *testing.T) {
	unsaid := Unsaid{Profile: machine.Strict, ReleaseOnCancel: true, Timeout: programs.FixedTimeout(3 * time.Second)}
	scenario := "name: x\nhorizon: 60s\ndefaults: {profile: client-go-v0.24, requestTimeout: 1s, drain: 7s}\ncandidates: [{id: a}]\n"
	for text, want := range map[string]struct {
		profile        string
		timeout, drain time.Duration
	}{
		manifest(10): {"strict", 3 * time.Second, 0},
		scenario:     {"client-go-v0.24", time.Second, 7 * time.Second},
	} {
		r := JudgeFiles([]string{"-"}, strings.NewReader(text), &unsaid, DefaultEnvironment())
		require.Len(t, r.Targets, 1)
		j := r.Targets[0]
		assert.Equal(t, want.profile, j.Profile.Name)
		assert.True(t, j.ReleaseOnCancel)
		assert.Equal(t, want.timeout, j.RequestTimeout)
		assert.Equal(t, want.drain, j.Environment.Drain)
	}
}

func TestRequire(t *testing.T) {
	r := JudgeFiles([]string{"-"}, strings.NewReader("kind: Service\n"), &clientGo, DefaultEnvironment())
	assert.Equal(t, Nothing, r.Verdict())
	assert.Len(t, r.Notes, 1)
	r.Require()
	assert.Empty(t, r.Notes)
	require.Len(t, r.Problems, 1)
	assert.Equal(t, "-: no leader-election settings; skipped; want something to judge", r.Problems[0].Error())
	assert.Equal(t, Unknown, r.Verdict())
}

// TestAssumedTimingsThatDoNotFit: what nobody has given is no reason to call a configuration refused.
func TestAssumedTimingsThatDoNotFit(t *testing.T) {
	container := "containers: [{name: manager, image: %s, args: [%s]}]\n"
	for _, c := range []struct{ image, args, problem string }{
		{"a/b", "--leader-elect-lease-duration=5s, --leader-elect-retry-period=1s",
			"leaseDuration 5s and retryPeriod 1s do not fit the assumed renewDeadline 10s (leaseDuration must be greater than renewDeadline), "},
		{"a/b", "--leader-elect-renew-deadline=20s", "renewDeadline 20s does not fit the assumed leaseDuration 15s ("},
		{"a/b", "--leader-elect-renew-deadline=1s", "renewDeadline 1s does not fit the assumed retryPeriod 2s ("},
		{"a/b", "--leader-elect-lease-duration=1s", "leaseDuration 1s does not fit the assumed renewDeadline 10s and retryPeriod 2s ("},
		{"a/b", "--leader-elect-retry-period=30s", "retryPeriod 30s does not fit the assumed leaseDuration 15s and renewDeadline 10s ("},
		// what is given does not fit by itself
		{"a/b", "--leader-elect-lease-duration=10s, --leader-elect-renew-deadline=10s", ""},
		{"a/b", "--leader-elect-lease-duration=500ms", ""},
		// whose defaults are known
		{"quay.io/solo-io/gloo:1", "--leader-elect-lease-duration=4s", ""},
	} {
		r := JudgeFiles([]string{"-"}, strings.NewReader(fmt.Sprintf(container, c.image, c.args)), &clientGo, DefaultEnvironment())
		if c.problem == "" {
			require.Len(t, r.Targets, 1, c.args)
			assert.Equal(t, Refused, r.Targets[0].Verdict, c.args)
			continue
		}
		require.Len(t, r.Problems, 1, c.args)
		assert.Empty(t, r.Targets)
		assert.True(t, r.Problems[0].Unreadable)
		assert.Contains(t, r.Problems[0].Text, c.problem)
		assert.Contains(t, r.Problems[0].Text, "so it is not judged; give ")
		assert.Equal(t, Unknown, r.Verdict())

		baseline, err := ReadBaseline("-", strings.NewReader("findings:\n- {name: '-: container manager', verdict: refused}\n"))
		require.NoError(t, err)
		r.Accept(baseline)
		assert.Empty(t, r.Problems, "a baseline of before still accepts it")
	}
}

// TestElectsByDefault: a file whose program elects by default is none without leader election, although it is not judged.
func TestElectsByDefault(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.yaml")
	require.NoError(t, os.WriteFile(path, []byte("containers: [{name: c, image: public.ecr.aws/karpenter/controller:1}]\n"), 0o600))
	for _, c := range []struct {
		path  string
		notes int
	}{{dir, 1}, {path, 2}} {
		r := JudgeFiles([]string{c.path}, nil, &clientGo, DefaultEnvironment())
		assert.Empty(t, r.Targets)
		assert.Zero(t, r.Skipped)
		assert.Len(t, r.Notes, c.notes)
		assert.Contains(t, r.Notes[0].Text, "Karpenter elects a leader by default, with 15s/10s/2s; ")
		assert.Equal(t, Nothing, r.Verdict())
		r.Require()
		assert.Equal(t, Unknown, r.Verdict(), "nothing was judged")
	}
}

// TestReleaseOfSomeVersions: where only some versions of a program release the lock, the worse counts, and is said to.
func TestReleaseOfSomeVersions(t *testing.T) {
	file := "containers: [{name: c, image: 'argoproj/workflow-controller:v3', env: [{name: LEADER_ELECTION_IDENTITY, value: x}, {name: LEADER_ELECTION_LEASE_DURATION, value: 60s}]}]"
	r := JudgeFiles([]string{"-"}, strings.NewReader(file), &clientGo, DefaultEnvironment())
	require.Len(t, r.Targets, 1)
	assert.True(t, r.Targets[0].ReleaseOnCancel)
	assert.Contains(t, r.Targets[0].Assumes(), "releases the lock (some versions of Argo Workflows do)")
}

func TestEndlessInput(t *testing.T) {
	r := JudgeFiles([]string{"-"}, endless{}, &clientGo, DefaultEnvironment())
	require.Len(t, r.Problems, 1)
	assert.Contains(t, r.Problems[0].Text, "endless")
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// TestPanicIsAFailure: of the gate itself, and of one file alone.
func TestPanicIsAFailure(t *testing.T) {
	r := JudgeFiles([]string{"-"}, nil, &clientGo, DefaultEnvironment())
	require.Len(t, r.Failures, 1)
	assert.ErrorContains(t, r.Failures[0], "-: panic: ")
	assert.Equal(t, Unknown, r.Verdict())
}

// TestHintsOfALanguage: a variable or an image that speaks of another language is a hint. A flag that names client-go's profile counts more, but
// not more than a command.
func TestHintsOfALanguage(t *testing.T) {
	const text = "kind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [\n" +
		"  {name: hint, env: [{name: PYTHONPATH, value: x}], args: [--leader-elect]},\n" +
		"  {name: sure, command: [python3], args: [--leader-elect]}]}}}\n"
	for said, judged := range map[bool]int{false: 0, true: 1} {
		r := JudgeFiles([]string{"-"}, strings.NewReader(text), &Unsaid{Profile: machine.ClientGo, ProfileSaid: said}, DefaultEnvironment())
		require.Len(t, r.Targets, judged)
		for _, j := range r.Targets {
			assert.Contains(t, j.Position.String(), "hint")
			assert.False(t, j.ProfileAssumed)
		}
	}
	r := JudgeFiles([]string{"-"}, strings.NewReader("leaderElection: {leaseDuration: 60s}"), &Unsaid{Profile: machine.ClientGo}, DefaultEnvironment())
	require.Len(t, r.Targets, 1)
	assert.True(t, r.Targets[0].ProfileAssumed)
	assert.Contains(t, r.Targets[0].Assumes(), "client-go on a Lease (assumed); ")
}

// TestProfileOfALanguage: programs in a language are judged where the profile is of a client for it, and others that are not in Go never.
func TestProfileOfALanguage(t *testing.T) {
	const text = "kind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [\n" +
		"  {name: net, command: [dotnet, a.dll, --leader-election-lease-duration=15s, --leader-election-renew-deadline=10s]},\n" +
		"  {name: snake, command: [python3, a.py, --leader-election-lease-duration=15s, --leader-election-renew-deadline=10s]},\n" +
		"  {name: jar, command: [java, -jar, a.jar, --leader-election-lease-duration=15s, --leader-election-renew-deadline=10s]},\n" +
		"  {name: js, command: [node, a.js, --leader-election-lease-duration=15s, --leader-election-renew-deadline=10s]}]}}}\n"
	for profile, judged := range map[string]string{
		"client-go": "", "strict": "", "rust": "", "csharp": "container net", "python": "container snake", "java": "container jar", "fabric8": "container jar",
	} {
		p, _ := machine.ProfileNamed(profile)
		r := JudgeFiles([]string{"-"}, strings.NewReader(text), &Unsaid{Profile: p, ProfileSaid: true}, DefaultEnvironment())
		assert.Empty(t, r.Problems, profile)
		var got string
		for _, j := range r.Targets {
			got += j.Position.String()
			assert.Equal(t, profile, j.Profile.Name)
		}
		if judged == "" {
			assert.Empty(t, got, profile)
		} else {
			assert.Contains(t, got, judged, profile)
			assert.Len(t, r.Targets, 1, profile)
		}
	}
}
