package files

import (
	"path"
	"slices"
	"strings"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
)

// springCloud is in the names of settings of Spring Cloud Kubernetes. Its programs keep the same record with fabric8's client or
// with Kubernetes' own for Java, and the files do not tell which.
const springCloud = "springcloudkubernetes"

// unknownClient returns what the candidate is called, and its language, if its client is not known, and is not client-go; otherwise "".
func (c *candidate) unknownClient() (called, language string) {
	switch {
	case c.speaksOf(springCloud):
		return "Spring Cloud Kubernetes", "Java"
	case c.inJava && (c.program == nil || c.program.Profile != fabric8):
		return "a program in Java", "Java"
	case c.language != "" && c.program == nil:
		return "a program in " + c.language, c.language
	}
	return "", ""
}

// unjudged is a note about a candidate whose client is not known. It names the profiles by which it would be judged.
func unjudged(called, language string) string {
	text := "leader election of " + called + " is that of one of several clients, and nothing says which; not judged"
	var flags []string
	for _, p := range machine.Profiles() {
		if p.Language() == language {
			flags = append(flags, "--profile "+p.Name)
		}
	}
	if flags != nil {
		text += " without " + phrase.Or(flags)
	}
	return text
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

// languages are those, but for Java, whose programs an interpreter or a runtime starts, by its name. None of them has client-go.
var languages = []struct{ name, starts string }{
	{"C#", "dotnet"}, {"Python", "python"}, {"JavaScript", "node"}, {"Ruby", "ruby"}, {"PHP", "php"},
}

// starters are programs that start another one, which their command line names.
var starters = []string{"sh", "bash", "ash", "dash", "exec", "env", "tini", "dumb-init", "-c", "-ec", "--"}

// startsIn returns the language of the program that a command line starts, "" where none is recognised: the first word, but for
// starters, is the name of a runtime, perhaps with a version (python3.12).
func startsIn(words []word) string {
	for _, w := range words {
		base := path.Base(w.text)
		if slices.Contains(starters, base) {
			continue
		}
		base = strings.TrimRight(base, "0123456789.")
		for _, l := range languages {
			if base == l.starts {
				return l.name
			}
		}
		return ""
	}
	return ""
}
