package files

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/gate/files/tree"
)

// arguments reads the flags in a field's value into a candidate, and settles it if there are settings. The value is a mapping of
// names to values or to lists of values, a list of {name, value}, a list of name=value, one name=value, or a text of flags. beside are the fields
// next to f.
func (w *walker) arguments(f tree.Field, beside []tree.Field) {
	c := w.candidate(w.where(), f.Line)
	w.whoseArguments(c, f.Name, beside)
	if w.argumentsOf(c, f); len(c.raws) > 0 {
		w.settle(c)
	}
}

// argumentsOf adds to c.raws the settings among the flags in a field's value, which has one of the forms that arguments lists. A
// flag can also set c.gates and c.client and, in a list or a single text, c.program and c.configFlag, as the method flags says.
func (w *walker) argumentsOf(c *candidate, f tree.Field) {
	var words []shell.Word
	for _, item := range append(w.Items(f.Value), f.Value) {
		if item.Kind == yaml.ScalarNode {
			words = append(words, shell.Word{Text: "--" + strings.TrimLeft(item.Value, "-"), Line: w.base + item.Line})
		}
	}
	if f.Value.Kind == yaml.ScalarNode {
		words = shell.Fields(words[0])
	}
	c.flags(words)
	for _, member := range w.Fields(f.Value) {
		if member.Value.Kind != yaml.SequenceNode {
			w.argument(c, member)
		}
		for _, item := range w.Items(member.Value) {
			w.argument(c, tree.Field{Name: member.Name, Line: item.Line, Value: item})
		}
	}
	for _, item := range w.Items(f.Value) {
		entry := w.Fields(item)
		if value, ok := tree.Get(entry, "value"); ok {
			w.argument(c, tree.Field{Name: tree.Text(entry, "name"), Line: value.Line, Value: value.Value})
		}
	}
}

// argument reads a flag that has its value in field f: it adds a setting to c.raws, or sets c.gates, or what ofFlag sets.
func (w *walker) argument(c *candidate, f tree.Field) {
	c.gates = c.gates.With(f.Value.Value)
	w.ofFlag(c, f)
	w.addFlag(c, f)
}

// whoseArguments sets c.program and c.component to the program whose flags the field of that name holds, if its name or the
// fields around it tell; otherwise it leaves both.
func (w *walker) whoseArguments(c *candidate, name string, beside []tree.Field) {
	if program := cmp.Or(programs.OfArguments(name), w.programOfComponent(beside)); program != nil {
		c.program, c.component = program, program.Name
	}
}

// programOfComponent returns the program of the control plane that the field around the current one is named after, as kubeadm
// and RKE have it. It returns nil for any other field, and where a chart's values perhaps have such a field for the operator that
// they install. beside are the fields next to the current one.
func (w *walker) programOfComponent(beside []tree.Field) *programs.Program {
	deployed := w.inChart || w.component == "" && slices.ContainsFunc(beside, func(f tree.Field) bool { return slices.Contains(deploys, setting.Normal(f.Name)) })
	if len(w.path) < 2 || deployed && !slices.ContainsFunc(w.path, isOfCluster) {
		return nil // a chart's values may have such a field for the operator that it installs
	}
	return programs.OfOverride(w.path[len(w.path)-2])
}

// deploys are fields beside flags which say that a chart deploys the program.
var deploys = []string{"image", "replicas", "replicacount", "resources", "manager", "leaderelection", "nodeselector", "serviceaccount", "podsecuritycontext"}

// isOfCluster tells whether a field of that name holds the components of a control plane, as in Talos, vcluster and Cluster API.
func isOfCluster(name string) bool {
	switch setting.Normal(name) {
	case "cluster", "clusterconfiguration", "kubeadmconfigspec", "distro", "k8s", "services":
		return true
	}
	return false
}
