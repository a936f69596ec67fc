package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// TestRules: the rules of flags are those of a file with the same timings; bad input is said with what was wanted.
func TestRules(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("deploy.yaml", []byte("leaderElection: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}\n"), 0o600))
	require.NoError(t, os.WriteFile("two.yaml", []byte("leaderElection: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}\n---\nleaderElection: {leaseDuration: 30s, renewDeadline: 10s, retryPeriod: 2s}\n"), 0o600))
	byFlags := simulate("", "rules", "--lease", "shop/manager", "--lease-duration", "15s", "--renew-deadline", "10s", "--retry-period", "2s")
	assert.Equal(t, exit.AsExpected, byFlags.code, byFlags.stderr)
	byFile := simulate("", "rules", "--lease", "shop/manager", "deploy.yaml", "--request-timeout", "none")
	assert.Equal(t, exit.AsExpected, byFile.code, byFile.stderr)
	_, flagRules, _ := strings.Cut(byFlags.stdout, "\ngroups:")
	_, fileRules, _ := strings.Cut(byFile.stdout, "\ngroups:")
	assert.NotEmpty(t, flagRules)
	assert.Equal(t, flagRules, fileRules)

	unsafe := simulate("", "rules", "--lease", "shop/manager", "--lease-duration", "15s", "--renew-deadline", "13s", "--retry-period", "2s")
	assert.Equal(t, exit.NotAsExpected, unsafe.code)
	assert.Contains(t, unsafe.stdout, "two leaders can work at once even if each request takes 50ms at most")
	assert.NotContains(t, unsafe.stdout, "SlowerThanSafe")

	for _, test := range []struct{ args, want string }{
		{"deploy.yaml", `--lease "": want NAMESPACE/NAME`},
		{"--lease a/b/c deploy.yaml", "want NAMESPACE/NAME"},
		{"--lease a/b", "nothing to judge"},
		{"--lease A/b deploy.yaml", `--lease "A/b": want names of a-z, 0-9 and -`},
		{"--lease a/b.-c deploy.yaml", "want names of a-z"},
		{"--lease a/b two.yaml", "want one set of timings, got 2"},
		{"--lease a/b absent.yaml", "absent.yaml: cannot be read"},
		{"--lease a/b deploy.yaml --max-transitions -1", "want 0 to 10000000"},
		{"--lease a/b --lease-duration 1s --renew-deadline 2s --retry-period 2s", "refused: "},
		{"--lease a/b --lock kv-ttl --lease-duration 15s --renew-deadline 10s --retry-period 2s", "want a lock on a Lease, got kv-ttl"},
	} {
		got := simulate("", append([]string{"rules"}, strings.Fields(test.args)...)...)
		assert.Equal(t, exit.BadInput, got.code, test.args)
		assert.Contains(t, got.stderr, test.want, test.args)
	}
}
