package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// traceFile is the file of --trace. It is written beside its place and moved there in the end, so that a
// run that fails leaves nothing, and whatever was there before.
type traceFile struct {
	file   *os.File
	writer *trace.Writer
	// path is where the file is to be; "" where it is written in place, as with a device or a pipe.
	path string
}

// createTrace returns nil for no path: a nil traceFile does nothing.
func createTrace(path string, s *scenarios.Scenario) (*traceFile, error) {
	if path == "" {
		return nil, nil
	}
	t := &traceFile{}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("--trace %s: is a directory; want a file", path)
	case err == nil && !info.Mode().IsRegular():
		t.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		t.path = path
		t.file, err = createBeside(path)
	}
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err // the path that failed is a temporary one
		}
		return nil, fmt.Errorf("--trace %s: %w", path, err)
	}
	t.writer = trace.NewWriter(t.file, s.Header())
	return t, nil
}

// createBeside makes a new file, with the rights that any new file gets.
func createBeside(path string) (*os.File, error) {
	for n := 0; ; n++ {
		name := fmt.Sprintf("%s.%d-%d.tmp", path, os.Getpid(), n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// keep completes the file.
func (t *traceFile) keep() error {
	if t == nil {
		return nil
	}
	err := errors.Join(t.writer.Flush(), t.file.Close())
	if err == nil && t.path != "" {
		err = os.Rename(t.file.Name(), t.path)
	}
	if err != nil {
		return err
	}
	t.path = ""
	return nil
}

// discard removes what has not been kept.
func (t *traceFile) discard() {
	if t == nil {
		return
	}
	_ = t.file.Close()
	if t.path != "" {
		_ = os.Remove(t.file.Name())
	}
}
