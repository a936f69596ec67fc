package files

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

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

// newImage is what a kustomization puts in place of an image of that name.
type newImage struct{ name, newName, newTag string }

// kustomized is a kustomization that makes something of a file's objects; renamed: perhaps others have renamed them before.
type kustomized struct {
	*kustomization
	renamed bool
}

// kustomizations are those among the inputs, by their folder, or by the file of the object that makes them.
type kustomizations map[string]*kustomization

// kustomizationsIn returns the kustomizations among the inputs that can be parsed. contents has the bytes of each input by its path.
func kustomizationsIn(inputs []*Input, contents map[string][]byte) kustomizations {
	all, r := kustomizations{}, kustomizationReader{data: contents}
	for _, in := range inputs {
		r.kustomization, r.walker, r.dir = &kustomization{file: in.name}, &walker{}, filepath.Dir(in.name)
		switch {
		case isKustomization(in.name):
			if root, err := parse(in.data); err == nil && root != nil {
				r.read(r.fields(resolve(root)))
				all[filepath.Dir(in.name)] = r.kustomization
			}
		case bytes.Contains(in.data, []byte("kustomize")) && (bytes.Contains(in.data, []byte("patch")) || bytes.Contains(in.data, []byte("components"))):
			for _, root := range rootsOf(in.data) {
				r.makers(root)
			}
			if r.within = true; len(r.changes)+len(r.components) > 0 {
				all[filepath.Clean(in.name)] = r.kustomization
			}
		}
	}
	return all
}

// rootsOf returns the roots of the documents in data, with nil in place of each that cannot be parsed.
func rootsOf(data []byte) (all []*yaml.Node) {
	for _, d := range split(data) {
		root, err := parse(d.text)
		switch {
		case err != nil:
			all = append(all, nil)
		case root != nil:
			all = append(all, resolve(root))
		}
	}
	return all
}

// byFile returns the kustomizations that make something of the objects in a file, themselves or through others that they name, by the
// file's path and in the order of their own. It sets within of each, and adds to its changes those of its components, and those of ConfigMaps
// by the kustomizations that it names.
func (all kustomizations) byFile() map[string][]kustomized {
	found := map[string][]kustomized{}
	type step struct {
		resource string
		renamed  bool
	}
	changes := map[*kustomization][]change{}
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		k := all[folder]
		changes[k] = all.ofComponents(k, map[*kustomization]bool{})
		been, next := map[step]bool{}, []step{{folder, false}}
		for len(next) > 0 {
			at := next[0]
			if next = next[1:]; been[at] {
				continue
			}
			been[at] = true
			inner := all[at.resource]
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
func (all kustomizations) ofComponents(k *kustomization, been map[*kustomization]bool) []change {
	found := slices.Clone(k.changes)
	been[k] = true
	for _, folder := range k.components {
		switch inner := all[folder]; {
		case inner == nil:
			found = append(found, change{what: "the component " + phrase.OneLine(folder), places: everything})
		case !been[inner]:
			found = append(found, all.ofComponents(inner, been)...)
		}
	}
	return found
}
