package files

import (
	"cmp"
	"fmt"

	"interregnum/internal/gate/files/kustomize"
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
