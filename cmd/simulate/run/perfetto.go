package run

import (
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/reports"
	"interregnum/scenarios"
)

// perfettoFile is the file of --perfetto. A nil one does nothing.
type perfettoFile struct {
	*outfile.File
	writer *reports.Perfetto
}

// createPerfetto makes the file of --perfetto for the run of a scenario; it returns nil for no path.
func createPerfetto(path string, force bool, s *scenarios.Scenario) (*perfettoFile, error) {
	if path == "" {
		return nil, nil
	}
	o, err := outfile.Create("--perfetto", path, force)
	if err != nil {
		return nil, err
	}
	return &perfettoFile{o, reports.NewPerfetto(o, s.Header(), s.Faults)}, nil
}

// keep completes what is written, closes the file and moves it to its place.
func (p *perfettoFile) keep() error {
	if p == nil {
		return nil
	}
	if err := p.writer.Close(); err != nil {
		return err
	}
	return p.File.Keep()
}

// discard removes the file unless keep has completed it.
func (p *perfettoFile) discard() {
	if p != nil {
		p.File.Discard()
	}
}
