package files

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"interregnum/internal/gate/files/kustomize"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"

	"go.yaml.in/yaml/v3"
)

// data reads the entries of a ConfigMap. Keys that are settings, with a value of one line, become one candidate, which is settled, and whose
// settings are loose; if only a timing without a value is among them, it adds a note. Those of an election beside it become another one. Any other
// value that mentions leader election is read as documents, by embedded. The entry _example and values that are lists or mappings are left out. line
// is the line in the document where the entries begin.
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
		m := kustomize.ReadConfigMap(w.Reader, item, w.pos.File)
		m.Files(func(path string) { w.generated = append(w.generated, made{"/" + m.Name, path}) })
		w.configMap, w.component, w.program = "/"+m.Name, "ConfigMap", cmp.Or(outer.program, programs.Named("", m.Name))
		w.self = object{"ConfigMap", m.Name, len(w.trail())}
		w.name("ConfigMap", m.Name)
		entries, _ := w.kustomizations.Entries(w.Reader, &m)
		w.data(entries, m.Line)
		w.scope = outer
	}
}

// made is a file that kustomize puts whole into a ConfigMap, which is named as namespace/name.
type made struct{ configMap, path string }

// ConfigMaps has the values of ConfigMaps: by the ConfigMap's name, then by its namespace ("" if the file leaves it out), then by
// key. The map of values is nil if the files do not tell which values count.
type ConfigMaps map[string]map[string]map[string]string

// refers tells whether a file has words by which a container takes variables from ConfigMaps.
func refers(data []byte) bool {
	return bytes.Contains(data, []byte("configMapKeyRef")) || bytes.Contains(data, []byte("configMapRef"))
}

// sharedIn returns the ConfigMaps in all inputs, and those that kustomizations make. It returns nil if no input takes variables
// from ConfigMaps.
func sharedIn(inputs []*Input, made *kustomize.Set) ConfigMaps {
	if !slices.ContainsFunc(inputs, func(in *Input) bool { return refers(in.data) }) {
		return nil
	}
	all := ConfigMaps{}
	for _, in := range inputs {
		all.add(in.data)
	}
	made.Values(func(name string, values map[string]string) { all.put("", name, values) })
	return all
}

// put adds a ConfigMap to m, with nil for values that are not known. If m has one of the same name and namespace with other or
// unknown values, nobody can tell which count, and put stores nil.
func (m ConfigMaps) put(namespace, name string, values map[string]string) {
	if m[name] == nil {
		m[name] = map[string]map[string]string{}
	}
	if other, taken := m[name][namespace]; taken && (other == nil || !maps.Equal(other, values)) {
		values = nil
	}
	m[name][namespace] = values
}

// add adds the ConfigMaps in a file to m. It passes over documents that cannot be parsed.
func (m ConfigMaps) add(data []byte) {
	for _, d := range tree.Split(data) {
		if !bytes.Contains(d.Text, []byte("ConfigMap")) {
			continue
		}
		if root, err := tree.Parse(d.Text); err == nil && root != nil {
			m.object(&tree.Reader{}, tree.Resolve(root), 0)
		}
	}
}

// object adds n to m if n is a ConfigMap, and the ConfigMaps in n if n is a List; lists may be nested maxNested deep. It does
// nothing for any other object, or if the limit of values of r is reached. depth is how many lists are around n.
func (m ConfigMaps) object(r *tree.Reader, n *yaml.Node, depth int) {
	if depth > maxNested || !r.Visit(n, depth) {
		return
	}
	all := r.Fields(n)
	switch kind := tree.Text(all, "kind"); {
	case strings.HasSuffix(kind, "List"):
		for _, item := range r.Listed(all, "items") {
			m.object(r, item, depth+1)
		}
	case kind == "ConfigMap":
		meta, values := r.Inside(all, "metadata"), map[string]string{}
		for _, f := range r.Inside(all, "data") {
			if f.Value.Kind == yaml.ScalarNode && r.Spend(f.Value, len(f.Value.Value)/4) {
				values[f.Name] = f.Value.Value
			}
		}
		m.put(tree.Text(meta, "namespace"), tree.Text(meta, "name"), values)
	}
}

// find returns the values of the ConfigMap that an object in a namespace means by a name, and the namespace in that ConfigMap's
// file. It takes the one of the same namespace, else the one without a namespace. An object without a namespace also means the
// only one of that name: kubectl apply -n and kustomizations can put both into one. values is nil if there is none, or nobody can
// tell its values.
func (m ConfigMaps) find(namespace, name string) (values map[string]string, in string) {
	all := m[name]
	for _, in := range []string{namespace, ""} {
		if values, ok := all[in]; ok {
			return values, in
		}
	}
	if namespace == "" && len(all) == 1 {
		for in, values := range all {
			return values, in
		}
	}
	return nil, ""
}

// replaceable adds to c.instead the ConfigMaps of the same name, but in a namespace and with other values, that are perhaps meant
// in place of configMap, from which the container takes a setting. It does nothing if namespace, the container's, is not "", or
// if configMap has one; without one it is /name.
func (c *candidate) replaceable(m ConfigMaps, namespace, configMap string) {
	name, without := strings.CutPrefix(configMap, "/")
	if namespace != "" || !without {
		return
	}
	for _, in := range slices.Sorted(maps.Keys(m[name])) {
		if other := phrase.Clip(in) + configMap; !maps.Equal(m[name][in], m[name][""]) && !slices.Contains(c.instead, other) {
			c.instead = append(c.instead, other)
		}
	}
}
