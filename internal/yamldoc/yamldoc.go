// Package yamldoc reads one YAML or JSON document into the nodes of the YAML library, with errors that name a line.
package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// maxMarks bounds what a document can blow up to in memory: each mark of punctuation may begin a node.
const maxMarks = 4_000_000

// ErrSecond is the Cause of an Error for text that goes on after the end of its first document.
var ErrSecond = errors.New("a second document begins here")

// Error says what is wrong with a document.
type Error struct {
	// Line counts from 1.
	Line int
	// Problem is one line.
	Problem string
	// Anchor is the name after a * for which there is no &. It may be a secret that nobody put in quotes.
	Anchor string
	// Cause is ErrSecond, or nil.
	Cause error
}

// Error returns the problem without its line.
func (e *Error) Error() string { return e.Problem }

// Unwrap returns ErrSecond or nil.
func (e *Error) Unwrap() error { return e.Cause }

// Parse returns the root of the one document in text, and nil, nil if text has no document. A JSON document may have every escape
// that JSON knows. It returns an error if text is not YAML, has a second document, or has so much punctuation that its nodes
// could fill the memory.
func Parse(text []byte) (root *yaml.Node, err *Error) {
	defer func() {
		// A panic of the YAML library counts as an error in the file.
		if r := recover(); r != nil {
			root, err = nil, &Error{Line: 1, Problem: fmt.Sprintf("not YAML: its parser broke down: %v", r)}
		}
	}()
	if marks(text) > maxMarks {
		return nil, &Error{Line: 1, Problem: fmt.Sprintf("more than %d marks of punctuation; nobody writes so many", maxMarks)}
	}
	d := yaml.NewDecoder(bytes.NewReader(asYAML(text)))
	var first, second yaml.Node
	switch err := d.Decode(&first); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, wrong(text, err)
	}
	switch err := d.Decode(&second); {
	case err == nil:
		return nil, &Error{Line: second.Line, Problem: ErrSecond.Error(), Cause: ErrSecond}
	case !errors.Is(err, io.EOF):
		return nil, wrong(text, err)
	}
	return first.Content[0], nil
}

// marks returns how many characters of text may begin a YAML node. A text has at most a few nodes for each of them, and
// a few more.
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

var (
	messageForm = regexp.MustCompile(`^yaml: (?:line ([0-9]+): )?(.*)$`)
	// parserMessage is a message of the library's parser, whose lines count from 0; those of its scanner count from 1.
	parserMessage = regexp.MustCompile(`^did not find expected (key|node|<|'-'|',' or)`)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// These messages of the library need another word to be understood. The first, about text after the end of a document,
// is the parser's, and the others are the scanner's.
const (
	goesOn       = "did not find expected <document start>"
	startsNoText = "found character that cannot start any token"
	otherYAML    = "found incompatible YAML document"
	openQuotes   = "found unexpected end of stream"
)

// wrong returns the Error for text that the YAML library refuses. err is what the library says.
func wrong(text []byte, err error) *Error {
	message, line := told(err)
	if m := unknownAnchor.FindStringSubmatch(message); m != nil {
		before, _, _ := bytes.Cut(text, []byte("*"+m[1])) // the library names no line
		return &Error{Line: 1 + bytes.Count(before, []byte{'\n'}), Problem: "not YAML: " + message, Anchor: m[1]}
	}
	lines := bytes.Split(bytes.TrimRight(text, "\n"), []byte{'\n'})
	line = min(line, len(lines)) // not the line after the last
	switch message {
	case goesOn:
		return &Error{Line: line, Problem: ErrSecond.Error(), Cause: ErrSecond}
	case startsNoText:
		if bytes.HasPrefix(bytes.TrimLeft(lines[line-1], " "), []byte{'\t'}) {
			message = "a tab cannot stand here; indent with spaces"
		}
	case otherYAML:
		message += "; a line with % says which YAML it is, and can be left out"
	case openQuotes:
		message += "; a text in quotes has no end"
	}
	return &Error{Line: line, Problem: "not YAML: " + message}
}

// told returns the message of an error of the YAML library, in one line, and the line that it names, counting from 1; 1 if it
// names none.
func told(err error) (message string, line int) {
	message = phrase.OneLine(err.Error())
	m := messageForm.FindStringSubmatch(message)
	switch {
	case m == nil:
		return message, 1
	case m[1] == "":
		return m[2], 1
	}
	line, _ = strconv.Atoi(m[1])
	if parserMessage.MatchString(m[2]) {
		line++
	}
	return m[2], line
}
