// Package outfile writes the files that flags name; its errors have the exit code for bad input. A run that fails or is interrupted leaves no part of one.
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

// File is a file that a flag names. It is written beside its place and moved there in the end, so that a run
// that fails or is interrupted leaves nothing, and whatever was there before. Only its owner may read it, so too where it replaces what
// others could. A nil File does nothing.
type File struct {
	*os.File
	// path is where the file is to be; "" where it is written in place, as with a device or a pipe.
	path string
	// watch is nil where there is no path.
	watch *watch
}

// Create makes the file of a flag. What is there already is replaced only where that is asked for, but for an
// empty file, as mktemp makes it. For no path there is no file, but nil.
func Create(flag, path string, force bool) (*File, error) {
	if path == "" {
		return nil, nil
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
			o.settle()
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

// Write makes the file that a flag names, with what write writes into it.
func Write(flag, path string, force bool, write func(io.Writer) error) error {
	o, err := Create(flag, path, force)
	if err != nil {
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

// SpareFirst has the first interrupt not remove the file: it ends the work whose result is then written there. The next
// one ends the program.
func (o *File) SpareFirst() {
	if o != nil && o.watch != nil {
		o.watch.spared <- struct{}{}
	}
}

// settle ends the watch for signals, if there is one.
func (o *File) settle() {
	if o.watch != nil {
		o.watch.stop()
		o.watch = nil
	}
}

// Beside makes a new temporary file beside a path, which only its owner may read.
func Beside(path string) (*os.File, error) {
	for n := 0; ; n++ {
		name := fmt.Sprintf("%s.%d-%d.tmp", path, os.Getpid(), n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Keep closes the file and moves it to its place.
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
		o.settle()
	}
	return err
}

// Discard removes the file unless Keep has completed it.
func (o *File) Discard() {
	if o == nil {
		return
	}
	_ = o.Close()
	if o.path != "" {
		_ = os.Remove(o.Name())
	}
	o.settle()
}
