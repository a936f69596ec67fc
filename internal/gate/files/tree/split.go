package tree

import (
	"bytes"
	"strings"
)

// Document is one YAML document of a file; before is the number of lines ahead of it.
type Document struct {
	Text   []byte
	Before int
}

// Split returns the YAML documents of a stream, empty ones left out, so that each can be parsed for itself. A document begins at
// a line of ---, alone or followed by white space and more.
func Split(data []byte) []Document {
	var all []Document
	begin, before, line := 0, 0, 0
	for at := 0; at < len(data); line++ {
		next := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if marker(data[at:next]) {
			all = add(all, Document{data[begin:at], before})
			begin, before = at, line
		}
		at = next
	}
	return add(all, Document{data[begin:], before})
}

// marker tells whether a line begins a new YAML document.
func marker(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || strings.ContainsRune(" \t\r\n", rune(line[3])))
}

// add returns all with d appended, or all as it is if d has nothing but comments, markers and directives.
func add(all []Document, d Document) []Document {
	for line := range bytes.Lines(d.Text) {
		s := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("---")))
		if len(s) > 0 && s[0] != '#' && s[0] != '%' && !bytes.HasPrefix(s, []byte("...")) {
			return append(all, d)
		}
	}
	return all
}
