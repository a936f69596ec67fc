package projects_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fetch copies a project to where it can be changed, and lets it import this repository.
func (p *project) fetch(t *testing.T) string {
	out, err := exec.Command("go", "mod", "download", "-json", p.module+"@"+p.version).Output()
	require.NoError(t, err, "%s", out)
	var at struct{ Dir, Sum string }
	require.NoError(t, json.Unmarshal(out, &at))
	require.Equal(t, p.sum, at.Sum, "%s@%s", p.module, p.version)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(at.Dir)))
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, map[bool]fs.FileMode{true: 0o755, false: 0o644}[e.IsDir()])
	}))
	top, err := filepath.Abs("../..")
	require.NoError(t, err)
	edit := exec.Command("go", "mod", "edit", "-require=interregnum@v0.0.0", "-replace=interregnum="+top)
	edit.Dir = dir
	out, err = edit.CombinedOutput()
	require.NoError(t, err, "%s", out)
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	require.NoError(t, err)
	ours, err := os.ReadFile(filepath.Join(top, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), append(sums, ours...), 0o644))
	return dir
}

const fakePath = "k8s.io/client-go/kubernetes/fake"

// useFakekube has the tests that make a clientset of client-go's fake import fakekube, and counts how often they make one. With
// replace they make one of fakekube's instead. The import alone gives both the same versions of all modules.
func useFakekube(t *testing.T, dir string, replace bool) (n int) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			if imported, _ := strconv.Unquote(i.Path.Value); imported == fakePath {
				replaced, here := withFakekube(text, i, replace)
				n += here
				return os.WriteFile(path, replaced, 0o644)
			}
		}
		return nil
	}))
	return n
}

// withFakekube is the text of a file that imports client-go's fake, and how often it makes one.
func withFakekube(text []byte, imported *ast.ImportSpec, replace bool) ([]byte, int) {
	name := "fake"
	if imported.Name != nil {
		name = imported.Name.Name
	}
	makes := regexp.MustCompile(`\b` + name + `\.New(Simple)?Clientset\(`)
	n := len(makes.FindAll(text, -1))
	if replace {
		text = makes.ReplaceAll(text, []byte("new(fakekube.Server).Clientset("))
	}
	text = bytes.Replace(text, []byte("\nimport (\n"), []byte("\nimport (\n\t\"interregnum/simlock/fakekube\"\n"), 1)
	// The blank uses keep both imports where nothing else needs them.
	return append(text, "\nvar _ = "+name+".NewSimpleClientset\nvar _ fakekube.Server\n"...), n
}
