package run

import (
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// traceFile is the file of --trace.
type traceFile struct {
	*outfile.File
	writer *trace.Writer
}

// createTrace makes the file of --trace for the run of a scenario. It returns nil for no path: a nil traceFile does
// nothing.
func createTrace(path string, force bool, s *scenarios.Scenario) (*traceFile, error) {
	if path == "" {
		return nil, nil
	}
	o, err := outfile.Create("--trace", path, force)
	if err != nil {
		return nil, err
	}
	return &traceFile{o, trace.NewWriter(o, s.Header())}, nil
}

// keep writes what is buffered, closes the file and moves it to its place.
func (t *traceFile) keep() error {
	if t == nil {
		return nil
	}
	if err := t.writer.Flush(); err != nil {
		return err
	}
	return t.File.Keep()
}

// discard removes the file unless keep has completed it.
func (t *traceFile) discard() {
	if t != nil {
		t.File.Discard()
	}
}
