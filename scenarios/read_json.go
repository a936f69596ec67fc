package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"

	"interregnum/scenarios/plan"
)

// maxDepth is how deep lists and mappings may nest; scenarios need four.
const maxDepth = 16

// parseJSON makes a tree of a JSON file. It returns nil, without an error, for what is not JSON and may be YAML. It
// is there for speed, and since the YAML scanner does not take all JSON.
func parseJSON(text []byte) (*node, *FileError) {
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 || start[0] != '{' {
		return nil, nil
	}
	if !json.Valid(text) {
		return nil, secondJSON(text)
	}
	p := jsonParser{text: text, decoder: json.NewDecoder(bytes.NewReader(text)), line: 1}
	p.decoder.UseNumber()
	root := p.value(0)
	return root, p.err
}

// secondJSON returns the error for a file of one JSON object after another, for which YAML's parser has no good words; nil for any other file.
func secondJSON(text []byte) *FileError {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if decoder.Decode(new(json.RawMessage)) != nil {
		return nil
	}
	rest := bytes.TrimLeft(text[decoder.InputOffset():], " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' {
		return nil
	}
	before := text[:len(text)-len(rest)]
	return &FileError{Line: 1 + bytes.Count(before, []byte{'\n'}), Problem: secondDocument}
}

type jsonParser struct {
	text    []byte
	decoder *json.Decoder
	// done bytes have been counted into line.
	done int64
	line int
	err  *FileError
}

// next returns a token; line is then that of its end, and JSON's tokens end on the line they begin on.
func (p *jsonParser) next() json.Token {
	t, err := p.decoder.Token()
	if err != nil {
		p.fail(err.Error())
		return nil
	}
	end := p.decoder.InputOffset()
	p.line += bytes.Count(p.text[p.done:end], []byte{'\n'})
	p.done = end
	return t
}

func (p *jsonParser) fail(problem string) {
	if p.err == nil {
		p.err = &FileError{Line: p.line, Problem: problem}
	}
}

// value makes a tree of the next value, which is nested that deep.
func (p *jsonParser) value(depth int) *node {
	t := p.next()
	n := &node{line: p.line}
	switch t := t.(type) {
	case json.Delim:
		if depth == maxDepth {
			p.fail(tooDeep)
			return n
		}
		if t == '{' {
			p.object(n, depth)
		} else {
			p.array(n, depth)
		}
	case string:
		n.text = t
	case json.Number:
		n.kind, n.text = numberKind, t.String()
	case bool:
		n.kind, n.text = boolKind, fmt.Sprint(t)
	default:
		n.kind, n.text = nullKind, "null"
	}
	return n
}

// object reads the rest of an object into n, after its opening brace.
func (p *jsonParser) object(n *node, depth int) {
	n.kind = mapKind
	for p.err == nil && p.decoder.More() {
		name, _ := p.next().(string)
		f := field{name: name, line: p.line}
		f.value = p.value(depth + 1)
		// With so many, one is unknown or given twice. More would only take memory.
		if len(n.fields) <= maxFields {
			n.fields = append(n.fields, f)
		}
	}
	p.next()
}

// array reads the rest of a list into n, after its opening bracket.
func (p *jsonParser) array(n *node, depth int) {
	n.kind = listKind
	for p.err == nil && p.decoder.More() {
		item := p.value(depth + 1)
		if len(n.items) <= plan.MaxCandidates {
			n.items = append(n.items, item)
		}
	}
	p.next()
}
