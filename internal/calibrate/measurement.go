// Package calibrate measures how long the requests of leader election take, from audit logs of an API server or by asking a
// server, and writes that as an environment file for simulate gate.
//
// It measures real time: unlike the rest of internal/, the probe looks at the clock. The reader of logs does not.
//
// Words of this package: an answer is a status that tells a candidate something about the lock; any other request has failed. A
// spell is an episode as it was measured. A moment is one request with its time; the counts and quantiles of a measurement need
// no moments, but finding episodes does.
package calibrate

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Measurement has how long requests took. The zero value has no requests.
type Measurement struct {
	all                       times
	answered, refused, failed map[string]*times
	moments                   moments
}

// statusName returns the name under which a measurement counts an HTTP status, such as "504 Gateway Timeout". The reason that the
// server gave is not part of it, since a log can have any number of reasons.
func statusName(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// isAnswer tells whether an HTTP status is an answer about the lock, after which an attempt goes on or ends for good. It is false
// for 408, 429 and 5xx: the server could not do its work, which tells a candidate no more than a lost request does.
func isAnswer(code int) bool {
	return code < 500 && code != http.StatusTooManyRequests && code != http.StatusRequestTimeout
}

// answer counts a request that was answered with the HTTP status code, by its verb, and how long it took. A status that is no
// answer by isAnswer counts as failed; a status of 400 or more that is an answer counts as refused too.
func (m *Measurement) answer(verb string, code int, took time.Duration) {
	switch {
	case !isAnswer(code):
		m.fail(statusName(code), took)
		return
	case code >= 400:
		count(&m.refused, statusName(code), took)
	}
	m.all.add(took)
	count(&m.answered, verb, took)
}

// fail counts a request without a useful answer, and how long it took. name says why it failed, such as "timeout".
func (m *Measurement) fail(name string, took time.Duration) { count(&m.failed, name, took) }

// count adds how long a request took to the entry with that name in the map to which the pointer points. It makes the map and the
// entry if they are missing.
func count(to *map[string]*times, name string, took time.Duration) {
	if *to == nil {
		*to = map[string]*times{}
	}
	if (*to)[name] == nil {
		(*to)[name] = &times{}
	}
	(*to)[name].add(took)
}

// All returns how long all answered requests took.
func (m *Measurement) All() Series { return m.all.series("all") }

// Answered returns how long the answered requests took, one Series for each verb.
func (m *Measurement) Answered() []Series { return sorted(m.answered) }

// Refused returns how long those answered requests took whose status was 4xx, one Series for each status. They are among the
// answered ones.
func (m *Measurement) Refused() []Series { return sorted(m.refused) }

// Failed returns how long the requests took that had no useful answer, one Series for each reason: timeouts, broken connections,
// panics, and the statuses 408, 429 and 5xx. They are not among the answered ones.
func (m *Measurement) Failed() []Series { return sorted(m.failed) }

// sorted returns the times in the map as one Series for each name, ordered by name.
func sorted(from map[string]*times) []Series {
	all := []Series{}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		all = append(all, from[name].series(name))
	}
	return all
}
