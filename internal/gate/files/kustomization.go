package files

import (
	"bytes"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

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

// kustomizationsIn returns the kustomizations among the inputs that can be parsed.
func kustomizationsIn(inputs []*Input) kustomizations {
	all, r := kustomizations{}, kustomizationReader{data: map[string][]byte{}}
	for _, in := range inputs {
		if in.failed == nil {
			r.data[filepath.Clean(in.name)] = in.data
		}
	}
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

// kustomizationReader reads a kustomization. dir is the folder that the files are in which it names, and data has the bytes of each input by
// its path.
type kustomizationReader struct {
	*kustomization
	*walker
	dir  string
	data map[string][]byte
}

// makers reads the objects of Flux and Argo CD in a document that make a kustomization of a folder, with changes of their own.
func (r *kustomizationReader) makers(root *yaml.Node) {
	if root == nil {
		return
	}
	each(root, func(n *yaml.Node) {
		all := r.fields(n)
		made, is := get(all, "kustomize")
		if spec, has := get(all, "spec"); has && text(all, "kind") == "Kustomization" {
			all, made, is = r.fields(spec.value), spec, true
		}
		if path := text(all, "path"); is && path != "" {
			r.folder(strings.Trim(filepath.ToSlash(filepath.Clean(path)), "/"))
			r.read(r.fields(made.value))
		}
	})
}

// folder adds to r.resources all inputs that may be in a folder of a repository, and sets r.dir to that folder.
func (r *kustomizationReader) folder(path string) {
	for _, file := range slices.Sorted(maps.Keys(r.data)) {
		if path != "." {
			at := strings.Index("/"+filepath.ToSlash(file), "/"+path+"/")
			if at < 0 {
				continue
			}
			r.dir = file[:at+len(path)]
		}
		if isKustomization(file) {
			file = filepath.Dir(file)
		}
		r.resources = append(r.resources, file)
	}
}

// in returns the path of a file that the kustomization names.
func (r *kustomizationReader) in(name string) string {
	return filepath.Join(r.dir, filepath.FromSlash(name))
}

// documents returns the roots of the documents in a file that the kustomization names: nil for one that cannot be parsed, and in place of a
// file that is not among the inputs.
func (r *kustomizationReader) documents(name string) []*yaml.Node {
	data, ok := r.data[r.in(name)]
	if !ok {
		return []*yaml.Node{nil}
	}
	return rootsOf(data)
}

// read reads the fields of a kustomization.
func (r *kustomizationReader) read(all []field) {
	for _, name := range []string{"resources", "bases", "components"} {
		for _, item := range r.listed(all, name) {
			r.resources = append(r.resources, r.in(item.Value))
			if name == "components" {
				r.components = append(r.components, r.in(item.Value))
			}
		}
	}
	for _, item := range r.listed(all, "images") {
		entry := r.fields(item)
		r.images = append(r.images, newImage{text(entry, "name"), text(entry, "newName"), text(entry, "newTag")})
	}
	r.renames = r.renames || text(all, "namePrefix")+text(all, "nameSuffix") != ""
	for _, name := range []string{"patches", "patchesJson6902"} {
		for _, item := range r.listed(all, name) {
			r.patch(r.file, r.fields(item))
		}
	}
	for _, item := range r.listed(all, "patchesStrategicMerge") {
		r.strategic(item)
	}
	for _, item := range r.listed(all, "replacements") {
		r.replacement(item)
	}
	for _, item := range r.listed(all, "transformers") {
		r.transformer(item.Value)
	}
	for _, item := range r.listed(all, "configMapGenerator") {
		entry := r.fields(item)
		if behavior := text(entry, "behavior"); behavior == "merge" || behavior == "replace" {
			r.changes = append(r.changes, change{
				what: "the ConfigMap that " + phrase.OneLine(r.file) + " puts over it", kinds: selectorOf("ConfigMap"),
				names: selectorOf(regexp.QuoteMeta(text(entry, "name"))), places: everything, generator: true,
			})
		}
	}
}

// add adds a change to r.changes if it is made to any place. thing is what makes it, in words, and file where that stands; target are the
// fields that select objects.
func (r *kustomizationReader) add(thing, file string, target []field, places []place) {
	if len(places) > 0 {
		r.changes = append(r.changes, change{
			what: "the " + thing + " in " + phrase.OneLine(file), kinds: selectorOf(text(target, "kind")), names: selectorOf(text(target, "name")), places: places,
		})
	}
}

// patch adds to r.changes what an entry of patches, which stands in a file, changes: the objects of its target, or else those that the patch
// names itself.
func (r *kustomizationReader) patch(file string, entry []field) {
	roots := []*yaml.Node{nil}
	if from, within := text(entry, "path"), text(entry, "patch"); from != "" {
		file, roots = r.in(from), r.documents(from)
	} else if within != "" {
		roots = rootsOf([]byte(within))
	}
	target, selects := get(entry, "target")
	for _, root := range roots {
		if selects {
			r.add("patch", file, r.fields(target.value), r.placesIn(root))
		} else {
			r.own(file, root)
		}
	}
}

// strategic adds to r.changes what an item of patchesStrategicMerge changes: a file, a text that is a patch, or Flux's patch itself.
func (r *kustomizationReader) strategic(item *yaml.Node) {
	switch {
	case item.Kind != yaml.ScalarNode:
		r.own(r.file, item)
	case strings.Contains(item.Value, "\n"):
		for _, root := range rootsOf([]byte(item.Value)) {
			r.own(r.file, root)
		}
	default:
		for _, root := range r.documents(item.Value) {
			r.own(r.in(item.Value), root)
		}
	}
}

// own adds to r.changes what a patch changes that itself names its object.
func (r *kustomizationReader) own(file string, root *yaml.Node) {
	all := r.fields(root)
	metadata, _ := get(all, "metadata")
	target := []field{entry("kind", regexp.QuoteMeta(text(all, "kind")), &yaml.Node{}), entry("name", regexp.QuoteMeta(text(r.fields(metadata.value), "name")), &yaml.Node{})}
	if strings.HasSuffix(text(all, "kind"), "List") {
		target, root = nil, nil
	}
	r.add("patch", file, target, r.placesIn(root))
}

// replacement adds to r.changes what an item of replacements changes, or the file that it names.
func (r *kustomizationReader) replacement(item *yaml.Node) {
	file, all := r.file, []*yaml.Node{item}
	if from := text(r.fields(item), "path"); from != "" {
		file, all = r.in(from), nil
		for _, root := range r.documents(from) {
			all = append(all, append(r.items(root), root)...)
		}
	}
	for _, root := range all {
		if root == nil {
			r.add("replacement", file, nil, everything)
		}
		for _, to := range r.listed(r.fields(root), "targets") {
			target := r.fields(to)
			var places []place
			for _, path := range r.listed(target, "fieldPaths") {
				steps := fieldsOfPath(choice.ReplaceAllString(path.Value, ""), ".")
				places = append(places, place{steps: steps, speaks: speaks(steps, "")})
			}
			selects, _ := get(target, "select")
			r.add("replacement", file, r.fields(selects.value), places)
		}
	}
}

// harmless are kustomize's transformers that change no settings.
var harmless = []string{"LabelTransformer", "AnnotationsTransformer", "NamespaceTransformer", "ReplicaCountTransformer", "PrefixTransformer", "SuffixTransformer"}

// transformer adds to r.changes what an item of transformers changes: a text that is one, or a file of them.
func (r *kustomizationReader) transformer(item string) {
	file, roots := r.file, rootsOf([]byte(item))
	if !strings.Contains(item, "\n") {
		file, roots = r.in(item), r.documents(item)
	}
	for _, root := range roots {
		all := r.fields(root)
		switch kind := text(all, "kind"); {
		case kind == "PatchTransformer":
			r.patch(file, all)
		case text(all, "apiVersion") != "builtin" || !slices.Contains(harmless, kind):
			r.add("transformer", file, nil, everything)
		}
	}
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
