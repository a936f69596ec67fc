package files

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"interregnum/internal/gate/files/programs"
)

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
