package scenarios

import (
	"errors"
	"fmt"
	"io"
	"os"

	"interregnum/plan"
)

// maxFileBytes is the size of the largest file that is read.
const maxFileBytes = 16 << 20

// ReadFile reads a scenario file. The error is a *FileError.
func ReadFile(path string) (*Scenario, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, &FileError{File: path, Problem: "is a directory; want a scenario file"}
	}
	return Read(f, path)
}

// Read reads one scenario, in YAML or JSON. It is strict: a field that is unknown, given twice or of the wrong type is an error,
// and so are a file larger than 16 MiB and all that Validate refuses. Errors are *FileError, and name is the file's name in them.
//
// Candidates are complete: a field that a candidate does not give is taken from the file's defaults, or else from the built-in
// ones. Its clock is merged field by field: {offset: 3s} keeps the driftPPM of the defaults.
func Read(r io.Reader, name string) (*Scenario, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	if len(data) > maxFileBytes {
		problem := fmt.Sprintf("is larger than %d MiB; no scenario is", maxFileBytes>>20)
		return nil, &FileError{File: name, Problem: problem}
	}
	root, ferr := parse(data)
	if ferr != nil {
		ferr.File = name
		return nil, ferr
	}
	d := decoder{file: name, path: []step{{line: root.line}}}
	s := d.scenario(root)
	if d.err != nil {
		return nil, d.err
	}
	if err := s.Validate(); err != nil {
		return nil, invalid(name, root, err)
	}
	return s, nil
}

// parse parses a YAML or JSON file into a tree of nodes. The error lacks the file's name.
func parse(data []byte) (*node, *FileError) {
	text, err := plainText(data)
	if err != nil {
		return nil, err
	}
	return parseTree(text)
}

// invalid returns err, an error of Validate, as a *FileError with the file's name and the line of the field. root is the
// file's tree.
func invalid(file string, root *node, err error) error {
	var field *plan.FieldError
	if !errors.As(err, &field) {
		return &FileError{File: file, Line: root.line, Problem: err.Error()}
	}
	return &FileError{File: file, Line: lineOf(root, field.Path), Path: field.Path, Problem: field.Problem}
}
