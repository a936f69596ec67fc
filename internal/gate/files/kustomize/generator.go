package kustomize

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"interregnum/internal/gate/files/tree"

	"go.yaml.in/yaml/v3"
)

// generated is a ConfigMap that a kustomization makes: what one item of configMapGenerator says.
type generated struct {
	name string
	line int
	// literals are its keys and values; files become one value each, and envs have a key and a value in each line.
	literals    []tree.Field
	files, envs []part
}

// part is a file that goes into a ConfigMap: its path, its key in the ConfigMap, and the line that names it.
type part struct {
	path, key string
	line      int
}

// ConfigMap is what a kustomization makes, as far as it is known: Line is that of its item, Entries are its keys and values from literals
// and files of variables, and Files those that it takes whole.
type ConfigMap struct {
	Name    string
	Line    int
	Entries []tree.Field
	Files   []string
}

// Made returns the ConfigMap that an item of configMapGenerator in a file makes.
func (all *Set) Made(r *tree.Reader, item *yaml.Node, file string) ConfigMap {
	g := generator(r, item, file)
	m := ConfigMap{Name: g.name, Line: g.line}
	m.Entries, _ = g.entries(r, all.contents)
	for _, part := range g.files {
		m.Files = append(m.Files, part.path)
	}
	return m
}

// generator returns what an item of configMapGenerator in a file says. It leaves the namespace out, since a kustomization changes the
// namespace of all objects that it names.
func generator(r *tree.Reader, item *yaml.Node, file string) generated {
	all := r.Fields(item)
	g := generated{name: tree.Text(all, "name"), line: item.Line}
	folder := filepath.Dir(file)
	named := func(it *yaml.Node, key, name string) part {
		return part{filepath.Join(folder, filepath.FromSlash(path.Clean(name))), key, it.Line}
	}
	for _, it := range r.Listed(all, "literals") {
		if key, value, ok := strings.Cut(it.Value, "="); ok && key != "" && r.Spend(it, len(value)/4) {
			g.literals = append(g.literals, tree.TextField(key, unquoted(value), it))
		}
	}
	for _, it := range r.Listed(all, "files") {
		key, name, keyed := strings.Cut(it.Value, "=")
		if !keyed {
			key, name = path.Base(it.Value), it.Value
		}
		g.files = append(g.files, named(it, key, name))
	}
	for _, it := range r.Listed(all, "envs") {
		g.envs = append(g.envs, named(it, "", it.Value))
	}
	if f, ok := tree.Get(all, "env"); ok && f.Value.Kind == yaml.ScalarNode { // as kustomize had it before envs
		g.envs = append(g.envs, named(f.Value, "", f.Value.Value))
	}
	return g
}

// unquoted returns the value of a literal without the quotes around it, as kustomize takes it (api/kv/kv.go, removeQuotes).
func unquoted(s string) string {
	if len(s) > 1 && s[0] == s[len(s)-1] && (s[0] == '"' || s[0] == '\'') {
		return s[1 : len(s)-1]
	}
	return s
}

// entries returns the keys and values of the ConfigMap that come from literals and from files of variables (envs), without the
// empty lines and comments of these, and not those from whole files. known is false if a file of variables is not among the
// inputs, whose bytes contents has by their paths.
func (g *generated) entries(r *tree.Reader, contents map[string][]byte) (all []tree.Field, known bool) {
	known = true
	all = slices.Clone(g.literals)
	for _, env := range g.envs {
		content, ok := contents[env.path]
		known = known && ok
		at := &yaml.Node{Line: env.line}
		for line := range strings.Lines(string(content)) {
			line = strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t\v\f")
			if line == "" || line[0] == '#' || !r.Spend(at, 1+len(line)/4) {
				continue
			}
			key, value, _ := strings.Cut(line, "=")
			all = append(all, tree.TextField(key, value, at))
		}
	}
	return all, known
}

// values returns the values of a generated ConfigMap by key. It returns nil if one of its files is not among the inputs, or if
// the limit of values is reached.
func (g *generated) values(r *tree.Reader, contents map[string][]byte) map[string]string {
	values := map[string]string{}
	entries, known := g.entries(r, contents)
	for _, f := range entries {
		values[f.Name] = f.Value.Value
	}
	for _, file := range g.files {
		content, ok := contents[file.path]
		values[file.key] = string(content)
		known = known && ok
	}
	if !known || r.Exhausted() {
		return nil
	}
	return values
}
