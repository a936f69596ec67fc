package words

import (
	"math"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/forecast/outlook"
)

// Figure returns a figure in words: its value, and its 95 % interval. Both have three significant digits if the interval is narrow,
// else two. If nothing was seen, the value says so, and interval is how much the figure is at most or, for an availability, at
// least. interval is "" if no such bound is known, or if there is no uncertainty.
func Figure(f *outlook.Figure) (value, interval string) {
	format := func(x float64) string { return figure(f.Unit, x, digits(f)) }
	switch {
	case f.Unseen:
		return "none seen", ""
	case f.Unit == outlook.Availability && f.Value == 100 && f.Low < 100:
		return "no gap seen", format(f.Low) + " or more"
	case f.Unit != outlook.Availability && f.Value == 0 && math.IsInf(f.High, 1):
		return "none seen", ""
	case f.Unit != outlook.Availability && f.Value == 0 && f.High > 0:
		return "none seen", "at most " + format(f.High)
	case f.Unit != outlook.Availability && f.Value == 0:
		return "none", ""
	case math.IsInf(f.High, 1):
		return format(f.Value), format(f.Low) + " or more"
	case f.Low == f.Value && f.Value == f.High:
		return format(f.Value), ""
	}
	return format(f.Value), format(f.Low) + " to " + format(f.High)
}

// Difference returns by how much a figure differs from another, in words, with its 95 % interval. f is that difference: its
// values are below 0 for less. If the interval includes 0, the text says that the figures are not known to differ, or that they
// are the same.
func Difference(f *outlook.Figure) string {
	size := *f
	size.Value = math.Abs(f.Value)
	n := digits(&size)
	side := func(x float64) string {
		if x < 0 {
			return figure(f.Unit, -x, n) + " less"
		}
		return figure(f.Unit, x, n) + " more"
	}
	within := func(from, to float64) string {
		return " (" + figure(f.Unit, from, n) + " to " + figure(f.Unit, to, n) + ")"
	}
	switch {
	case f.Low == 0 && f.High == 0:
		return "the same"
	case f.Low <= 0 && f.High >= 0:
		return "not known to differ (" + side(f.Low) + " to " + side(f.High) + ")"
	case f.High < 0:
		return side(f.Value) + within(-f.High, -f.Low)
	}
	return side(f.Value) + within(f.Low, f.High)
}

// digits returns how many significant digits of a figure are shown: three if its interval is narrow, else two.
func digits(f *outlook.Figure) int {
	value, half := f.Value, (f.High-f.Low)/2
	if f.Unit == outlook.Availability {
		value = 100 - value
	}
	if half < value/20 {
		return 3
	}
	return 2
}

// figure formats a number of a unit with that many significant digits. Of an availability it rounds what is missing to 100 %; a
// percentage that is not 100, but would be written so, is "over 99.9 %".
func figure(unit outlook.Unit, x float64, digits int) string {
	switch unit {
	case outlook.Seconds:
		return Figures(time.Duration(min(x*1e9, math.MaxInt64/2)), digits)
	case outlook.Percent:
		if shown := padded(x, digits); shown != "100" || x == 100 {
			return shown + " %"
		}
		return "over 99.9 %"
	case outlook.Availability:
		missing := rounded(100-x, digits)
		if missing <= 0 {
			return "100 %"
		}
		places := max(0, digits-1-int(math.Floor(math.Log10(missing))))
		return strconv.FormatFloat(100-missing, 'f', min(places, 12), 64) + " %"
	}
	return padded(x, digits)
}

// padded formats a number as Significant does, but keeps zeros at the end that are significant digits, such as 1.20.
func padded(x float64, digits int) string {
	r := math.Abs(rounded(x, digits))
	if r == 0 || r < 1e-4 || r >= 1000 {
		return Significant(x, digits)
	}
	return strconv.FormatFloat(x, 'f', max(0, digits-1-int(math.Floor(math.Log10(r)))), 64)
}

// rounded returns x rounded to as many significant digits as digits says, at least one.
func rounded(x float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64) // what was just formatted
	return r
}

// Figures formats a duration with as many significant digits as digits says. From a day on it rounds to ten minutes instead, from
// four days on to an hour: seconds that come of rounding would look exact.
func Figures(d time.Duration, digits int) string {
	switch day := 24 * time.Hour; {
	case d >= 4*day:
		return Duration(d.Round(time.Hour))
	case d >= day:
		return Duration(d.Round(10 * time.Minute))
	}
	return Duration(time.Duration(rounded(float64(d), digits)))
}

// Significant formats a number with as many significant digits as digits says, without zeros at the end: 1,230 or 0.0012 or 1.2e-9.
func Significant(x float64, digits int) string {
	r := rounded(x, digits)
	if a := math.Abs(r); a != 0 && (a < 1e-4 || a >= 1e12) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(r, 'e', -1, 64), "e")
		n, _ := strconv.Atoi(exponent) // strconv wrote it
		return mantissa + "e" + strconv.Itoa(n)
	}
	if r >= 1000 {
		return Count(uint64(math.Round(r)))
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}
