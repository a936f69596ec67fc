package tree

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Reader reads what is in the values of a file, and counts them; it stops at a limit, since aliases can make much of little.
type Reader struct {
	visits int
	// To is told of what is wrong; nil for nobody.
	To listener
}

// listener is told that a file has too many values or too deep ones, and of a field whose name stands in line first already; lines are those of
// the document.
type listener interface {
	TooMuch(n *yaml.Node, text string)
	Twice(f Field, first int)
}

// Visit counts a value, and returns true if the walk can go into it. It returns false, and reports a problem, if the value is
// nested too deep or the file has too many values; then no more of the file is read.
func (r *Reader) Visit(n *yaml.Node, depth int) bool {
	if depth > maxDepth && !r.Exhausted() {
		r.visits = maxVisits + 1
		r.tell(n, fmt.Sprintf("nested deeper than %d levels; no manifest is", maxDepth))
	}
	return r.Spend(n, 1)
}

// Spend adds cost to the count of values that were looked at, with aliases counted each time. It returns false if the count is
// above maxVisits, and reports a problem at n the first time.
func (r *Reader) Spend(n *yaml.Node, cost int) bool {
	if r.Exhausted() {
		return false
	}
	r.visits += cost
	if r.Exhausted() {
		r.tell(n, fmt.Sprintf("more than %d values, with those that aliases repeat; no manifest has", maxVisits))
		return false
	}
	return true
}

// Exhausted tells whether no more of the file is read, because it has more than maxVisits values or is nested too deep. A value
// counts each time that an alias repeats it.
func (r *Reader) Exhausted() bool { return r.visits > maxVisits }

// Items returns the items of a list with aliases resolved; nil for any other node, or if the limit of values
// is reached.
func (r *Reader) Items(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode || !r.Spend(n, len(n.Content)) {
		return nil
	}
	all := make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		all[i] = Resolve(item)
	}
	return all
}

// Listed returns the items of the list in the field of that name; nil if there is no such list.
func (r *Reader) Listed(all []Field, name string) []*yaml.Node {
	list, _ := Get(all, name)
	return r.Items(list.Value)
}

// Inside returns the entries of the mapping in the field of that name; nil if there is no such mapping.
func (r *Reader) Inside(all []Field, name string) []Field {
	f, _ := Get(all, name)
	return r.Fields(f.Value)
}

// TextField returns a field with that key and a text as its value, with the line and the quotes of the node at.
func TextField(key, value string, at *yaml.Node) Field {
	return Field{key, at.Line, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: at.Line, Style: at.Style}}
}

// Fields returns the entries of a mapping: its own first, then those that << merges in, with aliases resolved. It returns nil for
// any other node, or if the limit of values is reached. It leaves out keys that are lists or mappings. If the mapping
// has a key twice, the first entry counts, and the listener is told of the second.
func (r *Reader) Fields(n *yaml.Node) []Field {
	if n == nil || n.Kind != yaml.MappingNode || !r.Spend(n, len(n.Content)/2) {
		return nil
	}
	seen := make(map[string]int, len(n.Content)/2)
	all := make([]Field, 0, len(n.Content)/2)
	merges := false
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := Resolve(n.Content[i])
		merges = merges || isMerge(key)
		if key.Kind != yaml.ScalarNode || isMerge(key) {
			continue
		}
		f := Field{key.Value, n.Content[i].Line, Resolve(n.Content[i+1])}
		if first, taken := seen[key.Value]; taken {
			r.repeat(f, all[first].Line)
			continue
		}
		seen[key.Value] = len(all)
		all = append(all, f)
	}
	if merges {
		all = r.merge(n, all, seen, 0)
	}
	return all
}

// repeat tells that f is given, and so it was in line first.
func (r *Reader) repeat(f Field, first int) {
	if r.To != nil {
		r.To.Twice(f, first)
	}
}

// tell tells that n is too much.
func (r *Reader) tell(n *yaml.Node, text string) {
	if r.To != nil {
		r.To.TooMuch(n, text)
	}
}

// isMerge tells whether a key is YAML's <<, which brings in another mapping.
func isMerge(key *yaml.Node) bool { return key.Value == "<<" && key.ShortTag() == "!!merge" }

// merge returns all with the fields appended that the << keys of mapping n bring in. seen has the index in all of each name; merge
// adds the new names to it. depth is how many merges are around this one. If a << brings in a name that stands before it in n, or that
// an earlier << has brought in, with another value, the listener is told: YAML takes the first, and Kubernetes the last.
func (r *Reader) merge(n *yaml.Node, all []Field, seen map[string]int, depth int) []Field {
	before := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := Resolve(n.Content[i]); !isMerge(key) {
			before[key.Value] = true
			continue
		}
		value, from := Resolve(n.Content[i+1]), len(all)
		for _, source := range append(r.Items(value), value) {
			if source.Kind == yaml.MappingNode && r.Visit(source, depth) {
				all = r.mergeOne(source, all, seen, before, depth)
			}
		}
		for _, f := range all[from:] {
			before[f.Name] = true
		}
	}
	return all
}

// mergeOne returns all with the fields of source appended, and with those that source itself merges in. source is a mapping that <<
// brings in. mergeOne leaves out names in seen, and adds the new ones to it. before has the names that stand before the <<. depth is how
// many merges are around this one.
func (r *Reader) mergeOne(source *yaml.Node, all []Field, seen map[string]int, before map[string]bool, depth int) []Field {
	if !r.Spend(source, len(source.Content)/2) {
		return all
	}
	for j := 0; j+1 < len(source.Content); j += 2 {
		key := Resolve(source.Content[j])
		if key.Kind != yaml.ScalarNode || isMerge(key) {
			continue
		}
		f := Field{key.Value, source.Content[j].Line, Resolve(source.Content[j+1])}
		first, taken := seen[f.Name]
		switch {
		case !taken:
			seen[f.Name] = len(all)
			all = append(all, f)
		case before[f.Name] && !same(all[first].Value, f.Value):
			r.repeat(f, all[first].Line)
		}
	}
	return r.merge(source, all, seen, depth+1)
}

// same tells whether two values surely are the same.
func same(a, b *yaml.Node) bool {
	return a == b || a.Kind == yaml.ScalarNode && b.Kind == yaml.ScalarNode && a.Value == b.Value
}

// Plain returns the value of a node in a form that encoding/json can encode. It returns a template action as a string, and nil for
// null, and nil if the limit of values or of depth is reached. depth is how many values are around n.
func (r *Reader) Plain(n *yaml.Node, depth int) any {
	if !r.Visit(n, depth) {
		return nil
	}
	switch n = Resolve(n); n.Kind {
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			list = append(list, r.Plain(item, depth+1))
		}
		return list
	case yaml.MappingNode:
		if action := TemplateIn(n); action != "" {
			return action
		}
		mapping := map[string]any{}
		for _, f := range r.Fields(n) {
			mapping[f.Name] = r.Plain(f.Value, depth+1)
		}
		return mapping
	}
	if !r.Spend(n, len(n.Value)/4) {
		return nil
	}
	switch n.ShortTag() {
	case "!!null", "!!bool", "!!int", "!!float":
		var v any
		if n.Decode(&v) == nil {
			return v
		}
	}
	return n.Value
}
