package scenarios

import (
	"fmt"
	"strings"

	"interregnum/internal/phrase"
)

// FileError says what is wrong with a scenario file. Its text is one line.
type FileError struct {
	File string
	// Line counts from 1; 0 where the file could not be read at all.
	Line int
	// Path is the field, such as faults[2].kind; "" where it is not about one.
	Path    string
	Problem string
	cause   error
}

// Error returns FILE:LINE: PATH: PROBLEM, without what there is none of.
func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(phrase.OneLine(e.File))
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Path != "" {
		b.WriteString(": " + phrase.OneLine(e.Path))
	}
	b.WriteString(": " + phrase.OneLine(e.Problem))
	return b.String()
}

// Unwrap returns the error of the file system, if that is what it was.
func (e *FileError) Unwrap() error { return e.cause }

func unreadable(name string, err error) *FileError {
	return &FileError{File: name, Problem: phrase.WithoutPath(err).Error(), cause: err}
}
