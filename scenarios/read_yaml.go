package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"

	"interregnum/internal/phrase"
	"interregnum/scenarios/plan"
)

// parseYAML makes a tree of a YAML file.
func parseYAML(text []byte) (root *node, ferr *FileError) {
	defer func() {
		// The last resort: a file that makes the YAML library panic is not one that anybody needs.
		if r := recover(); r != nil {
			root, ferr = nil, notYAML(1, fmt.Sprintf("its parser broke down: %v", r))
		}
	}()
	segments := []segment{{text: text}}
	if flow := bytes.TrimLeft(text, " \t\r\n"); len(flow) > 0 && flow[0] == '{' {
		// In what is nearly JSON tabs can only be white space, which the scanner wants as spaces.
		segments[0].text = bytes.ReplaceAll(text, []byte{'\t'}, []byte{' '})
	} else {
		segments = splitYAML(text, chunkBytes)
	}
	t := treeMaker{anchors: map[string]*node{}, open: map[string]bool{}}
	for i, s := range segments {
		n := t.segment(s, i == 0, i == len(segments)-1)
		if t.err == nil {
			root = t.join(root, n, s)
		}
		if t.err != nil {
			return nil, t.err
		}
	}
	if root == nil {
		return nil, &FileError{Line: 1, Problem: nothingThere}
	}
	return root, nil
}

const (
	nothingThere   = "there is nothing in the file; want a scenario"
	secondDocument = "a second document begins here; a scenario file holds one"
)

// join adds the tree n of segment s to root, the tree of the segments before it, and returns the whole.
func (t *treeMaker) join(root, n *node, s segment) *node {
	switch {
	case n == nil:
		return root
	case root == nil:
		return n
	case root.kind != mapKind || s.list != (n.kind == listKind) || !s.list && n.kind != mapKind:
		t.fail(n.line, "this does not go on with what is before it; want a field of the scenario")
	case !s.list:
		root.fields = append(root.fields, n.fields...)
	default:
		last := &root.fields[len(root.fields)-1]
		if last.value.kind == listKind {
			n.items = append(last.value.items, n.items...)
		}
		last.value = n
		if len(n.items) > plan.MaxCandidates {
			t.err = &FileError{Line: last.line, Path: last.name, Problem: tooMany}
		}
	}
	return root
}

// segment makes a tree of a segment, nil where there is nothing in it.
func (t *treeMaker) segment(s segment, first, last bool) *node {
	t.base = s.line
	body, err := t.body(s.text, first, last)
	if err != nil {
		err.Line += t.base
		t.err = err
	}
	if body == nil {
		return nil
	}
	return t.tree(body)
}

// body parses the text of a segment with the library. Lines in errors count from its beginning.
func (t *treeMaker) body(text []byte, first, last bool) (ast.Node, *FileError) {
	if err := t.cost.scan(text); err != nil {
		return nil, err
	}
	tokens, ferr := yamlTokens(text, first, last)
	if ferr != nil || len(tokens) == 0 {
		return nil, ferr
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, yamlError(err)
	}
	if len(file.Docs) == 0 {
		return nil, nil
	}
	return file.Docs[0].Body, nil
}

// yamlTokens scans the text and refuses what the parser could not cope with.
func yamlTokens(text []byte, first, last bool) (token.Tokens, *FileError) {
	// The library's Tokenize would go on after an error, at a cost that grows with their number.
	var scan scanner.Scanner
	scan.Init(string(text))
	var all token.Tokens
	for {
		some, err := scan.Scan()
		all.Add(some...)
		if bad := all.InvalidToken(); bad != nil {
			return nil, notYAML(bad.Position.Line, bad.Error)
		}
		if err != nil {
			break
		}
	}
	tokens := all[:0]
	for _, t := range all {
		if t.Type != token.CommentType {
			tokens = append(tokens, t)
		}
	}
	if len(tokens) == 0 {
		return nil, nil
	}
	if begin, end := tokens[0], tokens[len(tokens)-1]; !first && begin.Type == token.DocumentHeaderType {
		return nil, &FileError{Line: begin.Position.Line, Problem: secondDocument}
	} else if !last && end.Type == token.DocumentEndType {
		return nil, &FileError{Line: end.Position.Line + 1, Problem: secondDocument}
	}
	return tokens, guardTokens(tokens)
}

// yamlError converts an error of the library, without what the library's own Error would print of the file.
func yamlError(err error) *FileError {
	var y yaml.Error
	if !errors.As(err, &y) {
		return notYAML(1, err.Error())
	}
	line := 1
	if t := y.GetToken(); t != nil && t.Position != nil {
		line = t.Position.Line
	}
	return notYAML(line, y.GetMessage())
}

func notYAML(line int, message string) *FileError {
	if strings.Contains(message, "'\t'") {
		message = "a tab cannot stand here; indent with spaces"
	}
	if begin, text, ok := strings.Cut(message, ": "); ok {
		// The text of the file may be of any length.
		message = begin + ": " + phrase.Clip(text)
	}
	return &FileError{Line: line, Problem: "not YAML: " + message}
}

// treeMaker turns the library's tree into ours. Aliases become second pointers to the same node.
type treeMaker struct {
	anchors map[string]*node
	// open are the anchors whose value is still being read.
	open map[string]bool
	// base is the number of lines before the segment in hand.
	base int
	cost yamlCost
	err  *FileError
}
