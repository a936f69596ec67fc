package kustomize

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
)

// Changers are the kustomizations that make something of a file's objects.
type Changers []kustomized

// kustomized is a kustomization that makes something of a file's objects; renamed: perhaps others have renamed them before.
type kustomized struct {
	*kustomization
	renamed bool
}

// Subject is what may be changed: settings that stand at a place in an object, in a file or made by the kustomization in it. Chart: the kustomization
// installs a chart with them. ConfigMaps are the names of those that variables are from.
type Subject struct {
	Kind, Name, File string
	At               []string
	Chart            bool
	ConfigMaps       []string
}

// Of returns what may change a subject, in words, if its reach is one of those. Of the kustomization in the subject's own file, it does so only if it
// makes a ConfigMap or a chart of these settings.
func (all Changers) Of(s Subject, is func(Reach) bool) (by []string) {
	for _, k := range all {
		for _, x := range k.changes {
			own := filepath.Clean(k.file) == filepath.Clean(s.File) && (x.generator || s.Kind != "ConfigMap" && !s.Chart)
			if x.policy { // which may stand beside what it changes
				own = policies[s.Kind] != "" || s.Chart && x.kinds.pattern == "ConfigMap"
			}
			if !own && !slices.Contains(by, x.what) && x.mayChange(&s, k.renamed, is) {
				by = append(by, x.what)
			}
		}
	}
	return by
}

// change is what changes objects of other files; what names it in words. kinds and names are those of the objects.
type change struct {
	what         string
	kinds, names selector
	places       []place
	// generator: it makes a ConfigMap over one of the same name. policy: a policy makes it.
	generator, policy bool
}

// mergedByNames are Kubernetes' own kinds with containers, whose lists kustomize merges by names.
var mergedByNames = []string{"Deployment", "StatefulSet", "DaemonSet", "Pod", "ReplicaSet", "Job", "CronJob"}

// mayChange tells whether the change may be of the subject, and has a reach that is one of those, or is of what is in one of its ConfigMaps. renamed:
// where the change is made, something perhaps stands before or after the object's name.
func (x *change) mayChange(s *Subject, renamed bool, is func(Reach) bool) bool {
	return x.selects(s.Kind, s.Name, renamed) && slices.ContainsFunc(x.places, func(p place) bool {
		p.list = p.list && slices.Contains(mergedByNames, s.Kind)
		return is(p.reach(s.At))
	}) || slices.ContainsFunc(s.ConfigMaps, func(name string) bool {
		return x.selects("ConfigMap", name, renamed) &&
			slices.ContainsFunc(x.places, func(p place) bool { return len(p.steps) == 0 || p.steps[0] == "data" })
	})
}

// selects tells whether the change may be of an object.
func (x *change) selects(kind, name string, renamed bool) bool {
	longer := renamed && (strings.Contains(x.names.pattern, name) || regexp.QuoteMeta(x.names.pattern) != x.names.pattern)
	return x.kinds.matches(kind) && (x.names.matches(name) || longer)
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

// newImage is what a kustomization puts in place of an image of that name.
type newImage struct{ name, newName, newTag string }

// Image returns the image that all of them put in place of a container's, without those that are part of another and put none. If they
// differ, it returns the container's own, and a file of one that puts another.
func (all Changers) Image(image string) (placed, otherBy string) {
	name := programs.Untagged(image)
	var results, by []string
	for _, k := range all {
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
		return results[0], ""
	case len(by) > 0:
		return image, by[0]
	}
	return image, ""
}
