package explain

import (
	"slices"
	"time"

	"interregnum/internal/trace"
)

// teller puts one overlap into words.
type teller struct {
	header     *trace.Header
	candidates []candidate
	// several: there are other objects than the Lease, so that texts have to say which object they are about.
	several       bool
	first, second *work
	// a and b are the names of the first and of the second candidate.
	a, b     string
	from, to int64
	// hold is what the first candidate's term rested on.
	hold  hold
	steps []Step
}

// name returns the candidate's ID, by which texts call it. It is "somebody" for trace.Nobody, as where somebody edits the
// record.
func (t *teller) name(candidate int32) string {
	if candidate == trace.Nobody {
		return "somebody"
	}
	return t.header.Candidates[candidate].ID
}

// about returns the first candidate's entry in the trace's header.
func (t *teller) about() *trace.Candidate { return t.candidates[t.first.Candidate].about }

// step adds an event of that kind to t.steps, which happened at the time at, in nanoseconds of true time. It does nothing if the
// event has not happened (at is never), or if an event of that time, candidate and kind is there already. candidate can be
// trace.Nobody.
func (t *teller) step(at int64, candidate int32, kind trace.Kind, text string) {
	if at == never {
		return
	}
	s := Step{AtNs: at, Event: kind.String(), Text: text}
	if candidate != trace.Nobody {
		s.Candidate = t.name(candidate)
	}
	same := func(x Step) bool { return x.AtNs == s.AtNs && x.Candidate == s.Candidate && x.Event == s.Event }
	if !slices.ContainsFunc(t.steps, same) {
		t.steps = append(t.steps, s)
	}
}

// addWait returns sum with a term added for the stretch between the instants from and to, in nanoseconds of true time. That
// stretch should last d on the first candidate's clock. The term's name is name, which is retryPeriod or renewDeadline; if drift
// or another end changed the length, it says so. If a freeze has made the stretch longer, that is a term of its own.
func (t *teller) addWait(sum []Summand, name string, d time.Duration, from, to int64) []Summand {
	long, whole := to-from, int64(d)
	clock := &t.candidates[t.first.Candidate].clock
	if onClock := clock.TrueTime(whole); onClock != whole && long >= onClock && clock.Since <= from {
		name += " on " + t.a + "'s clock"
		whole = onClock
	}
	frozen := t.first.frozenIn(from, to)
	switch {
	case long > whole && frozen > 0:
		return append(sum, Summand{name, whole}, Summand{"frozen", long - whole})
	case long != whole:
		name = map[string]string{"retryPeriod": "until it renewed again", "renewDeadline": "until it gave up"}[name]
	}
	return t.addSpan(sum, name, from, to)
}

// addSpan returns sum with a term of that name added for the time between the instants from and to, in nanoseconds. It adds none
// if that time is 0.
func (t *teller) addSpan(sum []Summand, name string, from, to int64) []Summand {
	if to == from {
		return sum
	}
	return append(sum, Summand{name, to - from})
}
