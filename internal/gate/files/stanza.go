package files

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// candidate returns a new candidate at a line of the document in hand, with the position, program and ConfigMap that
// the walker is in. part is added to the position's Part; "" adds nothing.
func (w *walker) candidate(part string, line int) *candidate {
	c := &candidate{pos: w.pos.at(w.base + line), component: w.component, program: w.program}
	c.within = normal(strings.Join(w.path, ""))
	c.pos.Part = part
	if w.pos.Part != "" && part != "" {
		c.pos.Part = w.pos.Part + ": " + part
	} else if part == "" {
		c.pos.Part = w.pos.Part
	}
	c.configMap = w.configMap
	return c
}

// where returns the path from the document to the value in hand, such as spec.template.
func (w *walker) where() string { return phrase.Clip(strings.Join(w.path, ".")) }

// add appends field f to c.raws as setting s, unless s sets nothing or the value is null. With wholeSeconds a number
// without a unit is one of seconds.
func (w *walker) add(c *candidate, f field, s setting, wholeSeconds bool) {
	if s.key == noKey || f.value.ShortTag() == "!!null" && f.value.Kind == yaml.ScalarNode {
		return // null is the same as nothing
	}
	r := raw{setting: s, name: phrase.Clip(f.name), text: f.value.Value, line: w.base + f.line, wholeSeconds: wholeSeconds}
	if f.value.Kind != yaml.ScalarNode {
		r.text = templateNode(f.value)
	}
	r.missing = r.text == ""
	c.raws = append(c.raws, r)
}

// stanza reads a field leaderElection: {leaderElect, leaseDuration, …}, as component configurations have it, into a
// candidate. beside are the fields next to it, one of which may be leaderElectionReleaseOnCancel.
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
	w.clientConnection(c, beside)
	// Elsewhere, such as in a chart's values, it may be about the lock's namespace alone.
	if len(c.raws) > 0 || w.component != "" {
		c.raws = append(c.raws, raw{setting: setting{key: mention, certain: true}})
		w.settle(c)
	}
}

// flat reads fields such as leaderElectionLeaseDuration, which may stand in any mapping, into a candidate. all are the
// fields of mapping n.
func (w *walker) flat(all []field, n *yaml.Node) {
	c := w.candidate(w.where(), n.Line)
	says := false
	for _, f := range all {
		if s := settingOf(f.name); s.certain && f.value.Kind == yaml.ScalarNode {
			says = says || s.key <= retryPeriod || s.key <= disable && f.value.ShortTag() == "!!bool"
			w.add(c, f, s, true)
		}
	}
	if says && len(c.raws) > 0 {
		w.settle(c)
	}
}

// arguments reads flags in a field's value into a candidate. The value is a mapping of names to values or lists of
// values, a list of {name, value} or of name=value, or one of those.
func (w *walker) arguments(f field) {
	c := w.candidate(w.where(), f.line)
	w.whoseArguments(c, f.name)
	var words []word
	for _, item := range append(w.items(f.value), f.value) {
		if item.Kind == yaml.ScalarNode {
			words = append(words, word{"--" + strings.TrimLeft(item.Value, "-"), w.base + item.Line})
		}
	}
	w.flags(c, words)
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

// whoseArguments sets c.program and c.component where the field's name or place tells whose flags it holds.
func (w *walker) whoseArguments(c *candidate, name string) {
	program := programOfArguments(name)
	if program == nil && len(w.path) > 1 {
		switch w.path[len(w.path)-2] { // kubeadm's
		case "controllerManager":
			program = programNamed("kube-controller-manager", "")
		case "scheduler":
			program = programNamed("kube-scheduler", "")
		}
	}
	if program != nil {
		c.program, c.component = program, program.Name
	}
}
