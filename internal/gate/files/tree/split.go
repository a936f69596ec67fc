package tree

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// Document is one YAML document of a file; before is the number of lines ahead of it.
type Document struct {
	Text   []byte
	Before int
}

// Split returns the YAML documents of a stream, empty ones left out, so that each can be parsed for itself. A document begins at
// a line of ---, alone or followed by white space and more. In a stream of objects of JSON, as jq writes them, each object is one.
func Split(data []byte) []Document {
	if all := objects(data); len(all) > 1 {
		return all
	}
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

// objects returns the objects of a stream of JSON; nil where the stream has anything else.
func objects(data []byte) []Document {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil
	}
	var all []Document
	stream, read, lines := json.NewDecoder(bytes.NewReader(data)), 0, 0
	for {
		var text json.RawMessage
		switch err := stream.Decode(&text); {
		case err == io.EOF:
			return all
		case err != nil || text[0] != '{':
			return nil
		}
		end := int(stream.InputOffset())
		lines += bytes.Count(data[read:end-len(text)], []byte("\n"))
		all = append(all, Document{text, lines})
		lines += bytes.Count(text, []byte("\n"))
		read = end
	}
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
