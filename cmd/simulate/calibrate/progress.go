package calibrate

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/calibrate"
	"interregnum/internal/phrase"
)

// progressOn returns two functions. update shows the progress, given the time that has passed: on a terminal by a bar, elsewhere
// by a line every terminal.TellEvery. done removes the bar, if there is one. most is how long the measurement lasts.
func progressOn(w io.Writer, most time.Duration) (update func(time.Duration, *calibrate.Measurement), done func()) {
	bar := terminal.Bar(w, int64(most/time.Millisecond), progressbar.OptionSetPredictTime(false))
	var told time.Duration
	update = func(passed time.Duration, m *calibrate.Measurement) {
		if bar == nil && passed < told+terminal.TellEvery {
			return
		}
		told = passed
		failed := int64(0)
		for _, s := range m.Failed() {
			failed += s.Count
		}
		all := m.All()
		text := fmt.Sprintf("%s, %d failed, slowest %v", phrase.Number(all.Count, "answer"), failed, shown(all.Max))
		if bar == nil {
			fmt.Fprintf(w, "simulate: %v: %s\n", passed.Round(time.Second), text)
			return
		}
		bar.Describe(text)
		_ = bar.Set64(int64(min(passed, most-time.Millisecond) / time.Millisecond)) // the measurement goes on even if the bar cannot be drawn
	}
	return update, func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}
}
