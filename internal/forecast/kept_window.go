package forecast

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"interregnum/internal/phrase"
	"interregnum/internal/results"
)

// Kept has what windows have shown, from files, so that they need not be simulated again.
type Kept struct {
	// Cut names the files whose last line was incomplete, and was left out.
	Cut []string
	// Used and Simulated are how many windows came from the files, and how many did not. Used leaves out those that were checked.
	Used, Simulated int
	header          KeptHeader
	// parts are the shards; nil those that are not read.
	parts []*part
	// file is what windows are appended to; nil: to none.
	file   *results.File
	failed error
}

// part is what one file has.
type part struct {
	name string
	// shard is that of a file that is read with those of the other shards.
	shard uint64
	known map[place][]filed
}

// place is a stratum of a target.
type place struct{ target, stratum int }

// filed is a window that is in a file. line is that of the file if the window is the first of that line, and else 0.
type filed struct {
	outcome
	line int
}

// keptLine is a line of a file: consecutive windows of a stratum.
type keptLine struct {
	Target  int `json:"target"`
	Stratum int `json:"stratum"`
	// First is how many windows of that stratum the file has before.
	First   int         `json:"first"`
	Windows [][]float64 `json:"windows"`
}

// newKept returns a Kept without windows and without files.
func newKept(h KeptHeader) *Kept { return &Kept{header: h, parts: make([]*part, max(1, h.Shards))} }

// target returns which target of the files the question is, -1 if it is none.
func (k *Kept) target(q *Question) int {
	d := digest(q.Candidate)
	return slices.IndexFunc(k.header.Targets, func(t KeptTarget) bool { return t.Digest == d })
}

// of returns the window of that index of a whole forecast; nil if no file has it.
func (k *Kept) of(at place, index int) *filed {
	p := k.parts[index%len(k.parts)]
	if p == nil || index/len(k.parts) >= len(p.known[at]) {
		return nil
	}
	return &p.known[at][index/len(k.parts)]
}

// name returns the file and line of a window, as errors say it. index is that of the window in the whole forecast.
func (k *Kept) name(index, line int) string {
	return fmt.Sprintf("%s:%d", k.parts[index%len(k.parts)].name, line)
}

// add keeps windows that were simulated, and appends them to the file; if there is none, it only counts them. They are
// consecutive ones of a stratum, the first with that index.
func (k *Kept) add(at place, index int, windows []outcome) error {
	k.Simulated += len(windows)
	if k.file == nil {
		return nil
	}
	p := k.parts[index%len(k.parts)]
	line := keptLine{Target: at.target, Stratum: at.stratum, First: len(p.known[at])}
	for i := range windows {
		line.Windows = append(line.Windows, windows[i].numbers())
		p.known[at] = append(p.known[at], filed{outcome: windows[i]}) // another target may be the same
	}
	k.failed = k.file.Append(line)
	return k.failed
}

// Failed returns the error of windows that could not be kept, nil if there is none.
func (k *Kept) Failed() error { return k.failed }

// Close closes the file.
func (k *Kept) Close() error {
	if k.file == nil {
		return nil
	}
	return k.file.Close()
}

// line adds the windows of the n-th line of a file about so many targets.
func (p *part) line(n int, text []byte, targets int) error {
	var line keptLine
	d := json.NewDecoder(bytes.NewReader(phrase.Legible(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&line); err != nil {
		return fmt.Errorf("want windows as JSON: %s", phrase.JSON(err))
	}
	at := place{line.Target, line.Stratum}
	switch before := len(p.known[at]); {
	case line.Target < 0 || line.Target >= targets:
		return fmt.Errorf("want a target from 0 to %d, got %d", targets-1, line.Target)
	case line.Stratum < 0:
		return fmt.Errorf("want a stratum from 0 on, got %d", line.Stratum)
	case line.First != before:
		return fmt.Errorf("want window %d of stratum %d of target %d, got window %d", before, at.stratum, at.target, line.First)
	case len(line.Windows) == 0:
		return fmt.Errorf("want windows, got none")
	}
	for i, numbers := range line.Windows {
		x := filed{}
		if i == 0 {
			x.line = n
		}
		if err := x.read(numbers); err != nil {
			return fmt.Errorf("window %d: %w", line.First+i, err)
		}
		p.known[at] = append(p.known[at], x)
	}
	return nil
}

// numbers returns the outcome as numbers: how many branches there were, the value of each metric, and weight and length of each gap.
func (o *outcome) numbers() []float64 {
	all := append([]float64{float64(o.branches)}, o.values[:]...)
	for _, g := range o.gaps {
		all = append(all, g.weight, g.seconds)
	}
	return all
}

// read sets the outcome from the numbers.
func (o *outcome) read(numbers []float64) error {
	const fixed = 1 + int(metrics)
	if len(numbers) < fixed || (len(numbers)-fixed)%2 != 0 {
		return fmt.Errorf("want %d numbers and two for each gap, got %d", fixed, len(numbers))
	}
	for _, x := range numbers {
		if x < 0 {
			return fmt.Errorf("want numbers from 0 on, got %g", x)
		}
	}
	if whole := math.Trunc(numbers[0]); whole != numbers[0] || whole > 1e9 {
		return fmt.Errorf("want how many branches there were, a whole number, got %g", numbers[0])
	}
	o.branches = int(numbers[0])
	copy(o.values[:], numbers[1:fixed])
	for rest := numbers[fixed:]; len(rest) > 0; rest = rest[2:] {
		o.gaps = append(o.gaps, gap{rest[0], rest[1]})
	}
	return nil
}

// equal tells whether two outcomes are the same.
func (o *outcome) equal(other *outcome) bool { return slices.Equal(o.numbers(), other.numbers()) }
