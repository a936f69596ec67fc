package files

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// chartsIn returns the names of the charts that have their Chart.yaml among the inputs, by their folder.
func chartsIn(inputs []*Input) map[string]string {
	all := map[string]string{}
	for _, in := range inputs {
		if filepath.Base(in.name) != "Chart.yaml" {
			continue
		}
		if root, err := tree.Parse(in.data); err == nil && root != nil {
			all[filepath.Dir(in.name)] = tree.Text((&tree.Reader{}).Fields(tree.Resolve(root)), "name")
		}
	}
	return all
}

// chart sets the walker's program to that of the image in a mapping, as a chart's values have it, or else to that of the Helm
// chart that the mapping installs: an Argo CD source, Flux's HelmRelease, k3s's HelmChart or an entry of a kustomization. It
// leaves the program if neither is known. It returns the program that the chart tells; nil if the mapping installs none.
func (w *walker) chart(all []tree.Field) (installs *programs.Program) {
	name := tree.Text(all, "chart")
	if f, ok := tree.Get(all, "chart"); ok && f.Value.Kind == yaml.MappingNode {
		name = tree.Text(w.Inside(w.Fields(f.Value), "spec"), "chart")
	}
	name = cmp.Or(tree.Text(w.Inside(all, "chartRef"), "name"), name)
	if len(w.path) > 0 && w.path[len(w.path)-1] == "helmCharts" {
		name = tree.Text(all, "name")
	}
	if name != "" {
		installs = programs.OfChart(name)
		w.program = cmp.Or(installs, w.program)
	}
	image := w.imageIn(all)
	if p := programs.Named(image, ""); p != nil {
		w.program, w.image, w.imageOf = p, image, p
	}
	return installs
}

// subchart returns the program to which the settings in a field of that name belong. Where a chart's values may be, a field
// that is named after a program or its chart has the values of that chart, on which this one depends. Any other field belongs
// to the walker's program.
func (w *walker) subchart(name string) *programs.Program {
	if !w.inChart && (w.component != "" || w.nested > 0) {
		return w.program
	}
	return cmp.Or(programs.OfSubchart(name), w.program)
}

// imageIn returns the image of the field image, which is a name or a chart's {repository, tag}, where some charts have image or name in place
// of repository; "" if there is none.
func (w *walker) imageIn(all []tree.Field) string {
	image, ok := tree.Get(all, "image")
	if !ok {
		return ""
	}
	parts := w.Fields(image.Value)
	name, tag := cmp.Or(tree.Text(all, "image"), tree.Text(parts, "repository"), tree.Text(parts, "image"), tree.Text(parts, "name")), tree.Text(parts, "tag")
	if tag == "" || strings.ContainsAny(tag, "/:@") {
		return name
	}
	return name + ":" + tag
}

// moreValues returns the name of the field that says where a chart's other values are, which those in the mapping override; "" if there is
// none. all are the fields of the mapping: of a HelmRelease's spec, an Argo CD source, or an entry of a kustomization's helmCharts.
func (w *walker) moreValues(all []tree.Field) string {
	if helm, ok := tree.Get(all, "helm"); ok {
		all = slices.Concat(all, w.Fields(helm.Value))
	}
	for _, name := range []string{"valuesFrom", "valueFiles", "valuesFile", "additionalValuesFiles", "valuesSecrets"} {
		if f, ok := tree.Get(all, name); ok && (len(f.Value.Content) > 0 || f.Value.Value != "") {
			return name
		}
	}
	return ""
}

// silentChart is for a mapping that installs a chart of a known program and says nothing of an election, although the program elects
// unless it is told not to. before are the counts from before the mapping was read. If the program always elects, is none of several
// vendors', and no values are elsewhere, it settles a candidate; otherwise it adds a note.
func (w *walker) silentChart(program *programs.Program, line int, before counts) {
	if program == nil || w.counts() != before || !program.Always && !program.ChartElects && len(program.Elects) == 0 {
		return
	}
	c := w.candidate("chart of "+phrase.Clip(program.Name), line)
	c.program = program
	if program.Always && !program.Vendors && w.valuesIn == "" {
		c.addMention()
		w.settle(c)
		return
	}
	w.elects = true
	open := "whether it has several replicas is in its chart"
	switch {
	case program.Vendors: // one's chart may turn it off
		open = "whether its chart lets it is not known"
	case program.Always:
		open = "its other values are in " + w.valuesIn
	}
	w.note(c.pos, Ignored, program.Name+" elects a leader by default, with "+program.Defaults()+"; "+open+"; not judged")
}

// isSuite tells whether a document is a suite of tests of helm unittest, whose values are those of the tests.
func (w *walker) isSuite(root *yaml.Node) bool {
	tests := w.Listed(w.Fields(tree.Resolve(root)), "tests")
	return len(tests) > 0 && !slices.ContainsFunc(tests, func(test *yaml.Node) bool {
		_, is := tree.Get(w.Fields(test), "it")
		return !is
	})
}

// chartHere returns the known program whose chart the file has the values of, and why: its Chart.yaml, which is among the inputs, says
// so, or else its own name or that of its folder does, as cert-manager-values.yaml and cert-manager/values.yaml. program is nil if
// neither tells, and for anything else than a chart's values. why is "" for a Chart.yaml.
func (w *walker) chartHere() (program *programs.Program, why string) {
	if w.component != "" || w.nested > 0 || w.inChart {
		return nil, ""
	}
	folder := filepath.Dir(w.pos.File)
	if name, ok := w.charts[folder]; ok {
		return programs.OfChart(name), ""
	}
	base := strings.TrimSuffix(filepath.Base(w.pos.File), filepath.Ext(w.pos.File))
	if own := notOfValues(base); own != "" {
		return programs.OfChart(own), "the name of its file"
	}
	for folder = filepath.ToSlash(folder); folder != "." && folder != "/"; folder = path.Dir(folder) {
		if own := notOfValues(path.Base(folder)); own != "" {
			return programs.OfChart(own), "the name of its folder"
		}
	}
	return nil, ""
}

// ofValues are words that the files of a chart's values, and their folders, have in their names whatever the chart is.
var ofValues = []string{
	"values", "value", "helm", "chart", "charts", "release", "helmrelease", "app", "base", "overlays", "overlay", "override", "overrides", "default",
	"dev", "test", "stage", "staging", "prod", "production", "common", "custom",
}

// notOfValues returns a name without the words of ofValues.
func notOfValues(name string) string {
	words := slices.DeleteFunc(strings.Split(programs.NormalWords(name), "-"), func(word string) bool { return slices.Contains(ofValues, word) })
	return strings.Join(words, "-")
}

// ofChart sets the program of a candidate that has none to that of chartHere. If a name alone tells it, that it is true becomes a
// condition of a safe verdict.
func (w *walker) ofChart(c *candidate) {
	if c.program != nil {
		return
	}
	program, why := w.chartHere()
	if program == nil {
		return
	}
	c.program = program
	if why != "" {
		c.provide("it is of " + program.Name + ", as " + why + " says")
	}
}
