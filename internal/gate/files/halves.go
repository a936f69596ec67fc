package files

import (
	"slices"
	"strings"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"

	"go.yaml.in/yaml/v3"
)

// isOneOfMany tells whether an item of a list with these fields is a thing of its own, such as a release in a helmfile: what it says is not put over
// what other items say.
func isOneOfMany(all []tree.Field) bool {
	return slices.ContainsFunc([]string{"name", "chart", "target", "path", "repoURL"}, func(name string) bool {
		f, ok := tree.Get(all, name)
		return ok && (f.Value.Kind == yaml.MappingNode || f.Value.Value != "")
	})
}

// maxHalves of the candidates in one object leave timings open and are compared with the others.
const maxHalves = 100

// halves adds a condition to each candidate of a document, for others there that leave timings open: that these are not put over it. For in many a
// format one part of a document changes another part, and what is changed is judged alone.
func halves(found []*candidate) {
	open := map[*yaml.Node][]*candidate{}
	for _, c := range found {
		if len(c.set) > 0 && !c.setsAll() && !c.layered {
			open[c.entry] = append(open[c.entry], c)
		}
	}
	for _, c := range found {
		halves := open[c.entry]
		if len(halves) > maxHalves {
			c.provide("nothing else in the document is put over it")
			continue
		}
		var over []string
		for _, half := range halves {
			if what := half.named(c.pos.Part); half.mayBeOver(c) && !slices.Contains(over, what) {
				over = append(over, what)
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

// mayBeOver tells whether what c sets, which leaves timings open, differs from what below has in the same object, and perhaps is put over that. It is
// not if both are containers, or not of the same program, or if below has such a condition already.
func (c *candidate) mayBeOver(below *candidate) bool {
	if c == below || below.layered || c.isContainer() && below.isContainer() || c.program != below.program {
		return false
	}
	return slices.ContainsFunc(setting.TimingKeys[:], func(k setting.Key) bool { return c.set[k].d != 0 && c.set[k].d != below.set[k].d })
}

// isContainer tells whether the candidate is what a container runs.
func (c *candidate) isContainer() bool { return strings.Contains(c.pos.Part, "container ") }
