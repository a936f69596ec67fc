package files

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// visit counts a value, and returns true if the walk can go into it. It returns false, and reports a problem, if the value is
// nested too deep or the file has too many values; then no more of the file is read.
func (w *walker) visit(n *yaml.Node, depth int) bool {
	if depth > maxDepth && !w.exhausted() {
		w.visits = maxVisits + 1
		w.problem(w.here(n), fmt.Sprintf("nested deeper than %d levels; no manifest is", maxDepth))
	}
	return w.spend(n, 1)
}

// spend adds cost to the count of values that were looked at, with aliases counted each time. It returns false if the count is
// above maxVisits, and reports a problem at n the first time.
func (w *walker) spend(n *yaml.Node, cost int) bool {
	if w.exhausted() {
		return false
	}
	w.visits += cost
	if w.exhausted() {
		w.problem(w.here(n), fmt.Sprintf("more than %d values, with those that aliases repeat; no manifest has", maxVisits))
		return false
	}
	return true
}

// exhausted tells whether no more of the file is read, because it has more than maxVisits values or is nested too deep. A value
// counts each time that an alias repeats it.
func (w *walker) exhausted() bool { return w.visits > maxVisits }

// items returns the items of a list with aliases resolved; nil for any other node, or if the walker's limit of values
// is reached.
func (w *walker) items(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode || !w.spend(n, len(n.Content)) {
		return nil
	}
	all := make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		all[i] = resolve(item)
	}
	return all
}

// fields returns the entries of a mapping: its own first, then those that << merges in, with aliases resolved. It returns nil for
// any other node, or if the walker's limit of values is reached. It leaves out keys that are lists or mappings. If the mapping
// has a key twice, the first entry counts, and a problem for the second is added to w.repeated.
func (w *walker) fields(n *yaml.Node) []field {
	if n == nil || n.Kind != yaml.MappingNode || !w.spend(n, len(n.Content)/2) {
		return nil
	}
	seen := make(map[string]int, len(n.Content)/2)
	all := make([]field, 0, len(n.Content)/2)
	merges := false
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := resolve(n.Content[i])
		merges = merges || isMerge(key)
		if key.Kind != yaml.ScalarNode || isMerge(key) {
			continue
		}
		f := field{key.Value, n.Content[i].Line, resolve(n.Content[i+1])}
		if first, taken := seen[key.Value]; taken {
			w.repeat(f, all[first].line)
			continue
		}
		seen[key.Value] = len(all)
		all = append(all, f)
	}
	if merges {
		all = w.merge(n, all, seen, 0)
	}
	return all
}

// repeat adds a problem to w.repeated: f is given, and so it was in line first.
func (w *walker) repeat(f field, first int) {
	text := fmt.Sprintf("%s is given twice; the first is in line %d", phrase.Clip(f.name), w.base+first)
	if len(w.repeated) < maxProblems {
		w.repeated = append(w.repeated, repeatedKey{f.name, Problem{Position: w.pos.at(w.base + f.line), Text: phrase.OneLine(text)}})
	}
}

// isMerge tells whether a key is YAML's <<, which brings in another mapping.
func isMerge(key *yaml.Node) bool { return key.Value == "<<" && key.ShortTag() == "!!merge" }

// merge returns all with the fields appended that the << keys of mapping n bring in. seen has the index in all of each name; merge
// adds the new names to it. depth is how many merges are around this one. If a << brings in a name that stands before it in n, or that
// an earlier << has brought in, with another value, a problem for it is added to w.repeated: YAML takes the first, and Kubernetes the last.
func (w *walker) merge(n *yaml.Node, all []field, seen map[string]int, depth int) []field {
	before := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := resolve(n.Content[i]); !isMerge(key) {
			before[key.Value] = true
			continue
		}
		value, from := resolve(n.Content[i+1]), len(all)
		for _, source := range append(w.items(value), value) {
			if source.Kind == yaml.MappingNode && w.visit(source, depth) {
				all = w.mergeOne(source, all, seen, before, depth)
			}
		}
		for _, f := range all[from:] {
			before[f.name] = true
		}
	}
	return all
}

// mergeOne returns all with the fields of source appended, and with those that source itself merges in. source is a mapping that <<
// brings in. mergeOne leaves out names in seen, and adds the new ones to it. before has the names that stand before the <<. depth is how
// many merges are around this one.
func (w *walker) mergeOne(source *yaml.Node, all []field, seen map[string]int, before map[string]bool, depth int) []field {
	if !w.spend(source, len(source.Content)/2) {
		return all
	}
	for j := 0; j+1 < len(source.Content); j += 2 {
		key := resolve(source.Content[j])
		if key.Kind != yaml.ScalarNode || isMerge(key) {
			continue
		}
		f := field{key.Value, source.Content[j].Line, resolve(source.Content[j+1])}
		first, taken := seen[f.name]
		switch {
		case !taken:
			seen[f.name] = len(all)
			all = append(all, f)
		case before[f.name] && !same(all[first].value, f.value):
			w.repeat(f, all[first].line)
		}
	}
	return w.merge(source, all, seen, depth+1)
}

// same tells whether two values surely are the same.
func same(a, b *yaml.Node) bool {
	return a == b || a.Kind == yaml.ScalarNode && b.Kind == yaml.ScalarNode && a.Value == b.Value
}
