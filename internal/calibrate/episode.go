package calibrate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// Request is a request that an API server has logged.
type Request struct {
	Verb               string
	Received, Answered time.Time
	// Status is that of the answer; 0: the server panicked, or gave up.
	Status int
}

// An outage is a time in which so many requests in a row failed, from the first to the last of them, and which lasted so long at least.
const (
	outageRequests = 3
	outageLasts    = time.Second
)

// BehaviourOf returns what is usual by requests of one cluster, as the field behaviour of an environment file: the round trips outside of
// outages, how often single requests failed, and outages as episodes. Requests in a row, of whatever lock, that all failed are an outage.
func BehaviourOf(all []Request) (string, error) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Request) int { return a.Received.Compare(b.Received) })
	var usual Measurement
	var outages []time.Duration
	for i := 0; i < len(all); {
		n := failing(all[i:])
		if n < outageRequests || span(all[i:i+n]) < outageLasts {
			n = max(n, 1)
			for _, r := range all[i : i+n] {
				usual.request(&r)
			}
		} else {
			outages = append(outages, span(all[i:i+n]))
		}
		i += n
	}
	if usual.all.counts == nil {
		return "", errors.New("want requests that were answered, got none: nothing is known of what is usual")
	}
	text := Behaviour(usual.All(), usual.Failed())
	if len(outages) == 0 {
		return text, nil
	}
	every := (span(all) / time.Duration(len(outages))).Truncate(time.Millisecond)
	var lasts []string
	for _, d := range outages {
		lasts = append(lasts, phrase.Duration(d.Truncate(time.Millisecond)))
	}
	return text + fmt.Sprintf("  # Seen in %v. Where the server could not be reached, it has logged nothing: add such outages.\n"+
		"  episodes:\n  - {kind: outage, every: %s, lasts: {samples: [%s]}}\n",
		span(all).Truncate(time.Second), phrase.Duration(every), strings.Join(lasts, ", ")), nil
}

// failing is how many of the first requests failed in a row.
func failing(all []Request) (n int) {
	for n < len(all) && (all[n].Status == 0 || !isAnswer(all[n].Status)) {
		n++
	}
	return n
}

// span is the time from when the first request was received to the last answer.
func span(all []Request) time.Duration {
	last := all[0].Answered
	for i := range all {
		if all[i].Answered.After(last) {
			last = all[i].Answered
		}
	}
	return last.Sub(all[0].Received)
}

// request adds a request.
func (m *Measurement) request(r *Request) {
	took := r.Answered.Sub(r.Received)
	if r.Status == 0 {
		m.fail("panic", took)
		return
	}
	m.answer(r.Verb, r.Status, took)
}
