package files

import (
	"slices"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"

	"go.yaml.in/yaml/v3"
)

// stanza reads a field leaderElection: {leaderElect, leaseDuration, …}, as component configurations have it, into a candidate, and
// settles it. beside are the fields next to f; the candidate also gets those of them that belong to the same election, featureGates
// and clientConnection. stanza settles nothing if f has no settings and is in no program's configuration, or if flags beside f set
// the timings and f at most turns the election on. If f says more than that, it adds a note about the flags.
func (w *walker) stanza(f tree.Field, beside []tree.Field) {
	c := w.candidate(w.where(), f.Line)
	wholeSeconds := w.component == "" && w.nested == 0 || w.inChart // a chart's values; a program's own configuration takes no numbers
	for _, member := range w.Fields(f.Value) {
		w.add(c, member, w.inStanza(member.Name), wholeSeconds)
		for _, inner := range w.Fields(member.Value) { // such as timings: {leaseDuration: 60s}
			s := w.inStanza(inner.Name)
			if s.Key == setting.OtherTiming { // such as lease: {duration: 60s}
				inner.Name = member.Name + "." + inner.Name
				s = w.inStanza(inner.Name)
			}
			if s.Key <= setting.RetryPeriod || s.Key == setting.OtherTiming && setting.Renewal.MatchString(setting.Normal(member.Name)) {
				w.add(c, inner, s, wholeSeconds)
			}
		}
	}
	for _, other := range w.belonging(f, beside) {
		w.add(c, other, setting.Of(other.Name), true)
	}
	for _, gate := range w.Inside(beside, "featureGates") { // kops'
		c.gates = c.gates.With(gate.Name + "=" + gate.Value.Value)
	}
	w.clientConnection(c, beside)
	saysMore := slices.ContainsFunc(c.raws, func(r raw) bool { return r.Key != setting.Enable && r.Key != setting.Mention || r.text != "true" })
	if w.timedBeside(beside) {
		if !saysMore {
			return // it is told by the flags beside it
		}
		w.note(c.pos, Unread, "flags beside it set timings too; if both are of one election, neither verdict is about what runs")
		c.provide("the flags beside it are of another election")
		c.layered = true
	}
	// Elsewhere, such as in a chart's values, it may be about the lock's namespace alone.
	w.ofChart(c)
	if len(c.raws) > 0 || w.component != "" || c.program != nil && c.program.Always {
		c.addMention()
		w.settle(c)
		return
	}
	w.onlyEmpty(c)
}

// timedBeside tells whether flags in one of the fields set a timing, and surely are about leader election. It looks at lists and mappings
// of flags only.
func (w *walker) timedBeside(fields []tree.Field) bool {
	for _, f := range fields {
		if isList := f.Value.Kind == yaml.SequenceNode && w.mayBeList(f.Name); !isList && !holdsFlags(f) {
			continue
		}
		var c candidate
		w.argumentsOf(&c, f)
		if surely(c.raws) && slices.ContainsFunc(c.raws, func(r raw) bool { return r.Key <= setting.RetryPeriod }) {
			return true
		}
	}
	return false
}

// belonging returns those of the fields beside a leaderElection mapping f that are settings of the same election, such as
// leaderElectionReleaseOnCancel. It returns settings with a certain name; if f or one of these speaks of the election, it also
// returns timings with an uncertain name. It leaves out a setting if f, or a field that it has chosen by a certain name, has the
// same key; but it never leaves out setting.ReleaseOnCancel.
func (w *walker) belonging(f tree.Field, beside []tree.Field) []tree.Field {
	var has [setting.Mention + 1]bool
	for _, member := range w.Fields(f.Value) {
		for _, it := range append(w.Fields(member.Value), member) {
			if s := w.inStanza(it.Name); it.Value.ShortTag() != "!!null" {
				has[s.Key] = true
			}
		}
	}
	speaks := slices.Contains(has[setting.LeaseDuration:], true)
	var all []tree.Field
	for _, certain := range []bool{true, false} {
		for _, other := range beside {
			s := setting.Of(other.Name)
			isOne := other.Value.Kind == yaml.ScalarNode && s.Key != setting.None && s.Certain == certain && (certain || speaks && s.Key <= setting.RetryPeriod)
			if isOne && (!has[s.Key] || s.Key == setting.ReleaseOnCancel) {
				all = append(all, other)
			}
		}
		for _, other := range all {
			has[setting.Of(other.Name).Key], speaks = true, true
		}
	}
	return all
}

// inStanza returns setting.InStanza(name). It keeps the result in w.stanzas, since aliases can repeat a mapping thousands of times.
func (w *walker) inStanza(name string) setting.Setting {
	s, known := w.stanzas[name]
	if !known {
		if w.stanzas == nil {
			w.stanzas = map[string]setting.Setting{}
		}
		s = setting.InStanza(name)
		w.stanzas[name] = s
	}
	return s
}
