package gate

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// TestConditions: what a safe verdict of a container rests on, and no file says.
func TestConditions(t *testing.T) {
	t.Parallel()
	const noRelease, noClosing = "the program does not release the lock", "the client closes no connection"
	for _, c := range []struct {
		container string
		verdict   Verdict
		want      []string
	}{
		{ // a program that nobody knows may halve the lease, as some do
			"image: x/x, args: [--enable-leader-election, --leader-election-lease-duration=60s]", Safe,
			[]string{noClosing, noRelease, "renewDeadline is 10s and retryPeriod is 2s, as assumed"},
		}, {
			"image: x/x, args: [--leader-elect-lease-duration=40s, --leader-elect-renew-deadline=20s]", Safe,
			[]string{noClosing, noRelease, "retryPeriod is 2s, as assumed"},
		}, {
			"image: x/x, args: [--leader-elect-lease-duration=120s, --leader-elect-renew-deadline=20s]", Safe,
			[]string{noClosing, noRelease}, // safe with every RetryPeriod, and not with closings and no timeout
		}, {
			"image: x/x, args: [--leader-elect-lease-duration=60s, --leader-elect-renew-deadline=20s, --leader-elect-retry-period=5s]", Safe,
			[]string{noClosing, noRelease},
		}, {
			"image: x/x, args: [--leader-elect, --leader-lease-duration=40s, --leader-renew-deadline=20s, --leader-retry-duration=15s]", Safe,
			[]string{noClosing, noRelease, "retryPeriod is 2s, as assumed", "--leader-retry-duration is none of the durations that count"},
		}, {
			"image: x/x, args: [--leader-elect]", Unsafe, nil,
		}, { // which has its lock on two objects
			"image: 'k8s.gcr.io/kube-controller-manager:v1.18.20', args: [--leader-elect-lease-duration=600s]", Unsafe, nil,
		}, {
			"image: 'k8s.gcr.io/kube-controller-manager:v1.21.0', args: [--leader-elect-lease-duration=600s]", Safe, nil,
		}, {
			"image: mirror/kube-controller-manager, args: [--leader-elect-lease-duration=600s]", Safe,
			[]string{"the release of kube-controller-manager is v1.21 or later"},
		},
	} {
		assert.Equal(t, c.want, ofContainer(t, c.container, c.verdict).Conditions(), c.container)
	}
}

// TestEndlessIfPaused: an overlap that is accepted can have an end only if no process ever stands still.
func TestEndlessIfPaused(t *testing.T) {
	for trip, want := range map[time.Duration]bool{time.Second: true, 990 * time.Millisecond: false} {
		c := Target{Config: bound.Config{
			Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
			Profile: machine.ClientGo, ReleaseOnCancel: true, RequestTimeout: 5 * time.Second, Lock: plan.Lease,
		}}
		j, err := unchanged(c, &bound.Environment{MaxRoundTrip: trip})
		require.NoError(t, err)
		require.NotContains(t, j.Conditions(), "no process stands still for even a nanosecond")
		j.Accepted = AcceptedOverlap
		require.Equal(t, want, slices.Contains(j.Conditions(), "no process stands still for even a nanosecond"), trip)
	}
}

// TestConditionsOfAccepted: an overlap that is accepted rests on what would make it longer, and nobody says.
func TestConditionsOfAccepted(t *testing.T) {
	t.Parallel()
	const noRelease, noClosing = "the program does not release the lock", "the client closes no connection"
	for args, want := range map[string][]string{
		"--leader-elect": {noClosing, noRelease, "leaseDuration is 15s, renewDeadline is 10s and retryPeriod is 2s, as assumed"},
		"--leader-elect-lease-duration=19s, --leader-elect-renew-deadline=15s, --leader-elect-retry-period=2s": {noClosing, noRelease},
	} {
		text := "containers: [{name: c, image: x/x, args: [" + args + "]}]\n"
		j := ofFile(t, text, "targets: [{name: '*', requestTimeout: none}]", Unsafe)
		assert.Empty(t, j.Conditions(), "it counts")
		r := Report{Targets: []*Judgement{j}}
		r.Tolerate(2 * time.Second)
		require.Equal(t, AcceptedOverlap, j.Accepted)
		assert.Equal(t, want, j.Conditions())
		assert.Contains(t, j.Assumes(), "then unsafe by ")
		assert.Contains(t, j.Assumes(), "no release (assumed; with one unsafe by ")
		j.Accepted = AcceptedBefore
		assert.Equal(t, want, j.Conditions())
		j.Result = j.Result.Without(bound.Unanswered)
		assert.Empty(t, j.Conditions(), "nothing is longer than what has no end")
	}
}

// TestControllerManagerConfig: the program decides whether it releases, and which controller-runtime it has, and so its lock; that had no
// request timeout.
func TestControllerManagerConfig(t *testing.T) {
	t.Parallel()
	const config = "apiVersion: controller-runtime.sigs.k8s.io/v1alpha1\nkind: ControllerManagerConfig\n" +
		"leaderElection: {leaderElect: true, leaseDuration: 60s, renewDeadline: 20s, retryPeriod: 5s}\n"
	j := ofFile(t, config, "", Unsafe)
	assert.Contains(t, j.Assumes(), "a Lease (assumed); request timeout none (the code of controller-runtime)")
	j = ofFile(t, config, "targets: [{name: '*', requestTimeout: half}]", Safe)
	assert.Equal(t, []string{"the program does not release the lock", "the lock is a Lease"}, j.Conditions())
	assert.Contains(t, j.Assumes(), "no release (assumed; with one unsafe by ")
}

// TestSaysTheLock: where no file names the lock, the verdict says which one it takes.
func TestSaysTheLock(t *testing.T) {
	t.Parallel()
	for container, want := range map[string]string{
		"image: x/x, args: [--leader-elect]":                                           "client-go on a Lease (assumed); ",
		"image: x/x, args: [--leader-elect, --leader-elect-resource-lock=leases]":      "client-go (assumed); ",
		"image: mirror/kube-controller-manager":                                        "client-go v0.37, on a Lease (assumed); ",
		"image: 'mirror/kube-controller-manager:v1.30.1'":                              "client-go v0.30 (that of kube-controller-manager v1.30), by profile client-go and what differs from it; ",
		"image: 'mirror/kube-controller-manager:v1.19.3'":                              "client-go v0.19 (that of kube-controller-manager v1.19), by profile client-go-v0.24; lock endpointsleases (the default of kube-controller-manager before v1.20); ",
		"image: eks/amazon-vpc-resource-controller, args: [--enable-leader-election]":  "client-go v0.37 (assumed); lock configmapsleases (the default of Amazon's VPC resource controller without --lease-only); ",
		"image: eks/amazon-vpc-resource-controller, args: [--leader-lease-duration=9]": "client-go v0.37, on a Lease (assumed); ",
	} {
		assert.Regexp(t, "^"+regexp.QuoteMeta(want), ofContainer(t, container, "").Assumes(), container)
	}
}

// ofContainer returns the judgement of a container, given by its fields.
func ofContainer(t *testing.T, container string, verdict Verdict) *Judgement {
	t.Helper()
	return ofFile(t, "containers: [{name: c, "+container+"}]\n", "", verdict)
}

// ofFile returns the judgement of the one target in a file with that text, in the default environment with overrides, "" for none. It is an error if the verdict is
// not the one that is given, unless that is "".
func ofFile(t *testing.T, text, overrides string, verdict Verdict) *Judgement {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	unsaid := clientGo
	unsaid.Timeout.Kind = ""
	if overrides != "" {
		var err error
		unsaid.Overrides, err = ReadOverrides("-", strings.NewReader(overrides))
		require.NoError(t, err)
	}
	r := JudgeFiles([]string{path}, nil, &unsaid, DefaultEnvironment())
	require.Empty(t, r.Problems, text)
	require.Len(t, r.Targets, 1, text)
	if verdict != "" {
		require.Equal(t, verdict, r.Targets[0].Verdict, text)
	}
	return r.Targets[0]
}

// TestIfPaused: a verdict that the shortest pause turns to unsafe has that as a condition, and says by how much. The environment of
// anybody who gives pauses counts them.
func TestIfPaused(t *testing.T) {
	t.Parallel()
	const condition = "no process stands still for even a nanosecond"
	target, e := seconds(4, 2, 1), bound.Environment{MaxRoundTrip: 10 * time.Millisecond}
	j, err := Judge(target, &e)
	require.NoError(t, err)
	assert.Equal(t, Safe, j.Verdict)
	assert.Contains(t, j.Conditions(), condition)
	assert.Equal(t, 30*time.Millisecond, j.IfPaused())

	e.MaxPause = 1
	counted, err := Judge(target, &e)
	require.NoError(t, err)
	assert.Equal(t, j.IfPaused(), counted.Result.Overlap)
	assert.Zero(t, counted.IfPaused())

	e.MaxPause = 0
	target.RetryPeriod = 1100 * time.Millisecond
	j, err = Judge(target, &e)
	require.NoError(t, err)
	assert.NotContains(t, j.Conditions(), condition)
	assert.Zero(t, j.IfPaused())
}

// TestConditionOfVersion: before v0.33 a leader waits a Retry-After out, so that a safe verdict has the version as a condition where nobody says it.
func TestConditionOfVersion(t *testing.T) {
	c := bound.Config{
		Timings: machine.Timings{LeaseDuration: 40 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
		Profile: machine.ClientGo, RequestTimeout: 5 * time.Second, Client: &plan.Client{Retries: true},
	}
	e := &bound.Environment{MaxRoundTrip: 10 * time.Millisecond, MaxRetryAfter: 4 * time.Second}
	for lease := time.Duration(0); ; lease += time.Second {
		require.Less(t, lease, time.Minute)
		c.LeaseDuration = c.RenewDeadline + time.Second + lease
		j, err := Judge(Target{Config: c, VersionAssumed: true}, e)
		require.NoError(t, err)
		if j.Verdict == Safe {
			assert.Contains(t, j.Conditions(), "its client-go is v0.33 or newer")
			break
		}
	}
	c.LeaseDuration += 8 * time.Second
	j, err := Judge(Target{Config: c, VersionAssumed: true}, e)
	require.NoError(t, err)
	assert.NotContains(t, j.Conditions(), "its client-go is v0.33 or newer", "safe with all")
	c.LeaseDuration -= 8 * time.Second
	j, err = Judge(Target{Config: c}, e)
	require.NoError(t, err)
	assert.NotContains(t, j.Conditions(), "its client-go is v0.33 or newer", "somebody says the version")
}
