package files

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/kustomize"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// changedLater adds to c.provided that kustomizations leave the settings of c, and of the ConfigMaps that its variables are from, as they
// are, if something in them may change these. In a kustomization it does so for the ConfigMaps and charts alone that this one makes.
func (w *walker) changedLater(c *candidate) {
	chart := len(w.path) > 0 && w.path[0] == "helmCharts"
	if w.self.kind == "" && !chart {
		return
	}
	by := w.changers.Of(kustomize.Subject{
		Kind: w.self.kind, Name: w.self.name, File: cmp.Or(w.maker, w.pos.File), At: w.at(w.self), Chart: chart, ConfigMaps: c.variablesOf,
	}, c.reachedBy)
	leave := "leave"
	switch {
	case len(by) == 1:
		leave = "leaves"
	case len(by) > maxOthers:
		by = append(by[:maxOthers], fmt.Sprintf("%d more", len(by)-maxOthers))
	}
	if len(by) > 0 {
		c.provide(phrase.And(by) + " " + leave + " its settings as they are")
	}
}

// reachedBy tells whether a change with that reach may be one of the settings of c. It must run after c.set is known.
func (c *candidate) reachedBy(of kustomize.Reach) bool {
	switch of {
	case kustomize.Settings:
		return true
	case kustomize.OfEnv:
		return c.variable
	case kustomize.OfEnvFrom:
		return c.variable || !c.setsAll()
	case kustomize.OfMounts:
		return !c.setsAll() && (c.configFlag != "" || len(c.mounts) > 0)
	case kustomize.OfConfig:
		return !c.setsAll()
	}
	return false
}

// layer is a field that may put other values over a chart's values. depth is how many fields are around the mapping that has it. It is over
// the values alone that stand before line, if that is not 0.
type layer struct {
	field       string
	depth, line int
}

var (
	// haveValues are fields that have a chart's values, or the chart.
	haveValues = []string{"chart", "values", "valuesObject", "valuesContent", "valuesInline", "helm", "overrides", "contents", "content"}
	// overValues are fields beside them that have others, or what changes a unit of systemd, and filesOver those that say in which files or objects others are.
	overValues = []string{
		"set", "setString", "setTemplate", "setValues", "setValueTemplates", "fileParameters", "targetCustomizations",
		"strategicMergePatches", "jsonPatches", "transformers", "dropins", "dropIns",
	}
	filesOver = []string{"secrets", "valuesSecrets", "additionalValuesFiles", "valuesFrom", "patchesFrom"}
	// ofSettings is in values that may change settings: they speak of leader election, replace flags, or name more values.
	ofSettings = regexp.MustCompile(setting.Hint.String() + `|args|arguments|command|valuesF(?:iles|rom)|Environment|ExecStart`)
)

// layersIn returns what stands over a chart's values in a mapping with these fields: an entry of a helmfile, k3s's HelmChart, Fleet's fleet.yaml,
// the helm of an Argo CD source, an entry of a kustomization's helmCharts, a release of Skaffold's. A HelmRelease's own values
// stand over those of its valuesFrom, unless these have a path.
func (w *walker) layersIn(all []tree.Field) (found []layer) {
	if !slices.ContainsFunc(all, func(f tree.Field) bool { return slices.Contains(haveValues, f.Name) }) {
		return nil
	}
	l := layer{depth: len(w.trail())}
	for _, f := range all {
		l.field, l.line = f.Name, 0
		switch {
		case slices.Contains(overValues, f.Name) && mayHaveSettings(f.Value),
			slices.Contains(filesOver, f.Name) && len(f.Value.Content) > 0 && (f.Name != "valuesFrom" || w.component != "HelmRelease" || w.aimed(f.Value)):
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

// aimed tells whether an entry of a HelmRelease's valuesFrom says at which path its value stands, and that may be one of a setting.
func (w *walker) aimed(valuesFrom *yaml.Node) bool {
	return slices.ContainsFunc(w.Items(valuesFrom), func(item *yaml.Node) bool { return ofSettings.MatchString(tree.Text(w.Fields(item), "targetPath")) })
}

// mayHaveSettings tells whether a name or a value in n may be one of settings of leader election.
func mayHaveSettings(n *yaml.Node) bool { return tree.Matches(n, ofSettings) }

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
		c.layered = true
		c.provide("the values that come after these (" + phrase.And(by) + ") leave its settings as they are")
	}
}

// usedVariable matches a variable in a command line, a script or another variable.
var usedVariable = regexp.MustCompile(`\$[({]?(\w+)`)

// flagAndValue matches a word that is one flag with its value, whatever the variables in it stand for.
var flagAndValue = regexp.MustCompile(`^--?([\w.-]+)=\S*$`)

// unknownSource is a Secret or ConfigMap, in words, whose variables are not known, and the variables that others before it have set.
type unknownSource struct {
	what string
	sets []string
}

// variablesUsed returns the names of the variables that the settings of a container are made of; c.raws must be the settings among its variables.
func (c *candidate) variablesUsed(container *podContainer) map[string]bool {
	used := map[string]bool{}
	for _, r := range c.raws {
		used[r.name] = true
	}
	use := func(text string) {
		for _, match := range usedVariable.FindAllStringSubmatch(text, -1) {
			used[match[1]] = true
		}
	}
	for _, text := range slices.Concat(container.Command, container.Args) {
		name := flagAndValue.FindStringSubmatch(text)
		if name == nil || setting.Speaks(name[1:], text) || setting.IsConfigFlag(name[1]) || programs.OfArguments(name[1]) != nil {
			use(text)
		}
	}
	for _, v := range slices.Backward(container.Env) { // a variable is made of those before it
		if used[v.Name] {
			use(v.Value)
		}
	}
	return used
}

// origins finds out where the variables come from that the container's settings are made of: it sets c.variable and c.variablesOf. That
// no source whose variables are not known sets one again becomes a condition in c.provided. c.raws must be the settings among the variables.
func (c *candidate) origins(container *podContainer, whole []fromAll) {
	used := c.variablesUsed(container)
	c.variable = len(used) > 0
	for _, v := range container.Env {
		if v.ValueFrom != nil && v.ValueFrom.ConfigMapKeyRef != nil && used[v.Name] {
			c.variablesOf = append(c.variablesOf, v.ValueFrom.ConfigMapKeyRef.Name)
		}
	}
	for _, v := range container.Env {
		delete(used, v.Name) // one of envFrom would not count
	}
	var unknown []unknownSource
	given := map[string]bool{}
	for _, from := range whole {
		if from.values == nil {
			again := slices.DeleteFunc(slices.Sorted(maps.Keys(given)), func(name string) bool { return !strings.HasPrefix(name, from.prefix) })
			unknown = append(unknown, unknownSource{from.what, again})
		}
		for key := range from.values {
			if name := from.prefix + key; used[name] {
				given[name] = true
				c.variablesOf = append(c.variablesOf, from.configMap)
				for i := range unknown {
					unknown[i].sets = slices.DeleteFunc(unknown[i].sets, func(s string) bool { return s == name })
				}
			}
		}
	}
	for _, u := range unknown {
		if len(u.sets) > 0 {
			c.provide(u.what + " does not set " + phrase.Or(u.sets) + " again")
		}
	}
}
