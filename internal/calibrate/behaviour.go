package calibrate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// enoughBeyond is how many answers must be slower than a percentile for it to be written: with fewer, chance decides it.
const enoughBeyond = 5

// Behaviour returns what a measurement shows as usual, as text: the field behaviour of an environment file, with percentiles of
// the round trips and with how often requests failed. all are the answered requests, at least one; failed are all others.
func Behaviour(all Series, failed []Series) string {
	var b strings.Builder
	b.WriteString("# What is usual, and not what is possible: docs/forecast.md. Failures are written as independent of each other, outside of\n" +
		"# episodes.\nbehaviour:\n")
	fmt.Fprintf(&b, "  roundTrip: {%s}\n", strings.Join(percentiles(&all), ", "))
	if errors := errorRates(&all, failed); len(errors) > 0 {
		fmt.Fprintf(&b, "  errors: [%s]\n", strings.Join(errors, ", "))
	}
	return b.String()
}

// percentiles returns the percentiles that the answers determine, each as a field such as "p99: 12ms". The slowest of n answers
// is no maximum: it is written as the n/(n+1) quantile, which it is on average.
func percentiles(all *Series) (fields []string) {
	n := float64(all.Count)
	for _, q := range []struct {
		percent float64
		value   time.Duration
	}{{50, all.P50}, {90, all.P90}, {99, all.P99}, {99.9, all.P999}} {
		if n*(100-q.percent) >= 100*enoughBeyond {
			fields = append(fields, percentile(q.percent, q.value))
		}
	}
	return append(fields, percentile(math.Floor(1e8*n/(n+1))/1e6, all.Max))
}

// percentile returns one percentile as a field, such as "p99: 12ms". It rounds the value up to a microsecond.
func percentile(percent float64, value time.Duration) string {
	micros := (value + time.Microsecond - 1) / time.Microsecond * time.Microsecond
	return "p" + strconv.FormatFloat(percent, 'f', -1, 64) + ": " + phrase.Duration(micros)
}

// errorRates returns how often requests failed, as entries of the list errors: one for each status, and one for lost requests. A
// request that nobody answered, or that made the server panic, counts as lost.
func errorRates(all *Series, failed []Series) (entries []string) {
	total, lost := all.Count, int64(0)
	for _, s := range failed {
		total += s.Count
	}
	for _, s := range failed {
		name, _, _ := strings.Cut(s.Name, " ")
		if _, err := strconv.Atoi(name); err != nil {
			lost += s.Count
			continue
		}
		entries = append(entries, fmt.Sprintf("{status: %s, probability: %s}", name, share(s.Count, total)))
	}
	if lost > 0 {
		entries = append(entries, fmt.Sprintf("{lost: %s}", share(lost, total)))
	}
	return entries
}

// share returns what percentage of total count is, such as 12.5%. Both must be above zero. It rounds down to six digits: several
// shares that were rounded up could be more than 100 together.
func share(count, total int64) string {
	percent := 100 * float64(count) / float64(total)
	digits := 5 - int(math.Floor(math.Log10(percent)))
	scale := math.Pow10(digits)
	return strconv.FormatFloat(math.Floor(percent*scale)/scale, 'f', digits, 64) + "%"
}
