package run

import (
	"bufio"
	"errors"
	"fmt"

	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/reports"
	"interregnum/scenarios"
)

// htmlFile is the file of --html. A nil one does nothing.
type htmlFile struct {
	*outfile.File
	page *reports.Page
}

// createHTML makes the file of --html for the run of a scenario; it returns nil for no path.
func createHTML(path string, force bool, s *scenarios.Scenario) (*htmlFile, error) {
	if path == "" {
		return nil, nil
	}
	o, err := outfile.Create("--html", path, force)
	if err != nil {
		return nil, err
	}
	return &htmlFile{o, reports.NewPage(s)}, nil
}

// keep writes the page of the run and completes the file.
func (h *htmlFile) keep(r *reports.Run, command string) error {
	if h == nil {
		return nil
	}
	w := bufio.NewWriter(h)
	if err := errors.Join(h.page.HTML(w, r, command), w.Flush()); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return h.File.Keep()
}

// discard removes the file unless keep has completed it.
func (h *htmlFile) discard() {
	if h != nil {
		h.File.Discard()
	}
}
