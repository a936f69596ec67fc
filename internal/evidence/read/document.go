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

// maxDocument is how many bytes of documents are read from one file at most: they are held in memory.
const maxDocument = 256 << 20

// yamlStart matches the beginning of an object of Kubernetes, or of an entry of Google Cloud's logs, in YAML.
var yamlStart = regexp.MustCompile(`\A(?:\s*(?:#[^\n]*)?\n)*(?:---\s*\n)?(?:apiVersion|kind|items|metadata|object|insertId|httpRequest|jsonPayload|logName|protoPayload): *`)

// isYAML tells whether a file begins like objects in YAML as kubectl and gcloud print them.
func isYAML(begin []byte) bool { return yamlStart.Match(begin) }

// isLongJSON tells whether a file begins with a JSON object that does not end on its first line: that line begins with a brace, and
// ends with a brace, a bracket or a comma that leaves something open.
func isLongJSON(begin []byte) bool {
	line, _, more := bytes.Cut(bytes.TrimSpace(begin), []byte("\n"))
	line = bytes.TrimSpace(line)
	return more && len(line) > 0 && line[0] == '{' && bytes.IndexByte([]byte("{[,"), line[len(line)-1]) >= 0 && !json.Valid(line)
}

// json reads documents in JSON, one after the other, each of any number of lines, up to maxDocument bytes in all. At one that
// is broken it stops: it returns an error if nothing in the file was recognised before, and otherwise counts it as skipped.
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

// yaml reads documents in YAML, one after the other, up to maxDocument bytes in all. At one that is broken it stops: it returns
// an error if nothing in the file was recognised before, and otherwise counts it as skipped. A document that has no form in
// JSON is counted as skipped.
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

// document keeps what a document in JSON says: an audit event, an entry of Google Cloud's logs, or an object of Kubernetes or Prometheus.
func (f *file) document(raw []byte) {
	at := f.line
	defer func() { f.line = at }()
	if isGoogle(raw) || isEntry(raw) || AuditIn(raw) != nil {
		f.text(raw, false)
		return
	}
	f.object(raw)
}
