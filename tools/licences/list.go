package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// permissive are the licences, by their names in SPDX, that ask only that their text, or the name of the author, goes
// with the program.
var permissive = []string{
	"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "CC0-1.0", "FTL", "ISC", "MIT", "OFL-1.1",
	"Unlicense", "Zlib",
	"public domain",
}

// fileBound is a licence that asks for the source of its own files if they are changed. It is accepted for the
// packages, which users link themselves, and not for a program.
const fileBound = "MPL-2.0"

// enough is the share of a text, in percent, that must be known as a licence.
const enough = 75

// licences returns the licences of a module, by their names in SPDX, sorted. It returns an error for a text that is neither a
// known licence nor a notice, and for a module without a licence.
func (m *module) licences() ([]string, error) {
	var names []string
	for _, name := range m.files() {
		ids, err := m.licencesIn(name)
		if err != nil {
			return nil, err
		}
		names = append(names, ids...)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s %s: no file LICENSE: want the licence, or another module", m.path, m.version)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// licencesIn returns the licences in the text of that name, by their names in SPDX. For a notice, or a text on patents, it
// returns none. A text that is not recognised well enough is an error.
func (m *module) licencesIn(name string) (ids []string, err error) {
	for _, begin := range []string{"notice", "patents"} {
		if strings.HasPrefix(strings.ToLower(filepath.Base(name)), begin) {
			return nil, nil
		}
	}
	if r := handRead(m.path, name, m.texts[name]); r != nil {
		return r.licences, nil
	}
	found := licensecheck.Scan(m.texts[name])
	for _, match := range found.Match {
		if !match.IsURL {
			ids = append(ids, match.ID)
		}
	}
	if len(ids) == 0 || found.Percent < enough {
		return nil, fmt.Errorf("%s %s: %s: %.0f%% of it is known, as %q: want a person to read it, and a row in "+
			"tools/licences/read.go", m.path, m.version, name, found.Percent, ids)
	}
	return ids, nil
}

// files returns the names of a module's texts, sorted.
func (m *module) files() (names []string) {
	for name := range m.texts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// allowed returns an error for each module whose licence is not known or not permissive, joined; nil if there are none. There is
// one exception: fileBound is accepted for a module that is linked into the public packages and into no program.
func allowed(all []*module) error {
	var wrong []error
	for _, m := range all {
		names, err := m.licences()
		if err != nil {
			wrong = append(wrong, err)
		}
		for _, name := range names {
			inProgram := slices.ContainsFunc(m.in, func(part string) bool { return part != packages })
			if !slices.Contains(permissive, name) && (name != fileBound || inProgram) {
				wrong = append(wrong, fmt.Errorf("%s %s, in %s, is under %s: want one of %s", m.path, m.version,
					strings.Join(m.in, " and "), name, strings.Join(permissive, ", ")))
			}
		}
	}
	return errors.Join(wrong...)
}

// writeList writes the table of the licences to w. The modules' licences must be known: see allowed.
func writeList(w io.Writer, all []*module) {
	fmt.Fprint(w, "| module | version | licence | in |\n| --- | --- | --- | --- |\n")
	for _, m := range all {
		names, _ := m.licences()
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", m.path, m.version, strings.Join(names, ", "), strings.Join(m.in, ", "))
	}
}

// writeTexts writes to w the licences and notices of all modules, or of those linked into the part that of names; "" is all. It
// returns an error if there is nothing to write, since no part has that name.
func writeTexts(w io.Writer, all []*module, of string) error {
	var b strings.Builder
	for _, m := range all {
		if of != "" && !slices.Contains(m.in, of) {
			continue
		}
		for _, name := range m.files() {
			title := fmt.Sprintf("%s %s: %s", m.path, m.version, filepath.ToSlash(name))
			fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", title, strings.Repeat("=", len(title)), strings.TrimSpace(string(m.texts[name])))
			if more := m.with[name]; more != nil {
				fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(string(more)))
			}
		}
	}
	if b.Len() == 0 {
		return fmt.Errorf("-of %s: want simulate, elector or packages", of)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
