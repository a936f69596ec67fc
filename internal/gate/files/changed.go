package files

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"interregnum/internal/phrase"
)

// changedLater adds to c.provided that kustomizations leave the settings of c, and of the ConfigMaps that its variables are from, as they
// are, if something in them may change these. In a kustomization it does so for the ConfigMaps and charts alone that this one makes.
func (w *walker) changedLater(c *candidate) {
	var by []string
	chart := len(w.path) > 0 && w.path[0] == "helmCharts"
	if w.self.kind == "" && !chart {
		return
	}
	for _, k := range w.kustomizations {
		for _, x := range k.changes {
			own := filepath.Clean(k.file) == filepath.Clean(cmp.Or(w.maker, w.pos.File)) && (x.generator || w.self.kind != "ConfigMap" && !chart)
			if !own && !slices.Contains(by, x.what) && w.mayChange(c, &x, k.renamed) {
				by = append(by, x.what)
			}
		}
	}
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

// mayChange tells whether the change x may be one of the settings of c, or of a ConfigMap that its variables are from.
func (w *walker) mayChange(c *candidate, x *change, renamed bool) bool {
	return x.reaches(w.self.kind, w.self.name, renamed, w.at(w.self), c.reachedBy) ||
		slices.ContainsFunc(c.variablesOf, func(name string) bool { return x.reachesData(name, renamed) })
}

// reachedBy tells whether a change with that reach may be one of the settings of c. It must run after c.set is known.
func (c *candidate) reachedBy(of reach) bool {
	switch of {
	case settings:
		return true
	case ofEnv:
		return c.variable
	case ofEnvFrom:
		return c.variable || !c.setsAll()
	case ofMounts:
		return !c.setsAll() && (c.configFlag != "" || len(c.mounts) > 0)
	case ofConfig:
		return !c.setsAll()
	}
	return false
}
