package scenarios

import (
	"strconv"
	"strings"
)

// lineOf returns the line of the field with that path, or of the nearest field above it. A field that a candidate does not
// have is looked up in its election, then in the defaults.
func lineOf(root *node, path string) int {
	line, at := root.line, root
	var spares []*node
	for i, name := range splitPath(path) {
		if i == 2 && strings.Contains(path, "][") {
			spares = append([]*node{electionNamed(root, name)}, spares...)
			continue
		}
		i, err := strconv.Atoi(name)
		if err == nil && at != nil && i < len(at.items) {
			at = at.items[i]
			line = at.line
			if f := root.get("defaults"); f != nil && strings.HasPrefix(path, "candidates[") && spares == nil {
				spares = append(spares, f.value)
			}
			continue
		}
		own, above := at.get(name), spares
		at, spares = nil, nil
		for _, spare := range above {
			if inherited := spare.get(name); inherited != nil && spares == nil {
				line, spares = inherited.line, []*node{inherited.value}
			}
		}
		if own != nil {
			line, at = own.line, own.value
		}
	}
	if isTimings(path) && at != nil {
		return timingsLine(append([]*node{at}, spares...), line)
	}
	return line
}

// isTimings tells whether the path is that of a candidate as a whole. Errors have such a path if the candidate's three
// timings contradict each other.
func isTimings(path string) bool {
	return strings.HasPrefix(path, "candidates[") && strings.HasSuffix(path, "]")
}

// timingsLine returns the line of the first timing field that one of the mappings in from has; the earlier mapping counts first.
// It returns line if none has one.
func timingsLine(from []*node, line int) int {
	for _, n := range from {
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

// electionNamed returns the entry of elections with that name, nil if there is none.
func electionNamed(root *node, name string) *node {
	f := root.get("elections")
	if f == nil {
		return nil
	}
	for _, n := range f.value.items {
		if own := n.get("name"); own != nil && own.value.text == name {
			return n
		}
	}
	return nil
}
