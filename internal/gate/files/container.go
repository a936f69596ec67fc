package files

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// containers reads each item of the list f, a pod's containers, with the method container. pod are the fields of the pod's
// specification, which has the volumes. The Part of an init container begins with init.
func (w *walker) containers(f field, pod []field) {
	volumes := w.volumes(pod)
	for _, item := range w.items(f.value) {
		if text(w.fields(item), "$patch") == "delete" {
			continue
		}
		name := text(w.fields(item), "name")
		c := w.candidate("container "+phrase.Clip(name), item.Line)
		c.configMap = ""
		if f.name == "initContainers" {
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
	all := w.fields(n)
	var decoded podContainer
	if !w.decode(c.pos, all, &decoded, "name", "image", "command", "args", "env", "envFrom", "volumeMounts") {
		return
	}
	decoded.Image = w.placed(c, decoded.Image)
	c.image, c.component, c.program = decoded.Image, componentOf(decoded.Image), programNamed(decoded.Image, text(all, "name"))
	patched := c.program == nil && c.image == "" // a patch leaves the image out
	if patched {
		c.program = cmp.Or(w.target, w.programOfWorkload(w.namespace, w.workload))
	}
	if w.component != "DaemonSet" { // whose pods are as many as its nodes
		c.replicas = w.replicas
	}
	env := w.environment(c, all, &decoded)
	w.origins(c, &decoded)
	var words []word
	for _, name := range []string{"command", "args"} {
		list, _ := get(all, name)
		for _, item := range w.items(list.value) {
			words = append(words, word{env.expand(item.Value), w.base + item.Line, item.Style&yaml.LiteralStyle != 0})
		}
	}
	line := env.inherited(&decoded).shell(words, 0)
	var unused candidate
	if w.flags(&unused, line.unused); len(unused.raws) > 0 {
		for _, r := range unused.raws {
			w.read.add(r)
		}
		r := unused.raws[0]
		w.note(c.pos.at(r.line), Unread, r.name+" is an argument after a script that does not use its arguments; it sets nothing")
	}
	for _, v := range decoded.Env {
		c.beside = append(c.beside, normal(v.Name))
	}
	for i, run := range w.judged(line.commands) {
		one := *c
		one.raws, one.provided = nil, slices.Clone(c.provided)
		w.startedWith(&one, c.raws, run)
		if i > 0 {
			one.pos.Part += fmt.Sprintf(": command %d", i+1)
		}
		w.invoked(&one, all, &decoded, run, volumes, patched)
	}
}

// startedWith adds to c.raws the settings among the variables that a command gets: those of the container in raws, but as its script or the program env
// has changed them. It adds to c.provided the conditions of its words and of these settings.
func (w *walker) startedWith(c *candidate, raws []raw, run invocation) {
	for _, r := range raws {
		if _, changed := run.changed[r.name]; changed {
			w.read.add(r)
			continue
		}
		c.raws = append(c.raws, r)
		c.provided = union(c.provided, run.doubts)
	}
	c.provided = union(c.provided, run.provided)
	for _, name := range slices.Sorted(maps.Keys(run.changed)) {
		v, before := run.changed[name], len(c.raws)
		switch value := v.text(); {
		case !v.exported:
			if s := settingOf(name); s.certain && s.key != noKey && s.key <= retryPeriod {
				w.read.count(normal(name), cmp.Or(v.line, c.pos.Line), 1)
				w.note(c.pos.at(cmp.Or(v.line, c.pos.Line)), Unread, phrase.Clip(name)+" is taken away from the program, or not exported to it; it sets nothing")
			}
		case v.known:
			w.variable(c, name, value, v.line-w.base, "")
		default:
			w.variable(c, name, "${"+name+"}", v.line-w.base, "")
		}
		if len(c.raws) > before {
			c.provided = union(c.provided, v.provided)
		}
	}
	for _, it := range run.words {
		switch name := path.Base(it.text); {
		case len(c.raws) > 0 && slices.Contains(forgetful, name):
			c.provided = append(c.provided, name+" passes its variables on")
			return
		case !isWrapper(name):
			return
		}
	}
}

// forgetful are programs that start another one without the variables that they have, unless they are told otherwise.
var forgetful = []string{"sudo", "doas", "su", "runuser"}

// judged returns those of a container's commands whose flags set something of leader election. If there is none, it returns one command
// with the words of all, and the variables of the last that has settings among those that its script changes; if there is one alone, that is in oneCase if no more than
// one case of the script runs it.
func (w *walker) judged(commands []invocation) []invocation {
	var all invocation
	var with []invocation
	for _, run := range commands {
		var c candidate
		if w.flags(&c, run.words); len(c.raws) > 0 {
			with = append(with, run)
		}
		all.words = append(all.words, run.words...)
		all.provided, all.doubts = union(all.provided, run.provided), union(all.doubts, run.doubts)
		all.carriage = all.carriage || run.carriage
		if all.program == nil {
			all.program = programStarted(run.words)
		}
		if all.changed == nil || slices.ContainsFunc(slices.Collect(maps.Keys(run.changed)), isSetting) {
			all.changed = run.changed
		}
	}
	if len(with) == 0 {
		return []invocation{all}
	}
	for i := range with {
		with[i].program = programStarted(with[i].words)
		with[i].oneCase = with[i].oneCase && len(with) == 1
	}
	return with
}

func isSetting(name string) bool { return settingOf(name).key != noKey }

// invoked reads what a command of the container gives into candidate c, and settles c if it has settings; container has the rest. all are the
// fields of the container, decoded is what was decoded from them, volumes are the pod's, and patched tells that it is a patch.
func (w *walker) invoked(c *candidate, all []field, decoded *podContainer, run invocation, volumes map[string][]string, patched bool) {
	words := run.words
	if c.program == nil {
		c.program = run.program
	}
	c.program = c.program.part(func(part *Program) bool {
		return slices.ContainsFunc(words, func(w word) bool { return w.text == part.argument })
	})
	if run.oneCase {
		c.provided = append(c.provided, "its script runs the command with these flags, and not another")
	}
	var variables []string
	for _, v := range decoded.Env {
		variables = append(variables, v.Name)
	}
	c.setLanguage(words, variables)
	w.flags(c, words)
	mounts, notHidden := decoded.mounted(c.configPath, volumes)
	c.mounts = mounts
	if !strings.HasPrefix(c.pos.Part, "init ") {
		w.mount(notHidden, true)
	}
	w.passedOn(c, words)
	w.ownElection(c, all, decoded, words)
	if c.program != nil && c.program.always && !patched && !strings.HasPrefix(c.pos.Part, "init ") {
		c.addMention()
	}
	byDefault := len(c.raws) == 0 && c.program.electsByDefault(c.image, words) && !strings.HasPrefix(c.pos.Part, "init ")
	if byDefault && w.replicas > 1 {
		c.addMention()
	}
	if len(c.raws) > 0 {
		c.elsewhere, c.several = w.notHere(decoded)
		before := len(w.found)
		if w.settle(c); len(w.found) > before {
			w.unknownFlags(c, run)
		}
	} else if w.onlyEmpty(c); c.program != nil && (len(c.mounts) > 0 || byDefault) {
		c.alone = byDefault
		w.readers = append(w.readers, c)
	}
}

// notHere returns, in words, the first ConfigMap from which the container takes all keys as variables and whose values are not
// known here. If there is none, it returns the last Secret from which the container does so; "" if there is none either. several is
// true if inputs have a ConfigMap of that name, but nobody can tell its values.
func (w *walker) notHere(container *podContainer) (what string, several bool) {
	for _, from := range container.EnvFrom {
		switch {
		case from.SecretRef != nil:
			what = "Secret " + phrase.Clip(from.SecretRef.Name)
		case from.ConfigMapRef != nil:
			if values, _ := w.shared.find(w.namespace, from.ConfigMapRef.Name); values == nil {
				return "ConfigMap " + phrase.Clip(from.ConfigMapRef.Name), w.shared[from.ConfigMapRef.Name] != nil
			}
		}
	}
	return what, false
}

// volumes returns the ConfigMaps, as namespace/name, that a pod mounts, by the name of the volume. It returns nil if the list of
// volumes is missing or broken; a broken one is reported.
func (w *walker) volumes(pod []field) map[string][]string {
	var decoded podSpec
	if f, ok := get(pod, "volumes"); !ok || !w.decode(w.pos.at(w.base+f.line), pod, &decoded, "volumes") {
		return nil
	}
	all := map[string][]string{}
	for _, v := range decoded.Volumes {
		if v.ConfigMap != nil {
			all[v.Name] = append(all[v.Name], w.namespace+"/"+v.ConfigMap.Name)
		}
		if v.Projected == nil {
			continue
		}
		for _, source := range v.Projected.Sources {
			if source.ConfigMap != nil {
				all[v.Name] = append(all[v.Name], w.namespace+"/"+source.ConfigMap.Name)
			}
		}
	}
	for _, configMaps := range all {
		w.mount(configMaps, false)
	}
	return all
}

// mount is a ConfigMap, namespace/name, that a pod has as a volume; read tells that a container, which is no init container, perhaps reads it.
type mount struct {
	configMap string
	read      bool
}

// mount adds ConfigMaps to w.mounts.
func (w *walker) mount(configMaps []string, read bool) {
	for _, configMap := range configMaps {
		w.mounts = append(w.mounts, mount{configMap, read})
	}
}

// mounted returns the ConfigMaps, as namespace/name, that the container mounts; if config is the whole path of one file, only those of the
// mount that this file is in. volumes has them by the name of the volume. notHidden are all that it mounts, without those that another mount
// hides at that path.
func (c *podContainer) mounted(config string, volumes map[string][]string) (all, notHidden []string) {
	leads := func(in string) bool { return config == in || strings.HasPrefix(config, in+"/") }
	longest := ""
	for _, m := range c.VolumeMounts {
		if in := strings.TrimSuffix(m.MountPath, "/"); leads(in) && len(in) > len(longest) {
			longest = in
		}
	}
	whole := strings.HasPrefix(config, "/") && !strings.ContainsAny(config, ",$")
	for _, m := range c.VolumeMounts {
		in := strings.TrimSuffix(m.MountPath, "/")
		if !whole || m.MountPath == "" || longest != "" && in == longest {
			all = append(all, volumes[m.Name]...)
		}
		if !whole || in == longest || !leads(in) {
			notHidden = append(notHidden, volumes[m.Name]...)
		}
	}
	return all, notHidden
}

// decode fills the named fields of into, a pointer to a Kubernetes type, from the fields in all. It returns false, and reports a
// problem, if Kubernetes would not take them, or if one other than image is a template. It also returns false if the walker's
// limit of values is reached.
func (w *walker) decode(at Position, all []field, into any, names ...string) bool {
	values := map[string]any{}
	for _, name := range names {
		f, ok := get(all, name)
		if !ok {
			continue
		}
		if action := templateNode(f.value); action != "" && name != "image" {
			err := elsewhere{action}
			w.report(Problem{Position: at.at(w.base + f.line), Text: name + ": " + err.Error(), Unreadable: true})
			return false
		}
		values[name] = w.plain(f.value, 0)
	}
	data, err := json.Marshal(values)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	var wrong *json.UnmarshalTypeError
	switch {
	case w.exhausted():
		return false
	case errors.As(err, &wrong):
		w.problem(at, fmt.Sprintf("%s: want %s, got %s; Kubernetes takes nothing else",
			wrong.Field, jsonType(wrong.Type), wrong.Value))
	case err != nil:
		w.problem(at, "not what Kubernetes takes: "+err.Error())
	}
	return err == nil
}

// jsonType returns in words what a YAML value must be to fill a Go type.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "a mapping"
	case reflect.String:
		return "a string (in quotes, if it is a number)"
	}
	return "a whole number"
}

// plain returns the value of a node in a form that encoding/json can encode. It returns a template action as a string, and nil for
// null, and nil if the walker's limit of values or of depth is reached. depth is how many values are around n.
func (w *walker) plain(n *yaml.Node, depth int) any {
	if !w.visit(n, depth) {
		return nil
	}
	switch n = resolve(n); n.Kind {
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			list = append(list, w.plain(item, depth+1))
		}
		return list
	case yaml.MappingNode:
		if action := templateNode(n); action != "" {
			return action
		}
		mapping := map[string]any{}
		for _, f := range w.fields(n) {
			mapping[f.name] = w.plain(f.value, depth+1)
		}
		return mapping
	}
	if !w.spend(n, len(n.Value)/4) {
		return nil
	}
	switch n.ShortTag() {
	case "!!null", "!!bool", "!!int", "!!float":
		var v any
		if n.Decode(&v) == nil {
			return v
		}
	}
	return n.Value
}
