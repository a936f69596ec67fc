package kustomize

import (
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"

	"go.yaml.in/yaml/v3"
)

// place is what a change is made to: the names of the fields that lead there from an object, or from a chart's values, without the numbers of
// items. It is the object itself, and so all that is in it, if there are none.
type place struct {
	steps []string
	// speaks: what is put there, or the place's name, speaks of leader election.
	speaks bool
	// scalar: it is no list, mapping or null, and becomes none.
	scalar bool
	// list: it is a list, which is merged with the other by names if it is one of Kubernetes' own.
	list bool
	// configures: it can only be the flag that names a file of configuration.
	configures bool
}

// maxPlaces is how many places one change has; one with more counts as made to everything.
const maxPlaces = 10_000

// everything is made to what nobody knows.
var everything = []place{{}}

// Reach is what of a container, or of other settings, a change is made to.
type Reach int

const (
	nothing Reach = iota
	Settings
	// OfEnv is of variables that are no settings by their names, and OfEnvFrom of any variables.
	OfEnv
	OfEnvFrom
	// OfMounts is of what a container mounts, and OfConfig of the flag that names a file of configuration.
	OfMounts
	OfConfig
)

// PodPath leads to the containers of a Deployment.
var PodPath = []string{"spec", "template", "spec", "containers"}

// reach tells what of the settings that stand at a place the change p is made to. The place is a list of containers if its last step says so.
func (p place) reach(at []string) Reach {
	n := 0
	for n < min(len(at), len(p.steps)) && at[n] == p.steps[n] {
		n++
	}
	containers := len(at) > 0 && setting.IsContainers(at[len(at)-1])
	switch {
	case p.speaks:
		return Settings
	case n == len(p.steps) && p.list && containers:
		return nothing
	case n == len(p.steps):
		return Settings
	case n == len(at)-1 && containers && p.steps[n] == "volumes":
		return OfMounts
	case n < len(at), !containers && (len(p.steps) > n+1 || p.scalar):
		return nothing
	case !containers:
		return Settings
	}
	switch p.steps[n] {
	case "args", "command", "image":
		if p.configures {
			return OfConfig
		}
		return Settings
	case "env":
		return OfEnv
	case "envFrom":
		return OfEnvFrom
	case "volumeMounts":
		return OfMounts
	}
	return nothing
}

// placesIn returns the places that the patch root is made to: a JSON patch, or an object whose fields are merged with those of another. It
// returns everything for nil, which stands for a patch that nobody knows.
func placesIn(r *tree.Reader, root *yaml.Node) []place {
	items := r.Items(root)
	switch {
	case root != nil && root.Kind == yaml.MappingNode:
		return merged(r, root, nil, nil)
	case !IsPatch(r, items):
		return everything
	}
	var all []place
	for _, item := range items {
		entry := r.Fields(item)
		if op, from := tree.Text(entry, "op"), tree.Text(entry, "from"); op == "move" {
			all = append(all, place{steps: fieldsOfPath(from, "/")})
		} else if op == "test" {
			continue
		}
		all = append(all, operation(entry)...)
	}
	return all
}

// IsPatch tells whether the items are the operations of a JSON patch, as in kustomizations: each has an op and a path. It is
// false for no items.
func IsPatch(r *tree.Reader, items []*yaml.Node) bool {
	for _, item := range items {
		all := r.Fields(item)
		if tree.Text(all, "op") == "" || !strings.HasPrefix(tree.Text(all, "path"), "/") {
			return false
		}
	}
	return len(items) > 0
}

// operation returns the places that an operation of a JSON patch, which has the fields in entry, is made to. To add a container, or a flag
// of something else at the end, is made to none.
func operation(entry []tree.Field) []place {
	at, more := strings.CutSuffix(tree.Text(entry, "path"), "/-")
	p := place{steps: fieldsOfPath(at, "/")}
	if len(p.steps) == 0 {
		return everything
	}
	if p.steps[0] == "metadata" || p.steps[0] == "status" {
		return nil
	}
	last, value, variable := p.steps[len(p.steps)-1], "", false
	p.speaks = setting.Speaks(p.steps, "")
	if f, ok := tree.Get(entry, "value"); ok {
		p.scalar = f.Value.Kind == yaml.ScalarNode && f.Value.ShortTag() != "!!null" && !more
		tree.Each(f.Value, func(n *yaml.Node) {
			p.speaks = p.speaks || setting.Speaks(nil, n.Value)
			variable = variable || strings.Contains(n.Value, "$")
		})
		value = f.Value.Value
	}
	switch added := more && tree.Text(entry, "op") == "add"; {
	case added && setting.IsContainers(last):
		return nil
	case !added || p.speaks || variable || last != "args" && last != "command":
	case setting.IsConfigFlag(strings.TrimLeft(strings.SplitN(value, "=", 2)[0], "-")):
		p.configures = true
	default:
		return nil
	}
	return []place{p}
}

// aside are fields of an object that have no settings.
var aside = []string{"apiVersion", "kind", "metadata", "status"}

// merged appends to all the places that the value n, which the fields in steps lead to, is merged into. Metadata of objects and of pods are none.
func merged(r *tree.Reader, n *yaml.Node, steps []string, all []place) []place {
	if !r.Visit(n, len(steps)) || len(all) > maxPlaces {
		return everything
	}
	switch n.Kind {
	case yaml.SequenceNode:
		all = append(all, place{steps: steps, list: true})
		for _, item := range r.Items(n) {
			all = merged(r, item, steps, all)
		}
	case yaml.MappingNode:
		for _, f := range r.Fields(n) {
			switch {
			case len(steps) == 0 && slices.Contains(aside, f.Name), f.Name == "metadata":
			case strings.HasPrefix(f.Name, "$"): // $patch: delete
				all = append(all, place{steps: steps})
			default:
				all = merged(r, f.Value, append(slices.Clone(steps), f.Name), all)
			}
		}
	default:
		all = append(all, place{steps: steps, scalar: n.ShortTag() != "!!null", speaks: setting.Speaks(steps, n.Value)})
	}
	return all
}

// choice matches a step of a path that chooses an item of a list.
var choice = regexp.MustCompile(`\[[^\]]*\]|^(?:\d+|[-*])$`)

// fieldsOfPath returns the names of fields in a path that has sep between its steps.
func fieldsOfPath(path, sep string) []string {
	steps := strings.Split(path, sep)
	for i, step := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(choice.ReplaceAllString(step, ""))
	}
	return slices.DeleteFunc(steps, func(step string) bool { return step == "" })
}

// PatchReaches tells whether a text has a patch of containers with a reach that is one of those.
func PatchReaches(r *tree.Reader, text string, is func(Reach) bool) bool {
	return slices.ContainsFunc(tree.Roots([]byte(text)), func(root *yaml.Node) bool {
		return root != nil && root.Kind != yaml.ScalarNode && slices.ContainsFunc(placesIn(r, root), func(p place) bool { return is(p.reach(PodPath)) })
	})
}
