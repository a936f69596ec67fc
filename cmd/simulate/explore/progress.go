package explore

import (
	"fmt"
	"io"
	"time"

	"interregnum/internal/explore"
)

// tellEvery is how long passes between two lines that tell how far it is.
const tellEvery = 5 * time.Second

// tellOn returns a function that prints how far a search is, a line every tellEvery at most. Only these
// lines depend on how fast the search goes.
func tellOn(w io.Writer) func(explore.Progress) {
	last, before := time.Now(), 0
	return func(p explore.Progress) {
		passed := time.Since(last)
		if passed < tellEvery {
			return
		}
		rate := float64(p.States-before) / passed.Seconds()
		last, before = time.Now(), p.States
		fmt.Fprintf(w, "%d faults: %d states, %.0f/s, %d to go on from, %d with one more fault\n", p.Faults, p.States, rate,
			p.Frontier, p.Next)
	}
}
