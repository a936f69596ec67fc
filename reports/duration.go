package reports

import (
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// human formats a length or an instant of true time for people: to the millisecond from a second on, to the microsecond
// from a millisecond on, and exact below. It counts in seconds below ten minutes, then in minutes, hours and days.
func human(ns int64) string {
	if ns < 0 {
		return "-" + human(-ns)
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
		return decimal(d, time.Nanosecond, "ns")
	case d < time.Millisecond:
		return decimal(d, time.Microsecond, "µs")
	case d < time.Second:
		return decimal(d, time.Millisecond, "ms")
	case d < 10*time.Minute:
		return decimal(d, time.Second, "s")
	}
	return compound(d)
}

// decimal is d in that unit, with as many places as it takes.
func decimal(d, unit time.Duration, name string) string {
	whole, rest := int64(d/unit), int64(d%unit)
	s := strconv.FormatInt(whole, 10)
	if rest != 0 {
		places := strconv.FormatInt(int64(unit)+rest, 10)[1:]
		s += "." + strings.TrimRight(places, "0")
	}
	return s + name
}

// compound is d in days, hours, minutes and seconds, without those that are 0.
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
		b.WriteString(decimal(d, time.Second, "s"))
	}
	return b.String()
}
