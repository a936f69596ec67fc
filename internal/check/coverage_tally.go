package check

import (
	"fmt"
	"slices"
	"strings"
)

// Tally is in how many runs each witness was seen. The zero value is that of no run. It is not safe for concurrent
// use: give each goroutine its own, and merge them.
type Tally struct {
	runs   int
	counts map[string]int
}

// Add counts a run that is over, and the witnesses that c says it has shown.
func (t *Tally) Add(c *Coverage) {
	t.runs++
	for _, name := range c.Seen() {
		t.count(name, 1)
	}
}

// Merge adds the runs that the other tally has counted.
func (t *Tally) Merge(other *Tally) {
	t.runs += other.runs
	for name, n := range other.counts {
		t.count(name, n)
	}
}

// count adds n to the number of runs in which that witness was seen.
func (t *Tally) count(name string, n int) {
	if t.counts == nil {
		t.counts = make(map[string]int)
	}
	t.counts[name] += n
}

// Runs returns how many runs were counted.
func (t *Tally) Runs() int { return t.runs }

// Count returns in how many runs a witness was seen.
func (t *Tally) Count(witness string) int { return t.counts[witness] }

// Missing returns the witnesses in want that no run has shown, in the order of Witnesses.
func (t *Tally) Missing(want []string) []string {
	var missing []string
	for _, name := range Witnesses() {
		if slices.Contains(want, name) && t.counts[name] == 0 {
			missing = append(missing, name)
		}
	}
	return missing
}

// String returns the number of runs and, for each witness, in how many of them it was seen.
func (t *Tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d runs", t.runs)
	for _, name := range Witnesses() {
		fmt.Fprintf(&b, ", %s %d", name, t.counts[name])
	}
	return b.String()
}
