package main

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	m := newMove("interregnum", "example.org/x/interregnum", "", []string{
		"elector/elector.go", "elector/doc.go", "cmd/simulate/main.go", "docs/release.md", "main.go",
	})
	for before, after := range map[string]string{
		`import "interregnum/elector"`:                                          `import "example.org/x/interregnum/elector"`,
		"\"interregnum/elector\"\n\"interregnum/cmd/simulate\"":                 "\"example.org/x/interregnum/elector\"\n\"example.org/x/interregnum/cmd/simulate\"",
		"go install interregnum/cmd/simulate@latest":                            "go install example.org/x/interregnum/cmd/simulate@latest",
		"go get interregnum":                                                    "go get example.org/x/interregnum",
		"go mod edit -replace interregnum=../interregnum":                       "go mod edit -replace example.org/x/interregnum=../interregnum",
		"-replace=interregnum/elector/etcdlock=../interregnum/elector/etcdlock": "-replace=example.org/x/interregnum/elector/etcdlock=../interregnum/elector/etcdlock",
		"-X interregnum/cmd/simulate.version=v1":                                "-X example.org/x/interregnum/cmd/simulate.version=v1",
		"-require=interregnum@v0.0.0":                                           "-require=example.org/x/interregnum@v0.0.0",
	} {
		assert.Equal(t, after, string(m.text([]byte(before))))
		assert.Equal(t, after, string(m.text([]byte(after))), "again")
	}
	for _, same := range []string{
		"cd ../interregnum/cmd", "docker build -t interregnum .", "interregnum/docs/release.md", "interregnum/electors", "interregnum is",
		"github.com/other/interregnum/elector", "pre-interregnum/elector", "name: interregnum", "interregnum/servers",
	} {
		assert.Equal(t, same, string(m.text([]byte(same))))
	}
}

// TestAligned: gofmt aligns the values of a map literal, and a longer path moves them.
func TestAligned(t *testing.T) {
	m := newMove("interregnum", "example.org/x/interregnum", "", []string{"elector/elector.go"})
	after, err := m.content("x_test.go", []byte("package x\n\nvar m = map[string]int{\n\t\"interregnum/elector\":    1,\n\t\"something as long as it\": 2,\n}\n"))
	require.NoError(t, err)
	formatted, err := format.Source(after)
	require.NoError(t, err)
	assert.Contains(t, string(after), "example.org/x")
	assert.Equal(t, string(formatted), string(after))
}

func TestGoMod(t *testing.T) {
	before := `module interregnum/cmd/elector

go 1.26.0

replace interregnum => ../..

replace interregnum/elector/etcdlock => ../../elector/etcdlock

require (
	github.com/other/module v1.2.3
	interregnum v0.0.0
	interregnum/elector/etcdlock v0.0.0
)
`
	m := newMove("interregnum", "example.org/i", "", nil)
	after, err := m.mod("cmd/elector/go.mod", []byte(before))
	require.NoError(t, err)
	for _, line := range []string{
		"module example.org/i/cmd/elector", "replace example.org/i => ../..",
		"replace example.org/i/elector/etcdlock => ../../elector/etcdlock", "\texample.org/i v0.0.0", "\tgithub.com/other/module v1.2.3",
	} {
		assert.Contains(t, string(after), line)
	}
	assert.NotContains(t, string(after), "interregnum")

	m.version = "v0.1.0"
	after, err = m.mod("cmd/elector/go.mod", []byte(before))
	require.NoError(t, err)
	assert.NotContains(t, string(after), "replace")
	assert.Contains(t, string(after), "\texample.org/i v0.1.0\n\texample.org/i/elector/etcdlock v0.1.0\n")
	after, err = m.mod("e2e/sql/go.mod", []byte(before))
	require.NoError(t, err)
	assert.Contains(t, string(after), "replace example.org/i => ../..", "nobody fetches it")
}

func TestCheck(t *testing.T) {
	for module, want := range map[string]string{
		"": "got none", "interregnum": "begins with a host", "github.com/you/Interregnum!": "begins with a host",
		"github.com/you/interregnum/v2": "without a major version", "github.com/you/interregnum": "",
	} {
		if err := check(module, ""); want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, want)
		}
	}
	for _, version := range []string{"v1", "1.2.3", "latest", "v2.0.0", "v2.0.0-rc.1", "v0.1.0+meta"} {
		assert.ErrorContains(t, check("example.org/i", version), "-version: want")
	}
}

// TestTrackedAlone: what git does not know is left alone, and so is a link.
func TestTrackedAlone(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module interregnum\n", "elector/a.go": "package elector // interregnum/elector\n", "other.txt": "interregnum/elector\n",
	}
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for _, args := range []string{"init -q", "add go.mod elector"} {
		git := exec.Command("git", strings.Fields(args)...)
		git.Dir = dir
		out, err := git.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	changed, err := run(dir, "example.org/i", "")
	require.NoError(t, err)
	assert.Equal(t, 2, changed)
	text, err := os.ReadFile(filepath.Join(dir, "other.txt"))
	require.NoError(t, err)
	assert.Equal(t, files["other.txt"], string(text))
	changed, err = run(dir, "example.org/i", "")
	require.NoError(t, err)
	assert.Zero(t, changed, "there is nothing left to do")
}
