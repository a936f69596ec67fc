package mutants

import (
	"cmp"
	"fmt"
	"go/format"
	"slices"
	"strings"
)

// switches is the import that a patched file needs.
const switches = `import "interregnum/internal/mutants/planted"`

// place is a stretch of a source, from byte at to byte end, with the edits that change it.
type place struct {
	at, end int
	old     string
	edits   []namedEdit
}

// namedEdit is an edit with the name of its mutant.
type namedEdit struct {
	name string
	Edit
}

// Files returns the paths of the files that the mutants change, in a stable order.
func Files(all []Mutant) []string {
	var files []string
	for _, m := range all {
		for _, e := range m.Edits {
			files = append(files, e.File)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// Patch returns the source of a file with all mutants of that file in it, each behind its switch. It returns an error if a
// mutant's place is missing, occurs twice, overlaps another's or is changed in another way by another mutant, or if the result is
// not Go.
func Patch(all []Mutant, file, source string) (string, error) {
	places, err := find(all, file, source)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	done := 0
	for _, p := range places {
		b.WriteString(source[done:p.at])
		b.WriteString(p.text())
		done = p.end
	}
	b.WriteString(source[done:])
	head, rest, found := strings.Cut(b.String(), "\n\n")
	if !found || !strings.Contains(head, "package ") {
		return "", fmt.Errorf("%s: no blank line after the package clause to put the import in", file)
	}
	patched, err := format.Source([]byte(head + "\n\n" + switches + "\n\n" + rest))
	if err != nil {
		return "", fmt.Errorf("%s, patched, is no Go: %w", file, err)
	}
	return string(patched), nil
}

// find returns the places in a file's source that mutants change, in the order of the source. It returns an error that names the
// mutant if a place is missing, occurs twice, overlaps another, or is changed by two mutants in different ways.
func find(all []Mutant, file, source string) ([]place, error) {
	var places []place
	for _, m := range all {
		for _, e := range m.Edits {
			if e.File != file {
				continue
			}
			if n := strings.Count(source, e.Old); n != 1 {
				return nil, fmt.Errorf("mutant %s: its place must occur once in %s, occurs %d times:\n%s", m.Name, file, n, e.Old)
			}
			at := strings.Index(source, e.Old)
			i := slices.IndexFunc(places, func(p place) bool { return p.at == at && p.old == e.Old })
			if i < 0 {
				i = len(places)
				places = append(places, place{at: at, end: at + len(e.Old), old: e.Old})
			}
			places[i].edits = append(places[i].edits, namedEdit{m.Name, e})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	for i, p := range places {
		if i > 0 && p.at < places[i-1].end {
			return nil, fmt.Errorf("mutants %s and %s: their places in %s overlap",
				places[i-1].edits[0].name, p.edits[0].name, file)
		}
		for _, e := range p.edits {
			if e.Form != p.edits[0].Form || e.Form == Always && len(p.edits) > 1 {
				return nil, fmt.Errorf("mutant %s: it changes a place in %s as another does, in another way", e.name, file)
			}
		}
	}
	return places, nil
}

// text returns what stands in the patched source in place of p.old: all edits behind their switches or, for the form Always, the
// new text of the only edit.
func (p *place) text() string {
	switch p.edits[0].Form {
	case Condition:
		return p.condition()
	case Statements:
		return p.statements()
	}
	return p.edits[0].New
}

// condition returns a Go expression in place of the original: a mutant's condition while its bug is in force, otherwise
// the original.
func (p *place) condition() string {
	var b strings.Builder
	for _, e := range p.edits {
		fmt.Fprintf(&b, "planted.On(%q) && (%s) || ", e.name, e.New)
	}
	for _, e := range p.edits {
		fmt.Fprintf(&b, "!planted.On(%q) && ", e.name)
	}
	return "(" + b.String() + "(" + p.old + "))"
}

// statements returns Go code in place of the original: a switch with a case for each mutant, and the original as
// default.
func (p *place) statements() string {
	var b strings.Builder
	b.WriteString("switch {\n")
	for _, e := range p.edits {
		fmt.Fprintf(&b, "case planted.On(%q):\n%s\n", e.name, e.New)
	}
	return b.String() + "default:\n" + p.old + "\n}\n"
}
