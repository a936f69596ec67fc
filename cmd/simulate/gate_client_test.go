package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// TestGateClient: the flags about the client count, the command that judges again says the same, and without them nothing changes.
func TestGateClient(t *testing.T) {
	gateFolder(t)
	timings := []string{"gate", "--lease-duration", "15s", "--renew-deadline", "10s", "--retry-period", "2s", "--max-round-trip", "100ms"}
	for _, c := range []struct {
		args   string
		code   int
		margin int64
	}{
		{"", exit.AsExpected, 2.4e9},
		{"--client none", exit.AsExpected, 2.4e9},
		{"--client client-go", exit.NotAsExpected, -10e9},
		{"--client component-base", exit.NotAsExpected, -4.2e9},
		{"--client component-base --request-timeout none", exit.NotAsExpected, -10e9},
		{"--client client-go --request-timeout 2s", exit.NotAsExpected, -0.2e9},
		{"--client client-go --request-timeout 1s", exit.AsExpected, 0.8e9},
		{"--client component-base --profile strict", exit.AsExpected, 5e9},
		{"--client controller-runtime --environment traffic.yaml", exit.NotAsExpected, -4.2e9},
		{"--client client-go --request-timeout 2s --other-burst 40", exit.NotAsExpected, -7.4e9},
		{"--qps 5 --burst 10 --other-burst 40", exit.NotAsExpected, -10e9},
		{"--qps -1 --max-retry-after 1s", exit.NotAsExpected, -10e9},
		{"--client component-base --max-stall 1s", exit.NotAsExpected, -6.1e9},
		{"--client component-base --max-stall 20s", exit.NotAsExpected, -10e9},
		{"--client client-go --max-stall 1h", exit.NotAsExpected, -10e9},
		{"--client component-base --environment stalls.yaml", exit.NotAsExpected, -6.1e9},
		{"--environment stalls.yaml", exit.NotAsExpected, -1.3e9},
		{"--max-stall 1s", exit.NotAsExpected, -1.3e9},
		{"--qps 0 --environment traffic.yaml", exit.NotAsExpected, -10e9},
	} {
		require.NoError(t, os.WriteFile("stalls.yaml", []byte("maxStall: 1s\nmaxRoundTrip: 100ms\n"), 0o666))
		require.NoError(t, os.WriteFile("traffic.yaml", []byte("maxRoundTrip: 100ms\notherBurst: 40\n"), 0o666))
		got := simulate("", append(append(timings, strings.Fields(c.args)...), "-o", "json")...)
		assert.Equal(t, c.code, got.code, "%s: %s", c.args, got.stderr)
		assert.Equal(t, c.margin, *answer(t, got).Targets[0].MarginNs, c.args)
		if c.code == exit.NotAsExpected {
			again := simulate("", append(strings.Fields(got.stderr)[1:], "-o", "json")...)
			assert.Equal(t, c.margin, *answer(t, again).Targets[0].MarginNs, got.stderr)
		}
	}
}

// TestGateReleaseInTurn: with a release there can be two leaders for longer than the same two work at once, and the verdict says so.
func TestGateReleaseInTurn(t *testing.T) {
	asked := []string{"gate", "--lease-duration", "15s", "--client", "client-go"}
	released := inOneLine(simulate("", append(asked, "--release-on-cancel")...).stdout)
	assert.Contains(t, released, "two leaders can work at once for 23s")
	assert.Contains(t, released, "That is how long the same two work at once. The new leader can lose the lock in the same way")
	assert.NotContains(t, inOneLine(simulate("", asked...).stdout), "the same two")
	for timeout, said := range map[string]bool{"5s": false, "12s": true} { // the next leader tries to renew for RenewDeadline before it releases
		old := simulate("", "gate", "--lease-duration", "15s", "--profile", "client-go-v0.24", "--release-on-cancel", "--request-timeout", timeout)
		assert.Equal(t, said, strings.Contains(inOneLine(old.stdout), "the same two work at once"), timeout)
	}
}

// TestGateClientRefused: bad input, with what is wanted.
func TestGateClientRefused(t *testing.T) {
	gateFolder(t)
	require.NoError(t, os.WriteFile("traffic.yaml", []byte("otherBurst: 40\n"), 0o666))
	for args, want := range map[string]string{

		"--max-stall 20":                        "unit missing in 20",
		"--client curl":                         "want none, client-go, controller-runtime or component-base",
		"--qps fast":                            "want a number of requests a second",
		"--qps NaN":                             "want a number of requests a second, -1 for no limit, 0 or from 0.000001 to 1000000",
		"--burst -1":                            "want a whole number of requests",
		"--qps 5 --burst 0":                     "which kubernetes.NewForConfig refuses",
		"--client controller-runtime --burst 5": "of a client without a limit",
		"--client none --qps 5":                 "qps and burst of no client",
		"--client client-go --max-retry-after 8760h":         "want 1h0m0s at most",
		"--client client-go --max-retry-after -1s":           "want a duration of zero or more",
		"--client client-go --other-qps -1":                  "want a number of requests a second",
		"--qps 5 --burst 1 --profile python":                 "--qps: no bound is known",
		"--client client-go --profile java":                  "want no client, or profile client-go",
		"--client client-go --lock sql-ttl":                  "lock sql-ttl is not asked for through a client of Kubernetes",
		"--other-burst 3":                                    "want --client client-go, or --qps and --burst",
		"--client client-go --other-qps 5 --retry-period 2s": "want less other traffic",
	} {
		got := simulate("", append([]string{"gate", "--lease-duration", "15s"}, strings.Fields(args)...)...)
		assert.Equal(t, exit.BadInput, got.code, args)
		assert.Contains(t, got.stderr, want, args)
	}
	got := simulate("", "tune", "--environment", "traffic.yaml")
	assert.Equal(t, exit.AsExpected, got.code, "a site's file serves what has no limiter, too")
	assert.NotContains(t, got.stdout, "other-burst")
}
