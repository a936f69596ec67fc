package files

import (
	"cmp"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// kustomization is what a kustomization among the inputs does to objects of other files.
type kustomization struct {
	file string
	// resources are the files and folders that it names.
	resources []string
	patches   []change
	images    []newImage
	// within: another one names it.
	within bool
}

// change is a patch that may change what a container runs. file is the patch's own, the kustomization's where it stands there. names
// matches the names of the objects that it changes.
type change struct {
	file  string
	names *regexp.Regexp
}

// newImage is what a kustomization puts in place of an image of that name.
type newImage struct{ name, newName, newTag string }

// kustomizations are those among the inputs, by their folder.
type kustomizations map[string]*kustomization

// kustomizationsIn returns the kustomizations among the inputs that can be parsed.
func kustomizationsIn(inputs []*Input) kustomizations {
	all, data := kustomizations{}, map[string][]byte{}
	for _, in := range inputs {
		data[filepath.Clean(in.name)] = in.data
	}
	for _, in := range inputs {
		if !isKustomization(in.name) {
			continue
		}
		if root, err := parse(in.data); err == nil && root != nil {
			all[filepath.Dir(in.name)] = kustomizationOf(in.name, resolve(root), data)
		}
	}
	return all
}

// kustomizationOf returns the kustomization root of a file; data has the bytes of each input by its path.
func kustomizationOf(file string, root *yaml.Node, data map[string][]byte) *kustomization {
	w := &walker{}
	k, all := &kustomization{file: file}, w.fields(root)
	in := func(name string) string { return filepath.Join(filepath.Dir(file), filepath.FromSlash(name)) }
	for _, name := range []string{"resources", "bases", "components"} {
		for _, item := range w.listed(all, name) {
			k.resources = append(k.resources, in(item.Value))
		}
	}
	for _, item := range w.listed(all, "images") {
		entry := w.fields(item)
		k.images = append(k.images, newImage{text(entry, "name"), text(entry, "newName"), text(entry, "newTag")})
	}
	for _, item := range w.listed(all, "patchesStrategicMerge") {
		k.patch(w, in(item.Value), data[in(item.Value)], "")
	}
	for _, name := range []string{"patches", "patchesJson6902"} {
		for _, item := range w.listed(all, name) {
			entry := w.fields(item)
			target, _ := get(entry, "target")
			names := text(w.fields(target.value), "name")
			if from := text(entry, "path"); from != "" {
				k.patch(w, in(from), data[in(from)], names)
			} else {
				k.patch(w, file, []byte(text(entry, "patch")), names)
			}
		}
	}
	return k
}

// patch adds the changes of a patch, which stands in a file, to k.patches. names is the name of its target, which may be a regular
// expression; where it is "", the objects in the patch have the names.
func (k *kustomization) patch(w *walker, file string, data []byte, names string) {
	for _, d := range split(data) {
		root, err := parse(d.text)
		if err != nil || root == nil || !w.changes(resolve(root), d.text) {
			continue
		}
		pattern := names
		if pattern == "" {
			metadata, _ := get(w.fields(resolve(root)), "metadata")
			pattern = regexp.QuoteMeta(text(w.fields(metadata.value), "name"))
		}
		if expression, err := regexp.Compile("^(?:" + pattern + ")$"); err == nil && pattern != "" {
			k.patches = append(k.patches, change{file, expression})
		}
	}
}

// runs is in a strategic patch that says what a container runs.
var runs = regexp.MustCompile(`(?m)(?:^|[\s{,"'-])(?:args|command|image)["']?:`)

// changes tells whether a patch may change a program's settings of leader election: it replaces what a container runs, or has a word of leader
// election. To add a flag or a variable of something else changes none.
func (w *walker) changes(root *yaml.Node, data []byte) bool {
	items := w.items(root)
	if !w.isPatch(items) {
		return runs.Match(data) || hint.Match(data)
	}
	return slices.ContainsFunc(items, func(item *yaml.Node) bool {
		all := w.fields(item)
		path, op := text(all, "path"), text(all, "op")
		within := slices.ContainsFunc([]string{"/args", "/command", "/env", "/image"}, func(s string) bool { return strings.Contains(path, s) })
		return hint.MatchString(path) || within && (op != "add" || !strings.HasSuffix(path, "/-")) && op != "test" || within && hint.Match(data)
	})
}

// rendersLater tells whether a HelmRelease with these fields has patches that may change what its chart's containers run.
func (w *walker) rendersLater(all []field) (changes bool) {
	later, ok := get(all, "postRenderers")
	if !ok {
		return false
	}
	each(later.value, func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || changes {
			return
		}
		if root, err := parse([]byte(n.Value)); err == nil && root != nil && root.Kind != yaml.ScalarNode {
			changes = w.changes(resolve(root), []byte(n.Value))
		}
	})
	return changes
}

// byFile returns the kustomizations that make something of the objects in a file, themselves or through others that they name, by the
// file's path and in the order of their own. It sets within of each.
func (all kustomizations) byFile() map[string][]*kustomization {
	found := map[string][]*kustomization{}
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		k := all[folder]
		been, next := map[string]bool{}, slices.Clone(k.resources)
		for len(next) > 0 {
			resource := next[0]
			if next = next[1:]; been[resource] {
				continue
			}
			been[resource] = true
			if inner := all[resource]; inner != nil {
				next = append(next, inner.resources...)
				inner.within = inner.within || inner != k
			} else {
				found[resource] = append(found[resource], k)
			}
		}
	}
	return found
}

// placed returns the image that all kustomizations put in place of a container's, without those that are part of another and put none. If they
// differ, it returns the container's own, and adds to c.provided that theirs is the same program.
func (w *walker) placed(c *candidate, image string) string {
	name := untagged(image)
	var results, by []string
	for _, k := range w.kustomizations {
		result, before := image, len(by)
		for _, i := range k.images {
			if i.name != name || name == "" || i.newName == "" && i.newTag == "" {
				continue
			}
			result = strings.Replace(image, name, cmp.Or(i.newName, name), 1)
			if i.newTag != "" {
				result = cmp.Or(i.newName, name) + ":" + i.newTag
			}
			by = append(by, phrase.OneLine(k.file))
		}
		if (len(by) > before || !k.within) && !slices.Contains(results, result) {
			results = append(results, result)
		}
	}
	switch {
	case len(results) == 1:
		return results[0]
	case len(by) > 0:
		c.provided = append(c.provided, "the image that "+by[0]+" puts in place of its own is of the same program and release")
	}
	return image
}

// patchedLater adds to c.provided that the patches of kustomizations leave the settings of the container as they are, if some may change them.
func (w *walker) patchedLater(c *candidate) {
	var by []string
	for _, k := range w.kustomizations {
		for _, p := range k.patches {
			if where := phrase.OneLine(p.file); p.names.MatchString(w.workload) && !slices.Contains(by, where) {
				by = append(by, where)
			}
		}
	}
	if len(by) > 0 {
		c.provided = append(c.provided, "the patch in "+phrase.Or(by[:min(len(by), maxOthers)])+" leaves its settings as they are")
	}
}
