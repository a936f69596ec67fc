package scenarios

import (
	"iter"
	"strconv"
)

// The types of the values that are written are string, prose, literal, members, []string, []literal, []members and entries.
type (
	// prose is text that may be several words.
	prose string
	// literal is a number or boolean.
	literal string
	// members are the fields of a mapping, in order.
	members []member
	// entries is a list of mappings. They are made one at a time, since there may be many.
	entries iter.Seq[members]
)

// member is a field of a mapping.
type member struct {
	name  string
	value any
}

// add appends a field to m if set is true.
func (m *members) add(set bool, name string, value any) {
	if set {
		*m = append(*m, member{name, value})
	}
}

// delayValue returns the value to write for a delay: a duration, or a mapping with min and max.
func delayValue(d Delay) any {
	if d.Min == d.Max {
		return durationText(d.Min)
	}
	return members{{"min", durationText(d.Min)}, {"max", durationText(d.Max)}}
}

// wholeText returns n in decimal.
func wholeText(n int64) literal { return literal(strconv.FormatInt(n, 10)) }

// floatText returns x in decimal, without an exponent.
func floatText(x float64) literal {
	return literal(strconv.FormatFloat(x, 'f', -1, 64))
}
