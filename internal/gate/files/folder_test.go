package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExpand: files in the order of their names, nothing hidden, nothing twice.
func TestExpand(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"d/b.yaml", "d/a/z.yml", "d/a/y.json", "d/c.YAML", "d/readme.md", "d/.git/x.yaml", "d/.hidden.yaml", "e.yaml", "d/a.yaml",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	places, problems := Expand([]string{"e.yaml", "d/b.yaml", "./d/", "d", "-", "missing.yaml"})
	assert.Empty(t, problems)
	assert.Equal(t, []Place{
		{"e.yaml", ""}, {"d/b.yaml", ""}, {"d/a/y.json", "./d/"}, {"d/a/z.yml", "./d/"}, {"d/a.yaml", "./d/"}, {"d/c.YAML", "./d/"},
		{"-", ""}, {"missing.yaml", ""},
	}, places)
	places, _ = Expand([]string{"d/.git"})
	assert.Equal(t, []Place{{"d/.git/x.yaml", "d/.git"}}, places)
	if os.Getuid() != 0 {
		require.NoError(t, os.Chmod("d/a", 0))
		_, problems = Expand([]string{"d"})
		require.Len(t, problems, 1)
		assert.Equal(t, "d/a: cannot be read: permission denied", problems[0].Error())
		require.NoError(t, os.Chmod("d/a", 0o700))
	}
}
