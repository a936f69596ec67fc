package files

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// patched returns the known program of the workload that a patch changes, as its target names it; nil if the name tells none. all
// are the fields of an entry in the patches of a kustomization or of Flux.
func (w *walker) patched(all []field) *Program {
	target, ok := get(all, "target")
	if !ok || text(all, "patch") == "" && text(all, "path") == "" {
		return nil
	}
	selector := w.fields(target.value)
	var program *Program
	for name := range strings.SplitSeq(strings.Trim(text(selector, "name"), "^()$"), "|") { // it may be a regular expression
		p := w.programOfWorkload(cmp.Or(text(selector, "namespace"), w.namespace), name)
		if p == nil || program != nil && p != program {
			return nil
		}
		program = p
	}
	return program
}

// programOfWorkload returns the known program after which a Deployment or its like is named; nil if there is none. Where namespace
// is "", each of the file's folders may be it, as in clusters/a/flux-system.
func (w *walker) programOfWorkload(namespace, name string) *Program {
	if namespace != "" || name == "" {
		return cmp.Or(programOfObject(namespace, name), programOfChart(name))
	}
	program := programOfChart(name)
	for folder := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(w.pos.File)), "/") {
		if owners[folder] {
			program = cmp.Or(program, programOfObject(folder, name))
		}
	}
	return program
}

// owners has whose the programs are, as their names say it before a slash.
var owners = func() map[string]bool {
	all := map[string]bool{}
	for _, p := range programs {
		for _, name := range p.names {
			if owner, _, ok := strings.Cut(name, "/"); ok {
				all[owner] = true
			}
		}
	}
	return all
}()

// isWorkload tells whether objects of that kind have a pod's template.
func isWorkload(kind string) bool {
	switch kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		return true
	}
	return false
}

// isOfKubernetes tells whether objects of that kind are Kubernetes' own with containers, whose lists kustomize merges by names.
func isOfKubernetes(kind string) bool {
	return isWorkload(kind) || slices.Contains([]string{"Pod", "ReplicaSet", "Job", "CronJob"}, kind)
}

// patchesIn returns the program that each file of a patch changes, by its path, as the kustomizations among the inputs say. It is
// nil for a file that several of them name, with different programs.
func patchesIn(inputs []*Input) map[string]*Program {
	all := map[string]*Program{}
	for _, in := range inputs {
		if !isKustomization(in.name) || !strings.Contains(string(in.data), "target") {
			continue
		}
		w := &walker{pos: Position{File: in.name}}
		for _, root := range rootsOf(in.data) {
			w.patchFiles(root, all)
		}
	}
	return all
}

// patchFiles adds to all the program of each patch that the kustomization root has in a file of its own.
func (w *walker) patchFiles(root *yaml.Node, all map[string]*Program) {
	fields := w.fields(root)
	w.namespace = text(fields, "namespace")
	for _, name := range []string{"patches", "patchesJson6902"} {
		for _, item := range w.listed(fields, name) {
			entry := w.fields(item)
			if text(entry, "path") == "" {
				continue
			}
			file := filepath.Join(filepath.Dir(w.pos.File), filepath.FromSlash(text(entry, "path")))
			program := w.patched(entry)
			if other, named := all[file]; named && other != program {
				program = nil
			}
			all[file] = program
		}
	}
}
