package files

import (
	"cmp"
	"strings"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"

	"go.yaml.in/yaml/v3"
)

// data reads the entries of a ConfigMap. Keys that are settings, with a value of one line, become one candidate, which is
// settled, and whose settings are loose; if only a timing without a value is among them, it adds a note. Those of an election beside it
// become another one. Any other value that mentions leader election is read as documents, by embedded. The entry _example and values that are lists or mappings are
// left out. line is the line in the document where the entries begin.
func (w *walker) data(entries []tree.Field, line int) {
	c, beside := w.candidate("data", line), w.candidate("data: l2announcements", line)
	c.data = w.configMap
	var names []string
	for _, f := range entries {
		names = append(names, f.Name)
	}
	all := setting.Together(names)
	for _, f := range entries {
		// An alias may bring in the same text as often as there are lines. Knative's _example is none of its settings.
		if f.Name == "_example" || f.Value.Kind != yaml.ScalarNode || !w.Spend(f.Value, len(f.Value.Value)/4) {
			continue
		}
		s := setting.OfValue(f.Name, f.Value.Value)
		if s.Key == setting.None {
			s = all[setting.Normal(f.Name)]
		}
		if s.Key != setting.None && !strings.Contains(f.Value.Value, "\n") {
			if strings.Contains(setting.Normal(f.Name), "l2announcements") {
				w.add(beside, f, s, true)
			} else {
				w.add(c, f, s, true)
			}
		} else if setting.Hint.MatchString(f.Value.Value) {
			w.embedded(f, documentKey.MatchString(f.Name))
		}
	}
	for _, c := range []*candidate{c, beside} {
		for i := range c.raws {
			c.raws[i].loose = true
		}
		if len(c.raws) > 0 {
			w.settle(c)
		} else {
			w.onlyEmpty(c)
		}
	}
}

// generators reads the field configMapGenerator of a kustomization. For each ConfigMap that it makes, it reads the literals and
// files of variables with data, as entries of a ConfigMap, and adds the whole files in it to w.generated.
func (w *walker) generators(f tree.Field) {
	w.namespace = ""
	outer := w.scope
	for _, item := range w.Items(f.Value) {
		g := w.kustomizations.Made(w.Reader, item, w.pos.File)
		for _, file := range g.Files {
			w.generated = append(w.generated, made{"/" + g.Name, file})
		}
		w.configMap, w.component, w.program = "/"+g.Name, "ConfigMap", cmp.Or(outer.program, programs.Named("", g.Name))
		w.self = object{"ConfigMap", g.Name, len(w.trail())}
		w.name("ConfigMap", g.Name)
		w.data(g.Entries, g.Line)
		w.scope = outer
	}
}

// made is a file that kustomize puts whole into a ConfigMap, which is named as namespace/name.
type made struct{ configMap, path string }
