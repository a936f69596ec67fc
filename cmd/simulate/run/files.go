package run

import (
	"bufio"
	"errors"
	"fmt"

	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/phrase"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/page"
	"interregnum/reports/perfetto"
	"interregnum/scenarios"
)

// eventFlag is a flag that names a file into which the events of one run are written, in one format.
type eventFlag struct {
	name, about string
	// begin returns an eventFile that writes the events of a run of s to the file o.
	begin func(o *outfile.File, s *scenarios.Scenario) eventFile
	// path is the file that the command line names, "" for none.
	path string
}

// eventFlags returns the flags that name a file for the events of one run, in the order in which messages list them. Their paths
// are "".
func eventFlags() []eventFlag {
	return []eventFlag{
		{name: "trace", about: "write all events to `FILE`, as JSON lines", begin: traceFile},
		{name: "perfetto", about: "write a trace for ui.perfetto.dev to `FILE`", begin: perfettoFile},
		{name: "html", about: "write a page with the timeline to `FILE`", begin: pageFile},
	}
}

// fileNames returns the names of the flags as a list in words: --a, --b and --c.
func fileNames(flags []eventFlag) string {
	names := make([]string, len(flags))
	for i := range flags {
		names[i] = "--" + flags[i].name
	}
	return phrase.And(names)
}

// eventFile is an open file, with the sink that writes the events of a run to it.
type eventFile struct {
	*outfile.File
	sink trace.Sink
	// complete writes what follows the events. It is called after the run, before Keep.
	complete func(r *reports.Run) error
}

// traceFile returns an eventFile that writes the events of a run to o as a trace file, after the header of the
// trace.
func traceFile(o *outfile.File, s *scenarios.Scenario) eventFile {
	w := trace.NewWriter(o, s.Header())
	return eventFile{o, w, func(*reports.Run) error { return w.Flush() }}
}

// perfettoFile returns an eventFile that writes the events of a run to o for ui.perfetto.dev.
func perfettoFile(o *outfile.File, s *scenarios.Scenario) eventFile {
	w := perfetto.New(o, s.Header(), s.Faults)
	return eventFile{o, w, func(*reports.Run) error { return w.Close() }}
}

// pageFile returns an eventFile that collects the events of a run, and writes the HTML page to o once the run is over.
func pageFile(o *outfile.File, s *scenarios.Scenario) eventFile {
	p := page.New(s)
	return eventFile{o, p, func(r *reports.Run) error { return writePage(o, p, r) }}
}

// writePage writes the page of a run to o.
func writePage(o *outfile.File, page *page.Page, r *reports.Run) error {
	w := bufio.NewWriter(o)
	if err := errors.Join(page.HTML(w, r, r.Command), w.Flush()); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// keep completes the files with what follows the events of the run r, and moves them to their paths. After an error it goes on
// with the other files, and returns all errors together.
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

// discard removes the files. It does nothing with those that keep has completed.
func discard(files []eventFile) {
	for _, f := range files {
		f.Discard()
	}
}
