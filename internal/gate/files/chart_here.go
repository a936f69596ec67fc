package files

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// chartHere returns the known program whose chart the file has the values of, and why: its Chart.yaml, which is among the inputs, says
// so, or else its own name or that of its folder does, as cert-manager-values.yaml and cert-manager/values.yaml. program is nil if
// neither tells, and for anything else than a chart's values. why is "" for a Chart.yaml.
func (w *walker) chartHere() (program *Program, why string) {
	if w.component != "" || w.nested > 0 || w.inChart {
		return nil, ""
	}
	folder := filepath.Dir(w.pos.File)
	if name, ok := w.charts[folder]; ok {
		return programOfChart(name), ""
	}
	base := strings.TrimSuffix(filepath.Base(w.pos.File), filepath.Ext(w.pos.File))
	if own := notOfValues(base); own != "" {
		return programOfChart(own), "the name of its file"
	}
	for folder = filepath.ToSlash(folder); folder != "." && folder != "/"; folder = path.Dir(folder) {
		if own := notOfValues(path.Base(folder)); own != "" {
			return programOfChart(own), "the name of its folder"
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
	words := slices.DeleteFunc(strings.Split(normalWords(name), "-"), func(word string) bool { return slices.Contains(ofValues, word) })
	return strings.Join(words, "-")
}

// chartsIn returns the names of the charts that have their Chart.yaml among the inputs, by their folder.
func chartsIn(inputs []*Input) map[string]string {
	all := map[string]string{}
	for _, in := range inputs {
		if filepath.Base(in.name) != "Chart.yaml" {
			continue
		}
		if root, err := parse(in.data); err == nil && root != nil {
			all[filepath.Dir(in.name)] = text((&walker{}).fields(resolve(root)), "name")
		}
	}
	return all
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
		c.provided = append(c.provided, "it is of "+program.Name+", as "+why+" says")
	}
}

// moreValues returns the name of the field that says where a chart's other values are, which those in the mapping override; "" if there is
// none. all are the fields of the mapping: of a HelmRelease's spec, an Argo CD source, or an entry of a kustomization's helmCharts.
func (w *walker) moreValues(all []field) string {
	if helm, ok := get(all, "helm"); ok {
		all = slices.Concat(all, w.fields(helm.value))
	}
	for _, name := range []string{"valuesFrom", "valueFiles", "valuesFile", "additionalValuesFiles", "valuesSecrets"} {
		if f, ok := get(all, name); ok && (len(f.value.Content) > 0 || f.value.Value != "") {
			return name
		}
	}
	return ""
}

// silentChart is for a mapping that installs a chart of a known program and says nothing of an election, although the program elects
// unless it is told not to. before are the counts from before the mapping was read. If the program always elects, is none of several
// vendors', and no values are elsewhere, it settles a candidate; otherwise it adds a note.
func (w *walker) silentChart(program *Program, line int, before counts) {
	if program == nil || w.counts() != before || !program.always && !program.chartElects && len(program.elects) == 0 {
		return
	}
	c := w.candidate("chart of "+phrase.Clip(program.Name), line)
	c.program = program
	if program.always && !program.vendors && w.valuesIn == "" {
		c.addMention()
		w.settle(c)
		return
	}
	w.elects = true
	open := "whether it has several replicas is in its chart"
	switch {
	case program.vendors: // one's chart may turn it off
		open = "whether its chart lets it is not known"
	case program.always:
		open = "its other values are in " + w.valuesIn
	}
	w.note(c.pos, Ignored, program.Name+" elects a leader by default, with "+program.timings.String()+"; "+open+"; not judged")
}

// isSuite tells whether a document is a suite of tests of helm unittest, whose values are those of the tests.
func (w *walker) isSuite(root *yaml.Node) bool {
	tests := w.listed(w.fields(resolve(root)), "tests")
	return len(tests) > 0 && !slices.ContainsFunc(tests, func(test *yaml.Node) bool {
		_, is := get(w.fields(test), "it")
		return !is
	})
}
