package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/cmd/simulate/internal/exit"
)

// TestAsked: a property by which a run is judged on request alone is neither lost nor made up where another run, another
// profile or a smaller scenario comes in.
func TestAsked(t *testing.T) {
	against := simulate("", "run", "stand-zombie", "--against", "strict")
	assert.Contains(t, against.stdout, "all-stand", against.stderr)
	other := simulate("", "report", "diff", "stand-zombie", "healthy-failover")
	assert.Regexp(t, `(?m)^all-stand +violated.* - +differs`, other.stdout, other.stderr)
	back := simulate("", "report", "diff", "healthy-failover", "stand-zombie")
	assert.Regexp(t, `(?m)^all-stand +- +violated.* +differs`, back.stdout, back.stderr)

	profile := simulate("", "run", "rollout-deadlock", "--profile", "strict")
	assert.Equal(t, exit.NotAsExpected, profile.code, profile.stderr)
	assert.Regexp(t, `rollout-ends +violated.*NOT AS EXPECTED: want held`, profile.stdout)
	assert.Regexp(t, `all-stand +held`, simulate("", "run", "stand-hanging", "--profile", "strict").stdout)

	small := simulate("", "shrink", "rollout-deadlock")
	assert.Contains(t, small.stdout, "rollout-ends: violated", small.stderr)

	search := simulate("", "search", "--property", "all-stand", "--runs", "64")
	assert.Equal(t, exit.BadInput, search.code)
	assert.Contains(t, search.stderr, "--property all-stand: a search is not judged by it")
}
