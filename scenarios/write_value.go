package scenarios

import (
	"iter"
	"strconv"
	"time"
)

// A file's values are string, prose, literal, members, []string and entries.
type (
	// prose is text that may be several words.
	prose string
	// literal is a number or boolean.
	literal string
	members []member
	// entries are made one at a time, since there may be many.
	entries iter.Seq[members]
)

type member struct {
	name  string
	value any
}

// add appends a field, if set is true.
func (m *members) add(set bool, name string, value any) {
	if set {
		*m = append(*m, member{name, value})
	}
}

// duration appends a field that is a duration, if set is true.
func (m *members) duration(set bool, name string, d time.Duration) {
	m.add(set, name, durationText(d))
}

// delayValue returns the value to write for a delay: a duration, or min and max.
func delayValue(d Delay) any {
	if d.Min == d.Max {
		return durationText(d.Min)
	}
	return members{{"min", durationText(d.Min)}, {"max", durationText(d.Max)}}
}

func wholeText(n int64) literal { return literal(strconv.FormatInt(n, 10)) }

func floatText(x float64) literal {
	return literal(strconv.FormatFloat(x, 'f', -1, 64))
}

func clockMembers(c Clock) (m members) {
	m.duration(c.Offset != 0, "offset", c.Offset)
	m.add(c.DriftPPM != 0, "driftPPM", wholeText(c.DriftPPM))
	return m
}
