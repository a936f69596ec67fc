package files

import (
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// layer is a field that may put other values over a chart's values. depth is how many fields are around the mapping that has it. It is over
// the values alone that stand before line, if that is not 0.
type layer struct {
	field       string
	depth, line int
}

var (
	// haveValues are fields that have a chart's values, or the chart.
	haveValues = []string{"chart", "values", "valuesObject", "valuesContent", "valuesInline", "helm"}
	// overValues are fields beside them that have others, and filesOver those that say in which files or objects others are.
	overValues = []string{"set", "setString", "setTemplate", "fileParameters", "targetCustomizations"}
	filesOver  = []string{"secrets", "valuesSecrets", "additionalValuesFiles", "valuesFrom"}
	// ofSettings is in values that may change settings: they speak of leader election, replace flags, or name more values.
	ofSettings = regexp.MustCompile(setting.Hint.String() + `|args|arguments|command|valuesF(?:iles|rom)`)
)

// layersIn returns what stands over a chart's values in a mapping with these fields: an entry of a helmfile, k3s's HelmChart, Fleet's fleet.yaml,
// the helm of an Argo CD source, an entry of a kustomization's helmCharts. A HelmRelease's own values stand over those of its valuesFrom.
func (w *walker) layersIn(all []tree.Field) (found []layer) {
	if !slices.ContainsFunc(all, func(f tree.Field) bool { return slices.Contains(haveValues, f.Name) }) {
		return nil
	}
	l := layer{depth: len(w.trail())}
	for _, f := range all {
		l.field, l.line = f.Name, 0
		switch {
		case slices.Contains(overValues, f.Name) && mayHaveSettings(f.Value),
			slices.Contains(filesOver, f.Name) && len(f.Value.Content) > 0 && (f.Name != "valuesFrom" || w.component != "HelmRelease"):
			found = append(found, l)
		case f.Name == "values": // in a helmfile, a list of values and of files that have them
			for _, item := range w.Items(f.Value) {
				l.line = w.base + item.Line
				if isFile := item.Kind == yaml.ScalarNode && !mayHaveSettings(item); isFile {
					l.line++
				} else if !mayHaveSettings(item) {
					continue
				}
				found = append(found, l)
			}
		}
	}
	return found
}

// mayHaveSettings tells whether a name or a value in n may be one of settings of leader election.
func mayHaveSettings(n *yaml.Node) (may bool) {
	tree.Each(n, func(n *yaml.Node) { may = may || ofSettings.MatchString(n.Value) })
	return may
}

// overlaid adds to c.provided that the values over those that c stands in leave its settings as they are.
func (w *walker) overlaid(c *candidate) {
	var by []string
	for _, l := range w.layers {
		at := w.trail()[l.depth:]
		inItself := len(at) == 0 || at[0] == l.field && l.line == 0
		if !inItself && (l.line == 0 || c.pos.Line < l.line) && !slices.Contains(by, l.field) {
			by = append(by, l.field)
		}
	}
	if len(by) > 0 {
		c.provide("the values that come after these (" + phrase.And(by) + ") leave its settings as they are")
	}
}
