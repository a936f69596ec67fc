package files

import (
	"slices"
	"strings"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
)

// unknownClient is what a candidate's client is if it is not known, and is not client-go.
type unknownClient struct {
	// called is what the program is called, and languages are those that it may be in.
	called    string
	languages []string
	// own: it elects by an algorithm of its own, which no profile has. surely: it is not in Go.
	own, surely bool
}

// ownElections are programs in Java that elect in their own way, and what is in the names of their settings. Spring Cloud
// Kubernetes has another election, too, with fabric8's client or with Kubernetes' own for Java.
var ownElections = []struct{ called, settings, but string }{
	{"Spring Cloud Kubernetes", "springcloudkubernetesleader", "springcloudkubernetesleaderelection"},
	{"Apache Camel", "camelcluster", ""},
}

// unknownClient returns what the candidate's client may be; nil if the client is known, or client-go.
func (c *candidate) unknownClient() *unknownClient {
	for _, o := range ownElections {
		if c.speaksOf(o.settings) && (o.but == "" || !c.speaksOf(o.but)) {
			return &unknownClient{called: o.called, own: true}
		}
	}
	switch {
	case c.speaksOf("springcloudkubernetes"):
		return &unknownClient{called: "Spring Cloud Kubernetes", languages: []string{java}, surely: true}
	case c.language == java && c.program != nil && c.program.Profile == "" && c.started, c.language != "" && c.program == nil:
		return &unknownClient{called: "a program in " + c.language, languages: []string{c.language}, surely: c.started}
	case c.managed && c.program == nil:
		return &unknownClient{called: "a program whose client was generated", languages: []string{java, "Python"}, surely: true}
	}
	return nil
}

// golang is the language of client-go.
const golang = "Go"

// notKnown tells whether the candidate's client is not known, neither from the file nor by a flag, and adds a note then.
func (w *walker) notKnown(c *candidate) bool {
	u := c.unknownClient()
	if u == nil || slices.Contains(u.languages, w.language) || !u.own && !u.surely && w.language == golang {
		return false
	}
	w.note(c.pos, Unread, u.unjudged())
	return true
}

// unjudged is a note about a candidate with such a client. It names the profiles by which it would be judged.
func (u *unknownClient) unjudged() string {
	if u.own {
		return "leader election of " + u.called + " is by an algorithm of its own, which is not known here; not judged"
	}
	text := "leader election of " + u.called + " is that of one of several clients, and nothing says which; not judged"
	var flags []string
	for _, p := range machine.Profiles() {
		if slices.Contains(u.languages, p.Language()) {
			flags = append(flags, "--profile "+p.Name)
		}
	}
	if !u.surely {
		flags = append(flags, "--profile "+machine.ClientGo.Name+" if it is in Go")
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

// setLanguage sets c.language and c.started from what starts a container's program, its variables and its image.
func (c *candidate) setLanguage(words []word, variables []string) {
	c.language = languageOfCommand(words)
	c.started = c.language != ""
	for _, name := range variables {
		if c.language == "" {
			c.language = languageOfVariable(name)
			c.started = strings.Contains(name, "JAVA_") && name != "JAVA_HOME" // an image may have that for something else
		}
	}
	if c.language == "" {
		c.language = languageOfImage(c.image)
	}
}
