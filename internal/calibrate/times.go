package calibrate

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Lengths of time are counted in whole microseconds, to within one in a thousand, in a histogram as in Tene, HdrHistogram.
const (
	longestMicros = int64(time.Hour / time.Microsecond)
	timesDigits   = 3
)

// times counts lengths of time. It keeps the longest one exactly, to the nanosecond.
type times struct {
	counts *hdrhistogram.Histogram
	max    time.Duration
}

// add counts d as one more length. In the quantiles it is rounded up to a microsecond, and a length above an hour counts as an
// hour; the maximum is exact.
func (t *times) add(d time.Duration) {
	if t.counts == nil {
		t.counts = hdrhistogram.New(1, longestMicros, timesDigits)
	}
	micros := int64((d + time.Microsecond - 1) / time.Microsecond)
	// It fails only for lengths out of range.
	_ = t.counts.RecordValue(min(max(micros, 1), longestMicros))
	t.max = max(t.max, d)
}

// Series says how long some requests took.
type Series struct {
	// Name is a verb, a status such as "504 Gateway Timeout", "timeout", "connection" or "panic"; "all" is for all verbs
	// together.
	Name  string `json:"name"`
	Count int64  `json:"count"`
	// P50 to P999 are quantiles, to within one in a thousand, and a microsecond. Max is exact.
	P50  time.Duration `json:"p50Ns"`
	P90  time.Duration `json:"p90Ns"`
	P99  time.Duration `json:"p99Ns"`
	P999 time.Duration `json:"p999Ns"`
	Max  time.Duration `json:"maxNs"`
}

// series returns the number, the quantiles and the maximum of the lengths, as a Series with that name; all are 0 if there are no
// lengths.
func (t *times) series(name string) Series {
	if t.counts == nil {
		return Series{Name: name}
	}
	at := func(percent float64) time.Duration {
		return min(time.Duration(t.counts.ValueAtPercentile(percent))*time.Microsecond, t.max)
	}
	return Series{name, t.counts.TotalCount(), at(50), at(90), at(99), at(99.9), t.max}
}
