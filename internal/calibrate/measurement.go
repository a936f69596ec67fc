// Package calibrate measures how long the requests of leader election take, in audit logs of an API server or on the
// server itself, and makes of that what simulate gate calls an environment.
//
// Real time is what it measures: unlike the rest of internal/ the probe looks at the clock. Reading logs does not.
package calibrate

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Measurement is the round trips of requests. The zero value is of none.
type Measurement struct {
	all                       times
	answered, refused, failed map[string]*times
}

// statusName is what a status is called in a measurement. The reasons of servers are left out: a log may have any number.
func statusName(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// isAnswer tells the statuses with which an attempt goes on or ends for good from those of a server that could not do
// its work. The latter tell a candidate nothing of the lock: they are to it as lost requests are.
func isAnswer(code int) bool {
	return code < 500 && code != http.StatusTooManyRequests && code != http.StatusRequestTimeout
}

// answer counts a request that the server answered with a status.
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

// fail counts a request that had no answer that is of use.
func (m *Measurement) fail(name string, took time.Duration) { count(&m.failed, name, took) }

// count adds a time to those of that name.
func count(to *map[string]*times, name string, took time.Duration) {
	if *to == nil {
		*to = map[string]*times{}
	}
	if (*to)[name] == nil {
		(*to)[name] = &times{}
	}
	(*to)[name].add(took)
}

// All is the answered requests of every verb.
func (m *Measurement) All() Series { return m.all.series("all") }

// Answered is the answered requests, by verb.
func (m *Measurement) Answered() []Series { return sorted(m.answered) }

// Refused is those of the answered that were answered with a status of 4xx.
func (m *Measurement) Refused() []Series { return sorted(m.refused) }

// Failed is the requests without an answer, or with one that says no more than that: timeouts, broken connections,
// and the statuses 408, 429 and 5xx. They are not among the answered.
func (m *Measurement) Failed() []Series { return sorted(m.failed) }

// sorted returns the series of all names, in their order.
func sorted(from map[string]*times) []Series {
	all := []Series{}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		all = append(all, from[name].series(name))
	}
	return all
}
