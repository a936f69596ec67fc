package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

var publish = flag.Bool("home.publish", false, "move a copy, publish it in a folder, and install from there (minutes)")

// theirs is a path under which nobody publishes.
const theirs = "home.example/somebody/interregnum"

// user is somebody's test of his own elector.
const user = `package user

import (
	"testing"

	"home.example/somebody/interregnum/elector"
	"home.example/somebody/interregnum/scenarios"
	_ "home.example/somebody/interregnum/electiontest"
)

func Test(t *testing.T) {
	s, err := scenarios.Named("healthy-failover")
	if err != nil {
		t.Fatal(err)
	}
	result, err := scenarios.Run(s, scenarios.Options{})
	if err != nil || !result.AsExpected || elector.Strict == elector.ClientGo {
		t.Fatal(err)
	}
}
`

// etcdUser is another test of his, on a module that wants newer ones of others. It is added later, so that the first is built with what
// the main module requires, of which all is compiled already.
const etcdUser = `package etcd

import (
	"testing"

	_ "home.example/somebody/interregnum/elector/etcdlock"
)

func Test(t *testing.T) {}
`

// TestPublished does to a copy what a publisher does, and fetches it as a user does: from a proxy that is a folder.
func TestPublished(t *testing.T) {
	if !*publish {
		t.Skip("publishes a copy: make home-check")
	}
	dir := t.TempDir()
	copied := filepath.Join(dir, "copy")
	copyTracked(t, "../..", copied)
	version := "v0.0.0-check." + time.Now().UTC().Format("20060102150405")
	changed, err := run(copied, theirs, version)
	require.NoError(t, err)
	t.Log(changed, "files changed")
	leftOver(t, copied)
	formatted(t, copied)

	proxy := filepath.Join(dir, "proxy")
	for _, folder := range append([]string{""}, published...) {
		serve(t, proxy, copied, folder, version)
	}
	u := newTraveller(t, dir, proxy)
	u.do("install", theirs+"/cmd/simulate@latest")
	u.do("install", theirs+"/cmd/elector@latest")
	out, err := exec.Command(filepath.Join(u.bin, "simulate"), "--version").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), version)
	out, err = exec.Command(filepath.Join(u.bin, "elector"), "--help").CombinedOutput()
	require.NoError(t, err, "%s", out)

	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "user_test.go"), []byte(user), 0o666))
	u.do("mod", "init", "user.example/program")
	u.do("get", theirs+"@latest")
	u.do("mod", "tidy")
	u.do("test", "./...")
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "etcd"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "etcd", "etcd_test.go"), []byte(etcdUser), 0o666))
	u.do("get", theirs+"/elector/etcdlock@latest")
	u.do("mod", "tidy")
	u.do("test", "./etcd")
}

// copyTracked copies what git tracks, as it is in the working tree, into a repository of its own.
func copyTracked(t *testing.T, from, to string) {
	files, err := tracked(from)
	require.NoError(t, err)
	for _, name := range files {
		at := filepath.Join(to, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o777))
		data, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(at, data, 0o666))
	}
	for _, args := range []string{"init -q", "add -f ."} {
		git := exec.Command("git", strings.Fields(args)...)
		git.Dir = to
		out, err := git.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// leftOver looks for imports of the old path: a second move must find nothing to do, and no Go file may import what no module has.
func leftOver(t *testing.T, root string) {
	files, err := tracked(root)
	require.NoError(t, err)
	for _, name := range files {
		if filepath.Ext(name) != ".go" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		require.NoError(t, err)
		assert.False(t, strings.Contains(string(data), "\t\"interregnum/") || strings.Contains(string(data), "import \"interregnum/"), name)
	}
}

func formatted(t *testing.T, root string) {
	gofmt := exec.Command("gofmt", "-l", ".")
	gofmt.Dir = root
	out, err := gofmt.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Empty(t, string(out), "no longer formatted")
}

// serve puts a module into a proxy: https://go.dev/ref/mod#goproxy-protocol.
func serve(t *testing.T, proxy, root, folder, version string) {
	path := strings.TrimSuffix(theirs+"/"+folder, "/")
	at := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	require.NoError(t, os.MkdirAll(at, 0o777))
	write := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), data, 0o666))
	}
	mod, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(folder), "go.mod"))
	require.NoError(t, err)
	write("list", []byte(version+"\n"))
	write(version+".mod", mod)
	write(version+".info", []byte(`{"Version":"`+version+`","Time":"`+time.Now().UTC().Format(time.RFC3339)+`"}`))
	archive, err := os.Create(filepath.Join(at, version+".zip"))
	require.NoError(t, err)
	m := module.Version{Path: path, Version: version}
	require.NoError(t, zip.CreateFromDir(archive, m, filepath.Join(root, filepath.FromSlash(folder))))
	require.NoError(t, archive.Close())
}

// traveller runs the go command far from the repository.
type traveller struct {
	t        *testing.T
	dir, bin string
	env      []string
}

func newTraveller(t *testing.T, dir, proxy string) *traveller {
	u := &traveller{t: t, dir: filepath.Join(dir, "user"), bin: filepath.Join(dir, "bin")}
	require.NoError(t, os.MkdirAll(u.dir, 0o777))
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	cache, others, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	// What is fetched for this test goes again. All else comes from where it always does, and what is built is built once.
	t.Cleanup(func() {
		for _, at := range []string{cache, filepath.Join(cache, "cache", "download")} {
			assert.NoError(t, os.RemoveAll(filepath.Join(at, strings.Split(theirs, "/")[0])))
		}
	})
	u.env = append(os.Environ(), "GOPROXY=file://"+proxy+","+others, "GONOSUMDB="+theirs+","+theirs+"/*", "GOBIN="+u.bin,
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -modcacherw", "GOWORK=off")
	return u
}

func (u *traveller) do(args ...string) {
	u.t.Helper()
	c := exec.Command("go", args...)
	c.Dir, c.Env = u.dir, u.env
	out, err := c.CombinedOutput()
	require.NoError(u.t, err, "go %s: %s", strings.Join(args, " "), out)
}
