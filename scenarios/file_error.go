package scenarios

import "interregnum/internal/phrase"

// FileError says what is wrong with a scenario file. Its text is one line.
type FileError struct {
	File string
	// Line counts from 1; 0 if the file could not be read at all.
	Line int
	// Path is the field, such as faults[2].kind; "" if the problem is not in a field.
	Path    string
	Problem string
	cause   error
}

// Error returns FILE:LINE: PATH: PROBLEM, without LINE or PATH if there is none.
func (e *FileError) Error() string { return phrase.InFile(e.File, e.Line, e.Path, e.Problem) }

// Unwrap returns the error of the file system, if there was one.
func (e *FileError) Unwrap() error { return e.cause }

// unreadable returns the error for a file that could not be read.
func unreadable(name string, err error) *FileError {
	return &FileError{File: name, Problem: phrase.WithoutPath(err).Error(), cause: err}
}
