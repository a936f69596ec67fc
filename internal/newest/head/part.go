package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// part is a package. The profile client-go, or the simulated client, describes a part of what it does.
type part struct{ module, path string }

// parts are the election, its locks, the loops that it waits in, and the client with its limiter and its connections. All modules have
// the same versions.
var parts = []part{
	{library, "tools/leaderelection"},
	{library, "tools/leaderelection/resourcelock"},
	{"k8s.io/apimachinery", "pkg/util/wait"},
	{library, "rest"},
	{library, "util/flowcontrol"},
	{library, "transport"},
	{"k8s.io/apimachinery", "pkg/util/net"},
}

// fetched returns the texts of the package in that version by the names of their files, without tests. It reads them from the
// archive that the go command fetches, since that command does not unpack a module that wants a newer Go. It returns an error if
// the archive cannot be fetched or read, or has no such package.
func (p part) fetched(command command, version string) (map[string]string, error) {
	said, failed := command(nil, "mod", "download", "-json", p.module+"@"+version)
	var module struct{ Zip string }
	if err := json.Unmarshal([]byte(said), &module); err != nil || module.Zip == "" {
		return nil, fmt.Errorf("%s %s cannot be fetched: want a version that GOPROXY has: %v: %s", p.module, version, failed, said)
	}
	archive, err := zip.OpenReader(module.Zip)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	files, err := fs.Sub(archive, p.module+"@"+version+"/"+p.path)
	if err != nil {
		return nil, err
	}
	return sources(files)
}

// sources returns the texts of the Go files in a folder by their names, without tests. It returns an error if there are none.
func sources(folder fs.FS) (map[string]string, error) {
	names, err := fs.Glob(folder, "*.go")
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		all[name] = string(text)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no Go files: want a package that the profile client-go describes")
	}
	return all, nil
}

// change is what differs in a package from one version to another.
type change struct {
	part
	// added and gone are what only the newer, or only the older version exports. names is how many exported things are in both.
	added, gone []string
	names       int
	// files are the names of the files that differ, each with what differs. same is how many files are the same in both versions.
	files []string
	same  int
}

// compare returns what differs in the package between two versions of its files.
func (p part) compare(before, after map[string]string) (*change, error) {
	c := &change{part: p}
	old, err := exported(before)
	if err != nil {
		return nil, err
	}
	now, err := exported(after)
	if err != nil {
		return nil, err
	}
	c.added, c.gone = without(now, old), without(old, now)
	c.names = len(old) - len(c.gone)
	c.compareFiles(before, after)
	return c, nil
}

// without returns the elements of all that are not in others.
func without(all, others []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(others, s) })
}

// compareFiles sets c.files and c.same from the texts of two versions of the package's files.
func (c *change) compareFiles(before, after map[string]string) {
	for name, text := range after {
		switch was, known := before[name]; {
		case !known:
			c.files = append(c.files, name+" is new")
		case was != text:
			c.files = append(c.files, fmt.Sprintf("%s: %s, was %s", name, hash(text), hash(was)))
		default:
			c.same++
		}
	}
	for name := range before {
		if _, there := after[name]; !there {
			c.files = append(c.files, name+" is gone")
		}
	}
	slices.Sort(c.files)
}

// hash returns the beginning of the SHA-256 of a text, in hexadecimal.
func hash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:8] }
