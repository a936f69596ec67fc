package files

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// maxNested is how many ConfigMaps may be inside one another.
const maxNested = 3

var (
	// hint is in every text with settings of leader election.
	hint = regexp.MustCompile(`(?i)leader|lease[-_.]?duration|renew[-_.]?deadline|retry[-_.]?period|l2[-_.]?announcements`)
	// documentKey is a key whose value is meant to be YAML or JSON.
	documentKey = regexp.MustCompile(`\.(ya?ml|json)$`)
)

// data reads the entries of a ConfigMap. Keys that are settings, with a value of one line, become one candidate, which is
// settled, and whose settings are loose; if only a timing without a value is among them, it adds a note. Those of an election beside it
// become another one. Any other value that mentions leader election is read as documents, by embedded. The entry _example and values that are lists or mappings are
// left out. line is the line in the document where the entries begin.
func (w *walker) data(entries []field, line int) {
	c, beside := w.candidate("data", line), w.candidate("data: l2announcements", line)
	c.data = w.configMap
	var names []string
	for _, f := range entries {
		names = append(names, f.name)
	}
	all := ofOnePrefix(names)
	for _, f := range entries {
		// An alias may bring in the same text as often as there are lines. Knative's _example is none of its settings.
		if f.name == "_example" || f.value.Kind != yaml.ScalarNode || !w.spend(f.value, len(f.value.Value)/4) {
			continue
		}
		s := valued(f.name, f.value.Value)
		if s.key == noKey {
			s = all[normal(f.name)]
		}
		if s.key != noKey && !strings.Contains(f.value.Value, "\n") {
			if strings.Contains(normal(f.name), "l2announcements") {
				w.add(beside, f, s, true)
			} else {
				w.add(c, f, s, true)
			}
		} else if hint.MatchString(f.value.Value) {
			w.embedded(f, documentKey.MatchString(f.name))
		}
	}
	for _, c := range []*candidate{c, beside} {
		for i := range c.raws {
			c.raws[i].loose = true
		}
		if len(c.raws) > 0 {
			w.settle(c)
		} else {
			w.onlyEmpty(c)
		}
	}
}

// onLine sets to line the line of each candidate in w.found[from:], of the settings of each of them, of all notes and problems in
// w.out, and of what is in w.read.
func (w *walker) onLine(line, from int) {
	read := readings{}
	read.addAll(w.read, line)
	w.read = read
	for _, c := range w.found[from:] {
		c.pos.Line = line
		for i := range c.raws {
			c.raws[i].line = line
		}
		for k, s := range c.set {
			s.at.Line, s.raw.line = line, line
			c.set[k] = s
		}
	}
	for i := range w.out.Notes {
		w.out.Notes[i].Line = line
	}
	for i := range w.out.Problems {
		w.out.Problems[i].Line = line
	}
}

// embedded reads a field's value as documents of its own, and adds the candidates, notes and problems that it finds to the walker.
// If the field's name is that of a YAML or JSON file, it can tell the program. If isYAML is false, embedded does nothing for a
// single line that begins like neither a list nor a mapping, and reports no problems if it finds no candidate. It does nothing if
// maxNested is reached.
func (w *walker) embedded(f field, isYAML bool) {
	if w.nested == maxNested {
		return
	}
	inner := *w
	inner.nested++
	inner.pos.Part = "key " + phrase.Clip(f.name)
	inner.above, inner.path, inner.renderedLater = append(w.trail(), f.name), nil, false
	inner.out, inner.component, inner.repeated = File{}, "", nil
	if documentKey.MatchString(f.name) {
		inner.program = cmp.Or(programNamed("", path.Base(documentKey.ReplaceAllString(f.name, ""))), w.program)
	}
	line := w.base + f.value.Line - 1
	if f.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		line++
	}
	value := f.value.Value
	if !isYAML && !strings.Contains(value, "\n") && !strings.HasPrefix(value, "{") &&
		!strings.HasPrefix(value, "-") && !strings.HasPrefix(value, "[{") {
		// A word or a sentence.
		return
	}
	before := len(w.found)
	inner.read = readings{}
	inner.documents([]byte(value), line)
	if f.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 { // its lines are none of the file
		inner.onLine(w.base+f.value.Line, before)
	}
	w.read.addAll(inner.read, 0)
	if !isYAML && len(inner.found) == before {
		// Most likely a script or a template, of which nobody said that it is YAML.
		inner.out.Problems = nil
	}
	w.found, w.visits, w.readers, w.configMaps, w.mounts = inner.found, inner.visits, inner.readers, inner.configMaps, inner.mounts
	w.out.Notes = append(w.out.Notes, inner.out.Notes...)
	for _, p := range inner.out.Problems {
		w.report(p)
	}
}
