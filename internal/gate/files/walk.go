package files

import (
	"cmp"
	"slices"
	"strings"

	"interregnum/internal/gate/files/kustomize"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/gate/files/unread"

	"go.yaml.in/yaml/v3"
)

// walk searches a value, and all that is in it, for settings of leader election, and adds what it finds to the walker. Afterwards
// the walker's position, program and so on are what they were before. depth is how many values are around n. It does nothing
// beyond the walker's limits.
func (w *walker) walk(n *yaml.Node, depth int) {
	if !w.Visit(n, depth) {
		return
	}
	items := w.Items(n)
	if kustomize.IsPatch(w.Reader, items) {
		w.patch(items, depth)
		return
	}
	around := w.things
	for _, item := range items {
		if isOneOfMany(w.Fields(item)) {
			w.things = append(around[:len(around):len(around)], thing{n, item})
		}
		w.walk(item, depth+1)
		w.things = around
	}
	switch {
	case n.Kind == yaml.ScalarNode && len(w.path) > 0:
		w.block(w.path[len(w.path)-1], n)
		return
	case n.Kind != yaml.MappingNode:
		return
	}
	all := w.Fields(n)
	outer := w.scope
	defer func() { w.scope = outer }()
	w.cluster = cmp.Or(clusterOf(all), w.cluster)
	if !w.object(all, n) {
		return
	}
	w.target = cmp.Or(kustomize.ProgramOf(w.Reader, all, w.namespace, w.pos.File), w.target)
	w.replicated(all)
	if w.under("services") { // docker compose's, RKE's
		w.things = append(w.things[:len(w.things):len(w.things)], thing{"services", n})
	}
	before, installs := w.counts(), w.chart(all)
	w.valuesIn = cmp.Or(w.moreValues(all), w.valuesIn)
	w.layers = slices.Concat(w.layers, w.layersIn(all))
	w.renderedLater = w.renderedLater || w.rendersLater(all)
	w.spoken = cmp.Or(w.languageHere(all), w.spoken)
	w.flat(all, n)
	for _, f := range all {
		w.member(f, all, depth)
	}
	if len(w.path) < 2 || w.path[len(w.path)-2] != "chart" { // a HelmRelease's chart.spec, beside which the values are
		w.silentChart(installs, n.Line, before)
	}
}

// member reads field f of a mapping in the form that its name tells: containers, a leaderElection mapping, flags, ConfigMaps that
// a kustomization makes, or any other value. It leaves out annotations and schemas. all are the fields of the mapping.
func (w *walker) member(f tree.Field, all []tree.Field, depth int) {
	w.path = append(w.path, f.Name)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	switch {
	case f.Name == "annotations" && w.under("metadata"):
		// kubectl keeps a copy of the object in one.
	case f.Name == "secretGenerator" && w.nested == 0 && len(w.path) == 1:
		// What is in a Secret is not for a report.
	case unread.IsSchemaField(f.Name, f.Value):
		// A schema, such as a CustomResourceDefinition's, has the names of settings and no settings.
	case f.Name == "endpoint" && w.under("management"):
		// What Spring Boot tells of itself, such as of a leaderElection.
	case f.Name == "configMapGenerator" && w.nested == 0 && len(w.path) == 1:
		w.generators(f)
	case (f.Name == "command" || f.Name == "entrypoint") && f.Value.Kind == yaml.ScalarNode && setting.Hint.MatchString(f.Value.Value) &&
		!strings.Contains(strings.TrimSpace(f.Value.Value), "\n") && w.commandText(f, all):
		// A service of docker compose.
	case setting.IsContainers(f.Name) && f.Value.Kind == yaml.SequenceNode:
		w.containers(f, all)
	case setting.IsStanza(f.Name) && f.Value.Kind == yaml.MappingNode:
		w.stanza(f, all)
	case holdsFlags(f), f.Name == "parameters" && w.under("helm"): // an Application's
		w.arguments(f, all)
	default:
		outer := w.program
		w.program = w.subchart(f.Name)
		if values, ok := w.helmOf(f); ok {
			w.path = append(w.path, values.Name)
			w.walk(values.Value, depth+2)
			w.path = w.path[:len(w.path)-1]
		} else {
			w.walk(f.Value, depth+1)
		}
		w.program = outer
	}
}
