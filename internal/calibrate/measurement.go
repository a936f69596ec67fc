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

// Measurement has the round trips of requests. The zero value has none.
type Measurement struct {
	all                       times
	answered, refused, failed map[string]*times
}

// statusName returns the name of a status in a measurement. It leaves out the server's reason, since a log may have any
// number of reasons.
func statusName(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// isAnswer tells whether an attempt goes on or ends for good with that status. All other statuses come from a server
// that could not do its work. They tell a candidate as little about the lock as a lost request does.
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

// fail counts a request that had no useful answer.
func (m *Measurement) fail(name string, took time.Duration) { count(&m.failed, name, took) }

// count adds a time to the times of that name.
func count(to *map[string]*times, name string, took time.Duration) {
	if *to == nil {
		*to = map[string]*times{}
	}
	if (*to)[name] == nil {
		(*to)[name] = &times{}
	}
	(*to)[name].add(took)
}

// All returns the answered requests of every verb.
func (m *Measurement) All() Series { return m.all.series("all") }

// Answered returns the answered requests, by verb.
func (m *Measurement) Answered() []Series { return sorted(m.answered) }

// Refused returns those of the answered requests whose status is 4xx.
func (m *Measurement) Refused() []Series { return sorted(m.refused) }

// Failed returns the requests without a useful answer: timeouts, broken connections, and the statuses 408, 429 and 5xx.
// They are not among the answered.
func (m *Measurement) Failed() []Series { return sorted(m.failed) }

// sorted returns the series of all names, ordered by name.
func sorted(from map[string]*times) []Series {
	all := []Series{}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		all = append(all, from[name].series(name))
	}
	return all
}
