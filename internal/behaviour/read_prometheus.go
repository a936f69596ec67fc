package behaviour

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// maxSeries is how many series a file can have, and maxCount is how many values each can count.
const (
	maxSeries = 100_000
	maxCount  = 1e18
)

// bucket is a _bucket line: count values are at most bound, in seconds. line is the number of the line.
type bucket struct {
	bound, count float64
	line         int
}

// prometheus reads the file that v names: the buckets of a histogram in seconds, in Prometheus' text format. It adds up all
// series, which must have the same bounds. It returns a zero Distribution after a problem.
func (r *reader) prometheus(v value, _ time.Duration) Distribution {
	d := r.data(v, "a file with _bucket lines of Prometheus' text format")
	series := d.series()
	var sum []bucket
	// In the order of their names: the first problem is always the same, and so are the sums.
	for _, name := range slices.Sorted(maps.Keys(series)) {
		buckets := series[name]
		d.check(buckets)
		if sum != nil && !slices.EqualFunc(sum, buckets, func(a, b bucket) bool { return a.bound == b.bound }) {
			d.failIn(buckets[0].line, "this series has other bounds than the one of line %d; want series with the same", sum[0].line)
		}
		if d.r.err != nil {
			return Distribution{}
		}
		if sum == nil {
			sum = slices.Clone(buckets)
			continue
		}
		for i := range sum {
			sum[i].count += buckets[i].count
		}
	}
	if len(sum) == 0 {
		d.failIn(0, `has no _bucket lines; want some such as request_duration_seconds_bucket{le="0.1"} 17`)
		return Distribution{}
	}
	return d.histogram(v, sum)
}

// histogram returns the distribution for buckets in ascending order; the bound of the last must be +Inf. It is a problem if that is
// the only bucket, or if no value is at or below the last finite bound. If values are above that bound, it adds a warning, about v,
// that says what is assumed of them.
func (d *dataFile) histogram(v value, buckets []bucket) Distribution {
	n := len(buckets) - 1
	total := buckets[n].count
	switch {
	case n == 0:
		d.failIn(0, "has no bound but +Inf; want buckets that say how long it took")
	case total == 0:
		d.failIn(0, "all counts are 0; want what was measured")
	case buckets[n-1].count == 0:
		d.failIn(0, "all values are above the last bound, %gs; want bounds that say how long it took", buckets[n-1].bound)
	}
	if d.r.err != nil {
		return Distribution{}
	}
	points := make([]Point, n)
	for i, b := range buckets[:n] {
		bound, err := scaled(b.bound, time.Second)
		if err != nil {
			d.failIn(b.line, "le: %v", err)
		}
		points[i] = Point{b.count / total, bound}
	}
	h, err := Histogram(points)
	if err != nil {
		d.failIn(0, "%v", err)
	}
	if beyond := total - buckets[n-1].count; beyond > 0 && d.r.err == nil {
		d.r.warn(v, "%g of %g values (%s) are above the last bound of %s, and nobody knows by how much: they are taken to exceed it "+
			"exponentially, by %s on average", beyond, total, percent(beyond/total), phrase.Duration(points[n-1].Value),
			phrase.Duration(time.Duration(h.tail).Round(time.Millisecond)))
	}
	return h
}

// series reads all lines, and returns the buckets of each series in ascending order of their bounds. The key is the series'
// labels without le. It skips comments and lines of other names than *_bucket. It records a problem, and returns nil, if a line is
// wrong, or if the buckets belong to more than one metric or to one in milliseconds.
func (d *dataFile) series() map[string][]bucket {
	all, metric := map[string][]bucket{}, ""
	for line := range d.lines() {
		if strings.HasPrefix(line, "#") {
			continue
		}
		s, ok := parseSample(line)
		if !ok {
			d.fail("want a line of Prometheus' text format, such as request_duration_seconds_bucket{le=\"0.1\"} 17; got %s", phrase.Quote(line))
			return nil
		}
		if !strings.HasSuffix(s.name, "_bucket") {
			continue
		}
		if metric = cmp.Or(metric, s.name); s.name != metric {
			d.fail("is of %s, and lines above are of %s; want one of them in a file of its own, as from grep", phrase.Clip(s.name), phrase.Clip(metric))
			return nil
		}
		if strings.Contains(s.name, "milliseconds") {
			d.fail("%s counts milliseconds by its name; want a histogram in seconds", phrase.Clip(s.name))
			return nil
		}
		bound, err := strconv.ParseFloat(s.le, 64)
		if err != nil || math.IsNaN(bound) || bound < 0 || s.value < 0 || math.IsNaN(s.value) || s.value > maxCount {
			d.fail("want le from 0 to +Inf and a count from 0 to %g; got %s", maxCount, phrase.Quote(line))
			return nil
		}
		if all[s.labels] = append(all[s.labels], bucket{bound, s.value, d.line}); len(all) > maxSeries {
			d.fail("has more than %d series; want fewer, such as their sum by (le)", maxSeries)
			return nil
		}
	}
	for _, buckets := range all {
		slices.SortStableFunc(buckets, func(a, b bucket) int { return cmp.Compare(a.bound, b.bound) })
	}
	return all
}

// check records a problem if the buckets of a series, in ascending order, contradict each other, or do not end with +Inf. There
// must be at least one bucket.
func (d *dataFile) check(buckets []bucket) {
	for i, b := range buckets[1:] {
		switch before := buckets[i]; {
		case b.bound == before.bound:
			d.failIn(b.line, "has the same labels as line %d; want each line once, of one scrape", before.line)
		case b.count < before.count:
			d.failIn(b.line, "counts %g values up to le=%g, and line %d counts %g up to %g: want counts that do not fall", b.count, b.bound,
				before.line, before.count, before.bound)
		}
	}
	if last := buckets[len(buckets)-1]; !math.IsInf(last.bound, 1) {
		d.failIn(last.line, "the bucket le=\"+Inf\" of this series is missing; want all buckets, since that one counts all values")
	}
}

// sample is a line of Prometheus' text format. labels are the labels as written, without le.
type sample struct {
	name, labels, le string
	value            float64
}

// parseSample parses a line such as name{label="value",le="0.1"} 17. A time and an exemplar can follow, which it ignores. ok is
// false if the line has another form.
func parseSample(line string) (s sample, ok bool) {
	end := strings.IndexAny(line, "{ \t")
	if end <= 0 {
		return s, false
	}
	s.name, line = line[:end], strings.TrimLeft(line[end:], " \t")
	if strings.HasPrefix(line, "{") {
		if line, ok = s.label(line[1:]); !ok {
			return s, false
		}
	}
	line, _, _ = strings.Cut(line, "#") // what follows is an exemplar
	words := strings.Fields(line)
	if len(words) != 1 && len(words) != 2 {
		return s, false
	}
	value, err := strconv.ParseFloat(words[0], 64)
	s.value = value
	return s, err == nil
}

// label parses labels up to the brace that ends them. It stores le in s.le, and all others in s.labels. It returns the text after
// the brace; false if the text has another form.
func (s *sample) label(text string) (rest string, ok bool) {
	var others strings.Builder
	for {
		text = strings.TrimLeft(text, " \t,")
		if rest, ok := strings.CutPrefix(text, "}"); ok {
			s.labels = others.String()
			return rest, true
		}
		name, quoted, found := strings.Cut(text, "=")
		quoted = strings.TrimLeft(quoted, " \t")
		end := endOfQuotes(quoted)
		if !found || end == 0 {
			return "", false
		}
		name = strings.TrimSpace(name)
		if text = quoted[end:]; name == "le" {
			s.le = quoted[1 : end-1]
			continue
		}
		others.WriteString(name + "=" + quoted[:end] + ",")
	}
}

// endOfQuotes returns the length of the quoted text with which s begins, quotes included. It returns 0 if s does not begin with a
// quote, or if the closing quote is missing.
func endOfQuotes(s string) int {
	if !strings.HasPrefix(s, `"`) {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
