// Package terminal has what depends on the terminal: width, colours, progress bars and Ctrl-C.
package terminal

import (
	"io"
	"math"
	"os"

	"golang.org/x/term"

	"interregnum/reports"
)

// Screen is the width of a terminal, and whether output to it has colours.
type Screen struct {
	// Width is in columns, 0 if there is no terminal or its width is not known.
	Width int
	Color bool
}

// Of returns the screen of a writer's terminal; a zero Screen if it does not write to a terminal. NO_COLOR (https://no-color.org)
// switches colours off, and so does TERM=dumb.
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

// fileOf returns the file to which a writer writes, perhaps through a wrapper, and whether that is a terminal. f is nil if the
// writer is no file.
func fileOf(w io.Writer) (f *os.File, isTerminal bool) {
	if wrapper, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = wrapper.Unwrap()
	}
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Columns returns the width of text without --width: that of the terminal, but at least reports.MinWidth and at most maxWidth. It
// returns the default if there is no terminal.
func (t Screen) Columns() int {
	if t.Width == 0 {
		return reports.DefaultWidth
	}
	return min(max(t.Width, reports.MinWidth), maxWidth)
}

// MaxLine returns the highest width of a line: that of Columns. If there is no terminal there is no limit, so that programs find
// what they search for on one line.
func (t Screen) MaxLine() int {
	if t.Width == 0 {
		return math.MaxInt
	}
	return t.Columns()
}

// maxWidth is the width above which lines are hard to read.
const maxWidth = 240
