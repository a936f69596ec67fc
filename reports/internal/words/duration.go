// Package words formats numbers, times and foreign names for people.
package words

import (
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// Duration formats a length or an instant of true time for people: to the millisecond from a second on, to the microsecond
// from a millisecond on, and exact below. It counts in seconds below ten minutes, then in minutes, hours and days.
func Duration[T ~int64](ns T) string {
	if ns < 0 {
		return "-" + Duration(-ns)
	}
	d := time.Duration(ns)
	if d >= time.Second {
		d = d.Round(time.Millisecond)
	} else if d >= time.Millisecond {
		d = d.Round(time.Microsecond)
	}
	switch {
	case d == 0:
		return "0s"
	case d < time.Microsecond:
		return Decimal(d, time.Nanosecond, "ns")
	case d < time.Millisecond:
		return Decimal(d, time.Microsecond, "µs")
	case d < time.Second:
		return Decimal(d, time.Millisecond, "ms")
	case d < 10*time.Minute:
		return Decimal(d, time.Second, "s")
	}
	return compound(d)
}

// Decimal formats d, which must not be negative, in a unit that has a name, with as many decimal places as d needs. The unit must
// be a power of ten in nanoseconds.
func Decimal(d, unit time.Duration, name string) string {
	whole, rest := int64(d/unit), int64(d%unit)
	s := strconv.FormatInt(whole, 10)
	if rest != 0 {
		places := strconv.FormatInt(int64(unit)+rest, 10)[1:]
		s += "." + strings.TrimRight(places, "0")
	}
	return s + name
}

// compound formats d in days, hours, minutes and seconds, without those that are 0.
func compound(d time.Duration) string {
	var b strings.Builder
	for _, u := range []struct {
		length time.Duration
		name   string
	}{{day, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if n := d / u.length; n > 0 {
			b.WriteString(strconv.FormatInt(int64(n), 10) + u.name)
			d %= u.length
		}
	}
	if d > 0 {
		b.WriteString(Decimal(d, time.Second, "s"))
	}
	return b.String()
}

// Signed puts a plus sign before s if the number that s shows is positive; a negative number has its sign already.
func Signed(positive bool, s string) string {
	if positive {
		return "+" + s
	}
	return s
}
