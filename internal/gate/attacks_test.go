package gate

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// slowStall returns an environment with stalls and drift, as flags give them. A connection is closed later on a slow clock.
func slowStall(t *testing.T) bound.Environment {
	var e Environment
	for _, n := range [][2]string{{"max-round-trip", "2ms"}, {"max-stall", "100s"}, {"max-drift-ppm", "200000"}} {
		require.NoError(t, e.Set(n[0], n[1], "a flag"))
	}
	return e.Environment
}

// TestStallThatNobodyEnds: a connection that stalls is closed only by a client that is known to send pings. For any other a stall counts in
// full: one of HTTP/1.1, no client that is known, and clients in other languages.
func TestStallThatNobodyEnds(t *testing.T) {
	const s = time.Second
	e := slowStall(t)
	for name, c := range map[string]struct {
		client   *plan.Client
		profile  machine.Profile
		clientGo int
		want     time.Duration
	}{
		"HTTP/2":     {&plan.Client{Retries: true}, machine.ClientGo, 0, 56250 * time.Millisecond},
		"with pings": {&plan.Client{Retries: true}, machine.ClientGoV024, 20, 56250 * time.Millisecond},
		"before":     {&plan.Client{Retries: true}, machine.ClientGoV024, 19, 100 * s},
		"HTTP/1.1":   {&plan.Client{Retries: true, HTTP1: true}, machine.ClientGo, 0, 100 * s},
		"no client":  {nil, machine.ClientGo, 0, 100 * s},
		"in Python":  {nil, machine.Python, 0, 100 * s},
		"by fabric8": {nil, machine.Fabric8, 0, 100 * s},
	} {
		target := Target{Config: bound.Config{Timings: machine.Timings{LeaseDuration: 150 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}, Profile: c.profile, Client: c.client}, ClientGo: c.clientGo}
		j, err := Judge(target, &e)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, j.Environment.Stall, name)
		assert.Equal(t, c.want+2*time.Millisecond, j.Environment.MaxRoundTrip, name)
	}
	e.MaxDriftPPM = 0
	j, err := Judge(Target{Config: bound.Config{
		Timings: machine.Timings{LeaseDuration: 150 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}, Profile: machine.ClientGo,
		Client: &plan.Client{QPS: 5, Burst: 10, Retries: true, HTTP1: true},
	}}, &e)
	require.NoError(t, err)
	attack, err := scenarios.ReadFile("testdata/attacks/stall-without-pings.yaml")
	require.NoError(t, err)
	shown := gatetest.Overlap(t, attack)
	require.Equal(t, 10*s, shown.Round(time.Millisecond))
	most, known := j.Result.AtMost()
	require.True(t, known)
	assert.GreaterOrEqual(t, most, shown)
}

// TestAttacks: scenarios by which somebody who had not seen this code has exceeded what was computed. Each keeps to its environment.
func TestAttacks(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for name, c := range map[string]struct {
		kind    string
		timings [3]time.Duration
		timeout *programs.Timeout // nil: the client's own
		release bool
		e       bound.Environment
	}{
		"short-timeout-renewing": {kind: "controller-runtime", timings: [3]time.Duration{68 * s, 30 * s, 20 * s}, e: bound.Environment{MaxRoundTrip: 100 * ms}},
		"short-timeout":          {kind: "controller-runtime", timings: [3]time.Duration{35 * s, 20 * s, 2 * s}, e: bound.Environment{MaxRoundTrip: 100 * ms}},
		"short-timeout-release": {kind: "controller-runtime", timings: [3]time.Duration{58 * s, 30 * s, 10 * s}, release: true,
			e: bound.Environment{MaxRoundTrip: 100 * ms}},
		"retry-timeout": {kind: "controller-runtime", timings: [3]time.Duration{57 * s, 27 * s, s}, e: bound.Environment{MaxRoundTrip: 2 * s, MaxRetryAfter: s}},
		"release-closed": {kind: "controller-runtime", timings: [3]time.Duration{145 * s, 60 * s, 2 * s}, timeout: &programs.Timeout{Kind: programs.Fixed, Of: 40 * s},
			release: true, e: bound.Environment{MaxRoundTrip: s}},
		"closed-waits": {kind: "client-go", timings: [3]time.Duration{550 * s, 10 * s, 2 * s},
			e: bound.Environment{MaxRoundTrip: 100 * ms, OtherBurst: 30, OtherQPS: 1}},
		"pause-traffic": {kind: "client-go", timings: [3]time.Duration{72 * s, 30 * s, 10 * s}, timeout: &programs.Timeout{Kind: programs.Fixed, Of: 5 * s},
			e: bound.Environment{MaxRoundTrip: 500 * ms, OtherBurst: 30, OtherQPS: 1, MaxPause: 20 * s}},
		"closed-late": {kind: "controller-runtime", timings: [3]time.Duration{636 * s, 10 * s, 2 * s}, timeout: &programs.Timeout{Kind: programs.None},
			e: bound.Environment{MaxRoundTrip: 60 * s}},
		"closed-timeout": {kind: "controller-runtime", timings: [3]time.Duration{575 * s, 10 * s, 2 * s}, timeout: &programs.Timeout{Kind: programs.Fixed, Of: 300 * s},
			e: bound.Environment{MaxRoundTrip: 100 * ms}},
		"lost-then-stalled": {kind: "client-go", timings: [3]time.Duration{974 * s, 10 * s, 2 * s}, e: bound.Environment{MaxRoundTrip: 2 * ms}},
		"pause-acquiring": {kind: "controller-runtime", timings: [3]time.Duration{30 * s, 14 * s, 2 * s},
			e: bound.Environment{MaxRoundTrip: 100 * ms, MaxPause: 5 * s}},
		"lost-read-long-timeout": {kind: "controller-runtime", timings: [3]time.Duration{1095 * s, 10 * s, 2 * s}, timeout: &programs.Timeout{Kind: programs.Fixed, Of: 600 * s},
			e: bound.Environment{MaxRoundTrip: 2 * ms}},
		"wait-acquiring": {kind: "client-go", timings: [3]time.Duration{30 * s, 14 * s, 2 * s}, timeout: &programs.Timeout{Kind: programs.Fixed, Of: 7 * s},
			e: bound.Environment{MaxRoundTrip: 100 * ms, OtherBurst: 40}},
		"wait-renewing": {kind: "component-base", timings: [3]time.Duration{69 * s, 27 * s, 20 * s}, timeout: &programs.Timeout{Kind: programs.Fixed, Of: 10 * s},
			e: bound.Environment{MaxRoundTrip: 100 * ms, OtherBurst: 400}},
		"gathering-closed": {kind: "controller-runtime", timings: [3]time.Duration{42 * s, 30 * s, 10 * s}, release: true, e: bound.Environment{MaxRoundTrip: 100 * ms}},
		"same-second": {kind: "controller-runtime", timings: [3]time.Duration{59 * s, 29 * s, 15 * s}, timeout: &programs.Timeout{Kind: programs.Fixed, Of: 14900 * ms},
			e: bound.Environment{MaxRoundTrip: 10 * ms}},
		"ping-before-answer": {kind: "component-base", timings: [3]time.Duration{18 * s, 10 * s, 990 * ms}, e: bound.Environment{MaxRoundTrip: 200 * ms}},
		"tick-then-burst": {kind: "client-go", timings: [3]time.Duration{30 * s, 20 * s, 3 * s}, timeout: &programs.Timeout{Kind: programs.Fixed, Of: 5 * s},
			e: bound.Environment{MaxRoundTrip: 100 * ms, OtherBurst: 20, OtherQPS: 3}},
		"stall-drift": {kind: "controller-runtime", timings: [3]time.Duration{881 * s, 10 * s, 2 * s}, timeout: &programs.Timeout{Kind: programs.None}, e: slowStall(t)},
	} {
		t.Run(name, func(t *testing.T) {
			target := Target{Config: bound.Config{Timings: machine.Timings{LeaseDuration: c.timings[0], RenewDeadline: c.timings[1], RetryPeriod: c.timings[2]},
				Profile: machine.ClientGo, ReleaseOnCancel: c.release}}
			target.SetClient(&ClientSaid{Kind: c.kind}, c.timeout != nil)
			if c.timeout != nil {
				target.Timeout = *c.timeout
			}
			j, err := Judge(target, &c.e)
			require.NoError(t, err)
			attack, err := scenarios.ReadFile("testdata/attacks/" + name + ".yaml")
			require.NoError(t, err)
			shown := gatetest.Overlap(t, attack)
			require.Positive(t, shown)
			most, known := j.Result.AtMost()
			assert.True(t, !known || most >= shown, "at most %v, and it is %v", most, shown)
			if name == "pause-traffic" || name == "tick-then-burst" { // what the limiter adds, without closings
				r, err := bound.Of(&j.Config, &j.Environment)
				require.NoError(t, err)
				assert.GreaterOrEqual(t, r.Overlap, shown)
			}
		})
	}
}

// TestResetOfALostRead: with HTTP/1.1 a read whose answer is lost is sent again whenever its connection is reset, and no ping ends it before. No
// bound is known then.
func TestResetOfALostRead(t *testing.T) {
	attack, err := scenarios.ReadFile("testdata/attacks/reset-without-pings.yaml")
	require.NoError(t, err)
	require.Equal(t, 10*time.Second, gatetest.Overlap(t, attack).Round(time.Millisecond))
	for _, c := range []struct {
		after   time.Duration
		profile machine.Profile
		want    string
	}{
		{time.Second, machine.ClientGo, "no bound is known for a client of HTTP/1.1 whose connection may be reset"},
		{time.Second - 1, machine.ClientGo, ""},
		{time.Second, machine.Strict, ""},
	} {
		target := Target{Config: bound.Config{Timings: attack.Candidates[0].Timings, Profile: c.profile, Client: attack.Candidates[0].Client}}
		_, err := Judge(target, &bound.Environment{MaxRoundTrip: 100 * time.Millisecond, MaxRetryAfter: c.after})
		if c.want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, c.want)
	}
	// What is unsafe stays so, has no upper bound, and nothing is known to help.
	target := Target{Config: bound.Config{Timings: attack.Candidates[0].Timings, Profile: machine.ClientGo, Client: attack.Candidates[0].Client}}
	target.LeaseDuration = 15 * time.Second
	j, err := Judge(target, &bound.Environment{MaxRoundTrip: 100 * time.Millisecond, MaxRetryAfter: time.Second})
	require.NoError(t, err)
	assert.Equal(t, Unsafe, j.Verdict)
	_, known := j.Result.AtMost()
	assert.False(t, known)
	assert.Empty(t, j.Changes)
	assert.Contains(t, j.Untried(), "a read may take any time")
}

// TestStallSaysNothingOfTheClient: an environment that gives a stall does not say that a known program has no client, whose closings would not count then.
func TestStallSaysNothingOfTheClient(t *testing.T) {
	file := filepath.Join(t.TempDir(), "csi.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`apiVersion: apps/v1
kind: Deployment
metadata: {name: csi}
spec: {template: {spec: {containers: [{name: csi-provisioner, image: registry.k8s.io/sig-storage/csi-provisioner:v5.0.0, args: [
  --leader-election, --leader-election-lease-duration=137s, --leader-election-renew-deadline=107s, --leader-election-retry-period=26s]}]}}}
`), 0o600))
	for _, stall := range []string{"", "0s"} {
		var e Environment
		require.NoError(t, e.Set("maxRoundTrip", "100ms", "a file"))
		if stall != "" {
			require.NoError(t, e.Set("maxStall", stall, "a file"))
		}
		r := JudgeFiles([]string{file}, nil, &Unsaid{Profile: machine.ClientGo}, e)
		require.Len(t, r.Targets, 1, "%v", r.Problems)
		assert.Equal(t, Unsafe, r.Targets[0].Verdict, "stall %q", stall)
	}
}

// TestTimeoutBesideTheDeadline: a timeout that leaves less of the poll than a witness keeps from every edge is judged, and no failure.
func TestTimeoutBesideTheDeadline(t *testing.T) {
	const s = time.Second
	for _, left := range []time.Duration{1, time.Microsecond, 10 * time.Microsecond, 99 * time.Microsecond} {
		j, err := Judge(Target{Config: bound.Config{Timings: machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s},
			Profile: machine.ClientGo, RequestTimeout: 10*s - left}}, &bound.Environment{MaxRoundTrip: 666 * time.Millisecond})
		require.NoError(t, err, left)
		assert.Equal(t, Unsafe, j.Verdict)
	}
	j, err := Judge(Target{Config: bound.Config{Timings: machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 14 * s, RetryPeriod: 2 * s},
		Profile: machine.ClientGo, RequestTimeout: 2*s - 1}}, &bound.Environment{})
	require.NoError(t, err)
	assert.Equal(t, Unsafe, j.Verdict)
}

// TestClientOfAScenario: a scenario says what client its candidates have, so that its closings count whatever else is said.
func TestClientOfAScenario(t *testing.T) {
	for client, want := range map[string]Verdict{"client: client-go": Unsafe, "client: {kind: client-go, protocol: http/1.1}": Safe, "drain: 0s": Safe} {
		file := filepath.Join(t.TempDir(), "x.yaml")
		require.NoError(t, os.WriteFile(file, []byte("name: x\nhorizon: 100s\ndefaults: {leaseDuration: 60s, renewDeadline: 10s, retryPeriod: 2s, "+client+"}\n"+
			"candidates: [{id: a}, {id: b}]\n"), 0o600))
		r := JudgeFiles([]string{file}, nil, &Unsaid{Profile: machine.ClientGo}, DefaultEnvironment())
		require.Len(t, r.Targets, 1, "%v", r.Problems)
		assert.Equal(t, want, r.Targets[0].Verdict, client)
	}
}
