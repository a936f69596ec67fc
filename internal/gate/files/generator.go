package files

import (
	"path"
	"path/filepath"
	"strings"
)

// generated is a file of which kustomize makes a ConfigMap, namespace/name.
type generated struct{ configMap, path string }

// generators reads configMapGenerator of a kustomization: which files become a ConfigMap. The namespace is left out, since a
// kustomization changes those of all that it names.
func (w *walker) generators(f field) {
	for _, item := range w.items(f.value) {
		all := w.fields(item)
		list, _ := get(all, "files")
		for _, it := range w.items(list.value) {
			_, name, keyed := strings.Cut(it.Value, "=")
			if !keyed {
				name = it.Value
			}
			at := filepath.Join(filepath.Dir(w.pos.File), filepath.FromSlash(path.Clean(name)))
			w.generated = append(w.generated, generated{"/" + text(all, "name"), at})
		}
	}
}
