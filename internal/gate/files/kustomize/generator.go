package kustomize

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"interregnum/internal/gate/files/tree"

	"go.yaml.in/yaml/v3"
)

// ConfigMap is one that a kustomization makes: what one item of configMapGenerator says, which stands in that line.
type ConfigMap struct {
	Name string
	Line int
	// literals are its keys and values; files become one value each, and envs have a key and a value in each line.
	literals    []tree.Field
	files, envs []part
}

// part is a file that goes into a ConfigMap: its path, its key in the ConfigMap, and the line that names it.
type part struct {
	path, key string
	line      int
}

// Files calls do with the path of each file that becomes one value.
func (m *ConfigMap) Files(do func(path string)) {
	for _, file := range m.files {
		do(file.path)
	}
}

// ReadConfigMap returns what an item of configMapGenerator in a file says. It leaves the namespace out, since a kustomization changes the
// namespace of all objects that it names.
func ReadConfigMap(r *tree.Reader, item *yaml.Node, file string) ConfigMap {
	all := r.Fields(item)
	m := ConfigMap{Name: tree.Text(all, "name"), Line: item.Line}
	folder := filepath.Dir(file)
	named := func(it *yaml.Node, key, name string) part {
		return part{filepath.Join(folder, filepath.FromSlash(path.Clean(name))), key, it.Line}
	}
	for _, it := range r.Listed(all, "literals") {
		if key, value, ok := strings.Cut(it.Value, "="); ok && key != "" && r.Spend(it, len(value)/4) {
			m.literals = append(m.literals, tree.TextField(key, unquoted(value), it))
		}
	}
	for _, it := range r.Listed(all, "files") {
		key, name, keyed := strings.Cut(it.Value, "=")
		if !keyed {
			key, name = path.Base(it.Value), it.Value
		}
		m.files = append(m.files, named(it, key, name))
	}
	for _, it := range r.Listed(all, "envs") {
		m.envs = append(m.envs, named(it, "", it.Value))
	}
	if f, ok := tree.Get(all, "env"); ok && f.Value.Kind == yaml.ScalarNode { // as kustomize had it before envs
		m.envs = append(m.envs, named(f.Value, "", f.Value.Value))
	}
	return m
}

// unquoted returns the value of a literal without the quotes around it, as kustomize takes it (api/kv/kv.go, removeQuotes).
func unquoted(s string) string {
	if len(s) > 1 && s[0] == s[len(s)-1] && (s[0] == '"' || s[0] == '\'') {
		return s[1 : len(s)-1]
	}
	return s
}

// Entries returns the keys and values of the ConfigMap that come from literals and from files of variables (envs), without the
// empty lines and comments of these, and not those from whole files. known is false if a file of variables is not among the
// inputs.
func (all *Set) Entries(r *tree.Reader, m *ConfigMap) (entries []tree.Field, known bool) {
	known = true
	entries = slices.Clone(m.literals)
	for _, env := range m.envs {
		content, ok := all.contents[env.path]
		known = known && ok
		at := &yaml.Node{Line: env.line}
		for line := range strings.Lines(string(content)) {
			line = strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t\v\f")
			if line == "" || line[0] == '#' || !r.Spend(at, 1+len(line)/4) {
				continue
			}
			key, value, _ := strings.Cut(line, "=")
			entries = append(entries, tree.TextField(key, value, at))
		}
	}
	return entries, known
}

// values returns the values of a generated ConfigMap by key. It returns nil if one of its files is not among the inputs, or if
// the limit of values is reached.
func (all *Set) values(r *tree.Reader, m *ConfigMap) map[string]string {
	values := map[string]string{}
	entries, known := all.Entries(r, m)
	for _, f := range entries {
		values[f.Name] = f.Value.Value
	}
	for _, file := range m.files {
		content, ok := all.contents[file.path]
		values[file.key] = string(content)
		known = known && ok
	}
	if !known || r.Exhausted() {
		return nil
	}
	return values
}
