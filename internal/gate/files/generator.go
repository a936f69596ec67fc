package files

import (
	"bytes"
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// generated is a ConfigMap that a kustomization makes: what one item of configMapGenerator says.
type generated struct {
	name string
	line int
	// literals are its keys and values; files become one value each, and envs have a key and a value in each line.
	literals    []field
	files, envs []part
}

// part is a file that goes into a ConfigMap: its path, its key in the ConfigMap, and the line that names it.
type part struct {
	path, key string
	line      int
}

// generates tells whether a file has the word configMapGenerator, without which it is no kustomization that makes ConfigMaps.
func generates(data []byte) bool { return bytes.Contains(data, []byte("configMapGenerator")) }

// generator returns what an item of configMapGenerator says. It leaves the namespace out, since a kustomization changes the
// namespace of all objects that it names.
func (w *walker) generator(item *yaml.Node) generated {
	all := w.fields(item)
	g := generated{name: text(all, "name"), line: item.Line}
	folder := filepath.Dir(w.pos.File)
	named := func(it *yaml.Node, key, name string) part {
		return part{filepath.Join(folder, filepath.FromSlash(path.Clean(name))), key, it.Line}
	}
	for _, it := range w.listed(all, "literals") {
		if key, value, ok := strings.Cut(it.Value, "="); ok && key != "" && w.spend(it, len(value)/4) {
			g.literals = append(g.literals, entry(key, unquoted(value), it))
		}
	}
	for _, it := range w.listed(all, "files") {
		key, name, keyed := strings.Cut(it.Value, "=")
		if !keyed {
			key, name = path.Base(it.Value), it.Value
		}
		g.files = append(g.files, named(it, key, name))
	}
	for _, it := range w.listed(all, "envs") {
		g.envs = append(g.envs, named(it, "", it.Value))
	}
	if f, ok := get(all, "env"); ok && f.value.Kind == yaml.ScalarNode { // as kustomize had it before envs
		g.envs = append(g.envs, named(f.value, "", f.value.Value))
	}
	return g
}

// listed returns the items of the list in the field of that name; nil if there is no such list.
func (w *walker) listed(all []field, name string) []*yaml.Node {
	list, _ := get(all, name)
	return w.items(list.value)
}

// entry returns a field with that key and a text as its value, with the line and the quotes of the node at.
func entry(key, value string, at *yaml.Node) field {
	return field{key, at.Line, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: at.Line, Style: at.Style}}
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
// inputs.
func (w *walker) entries(g *generated) (all []field, known bool) {
	known = true
	all = slices.Clone(g.literals)
	for _, env := range g.envs {
		content, ok := w.contents[env.path]
		known = known && ok
		at := &yaml.Node{Line: env.line}
		for line := range strings.Lines(string(content)) {
			line = strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t\v\f")
			if line == "" || line[0] == '#' || !w.spend(at, 1+len(line)/4) {
				continue
			}
			key, value, _ := strings.Cut(line, "=")
			all = append(all, entry(key, value, at))
		}
	}
	return all, known
}

// generators reads the field configMapGenerator of a kustomization. For each ConfigMap that it makes, it reads the literals and
// files of variables with data, as entries of a ConfigMap, and adds the whole files in it to w.generated.
func (w *walker) generators(f field) {
	outer, configMap, program, component, self := w.pos, w.configMap, w.program, w.component, w.self
	w.namespace = ""
	for _, item := range w.items(f.value) {
		g := w.generator(item)
		for _, file := range g.files {
			w.generated = append(w.generated, made{"/" + g.name, file.path})
		}
		w.configMap, w.component, w.program = "/"+g.name, "ConfigMap", cmp.Or(program, programNamed("", g.name))
		w.self = object{"ConfigMap", g.name, len(w.trail())}
		w.name("ConfigMap", g.name)
		entries, _ := w.entries(&g)
		w.data(entries, g.line)
		w.pos, w.configMap, w.component, w.program, w.self = outer, configMap, component, program, self
	}
}

// made is a file that kustomize puts whole into a ConfigMap, which is named as namespace/name.
type made struct{ configMap, path string }

// generatedIn returns the ConfigMaps that a kustomization makes, nil if the file makes none. Documents that cannot be parsed are
// passed over.
func (w *walker) generatedIn(data []byte) []generated {
	var all []generated
	if !generates(data) {
		return nil
	}
	for _, root := range rootsOf(data) {
		for _, item := range w.listed(w.fields(root), "configMapGenerator") {
			all = append(all, w.generator(item))
		}
	}
	return all
}

// partKind is what a kustomization makes of a file.
type partKind int

// The kinds of files: one that no kustomization names; one that becomes a value; lines of keys and values. What is named twice is
// of the lower kind.
const (
	alone partKind = iota
	wholeFile
	variables
)

// maker is where a kustomization puts a file whole: its key in a ConfigMap, and the kustomization's own file.
type maker struct{ file, configMap, key string }

// contentsOf returns the bytes of each input that could be loaded, by its path.
func contentsOf(inputs []*Input) map[string][]byte {
	contents := map[string][]byte{}
	for _, in := range inputs {
		if in.failed == nil {
			contents[filepath.Clean(in.name)] = in.data
		}
	}
	return contents
}

// partsIn returns what kustomizations make of the files that they name, by path, and the last one that makes a ConfigMap of a whole file.
func partsIn(inputs []*Input) (kinds map[string]partKind, makers map[string]maker) {
	kinds, makers = map[string]partKind{}, map[string]maker{}
	for _, in := range inputs {
		for _, g := range (&walker{pos: Position{File: in.name}}).generatedIn(in.data) {
			for _, env := range g.envs {
				if kinds[env.path] == alone {
					kinds[env.path] = variables
				}
			}
			for _, file := range g.files {
				kinds[file.path], makers[file.path] = wholeFile, maker{filepath.Clean(in.name), g.name, file.key}
			}
		}
	}
	return kinds, makers
}
