// Package kustomize tells what the kustomizations among some files, and the objects of Flux and Argo CD that make such, make of these files: ConfigMaps
// of them, and changes to the objects in them.
package kustomize

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// File is a file that is read with others: its path, and what is in it.
type File struct {
	Path string
	Data []byte
}

// Set is the kustomizations among the inputs, with what they make of the files there.
type Set struct {
	// contents has what is in each input, by its path.
	contents map[string][]byte
	// in has the kustomizations by their folder, or by the file of the object that makes them, and of those that make something of a file, by its path.
	in map[string]*kustomization
	of map[string]Changers
	// configMaps are those that they make. variables has the files of which each line becomes an entry of one, and makers the last one that takes a
	// file whole.
	configMaps []ConfigMap
	variables  map[string]bool
	makers     map[string]maker
	// programs has the program that each file of a patch changes.
	programs map[string]*programs.Program
}

// maker is where a kustomization puts a file whole: its key in a ConfigMap, and the kustomization's own file.
type maker struct{ File, ConfigMap, Key string }

// About is what kustomizations make of a file. Maker is the last that takes it whole, and Variables tells that instead each of its lines becomes an
// entry of a ConfigMap. Changers are those that change its objects, or those of the file of Maker, and Program is the one that it changes, if it is a
// patch.
type About struct {
	Maker     *maker
	Variables bool
	Changers  Changers
	Program   *programs.Program
}

// About returns what the kustomizations make of the file at a path.
func (all *Set) About(path string) About {
	path = filepath.Clean(path)
	if by, ok := all.makers[path]; ok {
		return About{Maker: &by, Changers: all.of[by.File], Program: all.programs[path]}
	}
	return About{Variables: all.variables[path], Changers: all.of[path], Program: all.programs[path]}
}

// Parts returns the paths of the files of which the kustomizations make ConfigMaps.
func (all *Set) Parts() (paths []string) {
	for _, m := range all.configMaps {
		for _, p := range append(m.files, m.envs...) {
			paths = append(paths, p.path)
		}
	}
	return paths
}

// kustomization is what a kustomization among the inputs, or an object that makes one, does to objects of other files.
type kustomization struct {
	file string
	// resources are the files and folders that it names, also those of components, and components these alone.
	resources, components []string
	changes               []change
	images                []newImage
	// renames: it puts something before or after the names of objects.
	renames bool
	// within: another one names it, or it is around one that may be there.
	within bool
}

// Read reads the kustomizations among the inputs, each once. One that cannot be parsed makes nothing.
func Read(inputs []File) *Set {
	all := &Set{
		contents: map[string][]byte{}, in: map[string]*kustomization{}, variables: map[string]bool{}, makers: map[string]maker{}, programs: map[string]*programs.Program{},
	}
	for _, in := range inputs {
		all.contents[filepath.Clean(in.Path)] = in.Data
	}
	for _, in := range inputs {
		has := func(word string) bool { return bytes.Contains(in.Data, []byte(word)) }
		makes := has("kustomize") && (has("patch") || has("components"))
		if IsKustomization(in.Path) || makes || has("configMapGenerator") {
			all.read(in, tree.Roots(in.Data), makes)
		}
	}
	all.readPolicies(inputs)
	all.of = all.byFile()
	return all
}

// read adds what an input says, which has documents with these roots. makes: it may have objects that make kustomizations.
func (all *Set) read(in File, roots []*yaml.Node, makes bool) {
	r := reader{kustomization: &kustomization{file: in.Path}, dir: filepath.Dir(in.Path), data: all.contents}
	for _, root := range roots {
		fields := r.Fields(root)
		for _, item := range r.Listed(fields, "configMapGenerator") {
			all.add(in.Path, ReadConfigMap(&r.Reader, item, in.Path))
		}
		if IsKustomization(in.Path) && bytes.Contains(in.Data, []byte("target")) {
			r.programs(fields, all.programs)
		}
	}
	switch {
	case IsKustomization(in.Path):
		if len(roots) == 1 && roots[0] != nil {
			r.read(r.Fields(roots[0]))
			all.in[r.dir] = r.kustomization
		}
	case makes:
		for _, root := range roots {
			r.makers(root)
		}
		if r.within = true; len(r.changes)+len(r.components) > 0 {
			all.in[filepath.Clean(in.Path)] = r.kustomization
		}
	}
}

// add adds a ConfigMap that the kustomization in the file by makes.
func (all *Set) add(by string, m ConfigMap) {
	all.configMaps = append(all.configMaps, m)
	for _, env := range m.envs {
		all.variables[env.path] = true
	}
	for _, file := range m.files {
		all.makers[file.path] = maker{filepath.Clean(by), m.Name, file.key}
	}
}

// byFile returns the kustomizations that make something of the objects in a file, themselves or through others that they name, by the
// file's path and in the order of their own. It sets within of each, and adds to its changes those of its components, and those of ConfigMaps
// by the kustomizations that it names.
func (all *Set) byFile() map[string]Changers {
	found := map[string]Changers{}
	type step struct {
		resource string
		renamed  bool
	}
	changes := map[*kustomization][]change{}
	for _, folder := range slices.Sorted(maps.Keys(all.in)) {
		k := all.in[folder]
		changes[k] = all.ofComponents(k, map[*kustomization]bool{})
		been, next := map[step]bool{}, []step{{folder, false}}
		for len(next) > 0 {
			at := next[0]
			if next = next[1:]; been[at] {
				continue
			}
			been[at] = true
			inner := all.in[at.resource]
			if inner == nil {
				found[at.resource] = append(found[at.resource], kustomized{k, at.renamed})
				continue
			}
			file := filepath.Clean(inner.file)
			found[file] = append(found[file], kustomized{k, at.renamed})
			if inner != k {
				inner.within, at.renamed = true, at.renamed || inner.renames
				changes[k] = append(changes[k], slices.DeleteFunc(slices.Clone(inner.changes), func(x change) bool { return x.kinds.pattern != "ConfigMap" })...)
			}
			for _, resource := range inner.resources {
				next = append(next, step{resource, at.renamed})
			}
		}
	}
	for k := range changes {
		k.changes = changes[k]
	}
	return found
}

// ofComponents returns the changes of a kustomization and of its components, except those in been, to which it adds what it meets. A
// component that is not among the inputs may change everything.
func (all *Set) ofComponents(k *kustomization, been map[*kustomization]bool) []change {
	found := slices.Clone(k.changes)
	been[k] = true
	for _, folder := range k.components {
		switch inner := all.in[folder]; {
		case inner == nil:
			found = append(found, change{what: "the component " + phrase.OneLine(folder), places: everything})
		case !been[inner]:
			found = append(found, all.ofComponents(inner, been)...)
		}
	}
	return found
}

// Values calls do with the name and the values of each ConfigMap that they make; the values are nil where a file of them is not among the inputs.
func (all *Set) Values(do func(name string, values map[string]string)) {
	for _, m := range all.configMaps {
		do(m.Name, all.values(&tree.Reader{}, &m))
	}
}

// IsKustomization tells whether kustomize takes a file of that name for a kustomization.
func IsKustomization(path string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, filepath.Base(path))
}
