package behaviour

import "interregnum/internal/phrase"

// FileError is an error that says what is wrong with a file. Its text is one line.
type FileError struct {
	File string
	// Line counts from 1; 0 if the problem is in no line.
	Line int
	// Path is the field, such as behaviour.episodes[1].lasts; "" if the problem is in no field.
	Path    string
	Problem string
	cause   error
}

// Error returns FILE:LINE: PATH: PROBLEM, without LINE or PATH if there is none.
func (e *FileError) Error() string { return phrase.InFile(e.File, e.Line, e.Path, e.Problem) }

// Unwrap returns the error of the file system; nil if there was none.
func (e *FileError) Unwrap() error { return e.cause }

// unreadable returns the error for a file that cannot be opened or read.
func unreadable(name string, err error) *FileError {
	return &FileError{File: name, Problem: "cannot be read: " + phrase.WithoutPath(err).Error(), cause: err}
}
