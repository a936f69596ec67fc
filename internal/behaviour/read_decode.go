package behaviour

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// year is the longest duration that a distribution can have, and century is the longest mean time between two episodes.
const (
	year    = 365 * 24 * time.Hour
	century = 100 * year
)

// fail records a problem with a value, unless there is a problem already.
func (r *reader) fail(v value, format string, args ...any) {
	if r.err == nil {
		r.err = &FileError{File: r.file, Line: v.line, Path: v.path, Problem: fmt.Sprintf(format, args...)}
	}
}

// warn adds a warning about a value, with the value's line and path.
func (r *reader) warn(v value, format string, args ...any) {
	w := FileError{File: r.file, Line: v.line, Path: v.path, Problem: fmt.Sprintf(format, args...)}
	r.warnings = append(r.warnings, w.Error())
}

// field is one field of a mapping: its name and its value.
type field struct {
	name string
	value
}

// find returns the value of the field with that name; false if it is not among the fields.
func find(fields []field, name string) (value, bool) {
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return value{}, false
	}
	return fields[i].value, true
}

// fields returns the fields of the mapping v, in their order. It records a problem if v is no mapping, or if a field is there
// twice. want says in the problem what v should be. It returns nil after a problem, also an earlier one.
func (r *reader) fields(v value, want string) (all []field) {
	if r.err != nil {
		return nil
	}
	if v.node.Kind != yaml.MappingNode {
		r.fail(v, "want %s; got %s", want, got(v))
		return nil
	}
	for i := 0; i < len(v.node.Content); i += 2 {
		name, n := v.node.Content[i], resolved(v.node.Content[i+1])
		f := field{name.Value, value{n, name.Line, strings.TrimPrefix(v.path+"."+phrase.Clip(name.Value), ".")}}
		if name.Kind != yaml.ScalarNode {
			r.fail(value{name, name.Line, v.path}, "want fields whose names are text; got %s", got(value{node: name}))
			return nil
		}
		if first, twice := find(all, f.name); twice {
			r.fail(f.value, "given twice; the first is in line %d", first.line)
			return nil
		}
		all = append(all, f)
	}
	return all
}

// only returns the fields of the mapping v. It records a problem if v has a field with a name that is not in names.
func (r *reader) only(v value, names ...string) []field {
	all := r.fields(v, "fields such as "+phrase.And(names))
	for _, f := range all {
		if !slices.Contains(names, f.name) {
			r.fail(f.value, "unknown field; want %s", phrase.Or(names))
		}
	}
	return all
}

// list returns the entries of the list v. It records a problem if v is no list, or if it has more entries than the number given
// as most. want says in the problem what v should be. It returns nil after a problem, also an earlier one.
func (r *reader) list(v value, want string, most int) (all []value) {
	if r.err != nil {
		return nil
	}
	switch {
	case v.node.Kind != yaml.SequenceNode:
		r.fail(v, "want %s; got %s", want, got(v))
		return nil
	case len(v.node.Content) > most:
		r.fail(v, "has %d entries; want %d at most", len(v.node.Content), most)
		return nil
	}
	for i, n := range v.node.Content {
		all = append(all, value{resolved(n), n.Line, fmt.Sprintf("%s[%d]", v.path, i)})
	}
	return all
}

// got returns in words what a value is, for messages.
func got(v value) string {
	switch {
	case v.node.Kind == yaml.MappingNode:
		return "a mapping"
	case v.node.Kind == yaml.SequenceNode:
		return "a list"
	case v.node.Value == "":
		return "nothing"
	}
	return phrase.Quote(v.node.Value)
}

// text returns the text of a single value. It records a problem if v is something else, or empty. want says in the problem what v
// should be.
func (r *reader) text(v value, want string) string {
	if r.err == nil && (v.node.Kind != yaml.ScalarNode || v.node.Value == "") {
		r.fail(v, "want %s; got %s", want, got(v))
	}
	if r.err != nil {
		return ""
	}
	return v.node.Value
}

// oneOf decodes v, which must be one of the words; anything else is a problem.
func oneOf[T ~string](r *reader, v value, words []T) T {
	names := textsOf(words)
	name := r.text(v, phrase.Or(names))
	if !slices.Contains(names, name) {
		r.fail(v, "want %s, got %s", phrase.Or(names), phrase.Quote(name))
	}
	return T(name)
}

// textsOf returns the words as strings.
func textsOf[T ~string](words []T) (texts []string) {
	for _, w := range words {
		texts = append(texts, string(w))
	}
	return texts
}

// whole decodes a whole number from least to most, both included. want says in the problem for any other value what it should be.
func (r *reader) whole(v value, want string, least, most int) int {
	text := r.text(v, want)
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		r.fail(v, "want %s, got %s", want, phrase.Quote(text))
	}
	return n
}

// duration decodes a duration from least to most, both included, with Go's units, d (24 hours) or w (7 days). Any other value is
// a problem.
func (r *reader) duration(v value, least, most time.Duration) time.Duration {
	text := r.text(v, "a duration such as 15s, 1500ms or 7d")
	if r.err != nil {
		return 0
	}
	d, err := parseDuration(text, least, most)
	if err != nil {
		r.fail(v, "%v", err)
	}
	return d
}

// longUnits matches a number with a unit that Go's durations do not have, d or w. Such numbers come first in a text such as
// 1w2d12h.
var longUnits = regexp.MustCompile(`^([0-9]*\.?[0-9]+)([wd])`)

// parseDuration parses a duration with a unit, and returns an error if it is not from least to most, both included. Beside Go's
// units there are d (24 hours) and w (7 days).
func parseDuration(text string, least, most time.Duration) (time.Duration, error) {
	unsigned, negative := strings.CutPrefix(text, "-")
	rest, sum := unsigned, 0.0
	for m := longUnits.FindStringSubmatch(rest); m != nil; m = longUnits.FindStringSubmatch(rest) {
		n, _ := strconv.ParseFloat(m[1], 64) // the form is right; out of range is +Inf, which is too long
		days := map[string]float64{"d": 1, "w": 7}[m[2]]
		sum, rest = sum+n*days*float64(24*time.Hour), rest[len(m[0]):]
	}
	d, err := time.Duration(0), error(nil)
	if rest != "" || unsigned == "" {
		d, err = time.ParseDuration(rest)
	}
	switch {
	case err != nil && text != "" && strings.Trim(text, "0123456789.") == "":
		return 0, fmt.Errorf("unit missing in %s: want a duration such as %ss", phrase.Clip(text), phrase.Clip(text))
	case err != nil || strings.ContainsAny(rest, "+-"):
		return 0, fmt.Errorf("want a duration such as 15s, 1500ms or 7d, got %s", phrase.Quote(text))
	case sum+float64(d) > float64(most):
		return 0, fmt.Errorf("want %s at most, got %s", days(most), phrase.Clip(text))
	}
	d += time.Duration(sum)
	if negative {
		d = -d
	}
	switch {
	case d < least && least > 1:
		return 0, fmt.Errorf("want %s at least, got %s", phrase.Duration(least), phrase.Clip(text))
	case d < least && least > 0:
		return 0, fmt.Errorf("want a duration above zero, got %s", phrase.Clip(text))
	case d < least:
		return 0, fmt.Errorf("want a duration of zero or more, got %s", phrase.Clip(text))
	}
	return d, nil
}

// days returns a duration in whole days, such as 365d.
func days(d time.Duration) string { return fmt.Sprintf("%dd", int64(d/(24*time.Hour))) }

// number parses a decimal number without a sign, from 0 to most. It returns false for any other text.
func number(text string, most float64) (float64, bool) {
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && n >= 0 && n <= most && !strings.ContainsAny(text, "xXpP_")
}

// probability decodes a probability, which is written as a share from 0 to 1 or in percent, and returns it as a share. Any other
// value is a problem.
func (r *reader) probability(v value) float64 {
	text := r.text(v, "a probability such as 0.1%")
	bare, inPercent := strings.CutSuffix(text, "%")
	most := 1.0
	if inPercent {
		most = 100
	}
	n, ok := number(bare, most)
	if !ok {
		r.fail(v, "want a probability from 0%% to 100%%, such as 0.1%%, or from 0 to 1, such as 0.001; got %s", phrase.Quote(text))
	}
	return n / most
}

// percent returns a share in percent, with three significant digits, such as 12.5%.
func percent(share float64) string {
	return strconv.FormatFloat(100*share, 'g', 3, 64) + "%"
}
