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
		key, line := resolve(n.Content[i]), n.Content[i].Line
		merges = merges || isMerge(key)
		if key.Kind != yaml.ScalarNode || isMerge(key) {
			continue
		}
		if first, taken := seen[key.Value]; taken {
			text := fmt.Sprintf("%s is given twice; the first is in line %d", phrase.Clip(key.Value), w.base+first)
			if len(w.repeated) < maxProblems {
				w.repeated = append(w.repeated, repeatedKey{key.Value, Problem{Position: w.here(n.Content[i]), Text: phrase.OneLine(text)}})
			}
			continue
		}
		seen[key.Value] = line
		all = append(all, field{key.Value, line, resolve(n.Content[i+1])})
	}
	if merges {
		all = w.merge(n, all, seen, 0)
	}
	return all
}

// isMerge tells whether a key is YAML's <<, which brings in another mapping.
func isMerge(key *yaml.Node) bool { return key.Value == "<<" && key.ShortTag() == "!!merge" }

// merge returns all with the fields appended that the << keys of mapping n bring in. seen has the line of each name in all; merge
// adds the new names to it. depth is how many merges are around this one.
func (w *walker) merge(n *yaml.Node, all []field, seen map[string]int, depth int) []field {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isMerge(n.Content[i]) {
			continue
		}
		value := resolve(n.Content[i+1])
		for _, source := range append(w.items(value), value) {
			if source.Kind == yaml.MappingNode && w.visit(source, depth) {
				all = w.mergeOne(source, all, seen, depth)
			}
		}
	}
	return all
}

// mergeOne returns all with the fields of source appended, and with those that source itself merges in. source is a mapping that <<
// brings in. mergeOne leaves out names in seen, and adds the new ones to it. depth is how many merges are around this one.
func (w *walker) mergeOne(source *yaml.Node, all []field, seen map[string]int, depth int) []field {
	if !w.spend(source, len(source.Content)/2) {
		return all
	}
	for j := 0; j+1 < len(source.Content); j += 2 {
		key := resolve(source.Content[j])
		if _, taken := seen[key.Value]; taken || key.Kind != yaml.ScalarNode || isMerge(key) {
			continue
		}
		seen[key.Value] = source.Content[j].Line
		all = append(all, field{key.Value, source.Content[j].Line, resolve(source.Content[j+1])})
	}
	return w.merge(source, all, seen, depth+1)
}
