package search

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/check"
	"interregnum/internal/search"
)

// progress shows the progress of a search: a bar on a terminal, elsewhere a line now and then.
type progress struct {
	w io.Writer
	// bar is nil if w is not a terminal.
	bar   *progressbar.ProgressBar
	began time.Time
	// before is how many runs had been done before the search continued.
	before uint64
	// witnesses is how many witnesses the search shows.
	witnesses int
	// told is the time of the last line.
	told time.Time
}

// newProgress returns the progress of a search for t, shown on w. p says how many runs there are to be. s has the runs that were
// done before, which do not count for the speed.
func newProgress(w io.Writer, t *search.Target, p *search.Plan, s *search.Summary) *progress {
	g := &progress{w: w, began: time.Now(), before: s.Runs}
	for _, witness := range check.Witnesses() {
		if t.Shows(witness) {
			g.witnesses++
		}
	}
	g.told = g.began
	most := int64(-1)
	if p.Blocks > 0 {
		most = max(1, int64(p.Mine()*search.BlockRuns))
	}
	g.bar = terminal.Bar(w, most, progressbar.OptionShowCount(), progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("runs"), progressbar.OptionSetPredictTime(true))
	return g
}

// update shows the progress, on the bar or, without a terminal, by a line at most every terminal.TellEvery.
func (g *progress) update(s *search.Summary) {
	if g.bar != nil {
		margin := "no takeover yet"
		if m, ok := s.Margin(); ok {
			margin = "margin " + m.Round(time.Millisecond).String()
		}
		g.bar.Describe(fmt.Sprintf("%d failing, %d of %d witnesses, %s", s.Failing, len(s.Witnesses),
			g.witnesses, margin))
		_ = g.bar.Set64(int64(s.Runs)) // the search goes on even if the bar cannot be drawn
		return
	}
	if time.Since(g.told) >= terminal.TellEvery {
		g.told = time.Now()
		g.line(s)
	}
}

// line prints how many runs have been done, how many a second, and how many failed.
func (g *progress) line(s *search.Summary) {
	rate := float64(s.Runs-g.before) / max(time.Since(g.began).Seconds(), 1e-9)
	fmt.Fprintf(g.w, "simulate: %d runs, %.0f a second, %d failing\n", s.Runs, rate, s.Failing)
}

// done removes the bar, if there is one, and prints a last line.
func (g *progress) done(s *search.Summary) {
	if g.bar != nil {
		_ = g.bar.Finish()
	}
	g.line(s)
}
