package calibrate

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
)

// roundUpTo is the unit to which a bound is rounded up: more digits would claim a precision that no measurement has.
const roundUpTo = 10 * time.Millisecond

// File is an environment file with a bound on round trips that follows from a measurement.
type File struct {
	// Slowest is the longest round trip of an answered request.
	Slowest time.Duration
	// Margin is the factor by which Slowest is multiplied, at least 1. Add is the time that is added for what the measurement did
	// not see.
	Margin float64
	Add    time.Duration
	// Comments stand at the head of the file, one on each line.
	Comments []string
	// Behaviour stands at the end of the file: what Behaviour, Measurement.Behaviour or Replayed returns, or "".
	Behaviour string
}

// MaxRoundTrip returns Margin × Slowest + Add, rounded up to a multiple of 10 ms, and at least 10 ms. It returns an error
// if the sum is more than a year less 10 ms.
func (e *File) MaxRoundTrip() (time.Duration, error) {
	most := math.Ceil(float64(e.Slowest)*e.Margin) + float64(e.Add)
	if !(most <= float64(bound.MaxDuration-roundUpTo)) {
		return 0, fmt.Errorf("maxRoundTrip: want at most a year, got %s", e.sum())
	}
	return max(roundUpTo, (time.Duration(most)+roundUpTo-1)/roundUpTo*roundUpTo), nil
}

// sum returns in words how the bound is computed, up to the rounding.
func (e *File) sum() string {
	text := fmt.Sprintf("%g × %v (the slowest answer)", e.Margin, e.Slowest)
	if e.Add > 0 {
		text += fmt.Sprintf(" + %v (--add)", e.Add)
	}
	return text
}

// Derivation returns in words how MaxRoundTrip is computed, with its numbers.
func (e *File) Derivation() string { return e.sum() + ", rounded up to 10ms" }

// Write writes e to w as an environment file for simulate gate. The same e gives the same bytes. It returns the error of
// MaxRoundTrip, and then writes nothing, or that of w.
func (e *File) Write(w io.Writer) error {
	longest, err := e.MaxRoundTrip()
	if err != nil {
		return err
	}
	var b strings.Builder
	comments := append([]string{"Measured by simulate calibrate, for simulate gate --environment."}, e.Comments...)
	comments = append(comments, "maxRoundTrip is "+e.Derivation()+".",
		"Not measured: maxDriftPPM, maxPause, drain, maxClockOffset. What is left out counts as 0.")
	for _, c := range comments {
		fmt.Fprintf(&b, "# %s\n", strings.Map(printable, c))
	}
	fmt.Fprintf(&b, "maxRoundTrip: %s\n", gate.FormatDuration(longest))
	b.WriteString(e.Behaviour)
	_, err = io.WriteString(w, b.String())
	return err
}

// printable returns a space for a character that is not printable, since it could end a comment, and YAML allows not all of them.
// It returns any other character as it is.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return ' '
}

// MorePercent returns the largest percentage of all answers that can be slower than the slowest of n measured ones, with 95 %
// confidence, if answers are independent. It is the rule of three, 3/n, but at most 100 percent (Hanley and Lippman-Hand, "If
// Nothing Goes Wrong, Is Everything All Right?", JAMA 249, 1983).
func MorePercent(n int64) float64 { return min(100, 300/float64(max(n, 1))) }
