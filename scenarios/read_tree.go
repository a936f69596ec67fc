package scenarios

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
	"interregnum/internal/yamldoc"
)

const (
	// maxDepth is how deep lists and mappings may nest; scenarios need four levels.
	maxDepth = 16
	// maxFields is how many fields a mapping may have. A mapping with more has one that is unknown or given twice.
	maxFields = 100
)

// parseTree parses YAML or JSON into a tree of nodes. An empty file is an error. The error lacks the file's name.
func parseTree(text []byte) (*node, *FileError) {
	root, err := yamldoc.Parse(text)
	switch {
	case err == nil && (root == nil || root.Kind == yaml.ScalarNode && root.Value == "" && root.Style == 0):
		return nil, &FileError{Line: 1, Problem: "there is nothing in the file; want a scenario"}
	case err == nil:
		t := treeMaker{made: map[*yaml.Node]*node{}}
		return t.tree(root, 0), t.err
	case err.Cause != nil:
		err.Problem += "; a scenario file holds one"
	case err.Anchor != "":
		err.Problem = fmt.Sprintf("the alias *%[1]s stands for nothing; there is no &%[1]s before it", phrase.Clip(err.Anchor))
	}
	return nil, &FileError{Line: err.Line, Problem: err.Problem}
}

// treeMaker converts a tree of the YAML library to nodes. An alias becomes a second pointer to the node that it stands for. It
// keeps the first error in err; what its methods return after that is not used.
type treeMaker struct {
	// made maps nodes with an anchor to the results: nil while the node is still being converted.
	made map[*yaml.Node]*node
	err  *FileError
}

// fail records a problem in t.err if it is the first.
func (t *treeMaker) fail(line int, problem string) {
	if t.err == nil {
		t.err = &FileError{Line: line, Problem: problem}
	}
}

// tree converts a node with all that is below it. depth is how deep the node is nested, 0 for the root. A tag, or a node that is
// nested deeper than maxDepth, is an error, which t.fail records. After an error nothing below is converted, and the result must
// not be used.
func (t *treeMaker) tree(n *yaml.Node, depth int) *node {
	out := &node{line: n.Line, text: n.Value}
	switch {
	case t.err != nil:
		return out
	case depth > maxDepth:
		t.fail(n.Line, fmt.Sprintf("nested more than %d levels deep; a scenario needs four", maxDepth))
		return out
	case n.Kind == yaml.AliasNode:
		return t.alias(n)
	case n.Style&yaml.TaggedStyle != 0:
		t.fail(n.Line, "tags such as !!str have no place in a scenario")
		return out
	}
	if n.Anchor != "" {
		t.made[n] = nil
		defer func() { t.made[n] = out }()
	}
	switch n.Kind {
	case yaml.MappingNode:
		t.mapping(out, n.Content, depth)
	case yaml.SequenceNode:
		out.kind = listKind
		for _, item := range n.Content {
			out.items = append(out.items, t.tree(item, depth+1))
		}
	default:
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			out.kind = plainKind(n.Value)
		}
	}
	return out
}

// mapping converts the fields of a mapping into out. content has names and values in turn. Too many fields, and a name that is not
// a plain scalar, are errors.
func (t *treeMaker) mapping(out *node, content []*yaml.Node, depth int) {
	out.kind = mapKind
	if len(content) > 2*maxFields {
		t.fail(content[2*maxFields].Line, fmt.Sprintf("more than %d fields in one mapping; no scenario has so many", maxFields))
	}
	for i := 0; i < len(content) && t.err == nil; i += 2 {
		name := content[i]
		switch {
		case name.Kind == yaml.AliasNode:
			t.fail(name.Line, "an alias cannot be the name of a field")
		case name.Kind != yaml.ScalarNode:
			t.fail(name.Line, "a list or mapping is no name of a field")
		case name.Tag == "!!merge":
			t.fail(name.Line, "the merge key << has no place in a scenario; use defaults, or an alias for a whole value")
		}
		t.tree(name, depth) // refuses a tag, and takes note of an anchor
		out.fields = append(out.fields, field{name: name.Value, line: name.Line, value: t.tree(content[i+1], depth+1)})
	}
	if len(out.fields) > 0 {
		out.line = out.fields[0].line
	}
}

// alias returns the node that the alias n stands for. It is an error if n is inside of what it stands for.
func (t *treeMaker) alias(n *yaml.Node) *node {
	if target := t.made[n.Alias]; target != nil {
		return target
	}
	t.fail(n.Line, fmt.Sprintf("the alias *%s stands within what it stands for", phrase.Clip(n.Value)))
	return &node{line: n.Line}
}
