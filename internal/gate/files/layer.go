package files

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// layer is what puts other values over a chart's values.
type layer struct {
	// field is its name; depth is how many fields are around the mapping that has it.
	field string
	depth int
	// places are below the field that has the values, or below the mapping itself where whole is true.
	places []place
	whole  bool
	// line is where it stands, if it is over the values alone that stand before; 0 otherwise.
	line int
}

// haveValues are fields that have a chart's values, or the chart.
var haveValues = []string{"chart", "values", "valuesObject", "valuesContent", "valuesInline", "helm"}

// layers returns what stands over a chart's values in a mapping with these fields: an entry of a helmfile, k3s's HelmChart, Fleet's fleet.yaml,
// the helm of an Argo CD source, an entry of a kustomization's helmCharts. A HelmRelease's own values stand over those of its valuesFrom.
func (w *walker) layersIn(all []field) (found []layer) {
	if !slices.ContainsFunc(all, func(f field) bool { return slices.Contains(haveValues, f.name) }) {
		return nil
	}
	for _, f := range all {
		l := layer{field: f.name, depth: len(w.trail())}
		switch f.name {
		case "set", "setString", "setTemplate", "fileParameters":
			l.places = w.parameters(f)
		case "targetCustomizations":
			for _, item := range w.items(f.value) {
				l.places, l.whole = w.merged(item, nil, l.places), true
			}
		case "secrets", "valuesSecrets", "additionalValuesFiles", "valuesFrom":
			if len(f.value.Content) > 0 && (f.name != "valuesFrom" || w.component != "HelmRelease") {
				l.places = everything
			}
		case "values":
			found = append(found, w.later(f, l)...)
		}
		if len(l.places) > 0 {
			found = append(found, l)
		}
	}
	return found
}

// parameters returns the places in a chart's values that parameters set: a mapping of their names to values, or a list of {name, value}.
func (w *walker) parameters(f field) (all []place) {
	entries := w.fields(f.value)
	for _, item := range w.items(f.value) {
		name, value := w.fields(item), field{}
		if value, _ = get(name, "value"); value.value == nil {
			value.value = item
		}
		entries = append(entries, field{name: text(name, "name"), value: value.value})
	}
	for _, entry := range entries {
		p := place{scalar: !strings.HasSuffix(entry.name, "]")}
		for _, name := range stepsOf(entry.name) {
			p.steps = append(p.steps, choice.ReplaceAllString(name, ""))
		}
		p.speaks = speaks(p.steps, entry.value.Value)
		all = append(all, p)
	}
	return all
}

// later returns what the items of a list of values put over those before them, as in a helmfile: each is a mapping of values or names a file.
func (w *walker) later(f field, l layer) (found []layer) {
	for _, item := range w.items(f.value) {
		l.line, l.places = w.base+item.Line-1, nil
		if item.Kind != yaml.ScalarNode {
			l.places = w.merged(item, nil, nil)
		} else if !strings.Contains(item.Value, "\n") { // a file
			l.line, l.places = w.base+item.Line, everything
		} else if root, err := parse([]byte(item.Value)); err == nil && root != nil {
			l.places = w.merged(resolve(root), nil, nil)
		}
		found = append(found, l)
	}
	return found
}

// overlaid adds to c.provided that the values over those that c stands in leave its settings as they are, if some may be among them.
func (w *walker) overlaid(c *candidate) {
	var by []string
	for _, l := range w.layers {
		at := w.trail()[l.depth:]
		if len(at) == 0 || at[0] == l.field && l.line == 0 || l.line > 0 && c.pos.Line > l.line || slices.Contains(by, l.field) {
			continue
		}
		if !l.whole {
			at = at[1:]
		}
		if slices.ContainsFunc(l.places, func(p place) bool { return p.reach(at) != nothing || p.ofFiles() }) {
			by = append(by, l.field)
		}
	}
	if len(by) > 0 {
		c.provided = append(c.provided, "the values of "+strings.Join(by, " and ")+" leave its settings as they are")
	}
}

// ofFiles tells whether what is put at the place names more values, which are not known.
func (p place) ofFiles() bool {
	return len(p.steps) > 0 && slices.Contains([]string{"valuesFiles", "valuesFrom"}, p.steps[len(p.steps)-1])
}
