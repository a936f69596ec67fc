// Package results has files of results, by which long work goes on where it has ended: a header that says whose results they are, and
// then one result a line, only ever appended to. Each line is written at once, so that at most the last one is incomplete, whatever
// ends the process.
package results

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"interregnum/internal/phrase"
	"interregnum/internal/private"
)

// File is a file of results that can be appended to.
type File struct {
	file *os.File
	// Dropped: an incomplete last line was cut off.
	Dropped bool
}

// Line is called with each complete line of a file and its number, from 1 on. The first line is the header. Its error says what is
// wrong with the line.
type Line func(n int, line []byte) error

// Open opens a file of results, or makes one that only its owner may read. It calls each with the complete lines that are there,
// cuts off an incomplete last one, and leaves the file ready to be appended to. It writes the header into a file that is empty or
// has only part of it. It refuses a file that is not a regular one, one whose link is not to be followed (private.CheckLink), one
// with a line for which each returns an error, and one whose only line is the beginning of something else than the header.
func Open(name string, header any, each Line) (*File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: want a regular file, to read what is there and to append to it", name)
	}
	if err := private.CheckLink(name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, phrase.WithoutPath(err))
	}
	r := &File{file: f}
	if err := r.read(name, header, each); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// read reads the lines that are in the file, cuts off an incomplete last one, and makes the file ready to be appended to. It
// appends the header if no line was complete. It is an error if such a file has something other than the beginning of the
// header.
func (f *File) read(name string, header any, each Line) error {
	good, tail, err := Read(name, f.file, func(n int, line []byte) error {
		err := each(n, line)
		if err != nil && n > 1 {
			before := fmt.Sprintf("the %d lines before are good: leave just them", n-1)
			if n == 2 {
				before = "the line before is good: leave just that"
			}
			err = fmt.Errorf("%w; %s, and the rest runs again", err, before)
		}
		return err
	})
	if err != nil {
		return err
	}
	f.Dropped = len(tail) > 0
	if good == 0 && f.Dropped {
		// Half a header is all that may be written over.
		if text, err := json.Marshal(header); err != nil || !bytes.HasPrefix(text, tail) {
			wrong := cmp.Or(each(1, tail), errors.New("want a header that ends its line, or only the first part of one, which is written anew; remove the file to begin again"))
			return errors.Join(err, fmt.Errorf("%s:1: %w", name, wrong))
		}
	}
	if err := f.file.Truncate(good); err != nil {
		return err
	}
	if _, err := f.file.Seek(good, io.SeekStart); err != nil {
		return err
	}
	if good > 0 {
		return nil
	}
	return f.Append(header)
}

// Read calls each with every complete line of in, and stops at its first error. It returns how many bytes the lines before that
// have, and the incomplete last line, if there is one and no error. name is the file's name, for errors.
func Read(name string, in io.Reader, each Line) (good int64, tail []byte, err error) {
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return good, line, nil
		}
		if err != nil {
			return good, nil, err
		}
		if err := each(n, line); err != nil {
			return good, nil, fmt.Errorf("%s:%d: %s", name, n, InOneLine(err))
		}
		good += int64(len(line))
	}
}

// InOneLine returns the text of an error in one line. Where the text has a line for each of several problems, these are
// separated by semicolons.
func InOneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// Append writes v to the file as a line of JSON, in one call. The error is a *WriteError.
func (f *File) Append(v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = f.file.Write(append(line, '\n'))
	}
	if err != nil {
		return &WriteError{err, "what is in the file is good"}
	}
	return nil
}

// WriteError is that of a line that could not be appended. What is in the file before it is good.
type WriteError struct {
	Err error
	// Kept says what that is.
	Kept string
}

// Error returns what has failed, what is kept, and what the user can do about it.
func (e *WriteError) Error() string {
	return fmt.Sprintf("%v; %s: make room, and the same command goes on", e.Err, e.Kept)
}

// Unwrap returns the error of the file system.
func (e *WriteError) Unwrap() error { return e.Err }

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
