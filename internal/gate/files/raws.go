package files

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// candidate returns a new candidate with the walker's position, component, program, language and ConfigMap. If the walker has no
// program, one that the path names becomes the candidate's program and component. c.within has the names in the path. line is a
// line of the document. part is added to the position's Part; "" adds nothing. It does not add the candidate to w.found: settle
// does.
func (w *walker) candidate(part string, line int) *candidate {
	c := &candidate{pos: w.pos.at(w.base + line), component: w.component, program: w.program, language: w.spoken, cluster: w.cluster, things: w.things}
	if w.program == w.imageOf {
		c.tagged = w.image
	}
	if p := programs.OfPath(w.path); p != nil && c.program == nil {
		c.program, c.component = p, p.Name
	}
	c.within = setting.Normal(strings.Join(w.path, ""))
	c.pos.Part = part
	if w.pos.Part != "" && part != "" {
		c.pos.Part = w.pos.Part + ": " + part
	} else if part == "" {
		c.pos.Part = w.pos.Part
	}
	c.configMap = w.configMap
	return c
}

// add appends field f to c.raws as setting s. It does nothing if the key of s is setting.None, or if the value is null or empty,
// since a program or a template then takes the default; it notes an empty timing in c.empty. A value that is a list or a
// mapping counts as missing unless it is a template action. An unquoted yes, no, on or off counts as true or false for a yes
// or no. If wholeSeconds is true, a number without a unit is a number of seconds.
func (w *walker) add(c *candidate, f tree.Field, s setting.Setting, wholeSeconds bool) {
	if s.Key == setting.None || f.Value.ShortTag() == "!!null" && f.Value.Kind == yaml.ScalarNode {
		return // null is the same as nothing
	}
	if f.Value.Kind == yaml.ScalarNode && f.Value.Value == "" {
		w.empty(c, raw{Setting: s, name: phrase.Clip(f.Name), line: w.base + f.Line})
		return
	}
	r := raw{Setting: s, name: phrase.Clip(f.Name), text: f.Value.Value, line: w.base + f.Line, wholeSeconds: wholeSeconds}
	switch {
	case f.Value.Kind != yaml.ScalarNode:
		r.text = tree.TemplateIn(f.Value)
	case f.Value.Style == 0 && s.Key.IsYesOrNo():
		r.text = cmp.Or(yaml11[strings.ToLower(r.text)], r.text)
	}
	r.missing = r.text == ""
	c.raws = append(c.raws, r)
}

// yaml11 are the words without quotes that Helm and kubectl take for booleans, as YAML 1.1 does.
var yaml11 = map[string]string{"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

// addFlag appends to c.raws a flag that has its value in field f, if it is a setting. A program refuses an empty text as the
// value of a flag: it is kept, and reported as a problem later. Any other value is treated as the method add does.
func (w *walker) addFlag(c *candidate, f tree.Field) {
	s := setting.Of(f.Name)
	if s.Key != setting.None && f.Value.Kind == yaml.ScalarNode && f.Value.Value == "" && f.Value.ShortTag() != "!!null" {
		c.raws = append(c.raws, raw{Setting: s, name: phrase.Clip(f.Name), line: w.base + f.Line})
		return
	}
	w.add(c, f, s, false)
}

// empty marks setting r, which has no value, in w.read. It sets c.empty to r if r is a timing, and the first such
// one.
func (w *walker) empty(c *candidate, r raw) {
	w.read.Add(r.name, r.text, r.line)
	if c.empty == nil && r.Key <= setting.RetryPeriod {
		c.empty = &r
	}
}

// onlyEmpty adds a note if c has timings without a value. It is for candidates that are not settled.
func (w *walker) onlyEmpty(c *candidate) {
	switch r := c.empty; {
	case r == nil:
	case r.Certain:
		w.note(c.pos.at(r.line), Ignored, r.name+" is empty, which stands for the program's default; nothing says that it elects; not judged")
	default:
		w.note(c.pos.at(r.line), Ignored, aboutAnything(*r))
	}
}
