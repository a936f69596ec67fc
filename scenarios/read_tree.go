package scenarios

import (
	"fmt"
	"regexp"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"interregnum/internal/phrase"
)

func (t *treeMaker) fail(line int, problem string) {
	if t.err == nil {
		t.err = &FileError{Line: line, Problem: problem}
	}
}

// tree converts a node of the library, with all that is below it, to one of ours.
func (t *treeMaker) tree(n ast.Node) *node {
	out := &node{line: t.base + 1}
	if n == nil {
		out.kind, out.text = nullKind, "null"
		return out
	}
	if tok := n.GetToken(); tok != nil {
		out.line = t.base + tok.Position.Line
	}
	if t.err != nil {
		return out
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		t.mapping(out, n.Values)
	case *ast.MappingValueNode:
		t.mapping(out, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		out.kind = listKind
		for _, item := range n.Values {
			out.items = append(out.items, t.tree(item))
		}
	case *ast.AnchorNode:
		return t.anchor(n)
	case *ast.AliasNode:
		return t.alias(out, n)
	case *ast.LiteralNode:
		out.text = n.Value.Value
	case *ast.StringNode:
		out.text = n.Value
		if n.Token.Type == token.StringType {
			out.kind = plainKind(n.Value)
		}
	case *ast.NullNode, *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		out.text = n.GetToken().Value
		out.kind = plainKind(out.text)
	default:
		t.fail(out.line, fmt.Sprintf("YAML of the type %v has no place in a scenario", n.Type()))
	}
	return out
}

// mapping converts the fields of a mapping into out.
func (t *treeMaker) mapping(out *node, values []*ast.MappingValueNode) {
	out.kind = mapKind
	for _, v := range values {
		f := field{line: t.base + v.Key.GetToken().Position.Line}
		key := t.tree(v.Key)
		if key.kind == listKind || key.kind == mapKind {
			t.fail(f.line, "a list or mapping is no name of a field")
			return
		}
		f.name = key.text
		f.value = t.tree(v.Value)
		out.fields = append(out.fields, f)
	}
	if len(out.fields) > 0 {
		out.line = out.fields[0].line
	}
}

// anchor converts the value of an anchor, and keeps it for the aliases after it.
func (t *treeMaker) anchor(n *ast.AnchorNode) *node {
	name := n.Name.GetToken().Value
	t.open[name] = true
	delete(t.anchors, name)
	out := t.tree(n.Value)
	t.open[name] = false
	t.anchors[name] = out
	return out
}

// alias returns the node that an alias stands for.
func (t *treeMaker) alias(out *node, n *ast.AliasNode) *node {
	name := n.Value.GetToken().Value
	if target := t.anchors[name]; target != nil {
		return target
	}
	problem := fmt.Sprintf("the alias *%[1]s stands for nothing; there is no &%[1]s before it", phrase.Clip(name))
	if t.open[name] {
		problem = fmt.Sprintf("the alias *%s stands within what it stands for", phrase.Clip(name))
	}
	t.fail(out.line, problem)
	return out
}

var numberForm = regexp.MustCompile(
	`^[-+]?((\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+|\.(inf|Inf|INF))$|` +
		`^\.(nan|NaN|NAN)$`)

// plainKind returns what a scalar without quotes is by YAML 1.2's core schema.
func plainKind(s string) kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return nullKind
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return boolKind
	}
	if c := s[0]; (c == '.' || c == '-' || c == '+' || c >= '0' && c <= '9') && numberForm.MatchString(s) {
		return numberKind
	}
	return textKind
}
