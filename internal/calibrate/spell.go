package calibrate

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"interregnum/internal/behaviour"
)

// mostMoments bounds how many moments are kept, which take 48 MB.
const mostMoments = 2_000_000

// moment is one request that was measured. at is when it began, since 1970, and took is how long it took. client is the index of
// its client in moments.askers. status is the status of its answer; 0 if there was none. write tells whether it was to write.
type moment struct {
	at, took time.Duration
	client   int32
	status   int16
	write    bool
}

// failed tells whether the request had no useful answer.
func (m *moment) failed() bool { return m.status == 0 || !isAnswer(int(m.status)) }

// moments are the requests one by one, and who sent them. If there are too many, many is set and none is kept.
type moments struct {
	list   []moment
	askers askers
	many   bool
}

// add adds a request. If there are mostMoments already, it drops all requests and sets m.many; from then on it does nothing.
func (m *moments) add(x moment) {
	if len(m.list) == mostMoments {
		m.list, m.askers, m.many = nil, askers{}, true
	}
	if !m.many {
		m.list = append(m.list, x)
	}
}

// sorted sorts m.list in place by when the requests began, and returns it.
func (m *moments) sorted() []moment {
	slices.SortStableFunc(m.list, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return m.list
}

// spell is an episode as it was measured.
type spell struct {
	kind behaviour.Kind
	// one: it was of the client with the index client in moments.askers, and of no other.
	one    bool
	client int32
	// slow: an answer that took longer counted as slow.
	slow time.Duration
	// at is when it began, since 1970. lasts is how long it lasted.
	at, lasts time.Duration
	// within are the requests in it; nil for an outage or a stall.
	within []moment
}

const (
	// slowBy is how many times the median an answer must take to count as slow.
	slowBy = 5
	// mostlyBad is the share of bad requests that an episode is assumed to have. usuallyBad is the largest share of bad requests
	// in the whole log with which episodes are looked for.
	mostlyBad, usuallyBad = 0.6, 0.3
	// manySlow: if at least one in manySlow of an episode's requests is answered slowly, it is a brownout, however many fail.
	manySlow = 5
	// chance is the probability that an episode is found although requests go wrong independently of each other.
	chance = 0.01
)

// spells sorts m.list, and finds the episodes, in the order of their beginnings: stretches of requests of which so many are
// slow or fail that this is no chance. First it looks for those of single clients, then for those of everybody and, in a short
// log, for those of writes or reads alone. rest has the requests that are in no episode, and those that were answered in an
// outage or a stall. It finds no episodes if too many of all requests are bad; see usuallyBad.
func (m *moments) spells() (found []spell, rest []moment) {
	m.sorted()
	x := newScan(m.list)
	if x.share == 0 || x.share > usuallyBad {
		return nil, m.list
	}
	found, answered, list := x.ofOne(m.list)
	left, next := []moment(nil), 0
	for _, s := range x.stretches(list) {
		all, good := cut(list[s.first:s.last], x.slow)
		found, answered = append(found, all), append(answered, good...)
		left, next = append(left, list[next:s.first]...), s.last
	}
	some, good, left := ofSome(append(left, list[next:]...))
	found, rest = append(found, some...), slices.Concat(left, answered, good)
	slices.SortStableFunc(found, func(a, b spell) int { return cmp.Compare(a.at, b.at) })
	slices.SortStableFunc(rest, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return found, rest
}

// cut makes an episode of requests. It is a brownout if at least half of them are
// answered or many are answered slowly, a stall if at least half of the failures took long, and otherwise an outage. In a
// brownout, the requests that failed slowly, and not by 429 or 503, get the status 0, for no answer. For an outage or a stall,
// rest has the requests that were answered. An answer is slow if it takes longer than the duration slow.
func cut(all []moment, slow time.Duration) (s spell, rest []moment) {
	s = spell{kind: behaviour.Brownout, at: all[0].at, slow: slow}
	over, late, hung := all[0].at, 0, 0
	for _, x := range all {
		over = max(over, x.at+x.took)
		switch slowly := x.took > slow; {
		case !x.failed():
			rest = append(rest, x)
			if slowly {
				late++
			}
		case slowly && !x.refused():
			hung++
			x.status = 0
		case x.took >= time.Second:
			hung++
		}
		s.within = append(s.within, x)
	}
	s.lasts = max(time.Millisecond, over-all[0].at)
	failed := len(all) - len(rest)
	if 2*failed <= len(all) || manySlow*late >= len(all) {
		return s, nil
	}
	s.kind, s.within = behaviour.Outage, nil
	if 2*hung >= failed {
		s.kind = behaviour.Stall
	}
	return s, rest
}

// refused tells whether the server said that it does not take the request: by the status 429 or 503.
func (m *moment) refused() bool {
	return m.status == http.StatusTooManyRequests || m.status == http.StatusServiceUnavailable
}

// medianOf returns the median of how long these requests took; 0 if there are none.
func medianOf(all []moment) time.Duration {
	var list []time.Duration
	for i := range all {
		list = append(list, all[i].took)
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// silence is the length from which on a time without any request counts as one of which there is no log: leases are renewed more
// often.
const silence = time.Hour

// span returns two times: from the first request to the last answer, without the silences; and how long the silences are
// together. There must be at least one request. It sorts m.list.
func (m *moments) span() (seen, silent time.Duration) {
	all := m.sorted()
	last := all[0].at
	for i := range all {
		if d := all[i].at - last; d > silence {
			silent += d
		}
		last = max(last, all[i].at+all[i].took)
	}
	return last - all[0].at - silent, silent
}
