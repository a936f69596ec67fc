package calibrate

import (
	"maps"
	"math"
	"slices"
	"sort"
	"time"
)

// scan is a search for episodes.
type scan struct {
	// slow: an answer that takes longer counts as slow. share is that of bad requests in the whole log.
	slow  time.Duration
	share float64
	// enough is the sum of log-likelihoods that an episode has at least. Whatever comes first, a sum that begins there exceeds it
	// by chance with the probability chance divided by the number of requests at most.
	enough float64
}

// newScan returns a search in these requests, with what counts as slow and as enough by them.
func newScan(list []moment) *scan {
	x := &scan{slow: slowBy * medianOf(slices.DeleteFunc(slices.Clone(list), func(q moment) bool { return q.failed() }))}
	for i := range list {
		if x.bad(&list[i]) {
			x.share += 1 / float64(len(list))
		}
	}
	x.enough = math.Log(float64(len(list)) / chance)
	return x
}

// bad tells whether a request failed or was answered slowly.
func (x *scan) bad(q *moment) bool { return q.failed() || q.took > x.slow }

// stretch is some requests of a list that follow each other: from the first on, and before the last.
type stretch struct{ first, last int }

// stretches returns the stretches of the list, sorted by when requests began, of which so many are bad that this is no chance. It
// uses a cumulative sum of log-likelihoods (Page: Continuous inspection schemes, 1954).
func (x *scan) stretches(list []moment) (all []stretch) {
	worse, better := math.Log(mostlyBad/x.share), math.Log((1-mostlyBad)/(1-x.share))
	sum, peak, from, until := 0.0, 0.0, 0, 0
	end := func(next int) int {
		if peak >= x.enough {
			all = append(all, stretch{from, until})
			next = until
		}
		sum, peak, from, until = 0, 0, next, next
		return next
	}
	for i := 0; i < len(list); i++ {
		if i > from && list[i].at-list[i-1].at > silence {
			i = end(i) // no episode lasts over a time of which there is no log
		}
		if x.bad(&list[i]) {
			sum += worse
		} else {
			sum += better
		}
		if sum > peak {
			peak, until = sum, i+1
		}
		if sum <= 0 || peak >= x.enough && sum <= peak-x.enough {
			i = end(i+1) - 1
		}
	}
	for from < len(list) {
		end(len(list))
	}
	return all
}

// ofOne returns the episodes of single clients, in which requests of others were answered well, and those of their requests
// that were answered all the same (see cut). left has all other requests. If all requests are of one client it finds none.
func (x *scan) ofOne(list []moment) (found []spell, answered, left []moment) {
	own := map[int32][]int{}
	for i := range list {
		own[list[i].client] = append(own[list[i].client], i)
	}
	if len(own) < 2 {
		return nil, nil, list
	}
	before := make([]tally, len(list)+1)
	for i := range list {
		before[i+1] = before[i]
		before[i+1].add(&list[i], x.bad(&list[i]))
	}
	gone := make([]bool, len(list))
	for _, client := range slices.Sorted(maps.Keys(own)) {
		var its []moment
		for _, i := range own[client] {
			its = append(its, list[i])
		}
		for _, s := range x.stretches(its) {
			if !x.alone(list, its[s.first:s.last], before) {
				continue
			}
			one, good := cut(its[s.first:s.last], x.slow)
			one.one, one.client = true, client
			found, answered = append(found, one), append(answered, good...)
			for _, i := range own[client][s.first:s.last] {
				gone[i] = true
			}
		}
	}
	for i := range list {
		if !gone[i] {
			left = append(left, list[i])
		}
	}
	return found, answered, left
}

// tally is how many reads and writes there are, and how many of each are bad. Its index is 1 for writes.
type tally [2]struct{ all, bad int32 }

// add counts a request.
func (n *tally) add(q *moment, bad bool) {
	i := 0
	if q.write {
		i = 1
	}
	n[i].all++
	if bad {
		n[i].bad++
	}
}

// alone tells whether an episode was of one client alone. its are the client's requests in it. Meanwhile so few of the others'
// requests were bad that this is no chance. Reads count if the client's reads were mostly bad, and writes if its writes were: it
// can be that only writes fail, and others only read. before has the tally of all requests of the list before each index.
func (x *scan) alone(list, its []moment, before []tally) bool {
	from := sort.Search(len(list), func(i int) bool { return list[i].at >= its[0].at })
	until := sort.Search(len(list), func(i int) bool { return list[i].at > its[len(its)-1].at })
	var own tally
	for i := range its {
		own.add(&its[i], x.bad(&its[i]))
	}
	for i := range own {
		all, bad := own[i].all, own[i].bad
		others, othersBad := before[until][i].all-before[from][i].all-all, before[until][i].bad-before[from][i].bad-bad
		if float64(bad) >= mostlyBad*float64(all) && bad > 2 && atMost(int(othersBad), int(others)) <= chance {
			return true
		}
	}
	return false
}

// atMost returns the probability that k or fewer of n requests are bad in an episode; 1 if k is as many as are bad in one on
// average.
func atMost(k, n int) (p float64) {
	if float64(k) >= mostlyBad*float64(n) {
		return 1
	}
	for i := k; i >= 0; i-- {
		x := math.Exp(choose(n, i) + float64(i)*math.Log(mostlyBad) + float64(n-i)*math.Log(1-mostlyBad))
		if p += x; x <= p/1e9 {
			break // what is left is less and less
		}
	}
	return p
}

// within returns the probability that k of n requests, drawn by chance, are all in a stretch of m.
func within(m, k, n int) float64 {
	all := choose(n, k)
	return float64(n-m)*math.Exp(choose(m-1, k-1)-all) + math.Exp(choose(m, k)-all)
}

// silent tells whether there is a time without a request in the list that counts as one of which there is no log.
func silent(list []moment) bool {
	for i := range list {
		if i > 0 && list[i].at-list[i-1].at > silence {
			return true
		}
	}
	return false
}

// choose returns the logarithm of the number of ways to choose k of n.
func choose(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	some, _ := math.Lgamma(float64(k + 1))
	rest, _ := math.Lgamma(float64(n - k + 1))
	return all - some - rest
}

// shortLog is up to how many requests of one sort a log is short.
const shortLog = 1000

// ofSome returns for a short log the episodes of everybody in which writes, or reads, are bad, also if the others are not:
// one of each sort at most. A sort with more than shortLog requests is left out. answered and left are as in ofOne.
func ofSome(list []moment) (found []spell, answered, left []moment) {
	left = list
	for _, write := range []bool{true, false} {
		its := slices.DeleteFunc(slices.Clone(left), func(q moment) bool { return q.write != write })
		if len(its) > shortLog {
			continue
		}
		x := newScan(its)
		s := x.densest(its)
		if s.last == 0 {
			continue
		}
		from, until := its[s.first].at, its[s.last-1].at
		first := sort.Search(len(left), func(i int) bool { return left[i].at >= from })
		last := sort.Search(len(left), func(i int) bool { return left[i].at > until })
		some, good := cut(left[first:last], x.slow)
		found, answered = append(found, some), append(answered, good...)
		left = slices.Concat(left[:first], left[last:])
	}
	return found, answered, left
}

// densest returns the stretch of the list that is the least likely if its bad requests are distributed by chance, of those of
// which mostlyBad or more are bad: the one that has all bad requests, if that is unlikely enough (see chance), or else any. It
// returns the zero value if none is unlikely enough.
func (x *scan) densest(list []moment) (best stretch) {
	var bad []int
	for i := range list {
		if x.bad(&list[i]) {
			bad = append(bad, i)
		}
	}
	n := len(list)
	if len(bad) == 0 {
		return best
	}
	if m := bad[len(bad)-1] - bad[0] + 1; float64(len(bad)) >= mostlyBad*float64(m) && !silent(list[bad[0]:][:m]) && within(m, len(bad), n) <= chance {
		return stretch{bad[0], bad[0] + m}
	}
	least := math.Log(chance) - math.Log(float64(n*(n+1)/2)) // so many stretches there are
	for a := range bad {
		for b := a; b < len(bad); b++ {
			if b > a && silent(list[bad[b-1]:bad[b]+1]) {
				break
			}
			m, k := bad[b]-bad[a]+1, b-a+1
			if float64(k) < mostlyBad*float64(m) {
				continue
			}
			if p := choose(m, k) + choose(n-m, len(bad)-k) - choose(n, len(bad)) + math.Log(float64(min(m, len(bad))-k+1)); p < least {
				best, least = stretch{bad[a], bad[b] + 1}, p
			}
		}
	}
	return best
}
