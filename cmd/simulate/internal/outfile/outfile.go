// Package outfile writes the files that flags name. The errors of Create and Write have the exit code for bad
// input. A command that fails or is
// interrupted leaves no incomplete file.
package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/phrase"
	"interregnum/internal/private"
)

// File is a file that a flag names. It is written beside its path and moved there at the end, so that a command that fails
// or is interrupted leaves the old file, if there was one, and nothing else. Only its owner may read it, even if others could
// read the old one. A nil File does nothing.
type File struct {
	*os.File
	// path is where Keep moves the file; "" if it is written in place, as with a device or a pipe.
	path string
	// watch is nil if there is no path.
	watch *watch
}

// Create creates the file that a flag names, and watches for signals. It returns nil, nil if path is "". flag is the flag's name
// for errors. It returns an error for a folder, for a link that private.CheckLink refuses, for the path -, and, unless force is
// true, for a file that exists and is not empty. It follows other links. A device or a pipe is written in place, without a watch.
func Create(flag, path string, force bool) (*File, error) {
	if path == "" {
		return nil, nil
	}
	if path == "-" {
		return nil, exit.With(exit.BadInput, fmt.Errorf("%s -: standard output is for the results; want a file, ./- for one of that name", flag))
	}
	o := &File{}
	if err := private.CheckLink(path); err != nil {
		return nil, exit.With(exit.BadInput, fmt.Errorf("%s %w", flag, err))
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, exit.With(exit.BadInput, fmt.Errorf("%s %s: is a directory; want a file", flag, path))
	case err == nil && info.Mode().IsRegular() && info.Size() > 0 && !force:
		return nil, exit.With(exit.BadInput, fmt.Errorf("%s %s: exists already; --force replaces it", flag, path))
	case err == nil && !info.Mode().IsRegular():
		o.File, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		o.path = path
		o.watch = newWatch()
		if o.File, err = Beside(path); err != nil {
			o.endWatch()
			break
		}
		go o.watch.run(o.Name())
	}
	if err != nil {
		// The path that failed is a temporary one.
		return nil, exit.With(exit.BadInput, fmt.Errorf("%s %s: %w", flag, path, phrase.WithoutPath(err)))
	}
	return o, nil
}

// Write creates the file of a flag, calls write to write it, and completes it; if write fails, it leaves no file. It does nothing
// if path is "".
func Write(flag, path string, force bool, write func(io.Writer) error) error {
	o, err := Create(flag, path, force)
	if o == nil {
		return err
	}
	defer o.Discard()
	if err = write(o); err == nil {
		err = o.Keep()
	}
	if err != nil {
		return exit.With(exit.BadInput, fmt.Errorf("%s %s: %w", flag, path, err))
	}
	return nil
}

// SpareFirst makes the first interrupt after it keep the file: that interrupt ends the work, and its result is then written to
// the file. The next interrupt removes the file and ends the program. It must be called only once.
func (o *File) SpareFirst() {
	if o != nil && o.watch != nil {
		o.watch.spared <- struct{}{}
	}
}

// endWatch ends the watch for signals, if there is one.
func (o *File) endWatch() {
	if o.watch != nil {
		o.watch.stop()
		o.watch = nil
	}
}

// Beside creates a new temporary file in the folder of a path, and returns it open for writing. Only its owner may read it.
func Beside(path string) (*os.File, error) {
	for n := 0; ; n++ {
		name := fmt.Sprintf("%s.%d-%d.tmp", path, os.Getpid(), n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Keep closes the file and moves it to its path. After an error the caller has to call Discard.
func (o *File) Keep() error {
	if o == nil {
		return nil
	}
	err := o.Close()
	if err == nil && o.path != "" {
		err = os.Rename(o.Name(), o.path)
	}
	if err == nil {
		o.path = ""
		o.endWatch()
	}
	return err
}

// Discard closes and removes the file. If Keep has completed it, it does nothing.
func (o *File) Discard() {
	if o == nil {
		return
	}
	_ = o.Close()
	if o.path != "" {
		_ = os.Remove(o.Name())
	}
	o.endWatch()
}
