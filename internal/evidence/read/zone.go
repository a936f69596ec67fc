package read

import (
	"fmt"
	"time"
)

// How much a stamp that others put beside a line is later than the line's own, at most, where it shows the line's zone; and how much it is
// earlier at most, since it may be coarse. Zones are apart by quarters of an hour.
const (
	mostLate  = 10 * time.Second
	mostEarly = 2 * time.Second
	quarter   = 15 * time.Minute
)

// aheadOf returns by how much a zone is ahead of UTC: that of a stamp without one that is own if it is taken for UTC, and beside
// which another stamp stands. ok is false if the other one is too much later or earlier.
func aheadOf(own, beside time.Time) (ahead time.Duration, ok bool) {
	own = nearest(own, beside)
	ahead = own.Sub(beside).Round(quarter)
	late := beside.Add(ahead).Sub(own)
	return ahead, late >= -mostEarly && late <= mostLate && ahead >= -12*time.Hour && ahead <= 14*time.Hour
}

// zone completes a stamp without a zone, and notes which one is taken: the one of Options; or the one that a stamp which others
// have put beside a line shows, or other lines of the same process; or else UTC. If stamps before had none, it moves them.
func (s *stream) zone(m *stamp, o *outer) {
	if !s.zoned && !s.shown && !(s.bare && s.whole) {
		switch {
		case m.zoneless && o.stamped && !o.stamp.zoneless:
			if ahead, ok := aheadOf(m.at, o.stamp.at); ok {
				s.show(ahead)
			}
		case !m.zoneless && m.ahead != 0:
			s.show(m.ahead)
		}
	}
	if !m.zoneless {
		s.whole = true
		return
	}
	if !s.bare {
		s.bare = true
		s.at().Zoneless = !s.zoned
		s.assume(s.taken())
	}
	m.at = m.at.Add(-s.ahead)
}

// taken returns the note on the zone that is taken for stamps without one.
func (s *stream) taken() string {
	if s.shown {
		return fmt.Sprintf("its stamps name no time zone: they are taken for %s, as the stamps beside them show", utcPlus(s.ahead))
	}
	return fmt.Sprintf("its stamps name no time zone: they are taken for %s", s.o.Zone)
}

// show takes ahead for the zone of all stamps of the stream that have none, and moves the earlier ones.
func (s *stream) show(ahead time.Duration) {
	before := s.taken()
	s.shown, s.ahead = true, ahead
	for i, text := range s.at().Notes {
		if text == before {
			s.at().Notes[i] = s.taken()
		}
	}
	if s.bare && ahead != 0 {
		s.last = s.last.Add(-ahead)
		s.shift(s.source, func(t time.Time) time.Time { return t.Add(-ahead) })
	}
}

// utcPlus returns the name of a zone that is ahead of UTC by so much or, if that is negative, behind it.
func utcPlus(ahead time.Duration) string {
	if ahead == 0 {
		return "UTC"
	}
	sign := '+'
	if ahead < 0 {
		sign, ahead = '-', -ahead
	}
	return fmt.Sprintf("UTC%c%02d:%02d", sign, int(ahead.Hours()), int(ahead.Minutes())%60)
}
