package files

import (
	"slices"

	"interregnum/internal/phrase"
)

// findings are what a walker has found in a file.
type findings struct {
	file string
	// out has notes and problems, and found candidates. readers are containers without settings of their own, of programs that are known.
	out            File
	found, readers []*candidate
	// idle are containers whose flags turn leader election off, whatever the configuration says that they mount.
	idle []*candidate
	// configMaps are those that the file has, namespace/name, and mounts those that pods have as volumes. off has those in which leader election is
	// turned off, and used those from which variables have settings; "" is no ConfigMap.
	configMaps []string
	mounts     []mount
	off, used  map[string]bool
	// generated are the files of which a kustomization makes ConfigMaps.
	generated []made
	// elects: a note says that a program elects, although it is not judged. elsewhere: what the file says is judged with another one.
	elects, elsewhere bool
}

// counts says how many candidates, notes and problems were found so far.
type counts struct{ found, notes, problems int }

// counts returns how many candidates, notes and problems were found so far.
func (f *findings) counts() counts {
	return counts{len(f.found), len(f.out.Notes), len(f.out.Problems)}
}

// problem adds a problem to f.out.Problems, unless it is there already or there are maxProblems. Its text becomes one line.
func (f *findings) problem(at Position, text string) {
	f.report(Problem{Position: at, Text: phrase.OneLine(text)})
}

// report adds p to f.out.Problems, unless it is there already or there are maxProblems.
func (f *findings) report(p Problem) {
	// A mapping that is looked at twice, or through two aliases, has its problem once.
	if len(f.out.Problems) < maxProblems && !slices.Contains(f.out.Problems, p) {
		f.out.Problems = append(f.out.Problems, p)
	}
}

// note adds a note to f.out.Notes. Its text becomes one line.
func (f *findings) note(at Position, kind NoteKind, text string) {
	f.out.Notes = append(f.out.Notes, Note{Position: at, Kind: kind, Text: phrase.OneLine(text)})
}

// noted tells whether f.out has a note of that kind.
func (f *findings) noted(kind NoteKind) bool {
	return slices.ContainsFunc(f.out.Notes, func(n Note) bool { return n.Kind == kind })
}
