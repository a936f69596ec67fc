package gate

import (
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
	"interregnum/internal/yamldoc"
)

// maxEnvironmentBytes is the largest size of an environment file that is read. internal/behaviour has the same limit.
const maxEnvironmentBytes = 64 << 10

// ReadEnvironmentFile reads the environment file at path, or stdin if path is "-". Fields that the file does not have get their
// defaults; ReadEnvironment says which files are refused. The error is a files.Problem.
func ReadEnvironmentFile(path string, stdin io.Reader) (Environment, error) {
	if path == "-" {
		return ReadEnvironment(path, stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return Environment{}, unreadable(path, err)
	}
	defer f.Close()
	return ReadEnvironment(path, f)
}

// ReadEnvironment reads an environment file from r. Fields that it does not have get their defaults. Unknown or repeated
// fields, and values that Set refuses, are errors, and so is a file that is empty, no single mapping, or larger than
// maxEnvironmentBytes. It skips the field behaviour, which says what is usual and bounds nothing; internal/behaviour reads
// that. The error is a files.Problem; messages call the file name.
func ReadEnvironment(name string, r io.Reader) (Environment, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxEnvironmentBytes+1))
	if err != nil {
		return Environment{}, unreadable(name, err)
	}
	if len(data) > maxEnvironmentBytes {
		return Environment{}, environmentProblem(name, 0, "is larger than %d KiB, or endless; want a file of a few fields",
			maxEnvironmentBytes>>10)
	}
	e := DefaultEnvironment()
	fields, err := environmentNodes(name, data)
	if err != nil {
		return Environment{}, err
	}
	seen := map[string]int{}
	for i := 0; i < len(fields); i += 2 {
		field, value := fields[i], fields[i+1]
		text := phrase.Clip(field.Value)
		if first := seen[field.Value]; first > 0 {
			return Environment{}, environmentProblem(name, field.Line, "%s: given twice; the first is in line %d", text, first)
		}
		seen[field.Value] = field.Line
		if field.Value == "behaviour" {
			continue
		}
		if value.Kind != yaml.ScalarNode {
			return Environment{}, environmentProblem(name, value.Line, "%s: want a single value", text)
		}
		if err := e.Set(field.Value, value.Value, fmt.Sprintf("%s:%d", name, field.Line)); err != nil {
			return Environment{}, environmentProblem(name, field.Line, "%s: %v", text, err)
		}
	}
	return e, nil
}

// environmentNodes returns the names and the values of an environment file in turn. The file must be one mapping. The error is a
// files.Problem.
func environmentNodes(name string, data []byte) ([]*yaml.Node, error) {
	root, err := yamldoc.Parse(data)
	switch {
	case err != nil && err.Cause != nil:
		return nil, environmentProblem(name, err.Line, "%v; want one", err)
	case err != nil:
		return nil, environmentProblem(name, err.Line, "%v", err)
	case root == nil:
		return nil, environmentProblem(name, 0, "there is nothing in the file; want fields such as maxRoundTrip: 1s")
	case root.Kind != yaml.MappingNode:
		return nil, environmentProblem(name, root.Line, "want fields such as maxRoundTrip: 1s")
	}
	return root.Content, nil
}

// unreadable returns a files.Problem for a file that cannot be opened or read.
func unreadable(name string, err error) error {
	return environmentProblem(name, 0, "cannot be read: %v", phrase.WithoutPath(err))
}

// environmentProblem returns a files.Problem at a line of the file name; line 0 is the file as a whole.
func environmentProblem(name string, line int, format string, args ...any) error {
	return files.Problem{Position: files.Position{File: name, Line: line}, Text: phrase.OneLine(fmt.Sprintf(format, args...))}
}
