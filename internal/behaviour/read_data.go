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
	// maxDataBytes is the largest size of a data file, and maxDataLine that of a line in it.
	maxDataBytes = 64 << 20
	maxDataLine  = 64 << 10
	// maxNameBytes is the largest length of a data file's name. A longer text is taken for the data themselves.
	maxNameBytes = 500
	// maxSamples bounds the memory that samples take.
	maxSamples = 1_000_000
)

// at returns the path of a data file that the behaviour names. A relative path is relative to the folder of the reader's file.
func (r *reader) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(r.file), path)
}

// openData opens a data file. It returns an error if there is none, or if it is not a regular file.
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

// dataFile is a data file that the behaviour names.
type dataFile struct {
	r *reader
	// named is the value that names the file.
	named value
	// path is where the file is. line is the number of the line that was read last.
	path string
	line int
}

// data returns the data file that v names, and opens nothing. want says what the file should have, in the problem for a v without
// a name, or with a text that is too long to be one.
func (r *reader) data(v value, want string) *dataFile {
	name := r.text(v, want)
	if len(name) > maxNameBytes {
		r.fail(v, "want %s; got %s", want, phrase.Quote(name))
	}
	return &dataFile{r: r, named: v, path: r.at(name)}
}

// fail records a problem with the line that was read last, unless the reader has a problem already.
func (d *dataFile) fail(format string, args ...any) { d.failIn(d.line, format, args...) }

// failIn records a problem with a line, unless the reader has a problem already. Line 0 is the whole file.
func (d *dataFile) failIn(line int, format string, args ...any) {
	if d.r.err == nil {
		d.r.err = &FileError{File: d.path, Line: line, Problem: fmt.Sprintf(format, args...)}
	}
}

// lines opens the file, and yields its lines that are not blank, without spaces at their ends. It sets d.line. It ends at the
// first problem, which it records: the file cannot be read, is too large, or has too long a line.
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

// samples decodes the field samples: a list of durations, or the name of a file that has one on each line. unit is the unit of
// numbers in a file, 0 if none is given. It adds a warning if each value is like the one before.
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

// sampleFile reads a file that has one duration, or one number, on each line. Numbers are in that unit, or in seconds if unit is
// 0. Lines that begin with # are skipped.
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

// scaled returns n units as a duration. It returns an error if that is below 0, more than a year, or not a number.
func scaled(n float64, unit time.Duration) (time.Duration, error) {
	ns := n * float64(unit)
	if !(ns >= 0 && ns <= float64(year)) {
		return 0, fmt.Errorf("want from zero to %s, got %g times %s", days(year), n, phrase.Duration(unit))
	}
	return time.Duration(math.Round(ns)), nil
}

// Autocorrelation returns how alike neighbours are among the values: about 0 if they are independent, near 1 if each is like the
// one before, and 0 if all are equal. It compares logarithms, so that one value that is far longer than all others does not
// decide it.
func Autocorrelation(values []time.Duration) float64 {
	logs := make([]float64, len(values))
	for i, v := range values {
		logs[i] = math.Log1p(float64(v))
	}
	return lagged(logs, 1, 1e-9)
}
