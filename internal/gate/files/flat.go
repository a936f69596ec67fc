package files

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// flat reads the settings among the fields of mapping n, such as leaderElectionLeaseDuration, into a candidate, together with
// flags and variables in lists beside them, as a chart's values have them, and with what flags among the fields say of the client. It settles the candidate if they surely are about
// leader election; otherwise it adds a note if a timing without a value surely is. all are the fields of n. Settings that
// belong to a leaderElection mapping there are left to stanza.
func (w *walker) flat(all []tree.Field, n *yaml.Node) {
	c := w.candidate(w.where(), n.Line)
	all = w.unwrapped(all)
	var elsewhere []tree.Field
	for _, f := range all {
		if f.Value.Kind == yaml.MappingNode && setting.IsStanza(f.Name) {
			elsewhere = append(elsewhere, w.belonging(f, all)...)
		}
	}
	if len(elsewhere) > 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(f tree.Field) bool { return slices.Contains(elsewhere, f) })
	}
	var names []string
	for _, f := range all {
		if f.Value.Kind == yaml.ScalarNode {
			names = append(names, f.Name)
		}
	}
	together := setting.Together(names)
	both, unit := deadlineToo(all), time.Duration(0)
	says := both
	if tree.Text(all, "type") == "whereabouts" { // its numbers are milliseconds (pkg/storage/kubernetes/client.go)
		c.program, unit = programs.Named("", "whereabouts"), time.Millisecond
	}
	for _, f := range all {
		s := setting.OfValue(f.Name, f.Value.Value)
		s.Unit = cmp.Or(s.Unit, unit)
		_, notBoolean := scalar.Boolean(f.Value.Value)
		switch name := setting.Normal(f.Name); {
		case c.program != nil && c.program.Enables != "" && name == setting.Normal(c.program.Enables):
			s = setting.Setting{Key: setting.Enable, Certain: true}
		case s.Key == setting.None && both && notBoolean == nil:
			s = setting.Turn[name]
		case s.Key == setting.None:
			s = together[name]
		}
		if f.Value.Kind == yaml.ScalarNode { // flags, as Kubespray and Canonical Kubernetes have them
			w.ofFlag(c, f)
		}
		switch {
		case f.Value.Kind != yaml.ScalarNode:
		case s.Certain:
			says = says || s.Key <= setting.RetryPeriod || s.Key <= setting.Disable && f.Value.ShortTag() == "!!bool"
			w.add(c, f, s, true)
		case s.Key <= setting.RetryPeriod && s.Key != setting.None, s.Key == setting.OtherTiming:
			w.add(c, f, s, true)
		}
		if w.mayBeList(f.Name) {
			says = w.list(c, f) || says
		}
	}
	if says && len(c.raws) > 0 {
		w.settle(c)
	} else if c.empty != nil && c.empty.Certain {
		w.onlyEmpty(c)
	}
}

// unwrapped returns the fields, with NAME: {value: x} replaced by NAME: x where the name is surely that of a setting.
func (w *walker) unwrapped(all []tree.Field) []tree.Field {
	for i, f := range all {
		if f.Value.Kind != yaml.MappingNode || setting.IsStanza(f.Name) || !setting.Of(f.Name).Certain {
			continue
		}
		if value, ok := tree.Get(w.Fields(f.Value), "value"); ok {
			all = slices.Clone(all)
			all[i].Value = value.Value
		}
	}
	return all
}

// deadlineToo tells whether a mapping has both a lease duration and a renew deadline. Such a mapping is about an election,
// whatever the names around it.
func deadlineToo(all []tree.Field) bool {
	var has [setting.Mention + 1]bool
	for _, f := range all {
		if f.Value.Kind == yaml.ScalarNode {
			has[setting.Of(f.Name).Key] = true
		}
	}
	return has[setting.LeaseDuration] && has[setting.RenewDeadline]
}

// mayBeList tells whether a field of that name can hold flags or variables that no other rule reads. It is false for names that
// begin with x-: such a list is there only for its anchor.
func (w *walker) mayBeList(name string) bool {
	ofHelm := name == "parameters" && len(w.path) > 0 && w.path[len(w.path)-1] == "helm"
	return !isArguments(name) && !setting.IsContainers(name) && !ofHelm && !strings.HasPrefix(name, "x-")
}

// variableName is the name of a variable, or the path of a chart's value.
var variableName = regexp.MustCompile(`^[A-Za-z_][\w.-]*$`)

// list adds to c.raws the flags and variables in a list of texts, and the variables in a list of {name, value}, which can have one more
// field: those with a certain name, those that are an OtherTiming and, if the list surely is about leader election, timings. It returns
// whether one of them sets more than a mention or an OtherTiming. A flag can also set c.program, c.gates, c.client and c.configFlag, as the
// method flags says.
func (w *walker) list(c *candidate, f tree.Field) bool {
	before := len(c.raws)
	var words []shell.Word
	for _, item := range w.Items(f.Value) {
		switch item.Kind {
		case yaml.ScalarNode:
			words = append(words, shell.Word{Text: item.Value, Line: w.base + item.Line})
			if name, value, assigns := strings.Cut(item.Value, "="); assigns && variableName.MatchString(name) { // as Docker Compose has variables
				value := &yaml.Node{Kind: yaml.ScalarNode, Value: value, Style: item.Style}
				w.add(c, tree.Field{Name: name, Line: item.Line, Value: value}, setting.OfValue(name, value.Value), true)
			}
		case yaml.MappingNode:
			if entry := w.Fields(item); len(entry) <= 3 {
				w.variableIn(c, entry)
			}
		}
	}
	c.flags(words)
	sure := surely(c.raws[before:])
	added := slices.DeleteFunc(slices.Clone(c.raws[before:]), func(r raw) bool {
		return !r.Certain && r.Key != setting.OtherTiming && (!sure || r.Key > setting.RetryPeriod)
	})
	c.raws = append(c.raws[:before], added...)
	return slices.ContainsFunc(c.raws[before:], func(r raw) bool { return r.Key < setting.OtherTiming })
}

// variableIn adds to c.raws the setting that a variable gives, a mapping of name and value or valueFrom with these fields. It returns
// whether the variable is a setting.
func (w *walker) variableIn(c *candidate, entry []tree.Field) bool {
	name := tree.Text(entry, "name")
	s := setting.OfValue(name, tree.Text(entry, "value"))
	value, ok := tree.Get(entry, "value")
	from, elsewhere := tree.Get(entry, "valueFrom")
	switch {
	case s.Key == setting.None:
		return false
	case ok:
		w.add(c, tree.Field{Name: name, Line: value.Line, Value: value.Value}, s, true)
	case elsewhere:
		c.raws = append(c.raws, raw{Setting: s, name: phrase.Clip(name), text: "$(valueFrom of " + name + ")", line: w.base + from.Line, loose: true})
	}
	return true
}

// surely tells whether the settings of a list are about leader election: one has a certain name, or there are both a lease duration and a
// renew deadline.
func surely(raws []raw) bool {
	var has [setting.Mention + 1]bool
	for _, r := range raws {
		if r.Certain {
			return true
		}
		has[r.Key] = true
	}
	return has[setting.LeaseDuration] && has[setting.RenewDeadline]
}
