package files

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// isPatch tells whether the items are the operations of a JSON patch, as in kustomizations: each has an op and a path. It is
// false for no items.
func (w *walker) isPatch(items []*yaml.Node) bool {
	for _, item := range items {
		all := w.fields(item)
		if text(all, "op") == "" || !strings.HasPrefix(text(all, "path"), "/") {
			return false
		}
	}
	return len(items) > 0
}

// patch reads the values of a JSON patch as if they stood where its paths say, except those that it removes or tests. All flags,
// environment variables and single values become one candidate, which is settled if there are settings. Containers, mappings and
// texts of several lines are read for themselves. items must not be empty. depth is how many values are around them.
func (w *walker) patch(items []*yaml.Node, depth int) {
	c := w.candidate(w.where(), items[0].Line)
	c.program = cmp.Or(c.program, w.target)
	var words []word
	for _, item := range items {
		all := w.fields(item)
		value, ok := get(all, "value")
		if !ok || text(all, "op") == "remove" || text(all, "op") == "test" {
			continue
		}
		steps := strings.Split(strings.TrimPrefix(text(all, "path"), "/"), "/")
		last := steps[len(steps)-1]
		switch entry := w.fields(value.value); {
		case value.value.Kind == yaml.SequenceNode:
			for _, it := range w.items(value.value) {
				entry := w.fields(it)
				value, isVariable := get(entry, "value")
				switch s := settingOf(text(entry, "name")); {
				case it.Kind == yaml.ScalarNode:
					words = append(words, word{it.Value, w.base + it.Line})
				case isVariable && s.key != noKey:
					w.add(c, field{text(entry, "name"), value.line, value.value}, s, true)
				default:
					w.walk(it, depth+1)
				}
			}
		case value.value.Kind == yaml.ScalarNode && strings.HasPrefix(value.value.Value, "-"):
			words = append(words, word{value.value.Value, w.base + value.line})
		case value.value.Kind == yaml.ScalarNode:
			w.patchScalar(c, steps, value)
		case text(entry, "name") != "" && settingOf(text(entry, "name")).key != noKey:
			if v, ok := get(entry, "value"); ok { // a variable
				w.add(c, field{text(entry, "name"), v.line, v.value}, settingOf(text(entry, "name")), true)
			}
		case len(steps) > 1 && isContainers(steps[len(steps)-2]):
			name := "container " + phrase.Clip(text(entry, "name"))
			w.container(w.candidate(name, value.value.Line), value.value, nil)
		default:
			w.member(field{last, value.line, value.value}, nil, depth+1)
		}
	}
	if w.flags(c, words); len(c.raws) > 0 {
		w.settle(c)
	}
}

// patchScalar adds to c.raws a single value that a JSON patch puts at a path, if its name is that of a setting. It reads a text
// of several lines as a document, with block. steps are the names in the path.
func (w *walker) patchScalar(c *candidate, steps []string, value field) {
	last := phrase.Clip(steps[len(steps)-1])
	s := settingOf(last)
	if len(steps) > 1 && isStanza(steps[len(steps)-2]) {
		s = stanzaSetting(last)
	}
	if s.key != noKey {
		w.add(c, field{last, value.line, value.value}, s, true)
	}
	if strings.Contains(value.value.Value, "\n") {
		w.block(last, value.value)
	}
}

// block reads a text that is itself a document: a patch in a kustomization, the values of an Application, a file in a chart's
// values. It does nothing if the text is not several lines or a list in JSON, or does not mention leader election.
func (w *walker) block(name string, n *yaml.Node) {
	if (strings.Contains(n.Value, "\n") || strings.HasPrefix(n.Value, "[{") || strings.HasPrefix(n.Value, "- {")) && hint.MatchString(n.Value) && w.spend(n, len(n.Value)/4) {
		w.embedded(field{name, n.Line, n}, false)
	}
}
