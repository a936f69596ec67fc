package files

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/phrase"
)

// usedVariable matches a variable in a command line, a script or another variable.
var usedVariable = regexp.MustCompile(`\$[({]?(\w+)`)

// flagAndValue matches a word that is one flag with its value, whatever the variables in it stand for.
var flagAndValue = regexp.MustCompile(`^--?([\w.-]+)=\S*$`)

// unknownSource is a Secret or ConfigMap, in words, whose variables are not known, and the variables that others before it have set.
type unknownSource struct {
	what string
	sets []string
}

// variablesUsed returns the names of the variables that the settings of a container are made of; c.raws must be the settings among its variables.
func (c *candidate) variablesUsed(container *podContainer) map[string]bool {
	used := map[string]bool{}
	for _, r := range c.raws {
		used[r.name] = true
	}
	use := func(text string) {
		for _, match := range usedVariable.FindAllStringSubmatch(text, -1) {
			used[match[1]] = true
		}
	}
	for _, text := range slices.Concat(container.Command, container.Args) {
		name := flagAndValue.FindStringSubmatch(text)
		if name == nil || setting.Speaks(name[1:], text) || setting.IsConfigFlag(name[1]) || programs.OfArguments(name[1]) != nil {
			use(text)
		}
	}
	for _, v := range slices.Backward(container.Env) { // a variable is made of those before it
		if used[v.Name] {
			use(v.Value)
		}
	}
	return used
}

// origins finds out where the variables come from that the container's settings are made of: it sets c.variable and c.variablesOf. That
// no source whose variables are not known sets one again becomes a condition in c.provided. c.raws must be the settings among the variables.
func (c *candidate) origins(container *podContainer, whole []fromAll) {
	used := c.variablesUsed(container)
	c.variable = len(used) > 0
	for _, v := range container.Env {
		if v.ValueFrom != nil && v.ValueFrom.ConfigMapKeyRef != nil && used[v.Name] {
			c.variablesOf = append(c.variablesOf, v.ValueFrom.ConfigMapKeyRef.Name)
		}
	}
	for _, v := range container.Env {
		delete(used, v.Name) // one of envFrom would not count
	}
	var unknown []unknownSource
	given := map[string]bool{}
	for _, from := range whole {
		if from.values == nil {
			again := slices.DeleteFunc(slices.Sorted(maps.Keys(given)), func(name string) bool { return !strings.HasPrefix(name, from.prefix) })
			unknown = append(unknown, unknownSource{from.what, again})
		}
		for key := range from.values {
			if name := from.prefix + key; used[name] {
				given[name] = true
				c.variablesOf = append(c.variablesOf, from.configMap)
				for i := range unknown {
					unknown[i].sets = slices.DeleteFunc(unknown[i].sets, func(s string) bool { return s == name })
				}
			}
		}
	}
	for _, u := range unknown {
		if len(u.sets) > 0 {
			c.provide(u.what + " does not set " + phrase.Or(u.sets) + " again")
		}
	}
}
