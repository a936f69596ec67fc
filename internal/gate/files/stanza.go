package files

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// candidate begins one at the value in hand.
func (w *walker) candidate(part string, line int) *candidate {
	c := &candidate{pos: w.pos.at(w.base + line), component: w.component, known: w.known}
	c.pos.Part = part
	if w.pos.Part != "" && part != "" {
		c.pos.Part = w.pos.Part + ": " + part
	} else if part == "" {
		c.pos.Part = w.pos.Part
	}
	if c.known == (timings{}) {
		c.known = common
	}
	c.configMap = w.configMap
	return c
}

func (w *walker) where() string { return phrase.Clip(strings.Join(w.path, ".")) }

// add takes a field into a candidate if its name sets something.
func (w *walker) add(c *candidate, f field, s setting, wholeSeconds bool) {
	if s.key == noKey {
		return
	}
	r := raw{setting: s, name: phrase.Clip(f.name), text: f.value.Value, line: w.base + f.line, wholeSeconds: wholeSeconds}
	if f.value.Kind != yaml.ScalarNode {
		r.text = templateNode(f.value)
	}
	r.missing = r.text == "" || f.value.ShortTag() == "!!null"
	c.raws = append(c.raws, r)
}

// stanza reads leaderElection: {leaderElect, leaseDuration, …}, as component configurations have it.
// Beside it may stand leaderElectionReleaseOnCancel.
func (w *walker) stanza(f field, beside []field) {
	c := w.candidate(w.where(), f.line)
	for _, member := range w.fields(f.value) {
		w.add(c, member, stanzaSetting(member.name), false)
	}
	for _, other := range beside {
		if s := settingOf(other.name); s.key == releaseOnCancel && s.certain {
			w.add(c, other, s, false)
		}
	}
	// Elsewhere, such as in a chart's values, it may be about the lock's namespace alone.
	if len(c.raws) > 0 || w.component != "" {
		c.raws = append(c.raws, raw{setting: setting{key: mention, certain: true}})
		w.settle(c)
	}
}

// flat reads fields such as leaderElectionLeaseDuration that stand in any mapping.
func (w *walker) flat(all []field, n *yaml.Node) {
	c := w.candidate(w.where(), n.Line)
	timing := false
	for _, f := range all {
		if s := settingOf(f.name); s.certain && f.value.Kind == yaml.ScalarNode {
			timing = timing || s.key <= retryPeriod
			w.add(c, f, s, true)
		}
	}
	if timing && len(c.raws) > 0 {
		w.settle(c)
	}
}

// arguments reads flags that are a mapping of names to values or lists of values, or a list of {name, value}.
func (w *walker) arguments(f field) {
	c := w.candidate(w.where(), f.line)
	for _, member := range w.fields(f.value) {
		s := settingOf(member.name)
		if member.value.Kind != yaml.SequenceNode {
			w.add(c, member, s, false)
		}
		for _, item := range w.items(member.value) {
			w.add(c, field{member.name, item.Line, item}, s, false)
		}
	}
	for _, item := range w.items(f.value) {
		entry := w.fields(item)
		if value, ok := get(entry, "value"); ok {
			name := text(entry, "name")
			w.add(c, field{name, value.line, value.value}, settingOf(name), false)
		}
	}
	if len(c.raws) > 0 {
		w.settle(c)
	}
}
