package files

import (
	"slices"
	"strconv"
)

// electsByDefault tells whether a container with that image and command line surely runs the program, and the program elects
// unless it is told not to. p can be nil.
func (p *Program) electsByDefault(image string, words []word) bool {
	if p == nil {
		return false
	}
	base, parent := imageName(image)
	return slices.Contains(p.elects, parent+"/"+base) &&
		(p.command == "" || slices.ContainsFunc(words, func(w word) bool { return w.text == p.command }))
}

// replicated sets w.replicas from the mapping with these fields, if it has a pod's template. A DaemonSet counts as two.
func (w *walker) replicated(all []field) {
	if _, ok := get(all, "template"); !ok {
		return
	}
	w.replicas, _ = strconv.Atoi(text(all, "replicas"))
	if w.component == "DaemonSet" {
		w.replicas = 2
	}
}
