package usual

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/forecast"
	"interregnum/reports/text"
)

// Progress shows the progress of a forecast: a bar on a terminal, elsewhere a line now and then.
type Progress struct {
	w    io.Writer
	name string
	// bar is nil if w is not a terminal.
	bar *progressbar.ProgressBar
	// told is the time of the last line.
	told time.Time
}

// NewProgress returns the progress of the forecast of a target, shown on w.
func NewProgress(w io.Writer, name string, maxWindows int) *Progress {
	return &Progress{w: w, name: name, told: time.Now(), bar: terminal.Bar(w, int64(maxWindows), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionSetItsString("windows"))}
}

// Update shows what is known so far, on the bar or, without a terminal, by a line at most every terminal.TellEvery.
func (p *Progress) Update(f *forecast.Forecast) {
	if p.bar != nil {
		p.bar.Describe(text.ForecastProgress(f))
		_ = p.bar.Set64(int64(f.Windows)) // the forecast goes on even if the bar cannot be drawn
		return
	}
	if time.Since(p.told) >= terminal.TellEvery {
		p.told = time.Now()
		fmt.Fprintf(p.w, "simulate: %s: %d windows, %s\n", p.name, f.Windows, text.ForecastProgress(f))
	}
}

// Done removes the bar, if there is one.
func (p *Progress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
