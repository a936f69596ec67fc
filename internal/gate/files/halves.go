package files

import (
	"slices"
	"strings"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"

	"go.yaml.in/yaml/v3"
)

// thing is an item of a list that is a thing of its own, such as a release in a helmfile: what it says is not put over what other things of the list
// say. list is what tells the list.
type thing struct {
	list any
	item *yaml.Node
}

// isOneOfMany tells whether an item of a list with these fields is a thing of its own.
func isOneOfMany(all []tree.Field) bool {
	return slices.ContainsFunc([]string{"name", "chart", "target", "path", "patch", "repoURL", "kind"}, func(name string) bool {
		f, ok := tree.Get(all, name)
		return ok && (f.Value.Kind == yaml.MappingNode || f.Value.Value != "")
	})
}

// maxPairs of candidates in one document are compared.
const maxPairs = 1_000_000

// halves adds a condition to each candidate of a document, for others there that leave timings open: that these are not put over it. For in many a
// format one part of a document changes another part, and what is changed is judged alone.
func halves(found []*candidate) {
	open := slices.DeleteFunc(slices.Clone(found), func(c *candidate) bool { return len(c.set) == 0 || c.setsAll() || c.layered })
	for _, c := range found {
		if len(found)*len(open) > maxPairs {
			c.provide("nothing else in the document is put over it")
			continue
		}
		var over []string
		for _, half := range open {
			if half.mayBeOver(c) && !slices.Contains(over, half.named(c.pos.Part)) {
				over = append(over, half.named(c.pos.Part))
			}
		}
		set := "set"
		if len(over) == 1 {
			set = "sets"
		}
		if len(over) > 0 {
			c.provide("what " + phrase.And(over[:min(len(over), maxOthers)]) + " " + set + " is not put over it")
		}
	}
}

// named returns where the candidate stands, in words, to tell it from one at part.
func (c *candidate) named(part string) string {
	switch c.pos.Part {
	case "":
		return "the rest of the document"
	case part:
		return "another " + part
	}
	return c.pos.Part
}

// mayBeOver tells whether what c sets, which leaves timings open, differs from what below has, and perhaps is put over that. It is not if both are
// containers, or in different things of one list, or of different programs, or if below has such a condition already.
func (c *candidate) mayBeOver(below *candidate) bool {
	containers := c.isContainer() || below.isContainer()
	differ := c.program != below.program && (containers || c.program != nil && below.program != nil)
	if c == below || below.layered || differ || c.isContainer() && below.isContainer() || c.isApart(below) {
		return false
	}
	return slices.ContainsFunc(setting.TimingKeys[:], func(k setting.Key) bool { return c.set[k].d != 0 && c.set[k].d != below.set[k].d })
}

// isApart tells whether the two are in different things of one list.
func (c *candidate) isApart(other *candidate) bool {
	return slices.ContainsFunc(c.things, func(t thing) bool {
		return slices.ContainsFunc(other.things, func(o thing) bool { return o.list == t.list && o.item != t.item })
	})
}

// isContainer tells whether the candidate is what a container runs.
func (c *candidate) isContainer() bool { return strings.Contains(c.pos.Part, "container ") }
