package files

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// helmOf returns the values of an Argo CD Application's source as Argo CD hands them to helm, where parameters change them: a copy
// of the field valuesObject or, failing that, values, with the parameters put in. f is the source's field helm. It marks in w.read
// the names of parameters that are certain settings. ok is false if f is another field, if no parameter is a setting, or if there
// is no mapping of values. It is also false if the values are a text that does not mention leader election or cannot be parsed, and
// if the walker's limit of values is reached.
func (w *walker) helmOf(f field) (values field, ok bool) {
	if f.name != "helm" {
		return field{}, false
	}
	all := w.fields(f.value)
	parameters, has := get(all, "parameters")
	if !has || !slices.ContainsFunc(w.items(parameters.value), func(item *yaml.Node) bool {
		return settingOf(text(w.fields(item), "name")).key != noKey
	}) {
		return field{}, false
	}
	values, has = get(all, "valuesObject")
	root := values.value
	if !has {
		values, has = get(all, "values")
		if !has || values.value.Kind != yaml.ScalarNode || !hint.MatchString(values.value.Value) {
			return field{}, false
		}
		parsed, err := parse([]byte(values.value.Value))
		if err != nil || parsed == nil {
			return field{}, false // an error is told where the text is read by itself; no root: there are comments alone
		}
		root = parsed
		moveLines(root, values.value)
	}
	root = resolve(root)
	if root == nil || root.Kind != yaml.MappingNode {
		return field{}, false
	}
	size := 0
	each(root, func(*yaml.Node) { size++ })
	if !w.spend(root, size) {
		return field{}, false
	}
	root = copyOf(root)
	for _, item := range w.items(parameters.value) {
		entry := w.fields(item)
		value, has := get(entry, "value")
		name := text(entry, "name")
		if has && value.value.Kind == yaml.ScalarNode {
			setAt(root, stepsOf(name), value.value)
		}
		if settingOf(name).certain {
			w.read.add(name, "", w.base+value.line)
		}
	}
	return field{values.name, values.line, root}, true
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
func (w *walker) rendersLater(all []field) (changes bool) {
	later, ok := get(all, "postRenderers")
	if !ok {
		return false
	}
	each(later.value, func(n *yaml.Node) {
		changes = changes || n.Kind == yaml.ScalarNode && patches(w.reader, n.Value, func(of reach) bool { return of == settings || of == ofEnv })
	})
	return changes
}
