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

// Kept has what windows have shown, as read from files, so that they need not be simulated again.
type Kept struct {
	// Cut has the names of the files whose last line was not complete, and was left out.
	Cut []string
	// Used is how many windows came from the files, and Simulated how many did not. Windows that are simulated again to check a
	// file count in Used.
	Used, Simulated int
	header          KeptHeader
	// parts has one element for each shard; nil for a shard that is not read.
	parts []*part
	// file is the file to which windows are appended; nil if there is none.
	file   *results.File
	failed error
}

// part has the windows of one file.
type part struct {
	name string
	// shard is the shard of the file. Only MergeKept sets it.
	shard uint64
	known map[place][]filed
}

// place is a stratum of a target, by their indexes.
type place struct{ target, stratum int }

// filed is a window that is in a file. line is the number of its line if it is the first window of that line, and otherwise 0.
type filed struct {
	outcome
	line int
}

// keptLine is a line of a file: consecutive windows of one stratum of one target.
type keptLine struct {
	Target  int `json:"target"`
	Stratum int `json:"stratum"`
	// First is how many windows of that stratum come before in the file.
	First   int         `json:"first"`
	Windows [][]float64 `json:"windows"`
}

// newKept returns a Kept without windows and without files.
func newKept(h KeptHeader) *Kept { return &Kept{header: h, parts: make([]*part, max(1, h.Shards))} }

// target returns the index of the question among the targets of the files; -1 if it is not among them.
func (k *Kept) target(q *Question) int {
	d := digest(q.Candidate)
	return slices.IndexFunc(k.header.Targets, func(t KeptTarget) bool { return t.Digest == d })
}

// of returns the window with that index in the whole forecast, of the stratum at; nil if no file has it.
func (k *Kept) of(at place, index int) *filed {
	p := k.parts[index%len(k.parts)]
	if p == nil || index/len(k.parts) >= len(p.known[at]) {
		return nil
	}
	return &p.known[at][index/len(k.parts)]
}

// name returns the name of the file that has a window, and the line, as errors give them. index is that of the window in the
// whole forecast.
func (k *Kept) name(index, line int) string {
	return fmt.Sprintf("%s:%d", k.parts[index%len(k.parts)].name, line)
}

// add counts windows that were simulated in k.Simulated. If there is a file, it also stores them in memory and appends them to
// the file; without a file it stores them nowhere. They are consecutive windows of the stratum given as at; the first has that
// index in the whole forecast. It returns the error of the file, and Failed returns it later.
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

// Failed returns the error with which the file did not take the last windows; nil if there is none.
func (k *Kept) Failed() error { return k.failed }

// Close closes the file to which windows are appended, and returns the error of that. It does nothing if there is no such file.
func (k *Kept) Close() error {
	if k.file == nil {
		return nil
	}
	return k.file.Close()
}

// line adds to p the windows of the n-th line of a file that is about that many targets. It returns an error if the line is no
// keptLine, if its target, stratum or numbers are out of range, if it has no windows, or if they do not follow those that the
// file has before. After an error some of its windows may have been added.
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

// numbers returns the outcome as numbers: the number of branches, the value of each metric, and the weight and the length of each
// gap. read does the reverse.
func (o *outcome) numbers() []float64 {
	all := append([]float64{float64(o.branches)}, o.values[:]...)
	for _, g := range o.gaps {
		all = append(all, g.weight, g.seconds)
	}
	return all
}

// read sets the outcome, which must be empty, from numbers, a result of the method numbers. It returns an error if there are too
// few of them, if the last gap has only one, if one is below 0, or if the number of branches is no whole number or above 1e9.
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
