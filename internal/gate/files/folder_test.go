package files

import (
	"os"
	"path/filepath"
	"strings"
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

// TestExpandKustomization: with a kustomization come the files of which it makes ConfigMaps, none that is outside of its folder, is not
// there, is no file, or is read anyway.
func TestExpandKustomization(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"d/k/Kustomization": "configMapGenerator:\n- {name: a, envs: [v.env, ../outside.env, ../k/v.env], env: /etc/hostname}\n" +
			"- {name: b, files: [c.yaml, x=sub/c.conf, missing, sub]}\n",
		"d/k/v.env": "", "d/outside.env": "", "d/k/c.yaml": "", "d/k/sub/c.conf": "", "d/z.conf": "",
		"d/k/l/kustomization.yml": "configMapGenerator: {envs: [x]}\n", "d/other.yaml": "configMapGenerator: [{envs: [z.conf]}]\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
	}
	places, problems := Expand([]string{"d"})
	assert.Empty(t, problems)
	assert.Equal(t, []Place{
		{"d/k/Kustomization", "d"}, {"d/k/v.env", "d/k"}, {"d/k/sub/c.conf", "d/k"}, {"d/k/c.yaml", "d"},
		{"d/k/l/kustomization.yml", "d"}, {"d/other.yaml", "d"},
	}, places)
	places, _ = Expand([]string{"d/k/Kustomization", "missing/kustomization.yaml"})
	assert.Equal(t, []Place{
		{"d/k/Kustomization", ""}, {"d/k/v.env", "d/k"}, {"d/k/sub/c.conf", "d/k"}, {"missing/kustomization.yaml", ""},
	}, places)
}

// TestTemplates: of a folder, a template that cannot be read is bad input if it may set leader election, and not if all that it makes is
// rights to a lease.
func TestTemplates(t *testing.T) {
	t.Parallel()
	for text, problems := range map[string]int{
		"{{- if .Values.x }}\nkind: Deployment\nargs: [--leader-elect]\n{{- end }}\n":                                 1,
		"{{- if .Values.x }}\nkind: Role\nmetadata: {name: leader}\n---\nkind: \"RoleBinding\"\n{{- end }}\n":         0,
		"{{- if .Values.x }}\nkind: Role\nname: leader\n{{- end }}\n{{- if .Values.y }}\nkind: Deployment\n{{end}}\n": 1,
		"{{- include \"leader\" . }}\n{{- if .Values.x }}\n":                                                          1,
		"{{- if .Values.x }}\nkind: Deployment\n{{- end }}\n":                                                         0,
	} {
		in := load("x.yaml", strings.NewReader(text))
		in.inFolder = true
		assert.Len(t, in.Read().Problems, problems, text)
	}
}
