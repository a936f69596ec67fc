package behaviour

import (
	"maps"
	"math"
	"slices"
	"sort"
	"time"
)

// Recorded is one request of a recording. At is when it began, counted from the first request, and Took is how long it took.
// Status is the status of its answer; 0 if it was never answered.
type Recorded struct {
	At, Took time.Duration
	Status   int
}

// Failed tells whether the request had no useful answer: none, or the status 408, 429 or 500 and above.
func (r *Recorded) Failed() bool {
	return r.Status == 0 || r.Status >= 500 || r.Status == 429 || r.Status == 408
}

// Recording is what requests met at a site, one after the other. It is replayed in whole blocks, so that requests which were slow
// together stay together: a circular block bootstrap (Politis, Romano: A circular block-resampling procedure for stationary data,
// 1992).
type Recording struct {
	// All are the requests in the order of their beginnings. There are at least two.
	All []Recorded
	// Block is the length of a block.
	Block time.Duration
}

// Length returns how long the recording is, from its first request to the end of the time for which its last one stands.
func (r *Recording) Length() time.Duration {
	n := len(r.All)
	return r.All[n-1].At + max(1, r.All[n-1].At/time.Duration(n-1))
}

// Nearest returns the index of the request that began nearest to the time at, which is from 0 to Length. After its end the
// recording goes on with its beginning, so that the first request can be the nearest to a time at the end.
func (r *Recording) Nearest(at time.Duration) int {
	n := len(r.All)
	i := sort.Search(n, func(i int) bool { return r.All[i].At > at })
	switch {
	case i == n && r.Length()-at < at-r.All[n-1].At:
		return 0
	case i == 0 || i < n && r.All[i].At-at < at-r.All[i-1].At:
		return i
	}
	return i - 1
}

// Stands returns the times between which the i-th request is the nearest; see Nearest. For the first request, from is below 0.
func (r *Recording) Stands(i int) (from, to time.Duration) {
	before, after := r.All[len(r.All)-1].At-r.Length(), r.Length()
	if i > 0 {
		before = r.All[i-1].At
	}
	if i < len(r.All)-1 {
		after = r.All[i+1].At
	}
	at := r.All[i].At
	return at - (at-before)/2, at + (after-at)/2
}

// marginal sets b.RoundTrip to the round trips of the recording's requests that did not fail, and appends how often the others
// failed, by status, to b.Errors. Both only sum up the recording, as if requests were independent. If all requests failed, it
// leaves b.RoundTrip as it is.
func (b *Behaviour) marginal(r *Recording) {
	var trips []time.Duration
	failed := map[int]int{}
	for i := range r.All {
		if x := &r.All[i]; x.Failed() {
			failed[x.Status]++
		} else {
			trips = append(trips, x.Took)
		}
	}
	if len(trips) > 0 {
		b.RoundTrip = Samples(trips)
	}
	for _, status := range slices.Sorted(maps.Keys(failed)) {
		b.Errors = append(b.Errors, Error{Status: status, Probability: float64(failed[status]) / float64(len(r.All))})
	}
}

const (
	// For a block whose length is chosen: leastBlock is the shortest length, and longBlock is how many times longer it should be
	// than requests are alike. No block is longer than a mostBlock-th part of the recording.
	leastBlock = 15 * time.Minute
	longBlock  = 20
	mostBlock  = 4
	// unlike is the autocorrelation below which requests are no longer alike.
	unlike = 0.1
)

// slowBy is how many times the median a round trip must be to count as slow.
const slowBy = 5

// alike returns for how long requests are like each other, and the autocorrelation of neighbours. It looks at two series with
// about one value a second: the logarithm of the round trip, and whether the request is slow or fails, which tells more where
// that is rare. lasts is the shortest of 1, 2, 4 and so on steps after which the autocorrelation of both is small, but at most a
// quarter of the recording.
func (r *Recording) alike() (lasts time.Duration, neighbours float64) {
	trips := make([]time.Duration, len(r.All))
	for i := range r.All {
		trips[i] = r.All[i].Took
		if r.All[i].Failed() {
			trips[i] = max(trips[i], time.Minute)
		}
	}
	neighbours = Autocorrelation(trips)
	sorted := slices.Clone(trips)
	slices.Sort(sorted)
	slow := slowBy * sorted[len(sorted)/2]
	step := max(time.Second, r.Length()/1_000_000)
	logs, bad, k := make([]float64, int(r.Length()/step)+1), make([]float64, int(r.Length()/step)+1), 0
	for i := range logs {
		for k < len(trips)-1 && r.All[k+1].At <= time.Duration(i)*step {
			k++
		}
		logs[i] = math.Log1p(float64(trips[k]))
		if trips[k] > slow {
			bad[i] = 1
		}
	}
	for lag := 1; lag < len(logs)/mostBlock; lag *= 2 {
		if lagged(logs, lag, 1e-12) < unlike && lagged(bad, lag, 1e-12) < unlike {
			return time.Duration(lag) * step, neighbours
		}
	}
	return r.Length() / mostBlock, neighbours
}

// lagged returns the autocorrelation of values that are lag places apart. It returns 0 if the variance of the values is less than
// alike.
func lagged(values []float64, lag int, alike float64) float64 {
	mean := 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	together, alone := 0.0, 0.0
	for i, v := range values {
		alone += (v - mean) * (v - mean)
		if i >= lag {
			together += (v - mean) * (values[i-lag] - mean)
		}
	}
	if alone < alike*float64(len(values)) {
		return 0
	}
	return together / alone
}
