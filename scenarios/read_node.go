package scenarios

import (
	"strconv"
	"strings"
)

// kind is what sort of thing was written.
type kind uint8

const (
	textKind kind = iota
	numberKind
	boolKind
	nullKind
	listKind
	mapKind
)

// node is a value of a YAML or JSON file.
type node struct {
	kind kind
	line int
	// text is the content of a scalar, as written but for quotes.
	text   string
	items  []*node
	fields []field
}

// field is a member of a mapping.
type field struct {
	name  string
	line  int
	value *node
}

// get returns the value of a field, and where it is; nil if there is none.
func (n *node) get(name string) *field {
	if n == nil {
		return nil
	}
	for i := range n.fields {
		if n.fields[i].name == name {
			return &n.fields[i]
		}
	}
	return nil
}

// lineOf returns the line of the field of that path, or of what is nearest above it. What a candidate lacks
// is looked for in the defaults.
func lineOf(root *node, path string) int {
	line, at := root.line, root
	var spare *node
	for _, name := range splitPath(path) {
		i, err := strconv.Atoi(name)
		if err == nil && at != nil && i < len(at.items) {
			at = at.items[i]
			line = at.line
			if strings.HasPrefix(path, "candidates[") && spare == nil {
				if f := root.get("defaults"); f != nil {
					spare = f.value
				}
			}
			continue
		}
		own, inherited := at.get(name), spare.get(name)
		at, spare = nil, nil
		if inherited != nil {
			line, spare = inherited.line, inherited.value
		}
		if own != nil {
			line, at = own.line, own.value
		}
	}
	if isTimings(path) && at != nil {
		return timingsLine(at, spare, line)
	}
	return line
}

// isTimings tells whether the path is that of a candidate as a whole: its three timings do not go together.
func isTimings(path string) bool {
	return strings.HasPrefix(path, "candidates[") && strings.HasSuffix(path, "]")
}

func timingsLine(candidate, defaults *node, line int) int {
	for _, n := range []*node{candidate, defaults} {
		for _, name := range []string{"leaseDuration", "renewDeadline", "retryPeriod"} {
			if f := n.get(name); f != nil {
				return f.line
			}
		}
	}
	return line
}

// splitPath splits a[2].b.c into a, 2, b, c.
func splitPath(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}
