// Package tree has the values of YAML documents: it parses them, and reads fields and items up to a limit, with what aliases and << bring in.
package tree

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
	"interregnum/internal/yamldoc"
)

const (
	// maxDepth of nesting is far beyond any manifest.
	maxDepth = 200
	// maxVisits bounds what aliases can make of a file.
	maxVisits = 6_000_000
)

// Parse returns the root of a document, and nil, nil for one that has nothing in it. Lines count from the beginning of the
// document. The error has a hint if a template, an unquoted * or another document without a line --- is the likely cause.
func Parse(text []byte) (*yaml.Node, *yamldoc.Error) {
	root, err := yamldoc.Parse(text)
	if err == nil {
		return root, nil
	}
	action := Template(string(text))
	switch {
	case err.Cause != nil && action == "":
		err.Problem = "goes on after its end; want a line --- before another document"
	case action != "":
		err.Problem += fmt.Sprintf("; it holds the template %s: render it first (helm template)", action)
	case err.Anchor != "":
		// Its name may be a password that begins with *.
		err.Problem = "not YAML: a * refers to an anchor that is not in the document; what only begins with * wants quotes"
	}
	return nil, err
}

// Roots returns the roots of the documents in data, with nil in place of each that cannot be parsed.
func Roots(data []byte) (all []*yaml.Node) {
	for _, d := range Split(data) {
		root, err := Parse(d.Text)
		switch {
		case err != nil:
			all = append(all, nil)
		case root != nil:
			all = append(all, Resolve(root))
		}
	}
	return all
}

// Template returns the first template action in the text, such as {{ .Values.x }}; "" if there is none.
func Template(text string) string {
	begin := strings.Index(text, "{{")
	if begin < 0 {
		return ""
	}
	end := strings.Index(text[begin:], "}}")
	if end < 0 {
		return ""
	}
	return phrase.Clip(phrase.OneLine(text[begin : begin+end+2]))
}

// TemplateIn returns the template action that a node is, "" if it is none. YAML reads {{ .Values.x }} as a mapping in a
// mapping, each in braces and with one key.
func TemplateIn(n *yaml.Node) string {
	for range 2 {
		if n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle == 0 || len(n.Content) != 2 {
			return ""
		}
		n = n.Content[0]
	}
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	return "{{ " + phrase.Clip(phrase.OneLine(n.Value)) + " }}"
}

// Field is an entry of a mapping: its key, the key's line in the document, and its value.
type Field struct {
	Name  string
	Line  int
	Value *yaml.Node
}

// Resolve returns the node that an alias stands for, and any other node as it is.
func Resolve(n *yaml.Node) *yaml.Node {
	// An alias of an alias cannot be written, so that one step is enough.
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// Get returns the field of that name, and true; a zero field and false if there is none.
func Get(all []Field, name string) (Field, bool) {
	for _, f := range all {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Text returns the value of the field of that name; "" if there is no such field, or if its value is a list or a mapping.
func Text(all []Field, name string) string {
	if f, ok := Get(all, name); ok && f.Value.Kind == yaml.ScalarNode {
		return f.Value.Value
	}
	return ""
}
