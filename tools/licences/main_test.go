package main

import (
	"maps"
	"strings"
	"testing"
)

const (
	isc = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`
	gpl = `This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public
License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version.

This program is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY; without even the implied warranty of
MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU General Public License for more details.

You should have received a copy of the GNU General Public License along with this program. If not, see
<https://www.gnu.org/licenses/>.`
	mpl = `This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not
distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.`
)

// TestAllowed: one licence that is not permissive, or that nobody knows, is enough.
func TestAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		in    []string
		texts map[string]string
		want  string
	}{
		"permissive":         {[]string{"simulate"}, map[string]string{"LICENSE": isc, "NOTICE": "By us."}, ""},
		"copyleft":           {[]string{"simulate"}, map[string]string{"LICENSE": gpl}, "is under GPL-3.0-or-later"},
		"one of two":         {[]string{"simulate"}, map[string]string{"LICENSE": isc, "b/COPYING": gpl}, "is under GPL-3.0-or-later"},
		"unknown":            {[]string{"simulate"}, map[string]string{"LICENSE": "Do good."}, "want a person to read it"},
		"mostly unknown":     {[]string{"simulate"}, map[string]string{"LICENSE": isc + strings.Repeat(" but", 99)}, "want a person"},
		"none":               {[]string{"simulate"}, map[string]string{"NOTICE": isc}, "no file LICENSE"},
		"of files, packages": {[]string{packages}, map[string]string{"LICENSE": mpl}, ""},
		"of files, program":  {[]string{packages, "elector"}, map[string]string{"LICENSE": mpl}, "is under MPL-2.0"},
		"read, and changed":  {[]string{"elector"}, map[string]string{"LICENSE-LOGO": "https://example.com", "LICENSE": isc}, "want a person"},
	} {
		m := &module{path: "modernc.org/memory", in: c.in, texts: map[string][]byte{}}
		for file, text := range c.texts {
			m.texts[file] = []byte(text)
		}
		err := allowed([]*module{m})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: want %q, got %v", name, c.want, err)
		}
	}
}

// TestChanges: what is new and what is gone, and nothing else.
func TestChanges(t *testing.T) {
	got := strings.Join(changes("a\nb\nc", "a\nd\nc"), " ")
	if got != "-b +d" {
		t.Error(got)
	}
}

// TestLinked: the modules of what this program itself is linked with on Linux, with their texts.
func TestLinked(t *testing.T) {
	known := map[string]*module{}
	p := part{"this", ".", []string{"."}}
	if err := p.add(known, ".", "linux"); err != nil {
		t.Fatal(err)
	}
	m := known["github.com/google/licensecheck v0.3.1"]
	if m == nil || len(known) != 2 || len(m.texts["LICENSE"]) == 0 {
		t.Errorf("want the standard library and licensecheck, got %v", maps.Collect(maps.All(known)))
	}
	if err := (&part{"x", ".", []string{"./missing"}}).add(known, ".", "linux"); err == nil {
		t.Error("want an error of a folder that is not there")
	}
}
