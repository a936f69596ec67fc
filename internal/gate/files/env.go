package files

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"interregnum/internal/phrase"
)

// maxGrowth is by how many bytes variables may lengthen a text; what refers to itself again and again could fill
// the memory.
const maxGrowth = 1024

// environment has the variables whose values are known.
type environment map[string]string

// environment takes a container's variables into its candidate.
func (w *walker) environment(c *candidate, all []field, vars []corev1.EnvVar) environment {
	env := environment{}
	list, _ := get(all, "env")
	for i, v := range vars {
		value := env.expand(v.Value)
		if v.ValueFrom != nil {
			value = "$(valueFrom of " + v.Name + ")"
		} else {
			env[v.Name] = value
		}
		if s := settingOf(v.Name); s.key != noKey {
			c.raws = append(c.raws, raw{
				setting: s, name: phrase.Clip(v.Name), text: value, line: w.base + list.value.Content[i].Line,
				wholeSeconds: true, loose: true,
			})
		}
	}
	return env
}

// expand replaces $(NAME) as Kubernetes does: $$ stands for $, and what is not known stays. What grows too long stays
// as a whole.
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
