package files

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ConfigMaps are the values of ConfigMaps, by namespace/name and by key.
type ConfigMaps map[string]map[string]string

// refers tells whether a file has variables that may come from ConfigMaps.
func refers(data []byte) bool {
	return bytes.Contains(data, []byte("configMapKeyRef")) || bytes.Contains(data, []byte("configMapRef"))
}

// sharedIn returns the ConfigMaps in all inputs; nil where no input has variables that come from ConfigMaps.
func sharedIn(inputs []*Input) ConfigMaps {
	if !slices.ContainsFunc(inputs, func(in *Input) bool { return refers(in.data) }) {
		return nil
	}
	all := ConfigMaps{}
	for _, in := range inputs {
		all.add(in.data)
	}
	return all
}

// add adds the ConfigMaps in a file to m. If two of one name differ, their value is nil, since the files do not say
// which counts.
func (m ConfigMaps) add(data []byte) {
	for _, d := range split(data) {
		if !bytes.Contains(d.text, []byte("ConfigMap")) {
			continue
		}
		if root, err := parse(d.text); err == nil && root != nil {
			m.object(&walker{}, resolve(root), 0)
		}
	}
}

// object adds a ConfigMap, or those of a List, to m.
func (m ConfigMaps) object(w *walker, n *yaml.Node, depth int) {
	if depth > maxNested || !w.visit(n, depth) {
		return
	}
	all := w.fields(n)
	switch kind := text(all, "kind"); {
	case strings.HasSuffix(kind, "List"):
		items, _ := get(all, "items")
		for _, item := range w.items(items.value) {
			m.object(w, item, depth+1)
		}
	case kind == "ConfigMap":
		metadata, _ := get(all, "metadata")
		meta := w.fields(metadata.value)
		values := map[string]string{}
		data, _ := get(all, "data")
		for _, f := range w.fields(data.value) {
			if f.value.Kind == yaml.ScalarNode && w.spend(f.value, len(f.value.Value)/4) {
				values[f.name] = f.value.Value
			}
		}
		name := text(meta, "namespace") + "/" + text(meta, "name")
		if other, taken := m[name]; taken && !maps.Equal(other, values) {
			values = nil
		}
		m[name] = values
	}
}

// find returns the key in m of the ConfigMap of that namespace and name, or else the key of one whose file leaves the
// namespace out. It may be missing from m.
func (m ConfigMaps) find(namespace, name string) string {
	if _, ok := m[namespace+"/"+name]; !ok {
		return "/" + name
	}
	return namespace + "/" + name
}
