package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
)

// script is a trace by hand: a line an event, `time candidate what [key=number or name]…`. A candidate's name
// may have its incarnation behind it: a#2. Times must not fall.
type script struct {
	name, text string
	// want is the violations, as show writes them; none for a property that held.
	want []string
	// edit changes the header: three candidates a, b, c with 15 s and 10 s, exact and without drift.
	edit func(*trace.Header)
}

const horizon = 100 * time.Second

func (s *script) header() *trace.Header {
	h := &trace.Header{Scenario: "by-hand", Horizon: horizon}
	for _, id := range []string{"a", "b", "c"} {
		h.Candidates = append(h.Candidates, trace.Candidate{
			ID: id, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
		})
	}
	if s.edit != nil {
		s.edit(h)
	}
	return h
}

var eventKinds = map[string]trace.Kind{
	"works": trace.WorkStarted, "cancelled": trace.WorkCancelled, "ended": trace.WorkEnded,
	"believes": trace.BeliefBegan, "doubts": trace.BeliefEnded, "crashes": trace.Crashed,
	"creates": trace.Written, "updates": trace.Written, "deletes": trace.Deleted, "clock": trace.ClockChanged,
	"paused": trace.Paused, "refused": trace.RequestRefused, "edits": trace.Edited,
}

func (s *script) events(t *testing.T) []trace.Event {
	var events []trace.Event
	last := int64(0)
	for line := range strings.Lines(s.text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		e := parseEvent(t, fields)
		require.LessOrEqual(t, last, e.At, "time falls: %s", line)
		last, e.Seq = e.At, uint64(len(events)+1)
		events = append(events, e)
	}
	return events
}

func parseEvent(t *testing.T, fields []string) trace.Event {
	at, err := time.ParseDuration(fields[0])
	require.NoError(t, err)
	kind, known := eventKinds[fields[2]]
	require.True(t, known, "no event %q", fields[2])
	e := trace.Event{At: int64(at), Kind: kind, Candidate: trace.Nobody, Incarnation: 1}
	if who, incarnation, found := strings.Cut(fields[1], "#"); who != "-" {
		e.Candidate = int32(strings.Index("abc", who))
		if found {
			e.Incarnation = int32(number(t, incarnation))
		}
	}
	switch fields[2] {
	case "creates":
		e.Verb = trace.Create
	case "updates":
		e.Verb = trace.Update
	}
	for _, f := range fields[3:] {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "holder":
			e.Holder = value
		case "v":
			e.Version = uint64(number(t, value))
		case "base":
			e.Base = uint64(number(t, value))
		case "t":
			e.Transitions = number(t, value)
		case "ppm":
			e.Rate = int32(number(t, value))
		default:
			require.Fail(t, "no such field", f)
		}
	}
	return e
}

func number(t *testing.T, text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err)
	return n
}

func judge(h *trace.Header, events []trace.Event) []Property {
	s := NewSuite(h, Names()...)
	for i := range events {
		e := events[i]
		s.Observe(&e)
		e = trace.Event{Holder: "gone", Candidate: 2, Kind: trace.Paused} // the run's own: it changes
	}
	return s.Properties(int64(h.Horizon))
}

// verdictOf judges a run by one property, which must be one.
func verdictOf(property string, h *trace.Header, events []trace.Event) *Property {
	all := judge(h, events)
	return &all[slices.IndexFunc(all, func(p Property) bool { return p.Name == property })]
}

// judgeExchanges judges a run as judge does, by the properties that are not judged on request alone, but it is told of
// each update as part of an exchange. A coordinator makes none.
func judgeExchanges(h *trace.Header, events []trace.Event) []Property {
	s := NewSuite(h)
	for i := range events {
		e := &events[i]
		if e.Kind != trace.Written || e.Verb != trace.Update || h.Candidates[e.Candidate].Coordinator {
			s.Observe(e)
			continue
		}
		s.Exchange(&trace.Exchange{
			Seq: 3*e.Seq - 2, Candidate: e.Candidate, Incarnation: e.Incarnation, Verb: e.Verb, Object: e.Object, Status: e.Status,
			Sent: e.At, Applied: e.At, Handled: e.At, Writes: e.Holder, Changed: true, Version: e.Version, Base: e.Base,
			Holder: e.Holder, Transitions: e.Transitions, LeaseSeconds: e.Amount,
		})
	}
	return s.Properties(int64(h.Horizon))
}

func show(violations []Violation) []string {
	var out []string
	for _, v := range violations {
		out = append(out, fmt.Sprintf("%v..%v %s",
			time.Duration(v.FromNs), time.Duration(v.ToNs), strings.Join(v.Candidates, " ")))
	}
	return out
}

// runScripts judges each script by one property.
func runScripts(t *testing.T, property string, scripts []script) {
	failing := 0
	for i := range scripts {
		s := &scripts[i]
		t.Run(s.name, func(t *testing.T) {
			p := verdictOf(property, s.header(), s.events(t))
			assert.Equal(t, s.want, show(p.Violations))
			checkForm(t, p)
			assert.Equal(t, p, Named(judgeExchanges(s.header(), s.events(t)), property), "as exchanges")
		})
		failing += min(1, len(s.want))
	}
	assert.Positive(t, failing, "the property can fail")
	assert.Less(t, failing, len(scripts), "and hold")
}

// checkForm is what goes for the verdict of every property.
func checkForm(t *testing.T, p *Property) {
	assert.Equal(t, Always, p.Kind)
	assert.NotNil(t, p.Violations, "in JSON a list")
	longest := int64(0)
	for _, v := range p.Violations {
		longest = max(longest, v.ToNs-v.FromNs)
	}
	assert.Equal(t, longest, p.OverlapNs)
	if len(p.Violations) == 0 {
		assert.Equal(t, Held, p.Verdict)
	} else {
		assert.Equal(t, Violated, p.Verdict)
	}
}

func TestNothingHappened(t *testing.T) {
	var names []string
	for _, p := range judge((&script{}).header(), nil) {
		names = append(names, p.Name)
		if p.Kind == Eventually {
			assert.Equal(t, Inconclusive, p.Verdict, "there was nobody to lead")
			continue
		}
		assert.Equal(t, Property{Name: p.Name, Kind: Always, Verdict: Held, Violations: []Violation{}}, p)
	}
	assert.Equal(t, Names(), names)
}
