package behaviour

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

const (
	// maxDataBytes is the size of the largest data file, maxDataLine that of its longest line.
	maxDataBytes = 64 << 20
	maxDataLine  = 64 << 10
	// maxSamples bounds the memory that samples take.
	maxSamples = 1_000_000
)

// at returns the path of a data file that the behaviour refers to. A relative one is relative to the folder of the reader's
// file.
func (r *reader) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(r.file), path)
}

// openData opens a data file, which must be a regular file.
func openData(path string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("is a directory; want a file")
	case !info.Mode().IsRegular():
		return nil, errors.New("is no regular file; want one")
	}
	return os.Open(path)
}

// dataFile is a data file that the behaviour refers to.
type dataFile struct {
	r *reader
	// named is the value that names the file.
	named value
	// path is where the file is; line the one that was read last.
	path string
	line int
}

// data returns the data file that v names. want says what it should have.
func (r *reader) data(v value, want string) *dataFile {
	return &dataFile{r: r, named: v, path: r.at(r.text(v, want))}
}

// fail records a problem with the line that was read last, if it is the first problem of all.
func (d *dataFile) fail(format string, args ...any) { d.failIn(d.line, format, args...) }

// failIn records a problem with a line, 0 for the whole file, if it is the first of all.
func (d *dataFile) failIn(line int, format string, args ...any) {
	if d.r.err == nil {
		d.r.err = &FileError{File: d.path, Line: line, Problem: fmt.Sprintf(format, args...)}
	}
}

// lines returns the lines that are not blank, without the blanks at their ends. It ends at the first problem.
func (d *dataFile) lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		if d.r.err != nil {
			return
		}
		f, err := d.r.open(d.path)
		if err != nil {
			d.r.fail(d.named, "%s: cannot be read: %v", d.path, phrase.WithoutPath(err))
			return
		}
		defer f.Close()
		limited := &io.LimitedReader{R: f, N: maxDataBytes + 1}
		s := bufio.NewScanner(limited)
		s.Buffer(nil, maxDataLine)
		for d.r.err == nil && s.Scan() {
			d.line++
			text := s.Text()
			if d.line == 1 {
				text = strings.TrimPrefix(text, "\ufeff") // as editors of Windows begin a file
			}
			if limited.N == 0 {
				d.failIn(0, "is larger than %d MiB, or endless", maxDataBytes>>20)
				return
			}
			if line := strings.TrimSpace(text); line != "" && !yield(line) {
				return
			}
		}
		switch err := s.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			d.failIn(d.line+1, "is longer than %d KiB; want lines of text", maxDataLine>>10)
		case err != nil && d.r.err == nil:
			d.r.err = unreadable(d.path, err)
		}
	}
}

// samples decodes the samples themselves: a list of durations, or the name of a file that has one a line.
func (r *reader) samples(v value, unit time.Duration) Distribution {
	var all []time.Duration
	if v.node.Kind == yaml.SequenceNode {
		if unit != 0 {
			r.fail(v, "has durations with units of their own; unit belongs to a file")
		}
		for _, item := range r.list(v, "", math.MaxInt) {
			all = append(all, r.duration(item, 0, year))
		}
	} else {
		all = r.sampleFile(v, unit)
	}
	if len(all) == 0 {
		r.fail(v, "has no samples; want one at least")
	}
	if r.err != nil {
		return Distribution{}
	}
	if a := Autocorrelation(all); a > 0.2 && a > 3/math.Sqrt(float64(len(all))) {
		r.warn(v, "each value is like the one before (autocorrelation %.2f), and will be drawn on its own: slow answers come together, "+
			"which only episodes can say; or else the samples are sorted", a)
	}
	return Samples(all)
}

// sampleFile reads a file with one duration, or one number in the unit, a line. Without a unit numbers are seconds.
func (r *reader) sampleFile(v value, unit time.Duration) (all []time.Duration) {
	if unit == 0 {
		unit = time.Second
	}
	d := r.data(v, "a list such as [10ms, 12ms], or a file with one a line")
	for line := range d.lines() {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(all) == maxSamples {
			d.fail("has more than %d samples; want at most so many, such as every tenth, or a histogram", maxSamples)
			return nil
		}
		n, notNumber := strconv.ParseFloat(line, 64)
		sample, err := scaled(n, unit)
		if notNumber != nil {
			sample, err = parseDuration(line, 0, year)
		}
		if err != nil {
			d.fail("%v", err)
		}
		all = append(all, sample)
	}
	if len(all) == 0 {
		d.failIn(0, "has no samples; want one duration a line, or one number of seconds")
	}
	return all
}

// scaled returns n units as a duration. It is an error if that is below 0 or more than a year.
func scaled(n float64, unit time.Duration) (time.Duration, error) {
	ns := n * float64(unit)
	if !(ns >= 0 && ns <= float64(year)) {
		return 0, fmt.Errorf("want from zero to %s, got %g times %s", days(year), n, phrase.Duration(unit))
	}
	return time.Duration(math.Round(ns)), nil
}

// Autocorrelation returns how alike neighbours are among the values: 0 if they are independent, 1 if they are equal. It compares
// logarithms, so that one value which is far longer than all others does not decide it.
func Autocorrelation(values []time.Duration) float64 {
	logs := make([]float64, len(values))
	for i, v := range values {
		logs[i] = math.Log1p(float64(v))
	}
	return lagged(logs, 1, 1e-9)
}
