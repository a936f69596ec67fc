package files

import (
	"slices"
	"strconv"
)

// electsByDefault tells whether the image is one of p.elects, whose program elects unless it is told not to, and the command
// line has the word p.command, if p has one. It is false if p is nil.
func (p *Program) electsByDefault(image string, words []word) bool {
	if p == nil {
		return false
	}
	base, parent := imageName(image)
	return slices.Contains(p.elects, parent+"/"+base) &&
		(p.command == "" || slices.ContainsFunc(words, func(w word) bool { return w.text == p.command }))
}

// replicated sets w.replicas to the field replicas of the mapping with these fields, 0 if there is none or it is no number. A
// DaemonSet counts as two. It does nothing if the mapping has no template of a pod.
func (w *walker) replicated(all []field) {
	if _, ok := get(all, "template"); !ok {
		return
	}
	w.replicas, _ = strconv.Atoi(text(all, "replicas"))
	if w.component == "DaemonSet" {
		w.replicas = 2
	}
}
