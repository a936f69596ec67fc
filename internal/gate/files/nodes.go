package files

import (
	"go.yaml.in/yaml/v3"
)

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
