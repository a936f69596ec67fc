package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is a module that is linked into something that ships, with its licences.
type module struct {
	path, version string
	// in are the parts that it is linked into.
	in []string
	// texts are its licences and notices, by their path in the module.
	texts map[string][]byte
	// with has the files that must go with one of the texts, by the path of that text.
	with map[string][]byte
}

// part is something that ships: packages of the module in a folder of the repository.
type part struct {
	name, folder string
	packages     []string
}

// packages is the name of the parts that consist of the public packages: those that another module may import.
const packages = "packages"

// parts are all parts that ship.
var parts = []part{
	{"simulate", ".", []string{"./cmd/simulate"}},
	{"elector", "cmd/elector", []string{"."}},
	{packages, ".", []string{"./elector/...", "./simlock/...", "./scenarios/...", "./electiontest", "./reports"}},
	{packages, "elector/etcdlock", []string{"."}},
}

// systems are the systems for which the programs are built. Some modules are linked on one of them alone.
var systems = []string{"linux", "darwin", "windows"}

// listed has the fields that are read of what go list -json prints about a package.
type listed struct {
	Dir      string
	Root     string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{}
	}
}

// ours tells whether a package is in this repository: in the main module, or in a module that a replace takes from a folder.
func (l *listed) ours() bool { return !l.Standard && (l.Module.Main || l.Module.Replace != nil) }

// linked returns the modules that are linked into what ships, sorted by path; the standard library counts as one. root is the
// repository's folder.
func linked(root string) ([]*module, error) {
	known := map[string]*module{}
	for _, p := range parts {
		for _, system := range systems {
			if err := p.add(known, root, system); err != nil {
				return nil, fmt.Errorf("%s on %s: %w", p.name, system, err)
			}
		}
	}
	var all []*module
	for _, m := range known {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *module) int {
		return strings.Compare(a.path+" "+a.version, b.path+" "+b.version)
	})
	return all, nil
}

// add adds to known the modules that the part links on a system, such as linux. root is the repository.
func (p *part) add(known map[string]*module, root, system string) error {
	c := exec.Command("go", append([]string{"list", "-deps", "-json=Dir,Standard,Root,Module"}, p.packages...)...)
	c.Dir = filepath.Join(root, p.folder)
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return err
	}
	for d := json.NewDecoder(out); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return c.Wait()
		} else if err != nil {
			return errors.Join(err, c.Wait())
		}
		if err := p.take(known, &l); err != nil {
			return errors.Join(err, c.Process.Kill(), c.Wait())
		}
	}
}

// take adds the package's module to known, the part to the module, and the licences in the package's folder and those above it,
// up to the module's. It skips packages of this repository. For the standard library it reads only the top folder.
func (p *part) take(known map[string]*module, l *listed) error {
	if l.ours() {
		return nil
	}
	path, version, top := "Go's standard library", "the toolchain's", l.Root
	if !l.Standard {
		path, version, top = l.Module.Path, l.Module.Version, l.Module.Dir
	}
	m := known[path+" "+version]
	if m == nil {
		m = &module{path: path, version: version, texts: map[string][]byte{}, with: map[string][]byte{}}
		known[path+" "+version] = m
	}
	if !slices.Contains(m.in, p.name) {
		m.in = append(m.in, p.name)
	}
	folder := l.Dir
	if l.Standard {
		folder = top
	}
	return m.read(top, folder)
}

// read adds to m.texts the licences and notices in folder and those above it, up to top, the module's own.
func (m *module) read(top, folder string) error {
	for {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name, err := filepath.Rel(top, filepath.Join(folder, e.Name()))
			if err != nil {
				return err
			}
			if _, read := m.texts[name]; read || !e.Type().IsRegular() || !isText(e.Name()) {
				continue
			}
			if err := m.readFile(top, name); err != nil {
				return err
			}
		}
		if folder == top {
			return nil
		}
		folder = filepath.Dir(folder)
	}
}

// readFile adds a licence or notice to m.texts and, if byHand says that another file belongs to it, that file to m.with.
// The name is the path below top.
func (m *module) readFile(top, name string) (err error) {
	if m.texts[name], err = os.ReadFile(filepath.Join(top, name)); err != nil {
		return err
	}
	if r := handRead(m.path, name, m.texts[name]); r != nil && r.with != "" {
		m.with[name], err = os.ReadFile(filepath.Join(top, r.with))
	}
	return err
}

// isText tells whether a file is a licence or a notice, by its name: how it begins, and that it does not end as a file of code,
// data or markup does.
func isText(name string) bool {
	name = strings.ToLower(name)
	if ext := filepath.Ext(name); slices.Contains([]string{".go", ".json", ".yaml", ".yml", ".html", ".sh"}, ext) {
		return false
	}
	return slices.ContainsFunc([]string{"licen", "copying", "notice", "copyright", "patents", "unlicense"}, func(begin string) bool {
		return strings.HasPrefix(name, begin)
	})
}
