package files

import (
	"maps"
	"slices"
	"strings"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// maxGrowth is by how many bytes variables may lengthen a text; what refers to itself again and again could fill
// the memory.
const maxGrowth = 1024

// environment has the variables whose values are known.
type environment map[string]string

// environment returns the container's variables whose values are known, with those of all keys of objects first. all are the fields of the container,
// and container is what was decoded from them. It also adds each variable that is a setting to c.raws, even if its value is not known. For such
// a variable that comes from a ConfigMap, it marks that one in w.used, and adds to c.instead those that perhaps count in its
// place. For a variable that changes when a client closes its connection, it adds a condition to c.provided.
func (w *walker) environment(c *candidate, all []tree.Field, container *podContainer, whole []fromAll) environment {
	env, own := environment{}, map[string]bool{}
	names := container.variables()
	for _, name := range names {
		own[name] = true
	}
	for _, from := range whole {
		for key := range from.values {
			names = append(names, from.prefix+key)
		}
	}
	c.together = setting.Together(names)
	list, _ := tree.Get(all, "envFrom")
	for _, from := range whole {
		for _, key := range slices.Sorted(maps.Keys(from.values)) {
			name := from.prefix + key
			env[name] = from.values[key]
			if !own[name] {
				w.variable(c, name, from.values[key], list.Line, from.in+"/"+from.configMap)
			}
		}
	}
	list, _ = tree.Get(all, "env")
	for i, v := range container.Env {
		line := list.Value.Content[i].Line
		value, known, from := env.expand(v.Value), true, ""
		if v.ValueFrom != nil {
			var unset bool
			if value, from, known, unset = w.valueFrom(v.ValueFrom); unset {
				w.read.Add(v.Name, "", w.base+line)
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
			c.provide("the client closes a connection after 45s, whatever " + v.Name + " says")
		}
		w.variable(c, v.Name, value, line, from)
	}
	return env
}

// variable adds a variable to c.raws if it is a setting, or passes a timing without a value to w.empty. from is the ConfigMap that has
// the value, "" if none has: variable marks it in w.used, and adds to c.instead those that perhaps count in its place.
func (w *walker) variable(c *candidate, name, value string, line int, from string) {
	r := raw{Setting: setting.OfValue(name, value), name: phrase.Clip(name), line: w.base + line}
	if r.Key == setting.None {
		r.Setting = c.together[setting.Normal(name)]
	}
	switch {
	case r.Key == setting.None:
	case r.Key <= setting.RetryPeriod && value == "":
		w.empty(c, r)
	default:
		r.text, r.wholeSeconds, r.loose = value, true, true
		c.raws = append(c.raws, r)
		w.used[from] = true
		c.replaceable(w.shared, w.namespace, from)
	}
}

// valueFrom returns the value that a variable takes from a ConfigMap's key, and that ConfigMap as namespace/name. known is false if
// the variable takes its value from something else, for which configMap is "", or if the value is not in the same input; unset is true if the
// variable is not set at all, since its ConfigMap is known, and has no such key, which is optional.
func (w *walker) valueFrom(from *variableValue) (value, configMap string, known, unset bool) {
	ref := from.ConfigMapKeyRef
	if ref == nil {
		return "", "", false, false
	}
	values, in := w.shared.find(w.namespace, ref.Name)
	value, known = values[ref.Key]
	return value, in + "/" + ref.Name, known, !known && ref.Optional && values != nil
}

// fromAll is an object of which a container takes all keys as variables: what it is, in words, what is put before the keys, and their values, which are
// nil where they are not known. configMap is its name, with the namespace in which it was found, both "" for a Secret.
type fromAll struct {
	what, prefix, configMap, in string
	values                      map[string]string
}

// allFrom returns the objects of which the container takes all keys as variables.
func (w *walker) allFrom(container *podContainer) (all []fromAll) {
	for _, from := range container.EnvFrom {
		switch {
		case from.SecretRef != nil:
			all = append(all, fromAll{what: "Secret " + phrase.Clip(from.SecretRef.Name), prefix: from.Prefix})
		case from.ConfigMapRef != nil:
			one := fromAll{what: "ConfigMap " + phrase.Clip(from.ConfigMapRef.Name), prefix: from.Prefix, configMap: from.ConfigMapRef.Name}
			one.values, one.in = w.shared.find(w.namespace, one.configMap)
			all = append(all, one)
		default:
			all = append(all, fromAll{what: "another source of its variables", prefix: from.Prefix})
		}
	}
	return all
}

// notHere returns, in words, the first ConfigMap from which a container takes all keys as variables and whose values are not
// known here. If there is none, it returns the last Secret from which the container does so; "" if there is none either. several is
// true if inputs have a ConfigMap of that name, but nobody can tell its values.
func (w *walker) notHere(all []fromAll) (what string, several bool) {
	for _, from := range all {
		switch {
		case from.configMap == "":
			what = from.what
		case from.values == nil:
			return from.what, w.shared[from.configMap] != nil
		}
	}
	return what, false
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
