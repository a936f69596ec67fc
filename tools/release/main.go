// Release builds what a release consists of, from a tagged commit: an archive with static binaries for each platform, and their
// sums. The same commit and the same Go give the same bytes, in any folder. See docs/release.md.
//
//	go run ./release -version v0.1.0
//
// It runs in the folder tools of the repository.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// main makes the release that the flags describe. After an error it prints the error and exits with status 1.
func main() {
	version := flag.String("version", "", "the tag of the commit, such as v0.1.0")
	root := flag.String("root", "..", "the repository")
	out := flag.String("out", "../dist", "a `DIR` that is empty, or not there yet")
	only := flag.String("only", "", "one platform, such as linux/amd64, in place of all")
	flag.Parse()
	if err := run(*version, *root, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run makes a release of the commit at HEAD in root: an archive for each platform, and their checksums, in the folder
// out. only names a single platform, or is "" for all.
func run(version, root, out, only string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	c, err := commitOf(root, version)
	if err != nil {
		return err
	}
	targets, err := targetsNamed(only)
	if err != nil {
		return err
	}
	if err := makeEmpty(out); err != nil {
		return err
	}
	texts, err := textFiles(root)
	if err != nil {
		return err
	}
	for _, t := range targets {
		name := strings.Join([]string{"interregnum", version, t.os, t.arch}, "_")
		fmt.Fprintln(os.Stderr, "release:", name)
		built, err := t.build(root, version)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := pack(out, name, append(built, t.of(texts)...), c.time); err != nil {
			return err
		}
	}
	return writeSums(out)
}

// makeEmpty creates a folder if there is none. It returns an error if the folder is not empty.
func makeEmpty(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s: want an empty folder, found %s: remove it first", dir, entries[0].Name())
	}
	return err
}
