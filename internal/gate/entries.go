package gate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
	"interregnum/internal/yamldoc"
)

// maxListBytes is the largest size of a list, of overrides or of a baseline, that is read.
const maxListBytes = 4 << 20

// entry is one mapping of a list: its names and values in turn, and the line in which it begins.
type entry struct {
	fields []*yaml.Node
	line   int
}

// readEntries reads a YAML file, or stdin if path is "-". The file must have exactly one field, with the name list, and that
// field must be a list of mappings. A null counts as an empty list. Anything else is an error; the error is a files.Problem.
func readEntries(path, list string, stdin io.Reader) ([]entry, error) {
	in := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxListBytes+1))
	switch {
	case err != nil:
		return nil, unreadable(path, err)
	case len(data) > maxListBytes:
		return nil, environmentProblem(path, 0, "is larger than %d MiB, or endless", maxListBytes>>20)
	}
	root, problem := yamldoc.Parse(data)
	want := fmt.Sprintf("want %s: and a list of entries, each with a name", list)
	switch {
	case problem != nil:
		return nil, environmentProblem(path, problem.Line, "%v", problem)
	case root == nil:
		return nil, environmentProblem(path, 0, "there is nothing in the file; %s", want)
	case root.Kind != yaml.MappingNode || len(root.Content) != 2 || root.Content[0].Value != list:
		return nil, environmentProblem(path, root.Line, "%s", want)
	}
	return entriesOf(path, want, root.Content[1])
}

// entriesOf returns the mappings in list n; nil if n is null. It returns a files.Problem if n or an element is anything else, or
// if a mapping has a field twice. path is the file's name, and want says what is expected, both for the message.
func entriesOf(path, want string, n *yaml.Node) ([]entry, error) {
	if n.Kind != yaml.SequenceNode && n.ShortTag() != "!!null" {
		return nil, environmentProblem(path, n.Line, "%s", want)
	}
	var all []entry
	for _, item := range n.Content {
		if item.Kind != yaml.MappingNode {
			return nil, environmentProblem(path, item.Line, "%s", want)
		}
		var seen []string
		for i := 0; i < len(item.Content); i += 2 {
			if slices.Contains(seen, item.Content[i].Value) {
				return nil, environmentProblem(path, item.Content[i].Line, "%s: given twice", phrase.Clip(item.Content[i].Value))
			}
			seen = append(seen, item.Content[i].Value)
		}
		all = append(all, entry{item.Content, item.Line})
	}
	return all, nil
}

// each calls take for every field of an entry, until take returns an error, and returns that error. If it is no files.Problem
// yet, each turns it into one, with the field's name and its line in the file at path.
func (e *entry) each(path string, take func(name string, value *yaml.Node) error) error {
	for i := 0; i < len(e.fields); i += 2 {
		err := take(e.fields[i].Value, e.fields[i+1])
		var problem files.Problem
		switch {
		case errors.As(err, &problem):
			return problem
		case err != nil:
			return environmentProblem(path, e.fields[i].Line, "%s: %v", phrase.Clip(e.fields[i].Value), err)
		}
	}
	return nil
}

// matches tells whether pattern matches the whole name. A * in the pattern stands for any text, also for none.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(name, first) || len(name) < len(first)+len(last) || !strings.HasSuffix(name, last) {
		return false
	}
	rest := name[len(first) : len(name)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return true
}
