package files

import (
	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// empty marks setting r, which has no value, in w.read. It sets c.empty to r if r is a timing, and the first such
// one.
func (w *walker) empty(c *candidate, r raw) {
	w.read.add(r)
	if c.empty == nil && r.key <= retryPeriod {
		c.empty = &r
	}
}

// onlyEmpty adds a note if c has timings without a value. It is for candidates that are not settled.
func (w *walker) onlyEmpty(c *candidate) {
	switch r := c.empty; {
	case r == nil:
	case r.certain:
		w.note(c.pos.at(r.line), Ignored, r.name+" is empty, which stands for the program's default; nothing says that it elects; not judged")
	default:
		w.note(c.pos.at(r.line), Ignored, aboutAnything(*r))
	}
}

// addFlag appends to c.raws a flag that has its value in field f, if it is a setting. A program refuses an empty text as the
// value of a flag: it is kept, and reported as a problem later. Any other value is treated as the method add does.
func (w *walker) addFlag(c *candidate, f field) {
	s := settingOf(f.name)
	if s.key != noKey && f.value.Kind == yaml.ScalarNode && f.value.Value == "" && f.value.ShortTag() != "!!null" {
		c.raws = append(c.raws, raw{setting: s, name: phrase.Clip(f.name), line: w.base + f.line})
		return
	}
	w.add(c, f, s, false)
}
