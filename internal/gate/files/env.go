package files

import (
	"maps"
	"slices"
	"strings"

	"interregnum/internal/phrase"
)

// maxGrowth is by how many bytes variables may lengthen a text; what refers to itself again and again could fill
// the memory.
const maxGrowth = 1024

// environment has the variables whose values are known.
type environment map[string]string

// environment returns the container's variables whose values are known. all are the fields of the container, and container is
// what was decoded from them. It also adds each variable that is a setting to c.raws, even if its value is not known. For such
// a variable that comes from a ConfigMap, it marks that one in w.used, and adds to c.instead those that perhaps count in its
// place. For a variable that changes when a client closes its connection, it adds a condition to c.provided.
func (w *walker) environment(c *candidate, all []field, container *podContainer) environment {
	env := environment{}
	names := w.namesFrom(container)
	for _, v := range container.Env {
		names = append(names, v.Name)
	}
	c.together = ofOnePrefix(names)
	w.envFrom(c, env, all, container)
	list, _ := get(all, "env")
	for i, v := range container.Env {
		value := env.expand(v.Value)
		known, from := true, ""
		if v.ValueFrom != nil {
			value, from, known = w.valueFrom(v.ValueFrom)
			if !known && w.isUnset(v.ValueFrom) {
				w.read.add(raw{name: v.Name, line: w.base + list.value.Content[i].Line})
				continue
			}
		}
		if known {
			env[v.Name] = value
		} else {
			delete(env, v.Name) // one from envFrom would not count
			value = "$(valueFrom of " + v.Name + ")"
		}
		if v.Name == "HTTP2_READ_IDLE_TIMEOUT_SECONDS" || v.Name == "HTTP2_PING_TIMEOUT_SECONDS" {
			c.provided = append(c.provided, "the client closes a connection after 45s, whatever "+v.Name+" says")
		}
		w.variable(c, v.Name, value, list.value.Content[i].Line, from)
	}
	return env
}

// variable adds a variable to c.raws if it is a setting, or passes a timing without a value to w.empty. from is the ConfigMap that has
// the value, "" if none has: variable marks it in w.used, and adds to c.instead those that perhaps count in its place.
func (w *walker) variable(c *candidate, name, value string, line int, from string) {
	r := raw{setting: valued(name, value), name: phrase.Clip(name), line: w.base + line}
	if r.key == noKey {
		r.setting = c.together[normal(name)]
	}
	switch {
	case r.key == noKey:
	case r.key <= retryPeriod && value == "":
		w.empty(c, r)
	default:
		r.text, r.wholeSeconds, r.loose = value, true, true
		c.raws = append(c.raws, r)
		w.used[from] = true
		c.replaceable(w.shared, w.namespace, from)
	}
}

// valueFrom returns the value that a variable takes from a ConfigMap's key, and that ConfigMap as namespace/name. known is false if
// the variable takes its value from something else, for which configMap is "", or if the value is not in the same input.
func (w *walker) valueFrom(from *variableValue) (value, configMap string, known bool) {
	if from.ConfigMapKeyRef == nil {
		return "", "", false
	}
	values, in := w.shared.find(w.namespace, from.ConfigMapKeyRef.Name)
	value, known = values[from.ConfigMapKeyRef.Key]
	return value, in + "/" + from.ConfigMapKeyRef.Name, known
}

// isUnset tells whether a variable is not set at all, since its ConfigMap is known, and has no such key, which is optional.
func (w *walker) isUnset(from *variableValue) bool {
	if from.ConfigMapKeyRef == nil || !from.ConfigMapKeyRef.Optional {
		return false
	}
	values, _ := w.shared.find(w.namespace, from.ConfigMapKeyRef.Name)
	return values != nil
}

// envFrom adds to env the variables that the container takes from all keys of a ConfigMap. all are the fields of the container, and
// container is what was decoded from them. It does with each what the method variable does, unless the container's own env has a variable
// of the same name.
func (w *walker) envFrom(c *candidate, env environment, all []field, container *podContainer) {
	own := map[string]bool{}
	for _, v := range container.Env {
		own[v.Name] = true
	}
	list, _ := get(all, "envFrom")
	for _, from := range container.EnvFrom {
		if from.ConfigMapRef == nil {
			continue
		}
		values, in := w.shared.find(w.namespace, from.ConfigMapRef.Name)
		configMap := in + "/" + from.ConfigMapRef.Name
		for _, key := range slices.Sorted(maps.Keys(values)) {
			name := from.Prefix + key
			env[name] = values[key]
			if !own[name] {
				w.variable(c, name, values[key], list.line, configMap)
			}
		}
	}
}

// namesFrom returns the names of the variables that the container takes from all keys of ConfigMaps whose values are known.
func (w *walker) namesFrom(container *podContainer) (names []string) {
	for _, from := range container.EnvFrom {
		if from.ConfigMapRef != nil {
			values, _ := w.shared.find(w.namespace, from.ConfigMapRef.Name)
			for key := range values {
				names = append(names, from.Prefix+key)
			}
		}
	}
	return names
}

// expand returns s with $(NAME) replaced as Kubernetes does: $$ stands for $, and what is not known stays. If the
// result gets more than maxGrowth longer than s, it returns s as it is.
func (e environment) expand(s string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	var b strings.Builder
	whole := s
	for b.Len() <= len(whole)+maxGrowth {
		before, after, found := strings.Cut(s, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, rest, closed := strings.Cut(after, ")")
		value, known := e[strings.TrimPrefix(name, "(")]
		switch {
		case strings.HasPrefix(after, "$"):
			b.WriteByte('$')
			s = after[1:]
		case closed && strings.HasPrefix(name, "(") && known:
			b.WriteString(value)
			s = rest
		default:
			b.WriteByte('$')
			s = after
		}
	}
	return whole
}
