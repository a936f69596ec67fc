package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// TestShrink: what is left is a file that runs as it expects to.
func TestShrink(t *testing.T) {
	folder(t)
	ran := simulate("", "shrink", "late-ack.yaml")
	require.Zero(t, ran.code, ran.stderr)
	assert.Regexp(t, `^simulate: single-work is violated by 2 of 2 candidates and [12] of 2 faults \(\d+ runs\)\n$`,
		ran.stderr)
	require.NoError(t, os.WriteFile("small.yaml", []byte(ran.stdout), 0o666))
	assert.Zero(t, simulate("", "run", "small.yaml").code)
	other := simulate("", "shrink", "late-ack.yaml", "--property", "safety-window")
	assert.Zero(t, other.code, other.stderr)
	assert.Contains(t, other.stdout, "safety-window: violated")
}

// TestShrinkExplored: what explore prints is made small as it is. Where it found nothing that is said.
func TestShrinkExplored(t *testing.T) {
	explored := simulate("", "explore", "--lease-duration=4s", "--renew-deadline=3s", "--retry-period=2s", "--faults=1")
	require.Equal(t, exit.NotAsExpected, explored.code)
	ran := simulate(explored.stdout, "shrink", "-")
	require.Zero(t, ran.code, ran.stderr)
	assert.Less(t, len(ran.stdout), len(explored.stdout))
	assert.Zero(t, simulate(ran.stdout, "run", "-").code)
	assert.Contains(t, ran.stdout, "single-work: violated")

	held := simulate("", "explore", "--profile=strict", "--lease-duration=4s", "--renew-deadline=3s", "--retry-period=2s", "--faults=1")
	require.Zero(t, held.code)
	ran = simulate(held.stdout, "shrink", "-")
	assert.Equal(t, exit.BadInput, ran.code)
	assert.Contains(t, ran.stderr, "explore prints a scenario only where it has found a violation, and not with -o json")
}

func TestShrinkOfNothing(t *testing.T) {
	folder(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"calm.json"}, "simulate: calm: no property is violated: there is nothing to shrink\n"},
		{[]string{"late-ack.yaml", "--property", "liveness"}, "simulate: --property liveness: it is not violated; " +
			"want single-belief, single-work or safety-window\n"},
		{[]string{"late-ack.yaml", "--property", "foo"}, "simulate: --property foo: unknown property; " +
			"want single-belief, single-work or safety-window\n"},
		{[]string{}, "simulate: want one scenario, got 0; see 'simulate shrink --help'\n"},
		{[]string{"bad.yaml"}, "simulate: bad.yaml:4: fautls: unknown field; did you mean faults? " +
			"(a scenario has name, about, seed, horizon, defaults, elections, candidates, network, service, coordinator, faults, expect)\n"},
	} {
		ran := simulate("", append([]string{"shrink"}, c.args...)...)
		assert.Equal(t, exit.BadInput, ran.code)
		assert.Equal(t, c.want, ran.stderr)
		assert.Empty(t, ran.stdout)
	}
}
