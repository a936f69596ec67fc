// Home gives the modules of this repository a path under which they can be published: it rewrites the module paths, imports,
// replaces, and what the documentation and the build files say of them. See docs/release.md.
//
//	go run ./home -module github.com/you/interregnum
//	go run ./home -module github.com/you/interregnum -version v0.1.0
//
// It runs in the folder tools of the repository.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"interregnum/tools/internal/modversion"
)

// main rewrites the module paths as the flags say, and prints how many files have changed. After an error it prints the error
// and exits with status 1.
func main() {
	path := flag.String("module", "", "the new `PATH`, such as github.com/you/interregnum")
	version := flag.String("version", "", "make the commit for the tags of `VERSION`, such as v0.1.0: the modules that are "+
		"published require each other at it")
	root := flag.String("root", "..", "the repository")
	flag.Parse()
	changed, err := run(*root, *path, *version)
	if err != nil {
		fmt.Fprintln(os.Stderr, "home:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed; see git diff\n", changed)
}

// run rewrites the files that git tracks below root to the module path, and returns how many it has changed. version is the one
// at which the published modules require each other; with "" they keep their versions. After an error some files are changed
// already.
func run(root, path, version string) (changed int, err error) {
	if err := check(path, version); err != nil {
		return 0, err
	}
	files, err := tracked(root)
	if err != nil {
		return 0, err
	}
	old, err := modulePath(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	m := newMove(old, path, version, files)
	for _, name := range files {
		did, err := m.file(root, name)
		if err != nil {
			return changed, fmt.Errorf("%s: %w", name, err)
		}
		if did {
			changed++
		}
	}
	return changed, nil
}

// check returns an error for a module path, or a version, that cannot be published. A version of "" means none, and is no error.
func check(path, version string) error {
	if path == "" {
		return errors.New("-module: want the path that you publish under, such as github.com/you/interregnum, got none")
	}
	if err := module.CheckPath(path); err != nil {
		return fmt.Errorf("-module: want a path that begins with a host, such as github.com/you/interregnum: %w", err)
	}
	_, major, ok := module.SplitPathVersion(path)
	if !ok || major != "" {
		return fmt.Errorf("-module: want a path without a major version at its end, got %s", path)
	}
	if version != "" && !modversion.Publishable(version) {
		return fmt.Errorf("-version: want a version of major 0 or 1 in full, such as v0.1.0, got %s", version)
	}
	return nil
}

// tracked returns the regular files that git tracks below root, by their paths from there, with slashes.
func tracked(root string) ([]string, error) {
	list := exec.Command("git", "ls-files", "-z")
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files in %s: %w", root, err)
	}
	var files []string
	for name := range strings.SplitSeq(string(bytes.TrimRight(out, "\x00")), "\x00") {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() {
			files = append(files, name)
		}
	}
	return files, nil
}

// modulePath returns the path of the module that a go.mod file describes.
func modulePath(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	path := modfile.ModulePath(data)
	if path == "" {
		return "", fmt.Errorf("%s: no module line", file)
	}
	return path, nil
}
