package kustomize

import (
	"cmp"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// reader reads a kustomization. dir is the folder that the files are in which it names, and data has the bytes of each input by
// its path.
type reader struct {
	*kustomization
	tree.Reader
	dir  string
	data map[string][]byte
}

// makers reads the objects of Flux and Argo CD in a document that make a kustomization of a folder, with changes of their own.
func (r *reader) makers(root *yaml.Node) {
	if root == nil {
		return
	}
	tree.Each(root, func(n *yaml.Node) {
		all := r.Fields(n)
		made, is := tree.Get(all, "kustomize")
		path := tree.Text(all, "path")
		if spec, has := tree.Get(all, "spec"); has && tree.Text(all, "kind") == "Kustomization" {
			made, is = spec, true
			path = cmp.Or(tree.Text(r.Fields(spec.Value), "path"), ".")
		}
		if is && path != "" {
			r.folder(cmp.Or(strings.Trim(filepath.ToSlash(filepath.Clean(path)), "/"), "."))
			r.read(r.Fields(made.Value))
		}
	})
}

// folder adds to r.resources all inputs that may be in a folder of a repository, and sets r.dir to that folder.
func (r *reader) folder(path string) {
	for _, file := range slices.Sorted(maps.Keys(r.data)) {
		if path != "." {
			at := strings.Index("/"+filepath.ToSlash(file), "/"+path+"/")
			if at < 0 {
				continue
			}
			r.dir = file[:at+len(path)]
		}
		if IsKustomization(file) {
			file = filepath.Dir(file)
		}
		r.resources = append(r.resources, file)
	}
}

// in returns the path of a file that the kustomization names.
func (r *reader) in(name string) string {
	return filepath.Join(r.dir, filepath.FromSlash(name))
}

// documents returns the roots of the documents in a file that the kustomization names: nil for one that cannot be parsed, and in place of a
// file that is not among the inputs.
func (r *reader) documents(name string) []*yaml.Node {
	data, ok := r.data[r.in(name)]
	if !ok {
		return []*yaml.Node{nil}
	}
	return tree.Roots(data)
}

// read reads the fields of a kustomization.
func (r *reader) read(all []tree.Field) {
	for _, name := range []string{"resources", "bases", "components"} {
		for _, item := range r.Listed(all, name) {
			r.resources = append(r.resources, r.in(item.Value))
			if name == "components" {
				r.components = append(r.components, r.in(item.Value))
			}
		}
	}
	for _, item := range r.Listed(all, "images") {
		entry := r.Fields(item)
		r.images = append(r.images, newImage{tree.Text(entry, "name"), tree.Text(entry, "newName"), tree.Text(entry, "newTag")})
	}
	r.renames = r.renames || tree.Text(all, "namePrefix")+tree.Text(all, "nameSuffix") != ""
	for _, name := range []string{"patches", "patchesJson6902"} {
		for _, item := range r.Listed(all, name) {
			r.patch(r.file, r.Fields(item))
		}
	}
	for _, item := range r.Listed(all, "patchesStrategicMerge") {
		file, roots := r.named(item.Value)
		if item.Kind == yaml.MappingNode { // as Flux has it
			file, roots = r.file, []*yaml.Node{item}
		}
		r.patches(file, roots, nil, false)
	}
	for _, item := range r.Listed(all, "replacements") {
		r.replacement(item)
	}
	for _, item := range r.Listed(all, "transformers") {
		r.transformer(item.Value)
	}
	for _, item := range r.Listed(all, "configMapGenerator") {
		entry := r.Fields(item)
		if behavior := tree.Text(entry, "behavior"); behavior == "merge" || behavior == "replace" {
			r.changes = append(r.changes, change{
				what: "the ConfigMap that " + phrase.OneLine(r.file) + " puts over it", kinds: selectorOf("ConfigMap"),
				names: selectorOf(regexp.QuoteMeta(tree.Text(entry, "name"))), places: everything, generator: true,
			})
		}
	}
}

// add adds a change to r.changes if it is made to any place. thing is what makes it, in words, and file where that stands; target are the
// fields that select objects.
func (r *reader) add(thing, file string, target []tree.Field, places []place) {
	if len(places) > 0 {
		r.changes = append(r.changes, change{
			what: "the " + thing + " in " + phrase.OneLine(file), kinds: selectorOf(tree.Text(target, "kind")), names: selectorOf(tree.Text(target, "name")), places: places,
		})
	}
}

// patch adds to r.changes what an entry of patches, which stands in a file, changes.
func (r *reader) patch(file string, entry []tree.Field) {
	roots := []*yaml.Node{nil}
	if from, within := tree.Text(entry, "path"), tree.Text(entry, "patch"); from != "" {
		file, roots = r.in(from), r.documents(from)
	} else if within != "" {
		roots = tree.Roots([]byte(within))
	}
	target, selects := tree.Get(entry, "target")
	r.patches(file, roots, r.Fields(target.Value), selects)
}

// patches adds to r.changes what the patches roots, which stand in a file, change: the objects of a target, if they have one, or else those
// that they name themselves.
func (r *reader) patches(file string, roots []*yaml.Node, target []tree.Field, selects bool) {
	for _, root := range roots {
		if all := r.Fields(root); !selects {
			kind, name := tree.Text(all, "kind"), tree.Text(r.Inside(all, "metadata"), "name")
			target = []tree.Field{tree.TextField("kind", regexp.QuoteMeta(kind), &yaml.Node{}), tree.TextField("name", regexp.QuoteMeta(name), &yaml.Node{})}
			if strings.HasSuffix(kind, "List") {
				target, root = nil, nil
			}
		}
		r.add("patch", file, target, placesIn(&r.Reader, root))
	}
}

// named returns what an item of a list is, a text of several lines or else the name of a file: the file that has it, and its documents.
func (r *reader) named(item string) (file string, roots []*yaml.Node) {
	if strings.Contains(item, "\n") {
		return r.file, tree.Roots([]byte(item))
	}
	return r.in(item), r.documents(item)
}

// replacement adds to r.changes what an item of replacements changes, or the file that it names.
func (r *reader) replacement(item *yaml.Node) {
	file, all := r.file, []*yaml.Node{item}
	if from := tree.Text(r.Fields(item), "path"); from != "" {
		file, all = r.in(from), nil
		for _, root := range r.documents(from) {
			all = append(all, append(r.Items(root), root)...)
		}
	}
	for _, root := range all {
		if root == nil {
			r.add("replacement", file, nil, everything)
		}
		for _, to := range r.Listed(r.Fields(root), "targets") {
			target := r.Fields(to)
			var places []place
			for _, path := range r.Listed(target, "fieldPaths") {
				steps := fieldsOfPath(choice.ReplaceAllString(path.Value, ""), ".")
				places = append(places, place{steps: steps, speaks: setting.Speaks(steps, "")})
			}
			r.add("replacement", file, r.Inside(target, "select"), places)
		}
	}
}

// harmless are kustomize's transformers that change no settings.
var harmless = []string{"LabelTransformer", "AnnotationsTransformer", "NamespaceTransformer", "ReplicaCountTransformer", "PrefixTransformer", "SuffixTransformer"}

// transformer adds to r.changes what an item of transformers changes: a text that is one, or a file of them.
func (r *reader) transformer(item string) {
	file, roots := r.named(item)
	for _, root := range roots {
		all := r.Fields(root)
		switch kind := tree.Text(all, "kind"); {
		case kind == "PatchTransformer":
			r.patch(file, all)
		case tree.Text(all, "apiVersion") != "builtin" || !slices.Contains(harmless, kind):
			r.add("transformer", file, nil, everything)
		}
	}
}
