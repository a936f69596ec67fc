package read

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// maxDocument is how many bytes of documents are read from one file: they are held in memory.
const maxDocument = 256 << 20

// yamlStart matches the beginning of an object of Kubernetes in YAML.
var yamlStart = regexp.MustCompile(`\A(?:\s*(?:#[^\n]*)?\n)*(?:---\s*\n)?(?:apiVersion|kind|items|metadata): *`)

// isYAML tells whether a file begins as kubectl prints objects in YAML.
func isYAML(begin []byte) bool { return yamlStart.Match(begin) }

// isLongJSON tells whether a file begins with a JSON object that does not end on its first line.
func isLongJSON(begin []byte) bool {
	line, _, more := bytes.Cut(bytes.TrimSpace(begin), []byte("\n"))
	line = bytes.TrimSpace(line)
	return more && len(line) > 0 && line[0] == '{' && bytes.IndexByte([]byte("{[,"), line[len(line)-1]) >= 0 && !json.Valid(line)
}

// json reads objects in JSON, one after the other, of any number of lines. It is an error if one is not whole and nothing was
// recognised before; otherwise the broken one is counted, and the rest left out.
func (f *file) json(b *bufio.Reader) error {
	d := json.NewDecoder(io.LimitReader(b, maxDocument))
	for {
		f.line++
		var raw json.RawMessage
		err := d.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			if f.known {
				f.skip("documents that are not whole")
				return nil
			}
			return fmt.Errorf("object %d: want JSON: %w", f.line, err)
		}
		f.document(raw)
	}
}

// yaml reads objects in YAML, as documents. A document that is not whole is as in json.
func (f *file) yaml(b *bufio.Reader) error {
	d := yaml.NewDecoder(io.LimitReader(b, maxDocument))
	for {
		f.line++
		var value any
		err := d.Decode(&value)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			if f.known {
				f.skip("documents that are not whole")
				return nil
			}
			return fmt.Errorf("document %d: want YAML: %w", f.line, err)
		}
		raw, err := json.Marshal(value)
		if err != nil {
			f.skip("documents that are no objects")
			continue
		}
		f.document(raw)
	}
}

// document reads a document in JSON.
func (f *file) document(raw []byte) {
	at := f.line
	defer func() { f.line = at }()
	if event := AuditIn(raw); event != nil {
		f.audit(event)
		return
	}
	f.object(raw)
}
