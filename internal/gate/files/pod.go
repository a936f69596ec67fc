package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/gate/files/tree"
)

// The types of Kubernetes' core/v1, with those fields alone that are read here. That package itself takes a tenth of the time
// in which this whole module compiles, since it has all types of the API.

// podContainer is a container of a pod.
type podContainer struct {
	Image        string            `json:"image"`
	Command      []string          `json:"command"`
	Args         []string          `json:"args"`
	Env          []variable        `json:"env"`
	EnvFrom      []variablesSource `json:"envFrom"`
	VolumeMounts []struct {
		Name      string `json:"name"`
		MountPath string `json:"mountPath"`
	} `json:"volumeMounts"`
}

// variables returns the names of the container's own variables.
func (c *podContainer) variables() []string {
	names := make([]string, len(c.Env))
	for i, v := range c.Env {
		names[i] = v.Name
	}
	return names
}

// variable is an environment variable. ValueFrom is nil if Value is its value.
type variable struct {
	Name      string         `json:"name"`
	Value     string         `json:"value"`
	ValueFrom *variableValue `json:"valueFrom"`
}

// variableValue says where a variable has its value from; ConfigMapKeyRef is nil if it is not a ConfigMap.
type variableValue struct {
	ConfigMapKeyRef *struct {
		reference
		Key      string `json:"key"`
		Optional bool   `json:"optional"`
	} `json:"configMapKeyRef"`
}

// variablesSource is an object of which each key becomes an environment variable.
type variablesSource struct {
	Prefix       string     `json:"prefix"`
	ConfigMapRef *reference `json:"configMapRef"`
	SecretRef    *reference `json:"secretRef"`
}

// reference names an object in the pod's namespace.
type reference struct {
	Name string `json:"name"`
}

// podSpec has a pod's volumes.
type podSpec struct {
	Volumes []struct {
		Name      string     `json:"name"`
		ConfigMap *reference `json:"configMap"`
		Projected *struct {
			Sources []struct {
				ConfigMap *reference `json:"configMap"`
			} `json:"sources"`
		} `json:"projected"`
	} `json:"volumes"`
}

// volumes returns the ConfigMaps, as namespace/name, that a pod mounts, by the name of the volume. It returns nil if the list of
// volumes is missing or broken; a broken one is reported.
func (w *walker) volumes(pod []tree.Field) map[string][]string {
	var decoded podSpec
	if f, ok := tree.Get(pod, "volumes"); !ok || !w.decode(w.pos.at(w.base+f.Line), pod, &decoded, "volumes") {
		return nil
	}
	all := map[string][]string{}
	for _, v := range decoded.Volumes {
		if v.ConfigMap != nil {
			all[v.Name] = append(all[v.Name], w.namespace+"/"+v.ConfigMap.Name)
		}
		if v.Projected == nil {
			continue
		}
		for _, source := range v.Projected.Sources {
			if source.ConfigMap != nil {
				all[v.Name] = append(all[v.Name], w.namespace+"/"+source.ConfigMap.Name)
			}
		}
	}
	for _, configMaps := range all {
		w.mount(configMaps, false)
	}
	return all
}

// mount is a ConfigMap, namespace/name, that a pod has as a volume; read tells that a container, which is no init container, perhaps reads it.
type mount struct {
	configMap string
	read      bool
}

// mount adds ConfigMaps to w.mounts.
func (w *walker) mount(configMaps []string, read bool) {
	for _, configMap := range configMaps {
		w.mounts = append(w.mounts, mount{configMap, read})
	}
}

// mounted returns the ConfigMaps, as namespace/name, that the container mounts; if config is the whole path of one file, only those of the
// mount that this file is in. volumes has them by the name of the volume. notHidden are all that it mounts, without those that another mount
// hides at that path.
func (c *podContainer) mounted(config string, volumes map[string][]string) (all, notHidden []string) {
	leads := func(in string) bool { return config == in || strings.HasPrefix(config, in+"/") }
	longest := ""
	for _, m := range c.VolumeMounts {
		if in := strings.TrimSuffix(m.MountPath, "/"); leads(in) && len(in) > len(longest) {
			longest = in
		}
	}
	whole := strings.HasPrefix(config, "/") && !strings.ContainsAny(config, ",$")
	for _, m := range c.VolumeMounts {
		in := strings.TrimSuffix(m.MountPath, "/")
		if !whole || m.MountPath == "" || longest != "" && in == longest {
			all = append(all, volumes[m.Name]...)
		}
		if !whole || in == longest || !leads(in) {
			notHidden = append(notHidden, volumes[m.Name]...)
		}
	}
	return all, notHidden
}

// decode fills the named fields of into, a pointer to a Kubernetes type, from the fields in all. It returns false, and reports a
// problem, if Kubernetes would not take them, or if one other than image is a template. It also returns false if the walker's
// limit of values is reached.
func (w *walker) decode(at Position, all []tree.Field, into any, names ...string) bool {
	values := map[string]any{}
	for _, name := range names {
		f, ok := tree.Get(all, name)
		if !ok {
			continue
		}
		if action := tree.TemplateIn(f.Value); action != "" && name != "image" {
			err := scalar.Elsewhere{What: action}
			w.report(Problem{Position: at.at(w.base + f.Line), Text: name + ": " + err.Error(), Unreadable: true})
			return false
		}
		values[name] = w.Plain(f.Value, 0)
	}
	data, err := json.Marshal(values)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	var wrong *json.UnmarshalTypeError
	switch {
	case w.Exhausted():
		return false
	case errors.As(err, &wrong):
		w.problem(at, fmt.Sprintf("%s: want %s, got %s; Kubernetes takes nothing else",
			wrong.Field, jsonType(wrong.Type), wrong.Value))
	case err != nil:
		w.problem(at, "not what Kubernetes takes: "+err.Error())
	}
	return err == nil
}

// jsonType returns in words what a YAML value must be to fill a Go type.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "a mapping"
	case reflect.String:
		return "a string (in quotes, if it is a number)"
	}
	return "a whole number"
}
