package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhich: the tests of a small module that reach rapid or internal/few are found, however they do, and no others.
func TestWhich(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module m\n",
		"draw/draw.go":  "package draw\nimport \"pgregory.net/rapid\"\nfunc Any(t *rapid.T) int { return 1 }\nfunc One() int { return 1 }\n",
		"kit/kit.go":    "package kit\nimport \"m/draw\"\ntype Kit struct{}\nfunc (Kit) Check() { _ = draw.Any }\ntype Plain struct{}\nfunc Any() {}\n",
		"p/p.go":        "package p\nfunc cases() int { return 2 }\n",
		"p/few_test.go": "package p\nimport \"m/internal/few\"\nvar runs = few.Of(8)\nfunc (w world) step() { _ = runs }\n",
		"p/p_test.go": `package p
import ("fmt"; "m/draw"; "m/kit")
type world struct{ runs int }
type other struct{ runs int }
func TestHelper(t *testing.T) { drive() }
func drive() { world{}.step() }
func TestKit(t *testing.T) { kit.Kit{}.Check() }
func TestAny(t *testing.T) { t.Run("x", func(t *testing.T) { check(t, draw.Any) }) }
func TestPlain(t *testing.T) { runs := kit.Plain{}; fmt.Println(runs, draw.One(), cases()); kit.Any() }
func TestField(t *testing.T) { fmt.Println(other{}.runs) }
func BenchmarkStep(b *testing.B) { drive() }
`,
		"main/x_test.go": "package main\nimport \"m/internal/few\"\nfunc init() { _ = few.All() }\nfunc TestEach(t *testing.T) {}\n",
		"main/main.go":   "package main\n",
	} {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(root, "empty"), 0o777))

	tests, err := which(root, []string{"p"})
	require.NoError(t, err)
	require.Equal(t, []string{"TestAny", "TestHelper", "TestKit"}, tests)
	tests, err = which(root, []string{"./main/", "p"})
	require.NoError(t, err)
	require.Equal(t, []string{"TestAny", "TestEach", "TestHelper", "TestKit"}, tests)
	_, err = which(root, []string{"empty"})
	require.ErrorContains(t, err, "want a folder with Go files")
}

// TestOfThisModule: tests that reach internal/few or rapid in each of the ways that this module has are among those that make deep runs.
func TestOfThisModule(t *testing.T) {
	tests, err := which("../../..", []string{"electiontest", "cmd/simulate", "internal/gate", "internal/forecast", "internal/parity/conn", "scenarios/scenariotest"})
	require.NoError(t, err)
	for _, name := range []string{
		"TestParityRandom", "TestNarrowTerminal", "TestSearchSurvivesKill", "TestFailover", "TestFailoverWallClock", "TestExact", "TestOutage", "TestTruth",
		"TestLongRuns", "TestSimulated", "TestStrictHoldsInRandom",
	} {
		require.Contains(t, tests, name)
	}
	require.NotContains(t, tests, "TestLibraries")
}
