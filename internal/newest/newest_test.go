package newest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/version"
)

// TestLinked: this function is none of client-go, and tells no version.
func TestLinked(t *testing.T) {
	assert.Empty(t, Linked(TestLinked))
}

const top = "../.."

var requirement = regexp.MustCompile(`(?m)^\s+(\S+) (v\S+)( // indirect)?$`)

// requirements returns the versions that a go.mod below the top requires, by module.
func requirements(t *testing.T, path string) map[string]string {
	text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(path)))
	require.NoError(t, err)
	all := map[string]string{}
	for _, found := range requirement.FindAllStringSubmatch(string(text), -1) {
		all[found[1]] = found[2]
	}
	return all
}

// TestRequirements: go.mod requires the oldest Kubernetes modules, and e2e/newest those that the profile client-go describes.
func TestRequirements(t *testing.T) {
	oldest, newest := requirements(t, "go.mod"), requirements(t, "e2e/newest/go.mod")
	for _, module := range []string{"k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go"} {
		assert.Equal(t, Version, newest[module], module)
		assert.Regexp(t, `^v0\.33\.`, oldest[module], module)
	}
}

// taken returns the versions that the go command takes by go.work: of each module the higher one.
func taken(t *testing.T) map[string]string {
	all := requirements(t, "e2e/newest/go.mod")
	for module, required := range requirements(t, "go.mod") {
		if all[module] == "" || version.MustParseSemantic(all[module]).LessThan(version.MustParseSemantic(required)) {
			all[module] = required
		}
	}
	return all
}

// modules returns the folders below the top with a go.mod, with slashes.
func modules(t *testing.T) (folders []string) {
	err := fs.WalkDir(os.DirFS(top), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "go.mod" {
			folders = append(folders, strings.TrimSuffix(strings.TrimSuffix(path, "go.mod"), "/"))
		}
		return err
	})
	require.NoError(t, err)
	assert.Greater(t, len(folders), 15)
	return folders
}

// TestModulesAgree: modules with the newest client-go require the same of what it builds on, so that a machine compiles it
// once for all of them. Without that CI takes minutes longer.
func TestModulesAgree(t *testing.T) {
	newest, agreed := taken(t), 0
	for _, folder := range modules(t) {
		file := folder + "/go.mod"
		if folder == "" || folder == "e2e/newest" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(file)))
		require.NoError(t, err)
		required := requirements(t, file)
		if required["k8s.io/client-go"] != Version || strings.Contains(string(text), "k8s.io/client-go =>") {
			continue
		}
		agreed++
		for module, has := range required {
			if wanted, shared := newest[module]; shared {
				assert.Equal(t, wanted, has, "%s: %s: go get it there, or in e2e/newest", file, module)
			}
		}
	}
	assert.GreaterOrEqual(t, agreed, 6)
}

// TestWorkspaces: in each folder with a go.mod, but for the two of the workspace at the top, the go command finds a go.work of that
// module alone. It would refuse to work there, or take versions that the module does not require, if it found the one at the top.
func TestWorkspaces(t *testing.T) {
	uses := regexp.MustCompile(`\Ago [0-9.]+\n\nuse \.\n\z`)
	for _, folder := range modules(t) {
		if folder == "" || folder == "e2e/newest" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(folder), "go.work"))
		if assert.NoError(t, err, "want: cd %s && go work init .", folder) {
			assert.Regexp(t, uses, string(text), folder)
		}
	}
}

// TestNoNewer: of other modules of Kubernetes no newer version is taken than client-go requires, so that a program that requires client-go
// alone, as those of the tutorials do, is built with what is compiled already. Without that CI takes minutes longer.
func TestNoNewer(t *testing.T) {
	file, err := exec.Command("go", "list", "-m", "-f", "{{.GoMod}}", "k8s.io/client-go").Output()
	require.NoError(t, err)
	text, err := os.ReadFile(strings.TrimSpace(string(file)))
	require.NoError(t, err)
	newest, shared := taken(t), 0
	for _, found := range requirement.FindAllStringSubmatch(string(text), -1) {
		if taken, both := newest[found[1]]; both && strings.Contains(found[1], "k8s.io/") {
			shared++
			assert.Equal(t, found[2], taken, "e2e/newest/go.mod: %s", found[1])
		}
	}
	assert.Greater(t, shared, 6)
}
