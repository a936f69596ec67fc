package tree

import (
	"regexp"

	"go.yaml.in/yaml/v3"
)

// MoveLines changes the lines of n and of all nodes in it, which is what was parsed of the text in the node in. Before, the lines
// count from 1 in that text; afterwards, they are lines of the document that in is part of. If in is not a block of lines, all
// nodes get the line of in.
func MoveLines(n, in *yaml.Node) {
	literal := in.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	Each(n, func(n *yaml.Node) {
		if n.Line += in.Line; !literal {
			n.Line = in.Line
		}
	})
}

// Each calls do for a node and for all nodes in it, a node before its children. It does not follow aliases.
func Each(n *yaml.Node, do func(*yaml.Node)) {
	do(n)
	for _, child := range n.Content {
		Each(child, do)
	}
}

// Matches tells whether the name or the value of a node, or of one in it, matches. It does not follow aliases.
func Matches(n *yaml.Node, words *regexp.Regexp) (does bool) {
	Each(n, func(n *yaml.Node) { does = does || words.MatchString(n.Value) })
	return does
}

// Copy returns a copy of a node and of all nodes in it. What an alias stands for is not copied, but shared.
func Copy(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = nil
	for _, child := range n.Content {
		c.Content = append(c.Content, Copy(child))
	}
	return &c
}

// SetAt changes the mapping n so that the path of names in steps leads to value. It adds mappings that are missing, and replaces by
// a mapping anything else that is in the way, also an alias. It does nothing if steps is empty.
func SetAt(n *yaml.Node, steps []string, value *yaml.Node) {
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
