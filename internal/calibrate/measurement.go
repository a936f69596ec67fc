// Package calibrate measures how long the requests of leader election take, from audit logs of an API server or on the
// server itself, and turns that into what simulate gate calls an environment.
//
// It measures real time: unlike the rest of internal/, the probe looks at the clock. The reader of logs does not.
package calibrate

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Measurement has the lengths of the round trips of requests. The zero value has none.
type Measurement struct {
	all                       times
	answered, refused, failed map[string]*times
	moments                   moments
}

// statusName returns the name under which a measurement counts an HTTP status, such as "504 Gateway Timeout". It leaves
// the server's reason out: a log may have any number of those.
func statusName(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// isAnswer tells whether an HTTP status is an answer about the lock, with which an attempt goes on or ends for good.
// With 408, 429 and 5xx a server could not do its work: they tell a candidate no more than a lost request does.
func isAnswer(code int) bool {
	return code < 500 && code != http.StatusTooManyRequests && code != http.StatusRequestTimeout
}

// answer adds a request that took so long to the measurement, by its verb and HTTP status. A status that is no answer
// counts as failed.
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

// fail adds a request without a useful answer to the measurement. name says why, such as "timeout".
func (m *Measurement) fail(name string, took time.Duration) { count(&m.failed, name, took) }

// count adds a time to the entry of that name in the map to points at. It makes the map and the entry if they are
// missing.
func count(to *map[string]*times, name string, took time.Duration) {
	if *to == nil {
		*to = map[string]*times{}
	}
	if (*to)[name] == nil {
		(*to)[name] = &times{}
	}
	(*to)[name].add(took)
}

// All returns the lengths of all answered requests.
func (m *Measurement) All() Series { return m.all.series("all") }

// Answered returns the lengths of the answered requests, by verb.
func (m *Measurement) Answered() []Series { return sorted(m.answered) }

// Refused returns the lengths of those answered requests whose status was 4xx, by status.
func (m *Measurement) Refused() []Series { return sorted(m.refused) }

// Failed returns the lengths of the requests without an answer, or with one that tells no more than that: timeouts,
// broken connections, and the statuses 408, 429 and 5xx. These requests are not among the answered ones.
func (m *Measurement) Failed() []Series { return sorted(m.failed) }

// sorted returns the times in the map as one Series for each name, ordered by name.
func sorted(from map[string]*times) []Series {
	all := []Series{}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		all = append(all, from[name].series(name))
	}
	return all
}
