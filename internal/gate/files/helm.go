package files

import (
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/gate/files/kustomize"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"

	"go.yaml.in/yaml/v3"
)

// helmOf returns the values of an Argo CD Application's source as Argo CD hands them to helm, where parameters change them: a copy
// of the field valuesObject or, failing that, values, with the parameters put in. f is the source's field helm. It marks in w.read
// the names of parameters that are certain settings. ok is false if f is another field, if no parameter is a setting, or if there
// is no mapping of values. It is also false if the values are a text that does not mention leader election or cannot be parsed, and
// if the walker's limit of values is reached.
func (w *walker) helmOf(f tree.Field) (values tree.Field, ok bool) {
	if f.Name != "helm" {
		return tree.Field{}, false
	}
	all := w.Fields(f.Value)
	parameters, has := tree.Get(all, "parameters")
	if !has || !slices.ContainsFunc(w.Items(parameters.Value), func(item *yaml.Node) bool {
		return setting.Of(tree.Text(w.Fields(item), "name")).Key != setting.None
	}) {
		return tree.Field{}, false
	}
	values, has = tree.Get(all, "valuesObject")
	root := values.Value
	if !has {
		values, has = tree.Get(all, "values")
		if !has || values.Value.Kind != yaml.ScalarNode || !setting.Hint.MatchString(values.Value.Value) {
			return tree.Field{}, false
		}
		parsed, err := tree.Parse([]byte(values.Value.Value))
		if err != nil || parsed == nil {
			return tree.Field{}, false // an error is told where the text is read by itself; no root: there are comments alone
		}
		root = parsed
		tree.MoveLines(root, values.Value)
	}
	root = tree.Resolve(root)
	if root == nil || root.Kind != yaml.MappingNode {
		return tree.Field{}, false
	}
	size := 0
	tree.Each(root, func(*yaml.Node) { size++ })
	if !w.Spend(root, size) {
		return tree.Field{}, false
	}
	root = tree.Copy(root)
	for _, item := range w.Items(parameters.Value) {
		entry := w.Fields(item)
		value, has := tree.Get(entry, "value")
		name := tree.Text(entry, "name")
		if has && value.Value.Kind == yaml.ScalarNode {
			tree.SetAt(root, stepsOf(name), value.Value)
		}
		if setting.Of(name).Certain {
			w.read.Add(name, "", w.base+value.Line)
		}
	}
	return tree.Field{Name: values.Name, Line: values.Line, Value: root}, true
}

// step matches a part of the name of a parameter, in which a dot may stand after a backslash.
var step = regexp.MustCompile(`(?:\\.|[^.\\])+`)

// stepsOf returns the names of the path that a parameter's name writes with dots, such as a and b.c for a.b\.c.
func stepsOf(name string) []string {
	steps := step.FindAllString(name, -1)
	for i := range steps {
		steps[i] = strings.ReplaceAll(steps[i], `\`, "")
	}
	return steps
}

// rendersLater tells whether a HelmRelease with these fields has patches that may change what its chart's containers run.
func (w *walker) rendersLater(all []tree.Field) (changes bool) {
	later, ok := tree.Get(all, "postRenderers")
	if !ok {
		return false
	}
	tree.Each(later.Value, func(n *yaml.Node) {
		changes = changes || n.Kind == yaml.ScalarNode && kustomize.PatchReaches(w.Reader, n.Value, func(of kustomize.Reach) bool { return of == kustomize.Settings || of == kustomize.OfEnv })
	})
	return changes
}
