package files

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// candidate returns a new candidate with the walker's position, component, program, language and ConfigMap. If the walker has no
// program, one that the path names becomes the candidate's program and component. c.within has the names in the path. line is a
// line of the document. part is added to the position's Part; "" adds nothing. It does not add the candidate to w.found: settle
// does.
func (w *walker) candidate(part string, line int) *candidate {
	c := &candidate{pos: w.pos.at(w.base + line), component: w.component, program: w.program, language: w.spoken, cluster: w.cluster}
	if w.program == w.imageOf {
		c.tagged = w.image
	}
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

// where returns the names of the fields around the current value, from the document on, joined by dots, such as spec.template.
func (w *walker) where() string { return phrase.Clip(strings.Join(w.path, ".")) }

// add appends field f to c.raws as setting s. It does nothing if the key of s is noKey, or if the value is null or empty,
// since a program or a template then takes the default; it notes an empty timing in c.empty. A value that is a list or a
// mapping counts as missing unless it is a template action. An unquoted yes, no, on or off counts as true or false for a yes
// or no. If wholeSeconds is true, a number without a unit is a number of seconds.
func (w *walker) add(c *candidate, f field, s setting, wholeSeconds bool) {
	if s.key == noKey || f.value.ShortTag() == "!!null" && f.value.Kind == yaml.ScalarNode {
		return // null is the same as nothing
	}
	if f.value.Kind == yaml.ScalarNode && f.value.Value == "" {
		w.empty(c, raw{setting: s, name: phrase.Clip(f.name), line: w.base + f.line})
		return
	}
	r := raw{setting: s, name: phrase.Clip(f.name), text: f.value.Value, line: w.base + f.line, wholeSeconds: wholeSeconds}
	switch {
	case f.value.Kind != yaml.ScalarNode:
		r.text = templateNode(f.value)
	case f.value.Style == 0 && s.key.isYesOrNo():
		r.text = cmp.Or(yaml11[strings.ToLower(r.text)], r.text)
	}
	r.missing = r.text == ""
	c.raws = append(c.raws, r)
}

// yaml11 are the words without quotes that Helm and kubectl take for booleans, as YAML 1.1 does.
var yaml11 = map[string]string{"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

// stanza reads a field leaderElection: {leaderElect, leaseDuration, …}, as component configurations have it, into a candidate, and
// settles it. beside are the fields next to f; the candidate also gets those of them that belong to the same election, featureGates
// and clientConnection. stanza settles nothing if f has no settings and is in no program's configuration, or if flags beside f set
// the timings and f at most turns the election on. If f says more than that, it adds a note about the flags.
func (w *walker) stanza(f field, beside []field) {
	c := w.candidate(w.where(), f.line)
	wholeSeconds := w.component == "" && w.nested == 0 || w.inChart // a chart's values; a program's own configuration takes no numbers
	for _, member := range w.fields(f.value) {
		w.add(c, member, w.inStanza(member.name), wholeSeconds)
		for _, inner := range w.fields(member.value) { // such as timings: {leaseDuration: 60s}
			s := w.inStanza(inner.name)
			if s.key == otherTiming { // such as lease: {duration: 60s}
				inner.name = member.name + "." + inner.name
				s = w.inStanza(inner.name)
			}
			if s.key <= retryPeriod || s.key == otherTiming && renewal.MatchString(normal(member.name)) {
				w.add(c, inner, s, wholeSeconds)
			}
		}
	}
	for _, other := range w.belonging(f, beside) {
		w.add(c, other, settingOf(other.name), true)
	}
	gates, _ := get(beside, "featureGates") // kops'
	for _, gate := range w.fields(gates.value) {
		c.featureGates(gate.name + "=" + gate.value.Value)
	}
	w.clientConnection(c, beside)
	saysMore := slices.ContainsFunc(c.raws, func(r raw) bool { return r.key != enable && r.key != mention || r.text != "true" })
	if w.timedBeside(beside) {
		if !saysMore {
			return // it is told by the flags beside it
		}
		w.note(c.pos, Unread, "flags beside it set timings too; if both are of one election, neither verdict is about what runs")
		c.provided = append(c.provided, "the flags beside it are of another election")
	}
	// Elsewhere, such as in a chart's values, it may be about the lock's namespace alone.
	w.ofChart(c)
	if len(c.raws) > 0 || w.component != "" || c.program != nil && c.program.always {
		c.addMention()
		w.settle(c)
		return
	}
	w.onlyEmpty(c)
}

// timedBeside tells whether flags in one of the fields set a timing, and surely are about leader election. It looks at lists and mappings
// of flags only.
func (w *walker) timedBeside(fields []field) bool {
	for _, f := range fields {
		if isList := f.value.Kind == yaml.SequenceNode && w.mayBeList(f.name); !isList && !holdsFlags(f) {
			continue
		}
		var c candidate
		w.argumentsOf(&c, f)
		if surely(c.raws) && slices.ContainsFunc(c.raws, func(r raw) bool { return r.key <= retryPeriod }) {
			return true
		}
	}
	return false
}

// belonging returns those of the fields beside a leaderElection mapping f that are settings of the same election, such as
// leaderElectionReleaseOnCancel. It returns settings with a certain name; if f or one of these speaks of the election, it also
// returns timings with an uncertain name. It leaves out a setting if f, or a field that it has chosen by a certain name, has the
// same key; but it never leaves out releaseOnCancel.
func (w *walker) belonging(f field, beside []field) []field {
	var has [mention + 1]bool
	for _, member := range w.fields(f.value) {
		for _, it := range append(w.fields(member.value), member) {
			if s := w.inStanza(it.name); it.value.ShortTag() != "!!null" {
				has[s.key] = true
			}
		}
	}
	speaks := slices.Contains(has[leaseDuration:], true)
	var all []field
	for _, certain := range []bool{true, false} {
		for _, other := range beside {
			s := settingOf(other.name)
			isOne := other.value.Kind == yaml.ScalarNode && s.key != noKey && s.certain == certain && (certain || speaks && s.key <= retryPeriod)
			if isOne && (!has[s.key] || s.key == releaseOnCancel) {
				all = append(all, other)
			}
		}
		for _, other := range all {
			has[settingOf(other.name).key], speaks = true, true
		}
	}
	return all
}

// inStanza returns stanzaSetting(name). It keeps the result in w.stanzas, since aliases can repeat a mapping thousands of times.
func (w *walker) inStanza(name string) setting {
	s, known := w.stanzas[name]
	if !known {
		if w.stanzas == nil {
			w.stanzas = map[string]setting{}
		}
		s = stanzaSetting(name)
		w.stanzas[name] = s
	}
	return s
}

// timing is in names of durations that may be those of an election.
var timing = regexp.MustCompile(`(?i)lease|renew|retry|deadline|duration|interval|period|ttl`)

// flat reads the settings among the fields of mapping n, such as leaderElectionLeaseDuration, into a candidate, together with
// flags and variables in lists beside them, as a chart's values have them. It settles the candidate if they surely are about
// leader election; otherwise it adds a note if a timing without a value surely is. all are the fields of n. Settings that
// belong to a leaderElection mapping there are left to stanza.
func (w *walker) flat(all []field, n *yaml.Node) {
	c := w.candidate(w.where(), n.Line)
	all = w.unwrapped(all)
	var elsewhere []field
	for _, f := range all {
		if f.value.Kind == yaml.MappingNode && isStanza(f.name) {
			elsewhere = append(elsewhere, w.belonging(f, all)...)
		}
	}
	if len(elsewhere) > 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(f field) bool { return slices.Contains(elsewhere, f) })
	}
	var names []string
	for _, f := range all {
		if f.value.Kind == yaml.ScalarNode {
			names = append(names, f.name)
		}
	}
	together := ofOnePrefix(names)
	both, unit := deadlineToo(all), time.Duration(0)
	says := both
	if text(all, "type") == "whereabouts" { // its numbers are milliseconds (pkg/storage/kubernetes/client.go)
		c.program, unit = programNamed("", "whereabouts"), time.Millisecond
	}
	for _, f := range all {
		s := valued(f.name, f.value.Value)
		s.unit = cmp.Or(s.unit, unit)
		_, notBoolean := boolean(f.value.Value)
		switch name := normal(f.name); {
		case c.program != nil && c.program.enables != "" && name == normal(c.program.enables):
			s = setting{key: enable, certain: true}
		case s.key == noKey && both && notBoolean == nil:
			s = turns[name]
		case s.key == noKey:
			s = together[name]
		}
		switch {
		case f.value.Kind != yaml.ScalarNode:
		case s.certain:
			says = says || s.key <= retryPeriod || s.key <= disable && f.value.ShortTag() == "!!bool"
			w.add(c, f, s, true)
		case s.key <= retryPeriod && s.key != noKey, s.key == otherTiming:
			w.add(c, f, s, true)
		}
		if w.mayBeList(f.name) {
			says = w.list(c, f) || says
		}
	}
	if says && len(c.raws) > 0 {
		w.settle(c)
	} else if c.empty != nil && c.empty.certain {
		w.onlyEmpty(c)
	}
}

// unwrapped returns the fields, with NAME: {value: x} replaced by NAME: x where the name is surely that of a setting.
func (w *walker) unwrapped(all []field) []field {
	for i, f := range all {
		if f.value.Kind != yaml.MappingNode || isStanza(f.name) || !settingOf(f.name).certain {
			continue
		}
		if value, ok := get(w.fields(f.value), "value"); ok {
			all = slices.Clone(all)
			all[i].value = value.value
		}
	}
	return all
}

// deadlineToo tells whether a mapping has both a lease duration and a renew deadline. Such a mapping is about an election,
// whatever the names around it.
func deadlineToo(all []field) bool {
	var has [mention + 1]bool
	for _, f := range all {
		if f.value.Kind == yaml.ScalarNode {
			has[settingOf(f.name).key] = true
		}
	}
	return has[leaseDuration] && has[renewDeadline]
}

// mayBeList tells whether a field of that name can hold flags or variables that no other rule reads. It is false for names that
// begin with x-: such a list is there only for its anchor.
func (w *walker) mayBeList(name string) bool {
	ofHelm := name == "parameters" && len(w.path) > 0 && w.path[len(w.path)-1] == "helm"
	return !isArguments(name) && !isContainers(name) && !ofHelm && !strings.HasPrefix(name, "x-")
}

// variableName is the name of a variable, or the path of a chart's value.
var variableName = regexp.MustCompile(`^[A-Za-z_][\w.-]*$`)

// list adds to c.raws the flags and variables in a list of texts, and the variables in a list of {name, value}, which can have one more
// field: those with a certain name, those that are an otherTiming and, if the list surely is about leader election, timings. It returns
// whether one of them sets more than a mention or an otherTiming. A flag can also set c.program, c.gates, c.client and c.configFlag, as the
// method flags says.
func (w *walker) list(c *candidate, f field) bool {
	before := len(c.raws)
	var words []word
	for _, item := range w.items(f.value) {
		switch item.Kind {
		case yaml.ScalarNode:
			words = append(words, word{text: item.Value, line: w.base + item.Line})
			if name, value, assigns := strings.Cut(item.Value, "="); assigns && variableName.MatchString(name) { // as Docker Compose has variables
				value := &yaml.Node{Kind: yaml.ScalarNode, Value: value, Style: item.Style}
				w.add(c, field{name, item.Line, value}, valued(name, value.Value), true)
			}
		case yaml.MappingNode:
			if entry := w.fields(item); len(entry) <= 3 {
				w.variableIn(c, entry)
			}
		}
	}
	w.flags(c, words)
	sure := surely(c.raws[before:])
	added := slices.DeleteFunc(slices.Clone(c.raws[before:]), func(r raw) bool {
		return !r.certain && r.key != otherTiming && (!sure || r.key > retryPeriod)
	})
	c.raws = append(c.raws[:before], added...)
	return slices.ContainsFunc(c.raws[before:], func(r raw) bool { return r.key < otherTiming })
}

// variableIn adds to c.raws the setting that a variable gives, a mapping of name and value or valueFrom with these fields. It returns
// whether the variable is a setting.
func (w *walker) variableIn(c *candidate, entry []field) bool {
	name := text(entry, "name")
	s := valued(name, text(entry, "value"))
	value, ok := get(entry, "value")
	from, elsewhere := get(entry, "valueFrom")
	switch {
	case s.key == noKey:
		return false
	case ok:
		w.add(c, field{name, value.line, value.value}, s, true)
	case elsewhere:
		c.raws = append(c.raws, raw{setting: s, name: phrase.Clip(name), text: "$(valueFrom of " + name + ")", line: w.base + from.line, loose: true})
	}
	return true
}

// surely tells whether the settings of a list are about leader election: one has a certain name, or there are both a lease duration and a
// renew deadline.
func surely(raws []raw) bool {
	var has [mention + 1]bool
	for _, r := range raws {
		if r.certain {
			return true
		}
		has[r.key] = true
	}
	return has[leaseDuration] && has[renewDeadline]
}

// arguments reads the flags in a field's value into a candidate, and settles it if there are settings. The value is a mapping of
// names to values or to lists of values, a list of {name, value}, a list of name=value, one name=value, or a text of flags. beside are the fields
// next to f.
func (w *walker) arguments(f field, beside []field) {
	c := w.candidate(w.where(), f.line)
	w.whoseArguments(c, f.name, beside)
	if w.argumentsOf(c, f); len(c.raws) > 0 {
		w.settle(c)
	}
}

// argumentsOf adds to c.raws the settings among the flags in a field's value, which has one of the forms that arguments lists. A
// flag can also set c.gates and c.client and, in a list or a single text, c.program and c.configFlag, as the method flags says.
func (w *walker) argumentsOf(c *candidate, f field) {
	var words []word
	for _, item := range append(w.items(f.value), f.value) {
		if item.Kind == yaml.ScalarNode {
			words = append(words, word{text: "--" + strings.TrimLeft(item.Value, "-"), line: w.base + item.Line})
		}
	}
	if f.value.Kind == yaml.ScalarNode {
		words = fieldsOf(words[0])
	}
	w.flags(c, words)
	for _, member := range w.fields(f.value) {
		if member.value.Kind != yaml.SequenceNode {
			w.argument(c, member)
		}
		for _, item := range w.items(member.value) {
			w.argument(c, field{member.name, item.Line, item})
		}
	}
	for _, item := range w.items(f.value) {
		entry := w.fields(item)
		if value, ok := get(entry, "value"); ok {
			w.argument(c, field{text(entry, "name"), value.line, value.value})
		}
	}
}

// argument reads a flag that has its value in field f: it adds a setting to c.raws, or sets c.gates or c.client.
func (w *walker) argument(c *candidate, f field) {
	c.featureGates(f.value.Value)
	if f.value.ShortTag() != "!!null" {
		c.clientFlag(f.name, raw{name: phrase.Clip(f.name), text: f.value.Value, line: w.base + f.line}, true, "")
	}
	w.addFlag(c, f)
}
