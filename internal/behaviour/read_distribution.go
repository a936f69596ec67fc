package behaviour

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// form is one way in which a distribution can be given: in a field with that name.
type form struct {
	name string
	// unit: the field unit can stand beside it.
	unit bool
	read func(r *reader, v value, unit time.Duration) Distribution
}

// forms returns all forms that have a field of their own. A bare duration and percentiles are not among them.
func forms() []form {
	return []form{
		{"constant", false, func(r *reader, v value, _ time.Duration) Distribution { return Constant(r.duration(v, 0, year)) }},
		{"uniform", false, (*reader).uniform},
		{"exponential", false, func(r *reader, v value, _ time.Duration) Distribution { return Exponential(r.duration(v, 1, year)) }},
		{"samples", true, (*reader).samples},
		{"prometheus", false, (*reader).prometheus},
		{"hdr", true, (*reader).hdr},
	}
}

// wantDistribution says in messages what a distribution should be.
const wantDistribution = "a duration, percentiles such as {p50: 20ms, p99: 800ms, max: 5s}, or one of constant, uniform, " +
	"exponential, samples, prometheus and hdr"

// distribution decodes a distribution of durations, in any form: a bare duration, percentiles, or one of forms. It is a problem if
// more than one value in a hundred is longer than the time most.
func (r *reader) distribution(v value, most time.Duration) Distribution {
	d := r.anyForm(v, most)
	if r.err == nil && d.At(0.99) > most {
		r.fail(v, "one value in a hundred is longer than %s; want %s at most", phrase.Duration(d.At(0.99).Truncate(time.Second)), days(most))
	}
	return d
}

// anyForm decodes a distribution in any form, as distribution does. It looks at the time most for percentiles only.
func (r *reader) anyForm(v value, most time.Duration) Distribution {
	if v.node.Kind == yaml.ScalarNode && v.node.Value != "" {
		return Constant(r.duration(v, 0, year))
	}
	all := r.fields(v, wantDistribution)
	for _, form := range forms() {
		if f, ok := find(all, form.name); ok {
			return form.read(r, f, r.unit(form, all))
		}
	}
	return r.percentiles(v, all, most)
}

// unit returns the unit of the numbers in a data file, as the field unit in all gives it; 0 if there is no such field. It records
// a problem for any other field beside that of the form.
func (r *reader) unit(of form, all []field) (unit time.Duration) {
	for _, f := range all {
		switch {
		case f.name == of.name:
		case f.name != "unit":
			r.fail(f.value, "cannot stand beside %s; a distribution is given in one way", of.name)
		case !of.unit:
			r.fail(f.value, "cannot stand beside %s, which has its own unit", of.name)
		default:
			text := r.text(f.value, "s, ms, us or ns")
			if r.err == nil && !slices.Contains([]string{"s", "ms", "us", "ns"}, text) {
				r.fail(f.value, "want s, ms, us or ns; got %s", phrase.Quote(text))
			}
			unit, _ = time.ParseDuration("1" + text)
		}
	}
	return unit
}

// uniform decodes a list with the least and the most value, and returns the distribution that Uniform returns. Another number of
// values, and a least value above the most, are problems.
func (r *reader) uniform(v value, _ time.Duration) Distribution {
	const want = "the least and the most, such as [10ms, 30ms]"
	ends := r.list(v, want, 2)
	if len(ends) != 2 {
		r.fail(v, "want %s; got a list of %d", want, len(ends))
		return Distribution{}
	}
	least, most := r.duration(ends[0], 0, year), r.duration(ends[1], 0, year)
	if most < least {
		r.fail(v, "want %s; %s is more than %s", want, phrase.Duration(least), phrase.Duration(most))
	}
	return Uniform(least, most)
}

// percentileForm matches the name of a percentile, such as p99.9.
var percentileForm = regexp.MustCompile(`^p([0-9]{1,9}(?:\.[0-9]{1,9})?)$`)

// percentiles decodes a distribution from the fields of v: percentiles such as p99 and, perhaps, max. It is a problem if there is
// another field, if no percentile is above p0, if one is there twice, if values fall, if one is above max, or if more than one
// value in a hundred is longer than the time most because the last percentile is so low.
func (r *reader) percentiles(v value, all []field, most time.Duration) Distribution {
	var longest time.Duration
	maximum, limited := find(all, "max")
	if limited {
		longest = r.duration(maximum, 1, year)
	}
	type percentile struct {
		Point
		field
	}
	var sorted []percentile
	for _, f := range all {
		if f.name == "max" {
			continue
		}
		if p, ok := r.percentile(f); ok {
			sorted = append(sorted, percentile{Point{p, r.duration(f.value, 0, year)}, f})
		}
	}
	slices.SortStableFunc(sorted, func(a, b percentile) int { return cmp.Compare(a.P, b.P) })
	var points []Point
	for i, p := range sorted {
		switch {
		case i > 0 && p.P == points[i-1].P:
			r.fail(p.value, "is the same percentile as %s; want it once", sorted[i-1].name)
		case i > 0 && p.Value < points[i-1].Value:
			r.fail(p.value, "is %s, after %s of %s: want percentiles that do not fall", phrase.Duration(p.Value),
				sorted[i-1].name, phrase.Duration(points[i-1].Value))
		case limited && p.Value > longest:
			r.fail(p.value, "is %s, above max, which is %s; want max to be the longest of all", phrase.Duration(p.Value),
				phrase.Duration(longest))
		}
		points = append(points, p.Point)
	}
	d, err := Percentiles(points, longest)
	if err != nil {
		r.fail(v, "want a percentile above p0 at least, such as p99; max alone says nothing of the others")
	}
	if last := len(sorted) - 1; r.err == nil && d.At(0.99) > most && sorted[last].P < 0.99 {
		r.fail(sorted[last].value, "values beyond %s go on as before it, so that one in a hundred is longer than %s; want a later percentile, such as p99, or max",
			sorted[last].name, days(most))
	}
	return d
}

// percentile returns the share for the name of a percentile, such as 0.99 for p99. For any other name it records a problem, and
// ok is false.
func (r *reader) percentile(f field) (p float64, ok bool) {
	m := percentileForm.FindStringSubmatch(f.name)
	if m == nil {
		r.fail(f.value, "unknown field; want %s", wantDistribution)
		return 0, false
	}
	n, _ := strconv.ParseFloat(m[1], 64) // the form is right, and short
	if n >= 100 {
		hint := "the longest of all is max"
		if n > 100 {
			hint = "the percentile of 99.9 in 100 is p99.9"
		}
		r.fail(f.value, "want a percentile from p0 to below p100; %s", hint)
		return 0, false
	}
	return n / 100, true
}
