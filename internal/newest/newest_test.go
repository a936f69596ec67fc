package newest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { Main(m) }

// TestLinked: whatever go.mod requires, this test runs on the newest.
func TestLinked(t *testing.T) {
	assert.Equal(t, Version, Linked())
}

var requirement = regexp.MustCompile(`(?m)^\s+(\S+) (v\S+)( // indirect)?$`)

func requirements(t *testing.T, path string) map[string]string {
	text, err := os.ReadFile(filepath.FromSlash(path))
	require.NoError(t, err)
	all := map[string]string{}
	for _, found := range requirement.FindAllStringSubmatch(string(text), -1) {
		all[found[1]] = found[2] + found[3]
	}
	return all
}

// TestFiles: the two module files require the same, but for Kubernetes and what it brings.
func TestFiles(t *testing.T) {
	oldest, newest := requirements(t, "../../go.mod"), requirements(t, "../../"+File)
	for _, module := range []string{"k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go"} {
		assert.Equal(t, Version, newest[module], module)
		assert.Regexp(t, `^v0\.33\.`, oldest[module], module)
	}
	for module, version := range oldest {
		if strings.Contains(module, "k8s.io/") || strings.HasSuffix(version, "indirect") {
			continue
		}
		assert.Equal(t, version, newest[module], "%s: %s differs from go.mod: make newest-tidy", module, File)
	}
}

// TestModulesAgree: modules with the newest client-go require the same of what it builds on, so that a machine compiles it
// once for all of them. Without that CI takes minutes longer.
func TestModulesAgree(t *testing.T) {
	files, err := filepath.Glob("../../e2e/*/go.mod")
	require.NoError(t, err)
	newest, agreed := requirements(t, "../../"+File), 0
	for _, file := range append(files, "../../cmd/elector/go.mod") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		required := requirements(t, file)
		if bare(required["k8s.io/client-go"]) != Version || strings.Contains(string(text), "k8s.io/client-go =>") {
			continue
		}
		agreed++
		for module, version := range required {
			if wanted, shared := newest[module]; shared {
				assert.Equal(t, bare(wanted), bare(version), "%s: %s: go get it there", file, module)
			}
		}
	}
	assert.GreaterOrEqual(t, agreed, 7)
}

// bare is a version without the comment that says that it is required indirectly.
func bare(version string) string { return strings.TrimSuffix(version, " // indirect") }
