package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	whole = flag.Bool("release.build", false, "build the release of linux/amd64, twice")
	cold  = flag.Bool("release.cold", false, "with -release.build: compile everything again the second time (minutes)")
)

const tag = "v0.9.7-check"

// must returns the value of a call that may not fail.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// repository makes a repository of files, by their names, in a commit that is the same wherever it is made, with the
// release's tags.
func repository(t *testing.T, dir string, files map[string][]byte) {
	for name, text := range files {
		path, mode := filepath.Join(dir, name), fs.FileMode(0o666)
		must(0, os.MkdirAll(filepath.Dir(path), 0o777))(t)
		must(0, os.WriteFile(path, text, mode))(t)
	}
	for _, variable := range []string{"GIT_AUTHOR_", "GIT_COMMITTER_"} {
		t.Setenv(variable+"NAME", "nobody")
		t.Setenv(variable+"EMAIL", "nobody@example.com")
		t.Setenv(variable+"DATE", "2026-01-02T03:04:05Z")
	}
	must(git(dir, "init", "-q"))(t)
	must(git(dir, "add", "--force", "."))(t)
	must(git(dir, "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "all"))(t)
	for _, name := range append([]string{tag}, tagsOf(tag)...) {
		must(git(dir, "tag", name))(t)
	}
}

// TestRefused: only a clean tree at the commit of the tags is released, and only into an empty folder.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	repository(t, dir, map[string][]byte{"go.mod": []byte("module interregnum\n")})
	if c := must(commitOf(dir, tag))(t); !c.time.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) {
		t.Errorf("the commit is of %v", c.time)
	}
	refused := func(version, want string) {
		t.Helper()
		if _, err := commitOf(dir, version); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", version, want, err)
		}
	}
	for _, version := range []string{"", "0.1.0", "v0.1", "v01.0.0", "v2.0.0", "v1.0.0+build", "v0.1.0-", "v0.1.0\n"} {
		refused(version, "want v0.X.Y or v1.X.Y")
	}
	refused("v0.9.6", "HEAD does not have the tag v0.9.6")
	must(git(dir, "tag", "v0.9.6"))(t)
	refused("v0.9.6", "HEAD does not have the tag cmd/elector/v0.9.6")

	stray := filepath.Join(dir, "stray")
	must(0, os.WriteFile(stray, nil, 0o666))(t)
	refused(tag, "want a tree without changes, found ?? stray")
	if err := makeEmpty(dir); err == nil || !strings.Contains(err.Error(), "want an empty folder") {
		t.Errorf("a folder with files: %v", err)
	}
	must(0, os.Remove(stray))(t)
	must(0, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module other\n"), 0o666))(t)
	refused(tag, "want a tree without changes, found M go.mod")

	for _, f := range targets[len(targets)-1].of([]file{{name: "all"}, {name: "elector.txt", of: "cmd/elector"}}) {
		if f.name != "all" {
			t.Errorf("Windows gets %s", f.name)
		}
	}
	if _, err := targetsNamed("linux/386"); err == nil {
		t.Error("linux/386 is no platform of a release")
	}
}

// TestRelease builds what is in this tree, in two folders, as the release of a tag.
func TestRelease(t *testing.T) {
	if !*whole {
		t.Skip("it builds the programs: make release-check")
	}
	tree := must(workingTree("../.."))(t)
	var all [2]map[string][]byte
	for i := range all {
		dir := filepath.Join(t.TempDir(), strings.Repeat("folder", i+1))
		repository(t, dir, tree)
		if i == 1 && *cold {
			t.Setenv("GOCACHE", t.TempDir())
		}
		started := time.Now()
		out := filepath.Join(dir, "..", "dist")
		must(0, run(tag, dir, out, "linux/amd64"))(t)
		t.Logf("built in %v", time.Since(started).Round(time.Second))
		all[i] = must(read(out))(t)
		for name, text := range unpack(t, all[i], dir) {
			if bytes.Contains(text, []byte(dir)) {
				t.Errorf("%s has the folder in it that it was built in", name)
			}
		}
	}
	for name, text := range all[0] {
		if !bytes.Equal(text, all[1][name]) {
			t.Errorf("%s is not the same in both folders", name)
		}
	}
	if len(all[0]) != 2 || len(all[1]) != 2 {
		t.Errorf("want an archive and %s, got %d and %d files", sums, len(all[0]), len(all[1]))
	}
}

// workingTree returns the files that would be committed.
func workingTree(root string) (map[string][]byte, error) {
	names, err := git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	files := map[string][]byte{}
	for name := range strings.SplitSeq(strings.Trim(names, "\x00"), "\x00") {
		text, readErr := os.ReadFile(filepath.Join(root, name))
		if errors.Is(readErr, fs.ErrNotExist) {
			continue // it has been removed, but not yet from the index
		}
		files[name], err = text, errors.Join(err, readErr)
	}
	return files, err
}

func read(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	files := map[string][]byte{}
	for _, e := range entries {
		text, readErr := os.ReadFile(filepath.Join(dir, e.Name()))
		files[e.Name()], err = text, errors.Join(err, readErr)
	}
	return files, err
}

// unpack judges an archive and the sums, and returns the files.
func unpack(t *testing.T, dist map[string][]byte, repository string) map[string][]byte {
	name := "interregnum_" + tag + "_linux_amd64"
	archive := filepath.Join(repository, "..", "dist")
	if runtime.GOOS == "linux" {
		c := exec.Command("sha256sum", "--check", "--strict", sums)
		c.Dir = archive
		if text, err := c.CombinedOutput(); err != nil || string(text) != name+".tar.gz: OK\n" {
			t.Errorf("%s: %v: %s", sums, err, text)
		}
	}
	t.Logf("%s.tar.gz: %.1f MB", name, float64(len(dist[name+".tar.gz"]))/1e6)
	unzipped := must(gzip.NewReader(bytes.NewReader(dist[name+".tar.gz"])))(t)
	files, names := map[string][]byte{}, []string{}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(0, err)(t)
		inside, ok := strings.CutPrefix(h.Name, name+"/")
		mode := int64(0o644)
		if inside == "simulate" || inside == "elector" {
			mode = 0o755
		}
		if !ok || h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Mode != mode || h.ModTime.Unix() != 1767323045 {
			t.Errorf("unexpected header %+v", h)
		}
		files[inside] = must(io.ReadAll(r))(t)
		names = append(names, inside)
	}
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %q", names)
	}
	for inside, want := range map[string]string{
		"LICENSE": "Apache License", "README.md": "# Interregnum", "docs/release.md": "# ", "docs/tutorials/operator.md": "# ", "docs/method/model.md": "# ",
		"docs/gallery/h01-late-ack.png": "PNG", // README.md shows it
		"completions/simulate.bash":     "__start_simulate", "completions/_simulate": "#compdef simulate",
		"completions/simulate.fish": "complete -c simulate", "completions/simulate.ps1": "Register-ArgumentCompleter",
		"completions/elector.bash": "complete -o default -F __start_elector elector",
		"licences/simulate.txt":    "go.yaml.in/yaml/v3", "licences/elector.txt": "modernc.org/sqlite",
	} {
		if !bytes.Contains(files[inside], []byte(want)) {
			t.Errorf("%s: want %q in it; it has %d bytes", inside, want, len(files[inside]))
		}
	}
	for _, program := range []string{"simulate", "elector"} {
		judgeBinary(t, program, files[program], repository)
	}
	return files
}

// judgeBinary: it is static, and says what it was built of.
func judgeBinary(t *testing.T, program string, text []byte, repository string) {
	f := must(elf.NewFile(bytes.NewReader(text)))(t)
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("%s is not static: it has a segment %v", program, p.Type)
		}
	}
	t.Logf("%s: %.1f MB", program, float64(len(text))/1e6)
	if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		return
	}
	binary := filepath.Join(t.TempDir(), program)
	must(0, os.WriteFile(binary, text, 0o777))(t)
	revision := must(git(repository, "rev-parse", "HEAD"))(t)
	want := fmt.Sprintf("%s %s\nrevision %s of 2026-01-02T03:04:05Z\nbuilt by %s for linux/amd64\n",
		program, tag, revision, runtime.Version())
	says := string(must(exec.Command(binary, "--version").Output())(t))
	if !strings.HasPrefix(says, want) {
		t.Errorf("want\n%sgot\n%s", want, says)
	}
	if program != "simulate" {
		return
	}
	built := must(buildinfo.Read(bytes.NewReader(text)))(t)
	if !slices.Contains(built.Settings, debug.BuildSetting{Key: "-pgo", Value: profile}) {
		t.Errorf("want a binary optimized by %s, got %q", profile, built.Settings)
	}
	var object struct{ Version string }
	must(0, json.Unmarshal(must(exec.Command(binary, "version", "-o", "json").Output())(t), &object))(t)
	if object.Version != tag {
		t.Errorf("want %s in the JSON, got %q", tag, object.Version)
	}
}
