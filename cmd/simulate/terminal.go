package main

import (
	"io"
	"math"
	"os"

	"golang.org/x/term"

	"interregnum/reports"
)

// terminal is what there is to know of where standard output goes.
type terminal struct {
	// width is in columns, 0 where it is no terminal or does not say.
	width int
	color bool
}

// terminalOf tells how wide a writer's terminal is and whether it takes colour; what is no terminal has no width and
// gets no colour. NO_COLOR (https://no-color.org) switches colour off, as does a terminal that knows none.
func terminalOf(w io.Writer) terminal {
	if s, ok := w.(*stickyWriter); ok {
		w = s.w
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return terminal{}
	}
	t := terminal{color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		t.width = width
	}
	return t
}

// columns is how wide text is where --width is not given: as wide as the terminal within bounds, or the default where
// there is none.
func (t terminal) columns() int {
	if t.width == 0 {
		return reports.DefaultWidth
	}
	return min(max(t.width, reports.MinWidth), maxTerminalWidth)
}

// lines is how long lines of text may be: as wide as the terminal within bounds. Elsewhere there is no limit, since
// programs look for lines.
func (t terminal) lines() int {
	if t.width == 0 {
		return math.MaxInt
	}
	return t.columns()
}

// maxTerminalWidth is where lines of text become too long to read.
const maxTerminalWidth = 240
