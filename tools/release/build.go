package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// target is a platform, and the folders of the programs that are built for it.
type target struct {
	os, arch string
	programs []string
}

var allPrograms = []string{"cmd/elector", "cmd/simulate"}

// targets are all platforms. Windows has no elector, which ends groups of processes and cannot do so there.
var targets = []target{
	{"darwin", "amd64", allPrograms},
	{"darwin", "arm64", allPrograms},
	{"linux", "amd64", allPrograms},
	{"linux", "arm64", allPrograms},
	{"windows", "amd64", []string{"cmd/simulate"}},
}

// targetsNamed returns the platform with that name, such as linux/amd64, or all platforms for "". Another name is an error.
func targetsNamed(only string) ([]target, error) {
	var names []string
	for _, t := range targets {
		name := t.os + "/" + t.arch
		if name == only {
			return []target{t}, nil
		}
		names = append(names, name)
	}
	if only != "" {
		return nil, fmt.Errorf("platform %q: want one of %s", only, strings.Join(names, ", "))
	}
	return targets, nil
}

// of returns the files that go into this platform's archive: those of its programs, and those that belong to every archive.
func (t *target) of(files []file) []file {
	return slices.DeleteFunc(slices.Clone(files), func(f file) bool {
		return f.of != "" && !slices.Contains(t.programs, f.of)
	})
}

// build returns the platform's programs as files, built from the repository at root. It returns an error if the build
// information in one names another version.
func (t *target) build(root, version string) (files []file, err error) {
	for _, folder := range t.programs {
		name := filepath.Base(folder)
		if t.os == "windows" {
			name += ".exe"
		}
		binary, err := goBuild(filepath.Join(root, folder), t.os, t.arch)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		info, err := buildinfo.Read(bytes.NewReader(binary))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		if info.Main.Version != version {
			return nil, fmt.Errorf("%s: want version %s in the binary, found %q", folder, version, info.Main.Version)
		}
		files = append(files, file{name: name, mode: 0o755, text: binary, of: folder})
	}
	return files, nil
}

// profile is the file beside a program that says what the compiler is to optimize. It is not called default.pgo, since
// every build and test of the module would then compile all dependencies once more.
const profile = "release.pgo"

// noDebug keeps the compiler from writing tables for debuggers, which -ldflags=-s leaves out of the binary anyway. CI compiles with
// the same flag, so that it compiles all that is linked only once.
const noDebug = "-gcflags=all=-dwarf=false"

// goBuild returns the binary of the program in a folder, built for that system and architecture, with its profile if it has
// one. It overrides settings of the environment that would change the binary.
func goBuild(folder, system, arch string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "binary")
	pgo := "-pgo=off"
	if _, err := os.Stat(filepath.Join(folder, profile)); err == nil {
		pgo = "-pgo=" + profile
	}
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s", noDebug, pgo, "-o", binary, ".")
	c.Dir, c.Stderr = folder, os.Stderr
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=-buildvcs=true", "GOWORK=off")
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("go build: %w", err)
	}
	return os.ReadFile(binary)
}

// goRun runs a Go program of the repository, in that folder and on this machine's platform, and returns what it prints to
// standard output.
func goRun(folder string, args ...string) ([]byte, error) {
	c := exec.Command("go", append([]string{"run"}, args...)...)
	c.Dir, c.Stderr = folder, os.Stderr
	c.Env = append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH, "CGO_ENABLED=0", "GOWORK=off",
		"GOFLAGS=-trimpath "+noDebug)
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go run %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}
