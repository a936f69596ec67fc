package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/phrase"
	"interregnum/plan"
)

// maxValues bounds what aliases can make of a file.
const maxValues = 5_000_000

// decoder decodes the tree of a scenario file. It keeps the first error; what its methods return after that is not used.
type decoder struct {
	file string
	// path leads to the value that is being decoded.
	path []step
	// values is how many values have been decoded.
	values int
	err    *FileError
}

// step is one step of a path: the name of a field, or "" and an index into a list.
type step struct {
	name  string
	index int
	line  int
}

// fail records a problem with the value that d.path leads to in d.err, if it is the first.
func (d *decoder) fail(format string, args ...any) {
	if d.err != nil {
		return
	}
	var b strings.Builder
	for i, s := range d.path[1:] {
		switch {
		case s.name == "":
			fmt.Fprintf(&b, "[%d]", s.index)
			continue
		case i > 0:
			b.WriteByte('.')
		}
		b.WriteString(pathName(s.name))
	}
	d.err = &FileError{
		File:    d.file,
		Line:    d.path[len(d.path)-1].line,
		Path:    b.String(),
		Problem: fmt.Sprintf(format, args...),
	}
}

var tameName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,60}$`)

// pathName returns the name of a field as messages show it in a path: quoted if it has unusual characters.
func pathName(name string) string {
	if tameName.MatchString(name) {
		return name
	}
	return phrase.Quote(name)
}

// at calls do with s appended to d.path. It does not call do after an error. Too many values in the file are an error.
func (d *decoder) at(s step, do func()) {
	if d.err != nil {
		return
	}
	if d.values++; d.values > maxValues {
		d.fail("aliases make more than %d values of this file", maxValues)
		return
	}
	d.path = append(d.path, s)
	do()
	d.path = d.path[:len(d.path)-1]
}

// nullable are the fields that hold a mapping. If one is null it counts as left out.
var nullable = []string{"defaults", "network", "service", "coordinator", "expect", "clock", "livenessProbe"}

// mapping calls do for each field of n, which must be a mapping with no other fields than those allowed; anything else is an
// error. It leaves out a field that is null and nullable. what is the mapping's name in messages, with the article, such as "a
// clock".
func (d *decoder) mapping(n *node, what string, allowed []string, do func(name string, n *node)) {
	if n.kind != mapKind {
		d.fail("want %s, with %s; got %s", what, phrase.And(allowed), n)
		return
	}
	d.each(n, func(name string, n *node) {
		if !slices.Contains(allowed, name) {
			d.fail("%s (%s has %s)", unknown("field", name, allowed), what, strings.Join(allowed, ", "))
		}
		if n.kind != nullKind || !slices.Contains(nullable, name) {
			do(name, n)
		}
	})
}

// each calls do for each field of n, with its name and value. A name that is given twice is an error.
func (d *decoder) each(n *node, do func(name string, n *node)) {
	for i, f := range n.fields {
		d.at(step{name: f.name, line: f.line}, func() {
			for _, other := range n.fields[:i] {
				if other.name == f.name {
					d.fail("given twice; the first is in line %d", other.line)
				}
			}
			do(f.name, f.value)
		})
	}
}

// need records an error if the mapping n has no field of that name. hint says in the message what the field is for.
func (d *decoder) need(n *node, name, hint string) {
	if n.kind == mapKind && n.get(name) == nil {
		d.at(step{name: name, line: d.lineFor(n)}, func() { d.fail("is required; %s", hint) })
	}
}

// lineFor returns the line that messages give for the mapping n: that of the step to it, since n itself can begin a line later.
func (d *decoder) lineFor(n *node) int {
	if len(d.path) == 1 {
		return n.line
	}
	return d.path[len(d.path)-1].line
}

// list calls do for each entry of n, which must be a list or null, since programs write an empty list so. want describes the
// list in messages. A list longer than plan.MaxCandidates is an error.
func (d *decoder) list(n *node, want string, do func(i int, n *node)) {
	if n.kind != listKind && n.kind != nullKind {
		d.fail("want %s; got %s", want, n)
		return
	}
	if len(n.items) > plan.MaxCandidates {
		d.fail("has more than %d entries", plan.MaxCandidates)
	}
	for i, item := range n.items {
		d.at(step{index: i, line: item.line}, func() { do(i, item) })
	}
}

// text decodes a text, which may be empty. A value of another kind is an error; numbers and booleans are texts only in quotes.
func (d *decoder) text(n *node) string {
	switch {
	case n.kind == numberKind || n.kind == boolKind:
		d.fail("want text, got %s; put it in quotes if that is meant", n)
	case n.kind != textKind:
		d.fail("want text, got %s", n)
	}
	return n.text
}

// word decodes a text. An empty text is an error, and so is a value of another kind.
func (d *decoder) word(n *node) string {
	s := d.text(n)
	if s == "" {
		d.fail("must not be empty")
	}
	return s
}

// boolean decodes true or false. Anything else is an error.
func (d *decoder) boolean(n *node) bool {
	if n.kind != boolKind {
		d.fail("want true or false, got %s", n)
	}
	return strings.EqualFold(n.text, "true")
}

var durationForm = regexp.MustCompile(`^[-+]?([0-9]*\.?[0-9]*(ns|us|µs|μs|ms|s|m|h))+$`)

// duration decodes a duration with a unit, such as 15s; it may be negative. Anything else is an error, and the result is then 0.
func (d *decoder) duration(n *node) time.Duration {
	if n.kind != textKind && n.kind != numberKind {
		d.fail("want a duration such as 15s, got %s", n)
		return 0
	}
	t, err := time.ParseDuration(n.text)
	switch {
	case err == nil:
		return t
	case plainKind(n.text) == numberKind && !strings.ContainsAny(n.text, "xoinNeE"):
		d.fail("%s has no unit; write %ss if seconds are meant", phrase.Clip(n.text), phrase.Clip(n.text))
	case durationForm.MatchString(n.text) && strings.ContainsAny(n.text, "0123456789"):
		d.fail("%s is too long; want ten years (87600h) at most", phrase.Clip(n.text))
	default:
		d.fail("%s is not a duration; want a number with a unit, such as 15s, 1500ms or 1m30s", phrase.Quote(n.text))
	}
	return 0
}

// whole decodes a whole number in decimal, which may be negative. Anything else is an error.
func (d *decoder) whole(n *node) int64 {
	v, err := strconv.ParseInt(n.text, 10, 64)
	if n.kind != numberKind || err != nil {
		d.fail("want a whole number, got %s", n)
	}
	return v
}

// unsigned decodes a whole number in decimal that is not negative. Anything else is an error.
func (d *decoder) unsigned(n *node) uint64 {
	v, err := strconv.ParseUint(n.text, 10, 64)
	if n.kind != numberKind || err != nil {
		d.fail("want a whole number from 0 to 18446744073709551615, got %s", n)
	}
	return v
}

// number decodes a number in decimal, with or without a fraction. Anything else is an error, infinity and NaN included.
func (d *decoder) number(n *node) float64 {
	v, err := strconv.ParseFloat(n.text, 64)
	if n.kind != numberKind || err != nil || strings.ContainsAny(n.text, "xonN") {
		d.fail("want a number, got %s", n)
	}
	return v
}
