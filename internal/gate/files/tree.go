package files

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

// parse returns the root of a document, and nil, nil for one that has nothing in it. Lines count from the beginning of the
// document. The error has a hint if a template, an unquoted * or another document without a line --- is the likely cause.
func parse(text []byte) (*yaml.Node, *yamldoc.Error) {
	root, err := yamldoc.Parse(text)
	if err == nil {
		return root, nil
	}
	action := template(string(text))
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

// rootsOf returns the roots of the documents in data, with nil in place of each that cannot be parsed.
func rootsOf(data []byte) (all []*yaml.Node) {
	for _, d := range split(data) {
		root, err := parse(d.text)
		switch {
		case err != nil:
			all = append(all, nil)
		case root != nil:
			all = append(all, resolve(root))
		}
	}
	return all
}

// template returns the first template action in the text, such as {{ .Values.x }}; "" if there is none.
func template(text string) string {
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

// templateNode returns the template action that a node is, "" if it is none. YAML reads {{ .Values.x }} as a mapping in a
// mapping, each in braces and with one key.
func templateNode(n *yaml.Node) string {
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

// field is an entry of a mapping: its key, the key's line in the document, and its value.
type field struct {
	name  string
	line  int
	value *yaml.Node
}

// resolve returns the node that an alias stands for, and any other node as it is.
func resolve(n *yaml.Node) *yaml.Node {
	// An alias of an alias cannot be written, so that one step is enough.
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// get returns the field of that name, and true; a zero field and false if there is none.
func get(all []field, name string) (field, bool) {
	for _, f := range all {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

// text returns the value of the field of that name; "" if there is no such field, or if its value is a list or a mapping.
func text(all []field, name string) string {
	if f, ok := get(all, name); ok && f.value.Kind == yaml.ScalarNode {
		return f.value.Value
	}
	return ""
}
