package run

import (
	"bufio"
	"errors"
	"fmt"

	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/page"
	"interregnum/reports/perfetto"
)

// eventFile is a file of --trace, --perfetto or --html: it takes in the events of a run.
type eventFile struct {
	*outfile.File
	sink trace.Sink
	// complete writes what is missing once the run is over.
	complete func(r *reports.Run) error
}

// createFiles makes the files that flags name for the run of a job.
func (f *runFlags) createFiles(j *job) (files []eventFile, err error) {
	s := j.scenario
	for _, one := range []struct {
		flag, path string
		open       func(o *outfile.File) eventFile
	}{
		{"--trace", f.trace, func(o *outfile.File) eventFile {
			w := trace.NewWriter(o, s.Header())
			return eventFile{o, w, func(*reports.Run) error { return w.Flush() }}
		}},
		{"--perfetto", f.perfetto, func(o *outfile.File) eventFile {
			w := perfetto.New(o, s.Header(), s.Faults)
			return eventFile{o, w, func(*reports.Run) error { return w.Close() }}
		}},
		{"--html", f.html, func(o *outfile.File) eventFile {
			page := page.New(s)
			return eventFile{o, page, func(r *reports.Run) error { return writePage(o, page, r, j.command()) }}
		}},
	} {
		o, err := outfile.Create(one.flag, one.path, f.force)
		if err != nil {
			discard(files)
			return nil, err
		}
		if o != nil {
			files = append(files, one.open(o))
		}
	}
	return files, nil
}

// writePage writes the page of a run.
func writePage(o *outfile.File, page *page.Page, r *reports.Run, command string) error {
	w := bufio.NewWriter(o)
	if err := errors.Join(page.HTML(w, r, command), w.Flush()); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// keep completes the files of a run and moves them to their places.
func keep(files []eventFile, r *reports.Run) error {
	var failed []error
	for _, f := range files {
		err := f.complete(r)
		if err == nil {
			err = f.Keep()
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// discard removes the files unless keep has completed them.
func discard(files []eventFile) {
	for _, f := range files {
		f.Discard()
	}
}
