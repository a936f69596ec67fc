package files

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// containers reads each item of the list f, a pod's containers, with the method container. pod are the fields of the pod's
// specification, which has the volumes. The Part of an init container begins with init.
func (w *walker) containers(f tree.Field, pod []tree.Field) {
	volumes := w.volumes(pod)
	for _, item := range w.Items(f.Value) {
		if tree.Text(w.Fields(item), "$patch") == "delete" {
			continue
		}
		name := tree.Text(w.Fields(item), "name")
		c := w.candidate("container "+phrase.Clip(name), item.Line)
		c.configMap = ""
		if f.Name == "initContainers" {
			c.pos.Part = "init " + c.pos.Part
		}
		w.container(c, item, volumes)
	}
}

// container reads the container n into candidate c: its image, component, program, language, settings in flags and variables,
// and mounted ConfigMaps. volumes has the ConfigMaps of the pod, as namespace/name, by the name of the volume. It settles c if
// c has settings. Unless it is an init container, it counts as having one if its program always elects, or elects by default
// and has several replicas. It adds c to w.readers if c has no settings, and its program is known, and c has mounts or elects
// by default. Flags that the container passes on to other programs become candidates of their own. If Kubernetes would not
// take the container, that is a problem, and container does nothing more. If several commands of a script have settings, each is a
// candidate of its own.
func (w *walker) container(c *candidate, n *yaml.Node, volumes map[string][]string) {
	all, problems := w.Fields(n), w.out.Problems
	if !w.ofKubernetes() {
		all = withFlagsOf(w.Reader, all)
	}
	var decoded podContainer
	if !w.decode(c.pos, all, &decoded, "name", "image", "command", "args", "env", "envFrom", "volumeMounts") {
		if !w.ofKubernetes() && !w.Exhausted() && !mayHaveElection(n, tree.Text(all, "name")) {
			w.out.Problems = problems // a custom resource has containers of its own form
		}
		return
	}
	var other string
	if decoded.Image, other = w.changers.Image(decoded.Image); other != "" {
		c.provide("the image that " + other + " puts in place of its own is of the same program and release")
	}
	c.image, c.component, c.program = decoded.Image, programs.LastPart(decoded.Image), programs.Named(decoded.Image, tree.Text(all, "name"))
	patched := c.program == nil && c.image == "" // a patch leaves the image out
	if patched {
		c.program = cmp.Or(w.target, programs.OfWorkload(w.namespace, w.workload, w.pos.File))
	}
	if w.component != "DaemonSet" { // whose pods are as many as its nodes
		c.replicas = w.replicas
	}
	whole := w.allFrom(&decoded)
	env := w.environment(c, all, &decoded, whole)
	c.elsewhere, c.several = w.notHere(whole)
	c.origins(&decoded, whole)
	var words []shell.Word
	for _, name := range []string{"command", "args"} {
		for _, item := range w.Listed(all, name) {
			words = append(words, shell.Word{Text: env.expand(item.Value), Line: w.base + item.Line, Literal: item.Style&yaml.LiteralStyle != 0})
		}
	}
	commands, ignored := shell.Inherited(decoded.variables(), env).Commands(words)
	var unused candidate
	if unused.flags(ignored); len(unused.raws) > 0 {
		for _, r := range unused.raws {
			w.read.Add(r.name, r.text, r.line)
		}
		r := unused.raws[0]
		w.note(c.pos.at(r.line), Unread, r.name+" is an argument after a script that does not use its arguments; it sets nothing")
	}
	for _, name := range decoded.variables() {
		c.beside = append(c.beside, setting.Normal(name))
	}
	for i, run := range w.judged(commands) {
		one := *c
		one.raws, one.provided = nil, slices.Clone(c.provided)
		w.startedWith(&one, c.raws, run.Command)
		if i > 0 {
			one.pos.Part += fmt.Sprintf(": command %d", i+1)
		}
		w.invoked(&one, all, &decoded, run, volumes, patched)
	}
}

// withFlagsOf returns the fields of a container with a list of flags in place of args, if that is a mapping of names to values, as Cluster API's
// operator has it.
func withFlagsOf(r *tree.Reader, all []tree.Field) []tree.Field {
	i := slices.IndexFunc(all, func(f tree.Field) bool {
		return f.Name == "args" && f.Value.Kind == yaml.MappingNode && tree.TemplateIn(f.Value) == ""
	})
	if i < 0 {
		return all
	}
	flags := &yaml.Node{Kind: yaml.SequenceNode, Line: all[i].Value.Line}
	for _, f := range r.Fields(all[i].Value) {
		text := "--" + strings.TrimLeft(f.Name, "-") + "=" + f.Value.Value
		flags.Content = append(flags.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Line: f.Line})
	}
	all = slices.Clone(all)
	all[i].Value = flags
	return all
}

// mayHaveElection tells whether something in a container of that name speaks of leader election, or the name is that of a known program.
func mayHaveElection(n *yaml.Node, name string) bool {
	return tree.Matches(n, setting.Hint) || programs.Named("", name) != nil
}

// startedWith adds to c.raws the settings among the variables that a command gets: those of the container in raws, but as its script or the program env
// has changed them. It adds to c.provided the conditions of its words and of these settings.
func (w *walker) startedWith(c *candidate, raws []raw, run shell.Command) {
	for _, r := range raws {
		if _, changed := run.Changed[r.name]; changed {
			w.read.Add(r.name, r.text, r.line)
			continue
		}
		c.raws = append(c.raws, r)
		c.provide(run.Doubts...)
	}
	c.provide(run.Provided...)
	for _, name := range slices.Sorted(maps.Keys(run.Changed)) {
		v, before := run.Changed[name], len(c.raws)
		switch value := v.Text(); {
		case !v.Exported:
			if s := setting.Of(name); s.Certain && s.Key != setting.None && s.Key <= setting.RetryPeriod {
				w.read.Add(name, "", cmp.Or(v.Line, c.pos.Line))
				w.note(c.pos.at(cmp.Or(v.Line, c.pos.Line)), Unread, phrase.Clip(name)+" is taken away from the program, or not exported to it; it sets nothing")
			}
		case v.Known:
			w.variable(c, name, value, v.Line-w.base, "")
		default:
			w.variable(c, name, "${"+name+"}", v.Line-w.base, "")
		}
		if len(c.raws) > before {
			c.provide(v.Provided...)
		}
	}
	for _, it := range run.Words {
		switch name := path.Base(it.Text); {
		case len(c.raws) > 0 && slices.Contains(forgetful, name):
			c.provide(name + " passes its variables on")
			return
		case !shell.IsWrapper(name):
			return
		}
	}
}

// forgetful are programs that start another one without the variables that they have, unless they are told otherwise.
var forgetful = []string{"sudo", "doas", "su", "runuser"}

// run is a command, and the known program that its words start.
type run struct {
	shell.Command
	program *programs.Program
}

// judged returns those of a container's commands whose flags set something of leader election. If there is none, it returns one command with the
// words of all, and the variables of the last that has settings among those that its script changes; if there is one alone, that is in oneCase if no
// more than one case of the script runs it.
func (w *walker) judged(commands []shell.Command) []run {
	var with []run
	all := run{Command: shell.Joined(commands)}
	for _, one := range commands {
		program := programs.Started(one.Words)
		if hasSettings(one) {
			with = append(with, run{one, program})
		}
		all.program = cmp.Or(all.program, program)
		if all.Changed == nil || slices.ContainsFunc(slices.Collect(maps.Keys(one.Changed)), isSetting) {
			all.Changed = one.Changed
		}
	}
	switch len(with) {
	case 0:
		return []run{all}
	case 1:
		return with
	}
	for i := range with {
		with[i].OneCase = false
	}
	return with
}

func isSetting(name string) bool { return setting.Of(name).Key != setting.None }

// invoked reads what a command of the container gives into candidate c, and settles c if it has settings; container has the rest. all are the
// fields of the container, decoded is what was decoded from them, volumes are the pod's, and patched tells that it is a patch.
func (w *walker) invoked(c *candidate, all []tree.Field, decoded *podContainer, run run, volumes map[string][]string, patched bool) {
	words := run.Words
	if c.program == nil {
		c.program = run.program
	}
	c.program = c.program.StartedBy(words)
	if run.OneCase {
		c.provide("its script runs the command with these flags, and not another")
	}
	c.setLanguage(words, decoded.variables())
	c.flags(words)
	mounts, notHidden := decoded.mounted(c.configPath, volumes)
	c.mounts = mounts
	if !strings.HasPrefix(c.pos.Part, "init ") {
		w.mount(notHidden, true)
	}
	w.passedOn(c, words)
	w.ownElection(c, all, decoded, words)
	if c.program != nil && c.program.Always && !patched && !strings.HasPrefix(c.pos.Part, "init ") {
		c.addMention()
	}
	byDefault := len(c.raws) == 0 && c.program.ElectsByDefault(c.image, words) && !strings.HasPrefix(c.pos.Part, "init ")
	if byDefault && w.replicas > 1 {
		c.addMention()
	}
	if len(c.raws) > 0 {
		before := len(w.found)
		if w.settle(c); len(w.found) > before {
			w.unknownFlags(c, run.Command)
		}
	} else if w.onlyEmpty(c); c.program != nil && (len(c.mounts) > 0 || byDefault) {
		c.alone = byDefault
		w.readers = append(w.readers, c)
	}
}
