package files

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/phrase"
)

// object is an object of Kubernetes among the documents; depth is how many fields are around it. In the zero object, no kind is known.
type object struct {
	kind, name string
	depth      int
}

// change is what changes objects of other files; what names it in words. kinds and names are those of the objects.
type change struct {
	what         string
	kinds, names selector
	places       []place
	// generator: it makes a ConfigMap over one of the same name.
	generator bool
}

// selector is a pattern of kustomize, which is that of a whole name. whole is nil where the pattern is empty or not valid.
type selector struct {
	pattern string
	whole   *regexp.Regexp
}

func selectorOf(pattern string) selector {
	whole, err := regexp.Compile("^(?:" + pattern + ")$")
	if err != nil || pattern == "" {
		return selector{}
	}
	return selector{pattern, whole}
}

// matches tells whether the selector may mean that name. An empty name is not known.
func (s selector) matches(name string) bool {
	return s.whole == nil || name == "" || s.whole.MatchString(name)
}

// selects tells whether the change may be of the object o. renamed: where the change is made, something perhaps stands before or after the
// object's name.
func (x *change) selects(o object, renamed bool) bool {
	longer := renamed && (strings.Contains(x.names.pattern, o.name) || regexp.QuoteMeta(x.names.pattern) != x.names.pattern)
	return x.kinds.matches(o.kind) && (x.names.matches(o.name) || longer)
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

// changedLater adds to c.provided that kustomizations leave the settings of c, and of the ConfigMaps that its variables are from, as they
// are, if something in them may change these. In a kustomization it does so for the ConfigMaps and charts alone that this one makes.
func (w *walker) changedLater(c *candidate) {
	var by []string
	chart := len(w.path) > 0 && w.path[0] == "helmCharts"
	if w.self.kind == "" && !chart {
		return
	}
	for _, k := range w.kustomizations {
		for _, x := range k.changes {
			own := filepath.Clean(k.file) == filepath.Clean(cmp.Or(w.maker, w.pos.File)) && (x.generator || w.self.kind != "ConfigMap" && !chart)
			if !own && !slices.Contains(by, x.what) && w.mayChange(c, &x, k.renamed) {
				by = append(by, x.what)
			}
		}
	}
	leave := "leave"
	switch {
	case len(by) == 1:
		leave = "leaves"
	case len(by) > maxOthers:
		by = append(by[:maxOthers], fmt.Sprintf("%d more", len(by)-maxOthers))
	}
	if len(by) > 0 {
		c.provided = append(c.provided, phrase.And(by)+" "+leave+" its settings as they are")
	}
}

// mayChange tells whether the change x may be one of the settings of c, or of a ConfigMap that its variables are from.
func (w *walker) mayChange(c *candidate, x *change, renamed bool) bool {
	at := w.at(w.self)
	if x.selects(w.self, renamed) && slices.ContainsFunc(x.places, func(p place) bool {
		p.list = p.list && isOfKubernetes(w.self.kind)
		return c.reachedBy(p, at)
	}) {
		return true
	}
	return slices.ContainsFunc(c.variablesOf, func(name string) bool {
		return x.selects(object{kind: "ConfigMap", name: name}, renamed) &&
			slices.ContainsFunc(x.places, func(p place) bool { return len(p.steps) == 0 || p.steps[0] == "data" })
	})
}
