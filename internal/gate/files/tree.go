package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

const (
	// maxDepth of nesting is far beyond any manifest.
	maxDepth = 200
	// maxVisits bounds what aliases can make of a file.
	maxVisits = 6_000_000
	// maxMarks bounds what a file can blow up to in memory: each may begin a node.
	maxMarks = 4_000_000
	// maxDocuments in one file; each costs some microseconds, whatever is in it.
	maxDocuments = 100_000
)

// parse makes a tree of a document, with nil for one that has nothing in it. Lines count from the beginning of
// the document; the error is one line and says its own.
func parse(text []byte) (root *yaml.Node, line int, err error) {
	defer func() {
		// The last resort: a file that makes the YAML library panic is not one that anybody needs.
		if r := recover(); r != nil {
			root, line, err = nil, 1, fmt.Errorf("not YAML: its parser broke down: %v", r)
		}
	}()
	if marks(text) > maxMarks {
		return nil, 1, fmt.Errorf("more than %d marks of punctuation; no manifest has", maxMarks)
	}
	d := yaml.NewDecoder(bytes.NewReader(asYAML(text)))
	var n, rest yaml.Node
	if err := d.Decode(&n); errors.Is(err, io.EOF) {
		return nil, 0, nil
	} else if err != nil {
		return nil, yamlLine(err), yamlProblem(text, err)
	}
	if err := d.Decode(&rest); err == nil {
		return nil, rest.Line, errors.New("goes on after its end; want a line --- before another document")
	} else if !errors.Is(err, io.EOF) {
		return nil, yamlLine(err), yamlProblem(text, err)
	}
	return n.Content[0], 0, nil
}

// marks counts the characters that may begin a YAML node, an upper bound of the number of nodes.
func marks(text []byte) (n int) {
	for i, b := range text {
		switch b {
		case ',', ':', '[', '{', '\n', '?', '&', '*', '!':
			n++
		case '-':
			if i+1 == len(text) || text[i+1] <= ' ' {
				n++
			}
		}
	}
	return n
}

// parserError is a message of the library's parser, whose lines count from 0; those of its scanner from 1.
var parserError = regexp.MustCompile(`^did not find expected (key|node|<|'-'|',' or)`)

var unknownAnchor = regexp.MustCompile(`^unknown anchor '.*' referenced$`)

var escape = regexp.MustCompile(`\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|.)`)

// asYAML replaces the escapes of JSON that the YAML library does not know.
func asYAML(text []byte) []byte {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) || !json.Valid(text) {
		return text
	}
	return escape.ReplaceAllFunc(text, func(e []byte) []byte {
		switch {
		case len(e) > 2:
			high, _ := strconv.ParseUint(string(e[2:6]), 16, 16)
			low, _ := strconv.ParseUint(string(e[8:12]), 16, 16)
			return utf8.AppendRune(nil, utf16.DecodeRune(rune(high), rune(low)))
		case e[1] == '/':
			return e[1:]
		}
		return e
	})
}

var yamlErrorLine = regexp.MustCompile(`^yaml: (?:line ([0-9]+): )?(.*)$`)

// yamlLine returns the line that a message of the YAML library is about, 1 where it does not say.
func yamlLine(err error) int {
	if m := yamlErrorLine.FindStringSubmatch(phrase.OneLine(err.Error())); m != nil && m[1] != "" {
		line, _ := strconv.Atoi(m[1])
		if parserError.MatchString(m[2]) {
			line++
		}
		return line
	}
	return 1
}

// yamlProblem returns an error for text that is not YAML, with a hint where a template or an unquoted * is the cause.
func yamlProblem(text []byte, err error) error {
	message := phrase.OneLine(err.Error())
	if m := yamlErrorLine.FindStringSubmatch(message); m != nil {
		message = m[2]
	}
	if action := template(string(text)); action != "" {
		return fmt.Errorf("not YAML: %s; it holds the template %s: render it first (helm template)", message, action)
	}
	if unknownAnchor.MatchString(message) {
		// Its name may be a password that begins with *.
		message = "a * refers to an anchor that is not in the document; what only begins with * wants quotes"
	}
	return fmt.Errorf("not YAML: %s", message)
}

// template is the first action of a template in the text, such as {{ .Values.x }}, or "".
func template(text string) string {
	begin := strings.Index(text, "{{")
	if begin < 0 {
		return ""
	}
	end := strings.Index(text[begin:], "}}")
	if end < 0 {
		return ""
	}
	return phrase.Clip(phrase.OneLine(text[begin : begin+end+2]))
}

// templateNode is the template that a node is: as YAML {{ .Values.x }} is a mapping whose key is a mapping.
func templateNode(n *yaml.Node) string {
	for range 2 {
		if n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle == 0 || len(n.Content) != 2 {
			return ""
		}
		n = n.Content[0]
	}
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	return "{{ " + phrase.Clip(phrase.OneLine(n.Value)) + " }}"
}

// field is an entry of a mapping.
type field struct {
	name  string
	line  int
	value *yaml.Node
}

// resolve returns the node that an alias stands for, and any other node as it is.
func resolve(n *yaml.Node) *yaml.Node {
	// An alias of an alias cannot be written, so that one step is enough.
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// get returns the field of that name, and whether there is one.
func get(all []field, name string) (field, bool) {
	for _, f := range all {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

// text returns the value of the field of that name, "" where it is missing or no scalar.
func text(all []field, name string) string {
	if f, ok := get(all, name); ok && f.value.Kind == yaml.ScalarNode {
		return f.value.Value
	}
	return ""
}
