package files

import (
	"cmp"
	"fmt"

	"interregnum/internal/phrase"
)

// changedLater adds to c.provided that kustomizations leave the settings of c, and of the ConfigMaps that its variables are from, as they
// are, if something in them may change these. In a kustomization it does so for the ConfigMaps and charts alone that this one makes.
func (w *walker) changedLater(c *candidate) {
	chart := len(w.path) > 0 && w.path[0] == "helmCharts"
	if w.self.kind == "" && !chart {
		return
	}
	by := w.changers.of(subject{
		kind: w.self.kind, name: w.self.name, file: cmp.Or(w.maker, w.pos.File), at: w.at(w.self), chart: chart, configMaps: c.variablesOf,
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
