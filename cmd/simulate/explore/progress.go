package explore

import (
	"fmt"
	"io"
	"time"

	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/explore"
	"interregnum/internal/phrase"
)

// progressOn returns a function that prints progress to w. It prints at most one line every terminal.TellEvery, by the wall
// clock.
func progressOn(w io.Writer) func(explore.Progress) {
	last, before := time.Now(), 0
	return func(p explore.Progress) {
		passed := time.Since(last)
		if passed < terminal.TellEvery {
			return
		}
		rate := float64(p.States-before) / passed.Seconds()
		last, before = time.Now(), p.States
		fmt.Fprintf(w, "%s: %s, %.0f/s, %d to go on from, %d with one more fault\n", phrase.Number(p.Faults, "fault"), phrase.Number(p.States, "state"), rate,
			p.Frontier, p.Next)
	}
}
