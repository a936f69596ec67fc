package read

import (
	"bytes"
	"regexp"
	"strconv"
	"time"
)

// stamp is the time that a line says it was written at. The line was written before at+unit.
type stamp struct {
	at   time.Time
	unit time.Duration
	// yearless: it has no year. zoneless: it has no zone. ahead is by how much its zone is ahead of UTC, if it has one.
	yearless, zoneless bool
	ahead              time.Duration
}

// noYear is the year of stamps that have none, until it is known. It is a leap year.
const noYear = 2000

// klogStamp parses the stamp of klog: a letter for the severity, month and day, and the time in microseconds, without year and
// zone. It returns the stamp and the rest of the line; ok is false for another beginning. zone is the zone to assume.
func klogStamp(line []byte, zone *time.Location) (s stamp, rest []byte, ok bool) {
	const layout = "0102 15:04:05.000000"
	if len(line) < 1+len(layout) || bytes.IndexByte([]byte("IWEF"), line[0]) < 0 || line[1] < '0' || line[1] > '1' {
		return s, nil, false
	}
	at, err := time.ParseInLocation("2006"+layout, strconv.Itoa(noYear)+string(line[1:1+len(layout)]), zone)
	if err != nil {
		return s, nil, false
	}
	return stamp{at: at, unit: time.Microsecond, yearless: true, zoneless: true}, line[1+len(layout):], true
}

// isoStamp matches a stamp at the beginning of a line, as in ISO 8601 and RFC 3339, and as Go's package log and journals write
// it.
var isoStamp = regexp.MustCompile(`\A(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?(?:[\s]|\z)`)

// mostStamp is more bytes than isoStamp matches. What a regular expression takes grows with what it is given.
const mostStamp = 40

// parseISO parses a stamp of that form at the beginning of a line. It returns the stamp and the rest of the line; ok is false
// for another beginning. zone is that of a stamp that names none.
func parseISO(line []byte, zone *time.Location) (s stamp, rest []byte, ok bool) {
	if len(line) < 19 || line[0] < '0' || line[0] > '9' {
		return s, nil, false
	}
	m := isoStamp.FindSubmatchIndex(line[:min(len(line), mostStamp)])
	if m == nil {
		return s, nil, false
	}
	part := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return string(line[m[2*i]:m[2*i+1]])
	}
	text, layout := part(1)+"-"+part(2)+"-"+part(3)+"T"+part(4), "2006-01-02T15:04:05"
	digits := part(5)
	if digits != "" {
		text += "." + digits
	}
	switch z := part(6); {
	case z == "":
		s.zoneless = true
	case z != "Z" && len(z) == 5:
		text, layout = text+z, layout+"-0700"
	default:
		text, layout = text+z, layout+"Z07:00"
	}
	at, err := time.ParseInLocation(layout, text, zone)
	if err != nil {
		return s, nil, false
	}
	if _, ahead := at.Zone(); !s.zoneless {
		s.ahead = time.Duration(ahead) * time.Second
	}
	s.at, s.unit = at.UTC(), unitOf(len(digits))
	return s, bytes.TrimSpace(line[m[1]:]), true
}

// unitOf returns the precision of a time with that many digits behind the second.
func unitOf(digits int) time.Duration {
	unit := time.Second
	for range digits {
		unit /= 10
	}
	return max(unit, time.Nanosecond)
}

// fieldStamp parses a stamp that is a field of a line in JSON. With number it is a number since 1970: seconds, as zap writes
// them, or milliseconds, microseconds or nanoseconds, by its size. Otherwise it is a text, and zone is that of a text that names
// none. ok is false if it is no stamp.
func fieldStamp(text string, number bool, zone *time.Location) (s stamp, ok bool) {
	if !number {
		s, _, ok = parseISO([]byte(text), zone)
		return s, ok
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || seconds < 1e8 || seconds > 1e19 {
		return s, false
	}
	switch {
	case seconds > 1e16:
		return stamp{at: time.Unix(0, int64(seconds)).UTC().Add(-time.Microsecond), unit: 3 * time.Microsecond}, true
	case seconds > 1e14:
		return stamp{at: time.UnixMicro(int64(seconds)).UTC().Add(-time.Microsecond), unit: 3 * time.Microsecond}, true
	case seconds > 1e11:
		return stamp{at: time.UnixMilli(int64(seconds)).UTC(), unit: time.Millisecond}, true
	case seconds == float64(int64(seconds)):
		return stamp{at: time.Unix(int64(seconds), 0).UTC(), unit: time.Second}, true
	}
	// A float of 64 bits has the time within a fifth of a microsecond, rounded either way.
	return stamp{at: time.UnixMicro(int64(seconds * 1e6)).UTC().Add(-time.Microsecond), unit: 3 * time.Microsecond}, true
}
