package files

import (
	"cmp"
	"strings"
)

// patched returns the known program of the workload that a patch changes, as its target names it; nil if the name tells none. all
// are the fields of an entry in the patches of a kustomization or of Flux, which is in that namespace and file.
func patched(r *reader, all []field, namespace, file string) *Program {
	target, ok := get(all, "target")
	if !ok || text(all, "patch") == "" && text(all, "path") == "" {
		return nil
	}
	selector := r.fields(target.value)
	var program *Program
	for name := range strings.SplitSeq(strings.Trim(text(selector, "name"), "^()$"), "|") { // it may be a regular expression
		p := programOfWorkload(cmp.Or(text(selector, "namespace"), namespace), name, file)
		if p == nil || program != nil && p != program {
			return nil
		}
		program = p
	}
	return program
}

// programs adds to of the program of each patch that a kustomization with these fields has in a file of its own, by that file's path; nil if several
// patches with different programs are in it.
func (r *kustomizationReader) programs(all []field, of map[string]*Program) {
	for _, name := range []string{"patches", "patchesJson6902"} {
		for _, item := range r.listed(all, name) {
			entry := r.fields(item)
			path := text(entry, "path")
			if path == "" {
				continue
			}
			program := patched(&r.reader, entry, text(all, "namespace"), r.file)
			if other, named := of[r.in(path)]; named && other != program {
				program = nil
			}
			of[r.in(path)] = program
		}
	}
}
