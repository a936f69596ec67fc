package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/newest"
)

// proxy is a module proxy in memory, and the go command that asks it.
type proxy struct {
	t *testing.T
	// files are those of each module, by module@version/path.
	files map[string]string
	// versions are the words that the go command lists.
	versions string
	// incomplete are versions of which a module is missing, and broken those with which parity does not hold.
	incomplete, broken string
	// unbuilt is the version with which the tests cannot be built.
	unbuilt string
	// fails is the folder of which the tests fail with the broken version; "" for all.
	fails string
	// ran are the versions on which parity was run, and folders those of its tests.
	ran, folders []string
}

// command is what the go command would say.
func (p *proxy) command(env []string, args ...string) (string, error) {
	last := args[len(args)-1]
	switch args[0] {
	case "list":
		if !strings.Contains(strings.Join(args, " "), "-versions") {
			return "", nil
		}
		return p.versions + "\n", nil
	case "mod":
		return p.download(last)
	case "get":
		if p.incomplete != "" && strings.HasSuffix(last, p.incomplete) {
			return "go: reading the proxy\n\tmodule is not | available.\n", errors.New("exit status 1")
		}
		return "", nil
	}
	version := strings.TrimPrefix(env[0], newest.Wanted+"=")
	file := strings.TrimPrefix(args[1], "-modfile=")
	assert.FileExists(p.t, file)
	assert.FileExists(p.t, strings.TrimSuffix(file, "mod")+"sum")
	if last == "^$" {
		if version == p.unbuilt {
			return "undefined: x\n", errors.New("exit status 1")
		}
		return "ok\n", nil
	}
	folder := args[3]
	p.folders = append(p.folders, folder)
	if folder == "./internal/parity" {
		p.ran = append(p.ran, version)
	}
	assert.Contains(p.t, args, map[string]string{
		"./internal/parity": "-parity.fresh=40", "./internal/parity/rest": "-rest.plans=10", "./internal/parity/conn": "-conn.plans=2",
	}[folder])
	if version == p.broken && strings.HasSuffix(folder, p.fails) {
		return "seed 5: they differ\n", errors.New("exit status 1")
	}
	return "ok\n", nil
}

// download returns where the archive of a module is, in the words of go mod download -json.
func (p *proxy) download(module string) (string, error) {
	path := filepath.Join(p.t.TempDir(), "module.zip")
	file, err := os.Create(path)
	require.NoError(p.t, err)
	defer file.Close()
	w := zip.NewWriter(file)
	found := false
	for name, text := range p.files {
		if !strings.HasPrefix(name, module+"/") {
			continue
		}
		found = true
		f, err := w.Create(name)
		require.NoError(p.t, err)
		_, err = f.Write([]byte(text))
		require.NoError(p.t, err)
	}
	require.NoError(p.t, w.Close())
	if !found {
		return `{"Error": "no such version"}`, errors.New("exit status 1")
	}
	said, err := json.Marshal(map[string]string{"Zip": path, "Error": "it may want a newer Go"})
	require.NoError(p.t, err)
	return string(said), errors.New("exit status 1")
}

// aProxy is one with newest.Version and two newer versions, of which the last has another API.
func aProxy(t *testing.T) *proxy {
	t.Chdir("../../..") // the top, where the module file is
	p := &proxy{t: t, files: map[string]string{}, versions: "v0.33.0 " + newest.Version + " v0.99.0-alpha.1 v0.99.0-rc.0"}
	for _, version := range strings.Fields(p.versions) {
		for _, part := range parts {
			at := part.module + "@" + version + "/" + part.path + "/"
			p.files[at+"a.go"] = "package a\n\ntype Config struct{ Old, Kept int }\n\nfunc New() {}\n"
			p.files[at+"a_test.go"] = "package a // " + version
		}
	}
	at := library + "@v0.99.0-rc.0/tools/leaderelection/"
	p.files[at+"a.go"] = "package a\n\ntype Config struct{ Kept int; Release func() }\n\nfunc New() {}\n"
	p.files[at+"b.go"] = "package a\n"
	return p
}

// TestRun: the table for the newest version.
func TestRun(t *testing.T) {
	p := aProxy(t)
	var out strings.Builder
	require.NoError(t, run(&out, p.command, "", plans{40, 1}))
	assert.Equal(t, []string{"v0.99.0-rc.0"}, p.ran)
	assert.Equal(t, strings.ReplaceAll(`| k8s.io/client-go | v0.99.0-rc.0 |
| --- | --- |
| the profile client-go describes | NOW |
| parity with v0.99.0-rc.0 | holds in the pinned plans and 40 fresh ones |
| parity of the client with v0.99.0-rc.0 | holds in the pinned plans and 10 fresh ones |
| parity of connections with v0.99.0-rc.0 | holds in the pinned plans and 2 fresh ones |
| tools/leaderelection | exported names: 1 new, 1 gone, 3 the same; files: 2 differ, 0 the same |
| exports, new | 'Config.Release func()' |
| exports no more | 'Config.Old int' |
| file | a.go: 4e8ce355, was 7f2cbef9 |
| file | b.go is new |
| tools/leaderelection/resourcelock | the same (exported names: 4; files: 1) |
| pkg/util/wait | the same (exported names: 4; files: 1) |
| rest | the same (exported names: 4; files: 1) |
| util/flowcontrol | the same (exported names: 4; files: 1) |
| transport | the same (exported names: 4; files: 1) |
| pkg/util/net | the same (exported names: 4; files: 1) |
`, "NOW", newest.Version), strings.ReplaceAll(out.String(), "`", "'"))
}

// TestPassedOver: a version of which the proxy lacks a module is in the table, and the next one is run.
func TestPassedOver(t *testing.T) {
	p := aProxy(t)
	p.incomplete = "v0.99.0-rc.0"
	var out strings.Builder
	require.NoError(t, run(&out, p.command, "", plans{40, 1}))
	assert.Equal(t, []string{"v0.99.0-alpha.1"}, p.ran)
	assert.Contains(t, out.String(), `| parity with v0.99.0-rc.0 | not run: module is not \| available. |
| parity with v0.99.0-alpha.1 | holds in`)
}

// TestFails: where parity does not hold the table says so, and so does the error.
func TestFails(t *testing.T) {
	p := aProxy(t)
	p.broken = "v0.99.0-alpha.1"
	var out strings.Builder
	err := run(&out, p.command, "v0.99.0-alpha.1", plans{40, 1})
	assert.ErrorContains(t, err, "parity with k8s.io/client-go v0.99.0-alpha.1 does not hold")
	assert.ErrorContains(t, err, "seed 5: they differ")
	assert.Contains(t, out.String(), "| parity of connections with v0.99.0-alpha.1 | **does not hold** |\n| tools/leaderelection | the same")
	assert.Len(t, p.folders, 3, "one that fails does not keep the others from being run")

	p.fails = "conn"
	out.Reset()
	err = run(&out, p.command, "v0.99.0-alpha.1", plans{40, 1})
	assert.ErrorContains(t, err, "parity of connections with k8s.io/client-go v0.99.0-alpha.1 does not hold")
	assert.NotContains(t, err.Error(), "parity with")
	assert.Contains(t, out.String(), "| parity with v0.99.0-alpha.1 | holds in")

	p.unbuilt = "v0.99.0-alpha.1"
	out.Reset()
	assert.ErrorContains(t, run(&out, p.command, "v0.99.0-alpha.1", plans{40, 1}), "parity with k8s.io/client-go v0.99.0-alpha.1 cannot be built")
	assert.Contains(t, out.String(), "| parity with v0.99.0-alpha.1 | **cannot be built** |")

	p.incomplete = "v0.99.0-alpha.1"
	assert.ErrorContains(t, run(&out, p.command, "v0.99.0-alpha.1", plans{40, 1}), "parity was not run with any of")
	assert.ErrorContains(t, run(&out, p.command, "v0.98.0", plans{40, 1}), "k8s.io/client-go v0.98.0 cannot be fetched: want")
	p.versions = "v0.1.0"
	assert.ErrorContains(t, run(&out, p.command, "", plans{40, 1}), "GOPROXY lists no k8s.io/client-go "+newest.Version)
	delete(p.files, "k8s.io/apimachinery@v0.99.0-rc.0/pkg/util/wait/a.go")
	assert.ErrorContains(t, run(&out, p.command, "v0.99.0-rc.0", plans{40, 1}), "there are no Go files")
}

// TestExported: all that other packages can use, and nothing else.
func TestExported(t *testing.T) {
	got, err := exported(map[string]string{"a.go": `package a

const A, b = 1, 2

var V int

type (
	S struct {
		sync.Mutex
		F, g func(int) (x string)
	}
	I interface {
		error
		M(a int,
			b string) error
		m()
	}
	N int
	h struct{ F int }
)

func (s *S) Do(a int) {}
func (h) Do() {}
func (S) hidden() {}
func F() (int, error) { return 0, nil }
func f() {}
`})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"I.M(a int, b string) error", "I: error", "S.Do(a int)", "S.F func(int) (x string)", "S: sync.Mutex",
		"const A", "func F() (int, error)", "type I", "type N", "type S", "var V",
	}, got)
	_, err = exported(map[string]string{"a.go": "package"})
	assert.Error(t, err)
}
