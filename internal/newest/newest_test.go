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
