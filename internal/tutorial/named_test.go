package tutorial_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNamedPages: a page that code, a build file or another page names by its path is there. findings.md is left out, since it
// has what was true on a day.
func TestNamedPages(t *testing.T) {
	const root, anothers = "../..", "docs/environment-variables.md" // of Argo Workflows
	named := regexp.MustCompile(`\bdocs/[a-z][a-z/-]*\.md\b`)
	kinds := []string{".go", ".gohtml", ".md", ".yaml", ".json", ""}
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "dist", "testdata"}, d.Name()):
			return filepath.SkipDir
		case !d.Type().IsRegular() || !slices.Contains(kinds, filepath.Ext(path)) || d.Name() == "findings.md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, page := range named.FindAllString(string(text), -1) {
			seen++
			if page != anothers {
				assert.FileExists(t, filepath.Join(root, page), "%s names it", path)
			}
		}
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, seen, 100)
}
