package files

import (
	"path"
	"slices"
	"strings"

	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/gate/files/tree"
)

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
