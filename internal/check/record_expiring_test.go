package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
)

// expiringHeader is two candidates, 10 s, on a key or a row by their own clocks; b's is 4 s ahead.
func expiringHeader(o trace.Object, precision time.Duration) *trace.Header {
	h := &trace.Header{Horizon: time.Minute, Service: &trace.Service{Precision: precision}}
	for i, id := range []string{"a", "b"} {
		h.Candidates = append(h.Candidates, trace.Candidate{
			ID: id, LeaseDuration: 10 * time.Second, RenewDeadline: 6 * time.Second, Objects: []trace.Object{o},
			Offset: time.Duration(i) * 4 * time.Second, OwnNow: o == trace.Row,
		})
	}
	return h
}

// move is what a candidate does, or nobody, at a second.
type move struct {
	at        float64
	candidate int32
	kind      trace.Kind
	verb      trace.Verb
	holder    string
	token     uint64
}

// TestExpiringRecord has hand-made runs of a key and of a row; the number of those writes that may not be is beside each.
func TestExpiringRecord(t *testing.T) {
	const a, b, nobody = 0, 1, trace.Nobody
	made := move{0, a, trace.Written, trace.Create, "a", 1}
	refreshed := func(at float64) move { return move{at, a, trace.Written, trace.Refresh, "a", 1} }
	taken := func(at float64, token uint64) move { return move{at, b, trace.Written, trace.Replace, "b", token} }
	expired := func(at float64) move { return move{at, nobody, trace.Expired, 0, "", 0} }
	deleted := func(at float64) move { return move{at, nobody, trace.Deleted, 0, "", 0} }
	released := func(at float64, by int32) move { return move{at, by, trace.Written, trace.Release, "", 1} }
	for name, c := range map[string]struct {
		object trace.Object
		moves  []move
		wrong  int
	}{
		"key: expired, then taken":       {trace.Key, []move{made, refreshed(2), expired(12), taken(12, 2)}, 0},
		"key: expired early":             {trace.Key, []move{made, refreshed(2), expired(11.9), taken(12, 2)}, 1},
		"key: taken":                     {trace.Key, []move{made, taken(20, 2)}, 1},
		"key: token again":               {trace.Key, []move{made, expired(10), taken(12, 1)}, 1},
		"key: released":                  {trace.Key, []move{made, released(1, a), taken(1, 2)}, 0},
		"key: released by another":       {trace.Key, []move{made, released(1, b)}, 1},
		"key: deleted":                   {trace.Key, []move{made, deleted(1), taken(1, 2)}, 0},
		"key: refreshed once gone":       {trace.Key, []move{made, expired(10), refreshed(11)}, 1},
		"key: made twice":                {trace.Key, []move{made, made}, 1},
		"row: too old by b's clock":      {trace.Row, []move{made, taken(6.1, 2)}, 0},
		"row: not too old by b's clock":  {trace.Row, []move{made, taken(6, 2)}, 1},
		"row: refreshed":                 {trace.Row, []move{made, refreshed(9), taken(15.1, 2)}, 0},
		"row: refreshed, and taken":      {trace.Row, []move{made, refreshed(9), taken(14.9, 2)}, 1},
		"row: refreshed too late":        {trace.Row, []move{made, refreshed(10.1)}, 1},
		"row: counter again":             {trace.Row, []move{made, taken(7, 1)}, 1},
		"row: made where there is one":   {trace.Row, []move{made, made}, 1},
		"row: released once expired":     {trace.Row, []move{made, released(20, a), taken(20, 2)}, 0},
		"row: made anew after a delete":  {trace.Row, []move{made, deleted(1), {2, b, trace.Written, trace.Create, "b", 1}}, 0},
		"row: refreshed after a release": {trace.Row, []move{made, released(1, a), refreshed(2)}, 1},
	} {
		suite := NewSuite(expiringHeader(c.object, time.Microsecond))
		for i, m := range c.moves {
			e := trace.Event{
				At: int64(m.at * 1e9), Kind: m.kind, Candidate: m.candidate, Verb: m.verb, Holder: m.holder,
				Version: m.token, Object: c.object, Request: uint64(i + 1), Incarnation: 1,
			}
			if m.kind == trace.Written {
				sent := e
				sent.Kind = trace.RequestSent
				suite.Observe(&sent)
			}
			suite.Observe(&e)
		}
		assert.Len(t, suite.Properties(int64(time.Minute))[0].Violations, c.wrong, name)
	}
}

// TestRowOfItsHolder: a row lasts as long as its holder has said, and not as whoever takes it.
func TestRowOfItsHolder(t *testing.T) {
	for _, lasts := range []time.Duration{4 * time.Second, 10 * time.Second, 20 * time.Second} {
		assert.Equal(t, 1, rowTaken(lasts, 5.9e9), lasts)
		assert.Zero(t, rowTaken(lasts, 6.1e9), lasts)
	}
}

// rowTaken returns how many writes may not be where b, whose lease lasts that long and whose clock is 4 s ahead, takes the row then that
// a has made for 10 s.
func rowTaken(lasts time.Duration, at int64) int {
	h := expiringHeader(trace.Row, time.Microsecond)
	h.Candidates[1].LeaseDuration = lasts
	suite := NewSuite(h)
	for i, e := range []trace.Event{
		{At: 0, Candidate: 0, Verb: trace.Create, Holder: "a", Version: 1},
		{At: at, Candidate: 1, Verb: trace.Replace, Holder: "b", Version: 2},
	} {
		e.Object, e.Request, e.Incarnation = trace.Row, uint64(i+1), 1
		for _, e.Kind = range []trace.Kind{trace.RequestSent, trace.Written} {
			suite.Observe(&e)
		}
	}
	return len(suite.Properties(int64(time.Minute))[0].Violations)
}

// TestRowOfWholeSeconds: a row that keeps whole seconds looks older, and may be taken that much earlier.
func TestRowOfWholeSeconds(t *testing.T) {
	for precision, wrong := range map[time.Duration]int{time.Microsecond: 1, time.Second: 0} {
		suite := NewSuite(expiringHeader(trace.Row, precision))
		for i, e := range []trace.Event{
			{At: 900e6, Candidate: 0, Verb: trace.Create, Holder: "a", Version: 1},
			{At: 6.1e9, Candidate: 1, Verb: trace.Replace, Holder: "b", Version: 2},
		} {
			e.Object, e.Request, e.Incarnation = trace.Row, uint64(i+1), 1
			for _, e.Kind = range []trace.Kind{trace.RequestSent, trace.Written} {
				suite.Observe(&e)
			}
		}
		assert.Len(t, suite.Properties(int64(time.Minute))[0].Violations, wrong, precision)
	}
}
