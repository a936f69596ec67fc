package files

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// candidate returns a new candidate at a line of the document in hand, with the position, program and ConfigMap that
// the walker is in. part is added to the position's Part; "" adds nothing.
func (w *walker) candidate(part string, line int) *candidate {
	c := &candidate{pos: w.pos.at(w.base + line), component: w.component, program: w.program}
	if p := programOfPath(w.path); p != nil && c.program == nil {
		c.program, c.component = p, p.Name
	}
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
		s := stanzaSetting(member.name)
		w.add(c, member, s, false)
		for _, inner := range w.fields(member.value) { // such as timings: {leaseDuration: 60s}
			if s := stanzaSetting(inner.name); s.key <= retryPeriod {
				w.add(c, inner, s, false)
			}
		}
		if _, err := duration(member.value.Value, 0); s.key == noKey && err == nil && member.value.Kind == yaml.ScalarNode {
			text := phrase.Clip(member.name) + " is none of the durations that are read here, and may be one that counts"
			w.note(c.pos.at(w.base+member.line), Unread, text)
		}
	}
	for _, other := range beside {
		if s := settingOf(other.name); s.key == releaseOnCancel && s.certain {
			w.add(c, other, s, false)
		}
	}
	for _, other := range beside {
		s := settingOf(other.name)
		if s.certain || s.key > retryPeriod || other.value.Kind != yaml.ScalarNode {
			continue
		}
		if len(c.raws) > 0 && !slices.ContainsFunc(c.raws, func(r raw) bool { return r.key == s.key }) {
			w.add(c, other, s, true)
		}
	}
	gates, _ := get(beside, "featureGates") // kops'
	for _, gate := range w.fields(gates.value) {
		c.featureGates(gate.name + "=" + gate.value.Value)
	}
	w.clientConnection(c, beside)
	// Elsewhere, such as in a chart's values, it may be about the lock's namespace alone.
	if len(c.raws) > 0 || w.component != "" {
		c.raws = append(c.raws, raw{setting: setting{key: mention, certain: true}})
		w.settle(c)
	}
}

// flat reads fields such as leaderElectionLeaseDuration, which may stand in any mapping, into a candidate, with the flags
// and variables in lists beside them, as a chart's values have them. all are the fields of mapping n.
func (w *walker) flat(all []field, n *yaml.Node) {
	c := w.candidate(w.where(), n.Line)
	if c.program == nil {
		c.program = w.programOfImage(all)
	}
	says := deadlineToo(all)
	for _, f := range all {
		switch s := settingOf(f.name); {
		case f.value.Kind != yaml.ScalarNode:
		case s.certain:
			says = says || s.key <= retryPeriod || s.key <= disable && f.value.ShortTag() == "!!bool"
			w.add(c, f, s, true)
		case s.key <= retryPeriod && s.key != noKey:
			w.add(c, f, s, true)
		}
		if w.mayBeList(f.name) {
			says = w.list(c, f) || says
		}
	}
	if says && len(c.raws) > 0 {
		w.settle(c)
	}
}

// programOfImage returns the program of the field image, a name or a chart's {repository, tag}; nil if it is not known.
func (w *walker) programOfImage(all []field) *Program {
	image, ok := get(all, "image")
	if !ok {
		return nil
	}
	return programNamed(cmp.Or(text(all, "image"), text(w.fields(image.value), "repository")), "")
}

// deadlineToo tells whether a mapping has both a lease duration and a renew deadline, which is about a leader whatever
// they are called.
func deadlineToo(all []field) bool {
	var has [mention + 1]bool
	for _, f := range all {
		if f.value.Kind == yaml.ScalarNode {
			has[settingOf(f.name).key] = true
		}
	}
	return has[leaseDuration] && has[renewDeadline]
}

// mayBeList tells whether a field of that name may hold flags or variables that no other rule reads. An x- before it says
// that the list is there for its anchor.
func (w *walker) mayBeList(name string) bool {
	ofHelm := name == "parameters" && len(w.path) > 0 && w.path[len(w.path)-1] == "helm"
	return !isArguments(name) && !isContainers(name) && !ofHelm && !strings.HasPrefix(name, "x-")
}

// list adds to c.raws the flags in a list of texts, and the variables in a list of {name, value}, if they surely are about
// leader election. It returns whether there are any but mentions.
func (w *walker) list(c *candidate, f field) bool {
	before := len(c.raws)
	var words []word
	for _, item := range w.items(f.value) {
		switch item.Kind {
		case yaml.ScalarNode:
			words = append(words, word{item.Value, w.base + item.Line})
		case yaml.MappingNode:
			entry := w.fields(item)
			value, ok := get(entry, "value")
			if s := settingOf(text(entry, "name")); ok && s.certain && len(entry) <= 3 {
				w.add(c, field{text(entry, "name"), value.line, value.value}, s, true)
			}
		}
	}
	w.flags(c, words)
	added := slices.DeleteFunc(slices.Clone(c.raws[before:]), func(r raw) bool { return !r.certain })
	c.raws = append(c.raws[:before], added...)
	return slices.ContainsFunc(c.raws[before:], func(r raw) bool { return r.key != mention })
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
			c.featureGates(member.value.Value)
			w.add(c, member, s, false)
		}
		for _, item := range w.items(member.value) {
			c.featureGates(item.Value)
			w.add(c, field{member.name, item.Line, item}, s, false)
		}
	}
	for _, item := range w.items(f.value) {
		entry := w.fields(item)
		if value, ok := get(entry, "value"); ok {
			name := text(entry, "name")
			c.featureGates(value.value.Value)
			w.add(c, field{name, value.line, value.value}, settingOf(name), false)
		}
	}
	if len(c.raws) > 0 {
		w.settle(c)
	}
}

// programOfComponent returns the program of the control plane whose flags kubeadm, or RKE, has in the field above the
// one in hand; nil for any other field.
func (w *walker) programOfComponent() *Program {
	if len(w.path) < 2 {
		return nil
	}
	switch w.path[len(w.path)-2] {
	case "controllerManager", "kube-controller":
		return programNamed("kube-controller-manager", "")
	case "scheduler":
		return programNamed("kube-scheduler", "")
	}
	return nil
}

// programOfPath returns the program of the control plane that one of the fields around a value is named after, such as
// kops' kubeScheduler; nil if there is none.
func programOfPath(names []string) *Program {
	for _, name := range names {
		switch normal(name) {
		case "kubecontrollermanager":
			return programNamed("kube-controller-manager", "")
		case "kubescheduler":
			return programNamed("kube-scheduler", "")
		case "kubekubeadmcontrollerextraargs": // Kubespray's, as the next one
			return programNamed("kube-controller-manager", "")
		case "kubekubeadmschedulerextraargs":
			return programNamed("kube-scheduler", "")
		case "cloudcontrollermanager":
			return programNamed("cloud-controller-manager", "")
		}
	}
	return nil
}

// chart sets the walker's program to that of the Helm chart that a mapping installs, if it is one that is known: an
// Argo CD source, Flux's HelmRelease, k3s's HelmChart or an entry of a kustomization.
func (w *walker) chart(all []field) {
	name := text(all, "chart")
	if f, ok := get(all, "chart"); ok && f.value.Kind == yaml.MappingNode {
		spec, _ := get(w.fields(f.value), "spec")
		name = text(w.fields(spec.value), "chart")
	}
	if _, ok := get(all, "valuesInline"); ok {
		name = text(all, "name")
	}
	if name != "" {
		w.program = cmp.Or(programOfChart(name), w.program)
	}
}

// whoseArguments sets c.program and c.component where the field's name or place tells whose flags it holds.
func (w *walker) whoseArguments(c *candidate, name string) {
	if program := cmp.Or(programOfArguments(name), w.programOfComponent()); program != nil {
		c.program, c.component = program, program.Name
	}
}
