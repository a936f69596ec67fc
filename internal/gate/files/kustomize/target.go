package kustomize

import (
	"cmp"
	"strings"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/tree"
)

// ProgramOf returns the known program of the workload that a patch changes, as its target names it; nil if the name tells none. all
// are the fields of an entry in the patches of a kustomization or of Flux, which is in that namespace and file.
func ProgramOf(r *tree.Reader, all []tree.Field, namespace, file string) *programs.Program {
	target, ok := tree.Get(all, "target")
	if !ok || tree.Text(all, "patch") == "" && tree.Text(all, "path") == "" {
		return nil
	}
	selector := r.Fields(target.Value)
	var program *programs.Program
	for name := range strings.SplitSeq(strings.Trim(tree.Text(selector, "name"), "^()$"), "|") { // it may be a regular expression
		p := programs.OfWorkload(cmp.Or(tree.Text(selector, "namespace"), namespace), name, file)
		if p == nil || program != nil && p != program {
			return nil
		}
		program = p
	}
	return program
}

// programs adds to of the program of each patch that a kustomization with these fields has in a file of its own, by that file's path; nil if several
// patches with different programs are in it.
func (r *reader) programs(all []tree.Field, of map[string]*programs.Program) {
	for _, name := range []string{"patches", "patchesJson6902"} {
		for _, item := range r.Listed(all, name) {
			entry := r.Fields(item)
			path := tree.Text(entry, "path")
			if path == "" {
				continue
			}
			program := ProgramOf(&r.Reader, entry, tree.Text(all, "namespace"), r.file)
			if other, named := of[r.in(path)]; named && other != program {
				program = nil
			}
			of[r.in(path)] = program
		}
	}
}
