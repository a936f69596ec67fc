package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
)

// TestRegress replays every failure that was found: it fails as it did, or holds what it says now, where it was mended.
func TestRegress(t *testing.T) {
	files, err := filepath.Glob("../../testdata/regress/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		s, err := scenarios.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, strings.TrimSuffix(filepath.Base(file), ".yaml"), s.Name)
		assert.NotEmpty(t, s.Expect, file)
		scenariotest.Check(t, s)
	}
	ran := simulate("", append([]string{"run", "--brief"}, files...)...)
	assert.Equal(t, exit.AsExpected, ran.code, ran.stdout)
}
