package search

import (
	"encoding/json"
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Lengths are counted in whole milliseconds, to within one in a hundred, as a histogram after Tene, HdrHistogram.
const (
	maxTimeMs   = 3_600_000
	timesDigits = 2
)

// Times counts lengths of time. The zero value has counted none; the same lengths in any order make the same Times.
type Times struct{ counts *hdrhistogram.Histogram }

// Bar is how many lengths are from FromMs to ToMs, both included, in milliseconds.
type Bar struct{ FromMs, ToMs, Count int64 }

// add counts n lengths of ms milliseconds. A length of more than maxTimeMs counts as that; one below 0 is an error.
func (t *Times) add(ms, n int64) error {
	if t.counts == nil {
		t.counts = hdrhistogram.New(1, maxTimeMs, timesDigits)
	}
	return t.counts.RecordValues(min(ms, maxTimeMs), n)
}

// emptied returns Times that have counted none, in the memory of t, which must not be used any more.
func (t *Times) emptied() Times {
	if t.counts != nil {
		t.counts.Reset()
	}
	return *t
}

// merge adds the lengths that other has counted.
func (t *Times) merge(other Times) {
	if other.counts == nil {
		return
	}
	if t.counts == nil {
		t.counts = hdrhistogram.New(1, maxTimeMs, timesDigits)
	}
	t.counts.Merge(other.counts)
}

// Count returns how many lengths were counted.
func (t Times) Count() int64 {
	if t.counts == nil {
		return 0
	}
	return t.counts.TotalCount()
}

// Percentile returns a length in milliseconds that percent of all lengths, 0 to 100, do not exceed. It is 0 if none was
// counted.
func (t Times) Percentile(percent float64) int64 {
	if t.counts == nil {
		return 0
	}
	return t.counts.ValueAtPercentile(percent)
}

// Bars returns the ranges of lengths that were counted, the shortest first. It is nil if none was counted.
func (t Times) Bars() []Bar {
	if t.counts == nil {
		return nil
	}
	var all []Bar
	for _, b := range t.counts.Distribution() {
		if b.Count > 0 {
			all = append(all, Bar{b.From, b.To, b.Count})
		}
	}
	return all
}

// MarshalJSON returns a list of pairs, the shortest length first: a length in milliseconds, and how often it was counted.
func (t Times) MarshalJSON() ([]byte, error) {
	pairs := [][2]int64{}
	for _, b := range t.Bars() {
		pairs = append(pairs, [2]int64{b.FromMs, b.Count})
	}
	return json.Marshal(pairs)
}

// UnmarshalJSON adds the lengths that MarshalJSON has written to those that t has counted. Any other text is an error; some of
// its lengths can then have been added.
func (t *Times) UnmarshalJSON(text []byte) error {
	var pairs [][]int64
	if err := json.Unmarshal(text, &pairs); err != nil {
		return err
	}
	for _, p := range pairs {
		if len(p) != 2 || p[0] < 0 || p[0] > maxTimeMs || p[1] < 1 || p[1] > maxTimeMs {
			return fmt.Errorf("want pairs of milliseconds, up to %d, and a count, got %v", maxTimeMs, p)
		}
		if err := t.add(p[0], p[1]); err != nil {
			return err
		}
	}
	return nil
}
