package files

import (
	"path"
	"slices"
	"strings"

	"interregnum/elector/machine"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// unknownClient describes a candidate's client that is not client-go, or perhaps not, and has no known profile.
type unknownClient struct {
	// called is what people call the program. languages are the languages in which it is perhaps written.
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

// unknownClient returns what is known of the candidate's client if nobody can tell which client it is, or if it elects by an
// algorithm of its own; nil if its profile is known, or if nothing says that it is another client than client-go.
func (c *candidate) unknownClient() *unknownClient {
	for _, o := range ownElections {
		if c.speaksOf(o.settings) && (o.but == "" || !c.speaksOf(o.but)) {
			return &unknownClient{called: o.called, own: true}
		}
	}
	switch {
	case c.speaksOf("springcloudkubernetes"):
		return &unknownClient{called: "Spring Cloud Kubernetes", languages: []string{programs.Java}, surely: true}
	case c.language == programs.Java && c.program != nil && c.program.Profile == "" && c.started, c.language != "" && c.program == nil:
		return &unknownClient{called: "a program in " + c.language, languages: []string{c.language}, surely: c.started}
	case c.managed && c.program == nil:
		return &unknownClient{called: "a program whose client was generated", languages: []string{programs.Java, "Python"}, surely: true}
	}
	return nil
}

// golang is the language of client-go.
const golang = "Go"

// notKnown tells whether no profile can be known for the candidate: it elects by an algorithm of its own, or nobody can tell which
// client it has, neither from the file nor from the language that the caller gave (w.language). If so, it adds a note.
func (w *walker) notKnown(c *candidate) bool {
	u := c.unknownClient()
	if u == nil || slices.Contains(u.languages, w.language) || !u.own && !u.surely && w.language == golang {
		return false
	}
	w.note(c.pos, Unread, u.unjudged())
	return true
}

// unjudged returns the text of a note which says that a candidate with such a client is not judged. Unless the client elects by an
// algorithm of its own, the text names the profiles by which the candidate could be judged, if there are any.
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

// setLanguage sets c.language from the command line, else from the names of variables, else from c.image; "" if none tells it. It
// sets c.started to true if the command line tells it, or a variable that is only there for a program in Java.
func (c *candidate) setLanguage(words []shell.Word, variables []string) {
	c.language = programs.LanguageOfCommand(words)
	c.started = c.language != ""
	for _, name := range variables {
		if c.language == "" {
			c.language = programs.LanguageOfVariable(name)
			c.started = strings.Contains(name, "JAVA_") && name != "JAVA_HOME" // an image may have that for something else
		}
	}
	if c.language == "" {
		c.language = programs.LanguageOfImage(c.image)
	}
}

// languageHere returns the language of the program that a mapping is for, which is a chart's values or a program's configuration;
// "" if nothing tells it. all are the fields of the mapping. It goes by the image first, then by the names of environment variables
// and, at the top of a document, by the names of the fields.
func (w *walker) languageHere(all []tree.Field) string {
	image, _ := tree.Get(all, "image")
	name := tree.Text(all, "image")
	if name == "" && image.Value != nil {
		name = tree.Text(w.Fields(image.Value), "repository")
	}
	if found := programs.LanguageOfImage(name); name != "" && found != "" {
		return found
	}
	for _, f := range all {
		if found := programs.LanguageOfField(f.Name); found != "" && len(w.path) == 0 {
			return found
		}
		switch setting.Normal(f.Name) {
		case "env", "extraenv", "envvars", "extraenvvars", "environment":
		default:
			continue
		}
		for _, member := range w.Fields(f.Value) {
			if found := programs.LanguageOfVariable(member.Name); found != "" {
				return found
			}
		}
		for _, item := range w.Items(f.Value) {
			if found := programs.LanguageOfVariable(tree.Text(w.Fields(item), "name")); found != "" {
				return found
			}
		}
	}
	return ""
}

// ownElection adds a note for a container whose program elects by an algorithm of its own, and whose settings do not have the names
// that are read here: the injector of vault-k8s, operators made with Kopf, and leader-elector, which elects for another container. all are
// the fields of the container, container is what was decoded from them, and words is the command line.
func (w *walker) ownElection(c *candidate, all []tree.Field, container *podContainer, words []shell.Word) {
	const text = " elects by an algorithm of its own, which is not known here; not judged"
	list, _ := tree.Get(all, "env")
	for i, v := range container.Env {
		if on, err := scalar.Boolean(v.Value); v.Name == "AGENT_INJECT_USE_LEADER_ELECTOR" && err == nil && on {
			w.note(c.pos.at(w.base+list.Value.Content[i].Line), Ignored, v.Name+": the injector of vault-k8s"+text)
		}
	}
	has := func(name string) bool {
		return slices.ContainsFunc(words, func(it shell.Word) bool { return path.Base(it.Text) == name })
	}
	for _, it := range words {
		name, value, _ := strings.Cut(it.Text, "=")
		switch bare := strings.TrimLeft(name, "-"); {
		case bare == name: // no flag
		case bare == "use-leader-elector" && value != "false" && has("agent-inject"):
			w.note(c.pos.at(it.Line), Ignored, name+": the injector of vault-k8s"+text)
		case bare == "election" && strings.Contains(c.component, "leader-elector"):
			w.note(c.pos.at(it.Line), Ignored, name+": leader-elector"+text)
		case bare == "peering" && has("kopf"):
			w.note(c.pos.at(it.Line), Ignored, name+": Kopf"+text)
		}
	}
}
