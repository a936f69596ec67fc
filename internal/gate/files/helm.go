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
	tree := values.value
	if !has {
		values, has = get(all, "values")
		if !has || values.value.Kind != yaml.ScalarNode || !hint.MatchString(values.value.Value) {
			return field{}, false
		}
		root, err := parse([]byte(values.value.Value))
		if err != nil || root == nil {
			return field{}, false // an error is told where the text is read by itself; no root: there are comments alone
		}
		tree = root
		moveLines(tree, values.value)
	}
	tree = resolve(tree)
	if tree == nil || tree.Kind != yaml.MappingNode {
		return field{}, false
	}
	size := 0
	each(tree, func(*yaml.Node) { size++ })
	if !w.spend(tree, size) {
		return field{}, false
	}
	tree = copyOf(tree)
	for _, item := range w.items(parameters.value) {
		entry := w.fields(item)
		value, has := get(entry, "value")
		name := text(entry, "name")
		if has && value.value.Kind == yaml.ScalarNode {
			setAt(tree, stepsOf(name), value.value)
		}
		if settingOf(name).certain {
			w.read.add(raw{name: name, line: w.base + value.line})
		}
	}
	return field{values.name, values.line, tree}, true
}

// moveLines changes the lines of n and of all nodes in it, which is what was parsed of the text in the node in. Before, the lines
// count from 1 in that text; afterwards, they are lines of the document that in is part of. If in is not a block of lines, all
// nodes get the line of in.
func moveLines(n, in *yaml.Node) {
	literal := in.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	each(n, func(n *yaml.Node) {
		if n.Line += in.Line; !literal {
			n.Line = in.Line
		}
	})
}

// each calls do for a node and for all nodes in it, a node before its children. It does not follow aliases.
func each(n *yaml.Node, do func(*yaml.Node)) {
	do(n)
	for _, child := range n.Content {
		each(child, do)
	}
}

// copyOf returns a copy of a node and of all nodes in it. What an alias stands for is not copied, but shared.
func copyOf(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = nil
	for _, child := range n.Content {
		c.Content = append(c.Content, copyOf(child))
	}
	return &c
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

// setAt changes the mapping n so that the path of names in steps leads to value. It adds mappings that are missing, and replaces by
// a mapping anything else that is in the way, also an alias. It does nothing if steps is empty.
func setAt(n *yaml.Node, steps []string, value *yaml.Node) {
	for i, name := range steps {
		at := -1
		for j := 0; j+1 < len(n.Content); j += 2 {
			if n.Content[j].Value == name {
				at = j + 1
			}
		}
		if at < 0 {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name, Line: value.Line}, nil)
			at = len(n.Content) - 1
		}
		if i == len(steps)-1 {
			n.Content[at] = value
			return
		}
		if n.Content[at] == nil || n.Content[at].Kind != yaml.MappingNode {
			n.Content[at] = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: value.Line}
		}
		n = n.Content[at]
	}
}

// rendersLater tells whether a HelmRelease with these fields has patches that may change what its chart's containers run.
func (w *walker) rendersLater(all []field) (changes bool) {
	later, ok := get(all, "postRenderers")
	if !ok {
		return false
	}
	each(later.value, func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || changes {
			return
		}
		for _, root := range rootsOf([]byte(n.Value)) {
			changes = changes || root != nil && root.Kind != yaml.ScalarNode && slices.ContainsFunc(w.placesIn(root), func(p place) bool {
				reach := p.reach(podPath)
				return reach == settings || reach == ofEnv
			})
		}
	})
	return changes
}
