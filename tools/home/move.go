package main

import (
	"bytes"
	"go/format"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/modfile"
)

// published are the folders of the modules, beside the main one, that others fetch by version.
var published = []string{"cmd/elector", "elector/etcdlock"}

// move rewrites one module path to another. With a version, the published modules require each other at that version.
type move struct {
	old, path, version string
	// packages matches the path of a package, and commands what names the main module to the go command. The old path is
	// between their two groups.
	packages, commands *regexp.Regexp
}

// newMove returns a move from the module path old to the path to. files are all files of the repository; version can be "".
func newMove(old, to, version string, files []string) *move {
	quoted := regexp.QuoteMeta(old)
	return &move{
		old: old, path: to, version: version,
		packages: regexp.MustCompile(`((?:^|[^A-Za-z0-9_./~-]))` + quoted + `(/(?:` + strings.Join(folders(files), "|") + `)\b)`),
		commands: regexp.MustCompile(`(-(?:replace|require)[ =]|go get )` + quoted + `([=@\s` + "`" + `]|$)`),
	}
}

// folders returns the top folders that have Go files below them, quoted for a regular expression. Only these can be in the path
// of a package.
func folders(files []string) []string {
	var all []string
	for _, name := range files {
		top, _, below := strings.Cut(name, "/")
		if below && path.Ext(name) == ".go" {
			all = append(all, regexp.QuoteMeta(top))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// file rewrites the file of that name below root in place if its content has the old path. It returns true if the file has
// changed. A file that is not UTF-8 it leaves as it is.
func (m *move) file(root, name string) (bool, error) {
	at := filepath.Join(root, filepath.FromSlash(name))
	before, err := os.ReadFile(at)
	if err != nil || !utf8.Valid(before) {
		return false, err
	}
	after, err := m.content(name, before)
	if err != nil || bytes.Equal(before, after) {
		return false, err
	}
	info, err := os.Stat(at)
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(at, after, info.Mode().Perm())
}

// content returns the new content of a file, with the new path in place of the old one. A go.mod is rewritten by its syntax, any
// other file by its text; a Go file in which something changes is formatted too.
func (m *move) content(name string, before []byte) ([]byte, error) {
	if path.Base(name) == "go.mod" {
		return m.mod(name, before)
	}
	after := m.text(before)
	if path.Ext(name) != ".go" || bytes.Equal(before, after) {
		return after, nil
	}
	// A longer path moves the columns that gofmt aligns. What the compiler refuses stays as it was written.
	if formatted, err := format.Source(after); err == nil {
		return formatted, nil
	}
	return after, nil
}

// text returns data with the new path in place of the old one, wherever the old one is in the path of a package or names the
// main module to the go command.
func (m *move) text(data []byte) []byte {
	for _, r := range []*regexp.Regexp{m.packages, m.commands} {
		// Twice, since two matches may share the character between them.
		for range 2 {
			data = r.ReplaceAll(data, []byte("${1}"+m.path+"${2}"))
		}
	}
	return data
}

// moved returns the new path of a module of this repository, "" for any other module.
func (m *move) moved(of string) string {
	if of == m.old || strings.HasPrefix(of, m.old+"/") {
		return m.path + strings.TrimPrefix(of, m.old)
	}
	return ""
}

// copies returns copies of a go.mod's entries, which do not change when the entries are dropped.
func copies[T any](entries []*T) []T {
	var all []T
	for _, e := range entries {
		all = append(all, *e)
	}
	return all
}

// mod returns a go.mod with the new path in its module line, and in the requires and replaces of modules of this
// repository. With a version, a published module requires the others at that version, and has no replaces of them.
func (m *move) mod(name string, data []byte) ([]byte, error) {
	f, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil, err
	}
	if to := m.moved(f.Module.Mod.Path); to != "" {
		if err := f.AddModuleStmt(to); err != nil {
			return nil, err
		}
	}
	publish := m.version != "" && slices.Contains(published, path.Dir(name))
	for _, r := range copies(f.Require) {
		if to := m.moved(r.Mod.Path); to != "" {
			version := r.Mod.Version
			if publish {
				version = m.version
			}
			f.AddNewRequire(to, version, r.Indirect)
			if err := f.DropRequire(r.Mod.Path); err != nil {
				return nil, err
			}
		}
	}
	for _, r := range copies(f.Replace) {
		to := m.moved(r.Old.Path)
		if to == "" {
			continue
		}
		if err := f.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return nil, err
		}
		if publish { // go install refuses a module that has one
			continue
		}
		if err := f.AddReplace(to, r.Old.Version, r.New.Path, r.New.Version); err != nil {
			return nil, err
		}
	}
	f.Cleanup()
	f.SortBlocks()
	return f.Format()
}
