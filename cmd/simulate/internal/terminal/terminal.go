// Package terminal is what simulate knows of the terminal that it runs on: its width, its colours and its Ctrl-C.
package terminal

import (
	"io"
	"math"
	"os"

	"golang.org/x/term"

	"interregnum/reports"
)

// Screen is what there is to know of where standard output goes.
type Screen struct {
	// Width is in columns, 0 where it is no terminal or does not say.
	Width int
	Color bool
}

// Of tells how wide a writer's terminal is and whether it takes colour; what is no terminal has no width and
// gets no colour. NO_COLOR (https://no-color.org) switches colour off, as does a terminal that knows none.
func Of(w io.Writer) Screen {
	f, ok := fileOf(w)
	if !ok {
		return Screen{}
	}
	t := Screen{Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		t.Width = width
	}
	return t
}

// fileOf is the file that a writer writes to, perhaps through a wrapper, and whether that is a terminal.
func fileOf(w io.Writer) (f *os.File, isTerminal bool) {
	if wrapper, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = wrapper.Unwrap()
	}
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Columns is how wide text is where --width is not given: as wide as the terminal within bounds, or the default where
// there is none.
func (t Screen) Columns() int {
	if t.Width == 0 {
		return reports.DefaultWidth
	}
	return min(max(t.Width, reports.MinWidth), maxWidth)
}

// Lines is how long lines of text may be: as wide as the terminal within bounds. Elsewhere there is no limit, since
// programs look for lines.
func (t Screen) Lines() int {
	if t.Width == 0 {
		return math.MaxInt
	}
	return t.Columns()
}

// maxWidth is where lines of text become too long to read.
const maxWidth = 240
