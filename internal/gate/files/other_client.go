package files

import (
	"path"
	"slices"
	"strings"
)

// springCloud is in the names of settings of Spring Cloud Kubernetes. Its programs keep the same record with fabric8's client or
// with Kubernetes' own for Java, and the files do not tell which.
const springCloud = "springcloudkubernetes"

// unknownClient returns what the candidate is called if its client is not known, and is not client-go; otherwise "".
func (c *candidate) unknownClient() string {
	switch {
	case c.speaksOf(springCloud):
		return "Spring Cloud Kubernetes"
	case c.inJava && (c.program == nil || c.program.Profile != fabric8):
		return "a program in Java"
	}
	return ""
}

// programOfSettings returns the known program that one of the settings is of, by its name or by what it stands in; nil if
// there is none.
func (c *candidate) programOfSettings() *Program {
	for i := range programs {
		if slices.ContainsFunc(programs[i].settings, c.speaksOf) {
			return &programs[i]
		}
	}
	return nil
}

// speaksOf tells whether a word, as normal has it, is in the name of a setting, or of what the settings stand in or beside. What
// comes before it may be a hyphen and a D, as Java has it, or Quarkus' %prod.
func (c *candidate) speaksOf(word string) bool {
	has := func(name string) bool { return strings.Contains(name, word) }
	return has(c.within) || slices.ContainsFunc(c.beside, has) ||
		slices.ContainsFunc(c.raws, func(r raw) bool { return has(c.within + normal(r.name)) })
}

// startsJava tells whether a command line, or the names of variables, start a program in Java.
func startsJava(words []word, variables []string) bool {
	return slices.ContainsFunc(words, func(w word) bool { return path.Base(w.text) == "java" || w.text == "-jar" }) ||
		slices.ContainsFunc(variables, func(name string) bool {
			return strings.HasPrefix(name, "JAVA_OPTS") || name == "JAVA_TOOL_OPTIONS" || name == "JDK_JAVA_OPTIONS"
		})
}
