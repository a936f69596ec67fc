package scenariotest

import (
	"flag"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/explain"
	"interregnum/internal/few"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

var explainRuns = flag.Int("explain.runs", few.Of(300), "how many random scenarios of each sort are explained")

// TestExplanationsAreTrue: in random scenarios every event that an explanation cites is in the trace, every sum adds up
// and is one that was exceeded, and a lease said to have run out had not at the candidate's look before.
func TestExplanationsAreTrue(t *testing.T) {
	seen := map[string]int{}
	for _, p := range machine.Profiles() {
		for name, e := range map[string]Environment{
			"plain": {Profile: p},
			"rough": {Profile: p, Freezes: true, MaxDrain: 10 * time.Second, MaxDriftPPM: 300_000},
			"usual": {Profile: p, Timings: usual},
		} {
			random := Random(e)
			for seed := range *explainRuns {
				s := random.Example(seed)
				s.Seed = uint64(seed)
				more(s, seed)
				log := &eventLog{header: s.Header(), outlasts: p.Client == machine.OfCSharp}
				r, err := scenarios.Run(s, scenarios.Options{Explain: true, Sinks: []trace.Sink{log}})
				require.NoError(t, err)
				if problem := log.judge(r, seen); problem != "" {
					text, _ := s.MarshalJSON()
					t.Fatalf("%s, %s, seed %d: %s\n%s", p.Name, name, seed, problem, text)
				}
			}
		}
	}
	t.Log(seen)
	for _, reason := range []string{"could tell apart", "had released", "had blanked", "had been deleted", "same name",
		"frozen", "was another's", "told to end at", "only after the release", "sum"} {
		assert.Positive(t, seen[reason], reason)
	}
	assert.Less(t, seen["no reason"]*50, seen["all"], "an explanation nearly always knows why the lock was taken")
}

// more adds what random scenarios have rarely or not at all: in every fifth the lock is deleted, in another clocks change midway.
func more(s *scenarios.Scenario, seed int) {
	switch seed % 5 {
	case 0:
		s.Faults = append(s.Faults, scenarios.Fault{Kind: "delete", At: s.Horizon / 2})
	case 1:
		drift := int64(seed*7919%600_000) - 300_000
		for _, at := range []time.Duration{s.Horizon / 3, s.Horizon / 2, s.Horizon * 2 / 3} {
			s.Faults = append(s.Faults, scenarios.Fault{Kind: "clock", At: at, On: []string{"leader"}, DriftPPM: &drift},
				scenarios.Fault{Kind: "clock", At: at, On: []string{s.Candidates[1].ID}, Jump: 7 * time.Second, DriftPPM: &drift})
		}
	}
}

// eventLog keeps all events of a run.
type eventLog struct {
	header *trace.Header
	events []trace.Event
	// outlasts: what a Run has left running goes on to look beside the next Run, and each counts from when it has seen the record itself.
	outlasts bool
}

func (l *eventLog) Observe(e *trace.Event) { l.events = append(l.events, *e) }

// judge says what is wrong with the explanations of a run, "" for nothing.
func (l *eventLog) judge(r *scenarios.Result, seen map[string]int) string {
	for _, p := range r.Properties {
		for _, v := range p.Violations {
			if p.Name != check.SingleWork {
				continue
			}
			if len(v.Explanations) == 0 {
				return "a violation without an explanation"
			}
			for i := range v.Explanations {
				e := &v.Explanations[i]
				count(seen, e)
				if problem := l.explanation(e); problem != "" {
					return problem + ": " + e.Summary
				}
			}
		}
	}
	return ""
}

func count(seen map[string]int, e *explain.Explanation) {
	seen["all"]++
	because, _, _ := strings.Cut(e.Summary, "; ")
	if !strings.Contains(because, "because") {
		seen["no reason"]++
	}
	if e.Sum != nil {
		seen["sum"]++
	}
	for _, reason := range []string{"could tell apart", "had released", "had blanked", "had been deleted", "same name",
		"frozen", "was another's", "told to end at", "only after the release"} {
		if strings.Contains(e.Summary, reason) {
			seen[reason]++
		}
	}
}

var instants = regexp.MustCompile(`(?:at|from|to) (-?[0-9.]+)s`)

func (l *eventLog) explanation(e *explain.Explanation) string {
	cited := map[int64]bool{}
	last := int64(-1)
	for _, s := range e.Steps {
		if !l.has(s) {
			return "no such event: " + s.Text
		}
		if s.AtNs < last {
			return "out of order: " + s.Text
		}
		last = s.AtNs
		cited[s.AtNs] = true
	}
	for _, m := range instants.FindAllStringSubmatch(e.Summary, -1) {
		if at := nanoseconds(m[1]); !cited[at] {
			return "no step at " + m[1]
		}
	}
	if e.Sum != nil {
		if problem := l.sum(e); problem != "" {
			return problem
		}
	}
	return l.firstLook(e)
}

func nanoseconds(seconds string) int64 {
	whole, rest, _ := strings.Cut(seconds, ".")
	ns, err := strconv.ParseInt(whole+(rest + "000000000")[:9], 10, 64)
	if err != nil {
		return -1
	}
	return ns
}

func (l *eventLog) id(e *trace.Event) string {
	if e.Candidate == trace.Nobody {
		return ""
	}
	return l.header.Candidates[e.Candidate].ID
}

func (l *eventLog) has(s explain.Step) bool {
	for i := range l.events {
		e := &l.events[i]
		if e.At == s.AtNs && e.Kind.String() == s.Event && l.id(e) == s.Candidate {
			return true
		}
	}
	return false
}

// sum: the work of the first ends when the sum says, and it is more than the one from which the second may start.
func (l *eventLog) sum(e *explain.Explanation) string {
	add := func(terms []explain.Summand) (sum int64) {
		for _, t := range terms {
			sum += t.Ns
		}
		return sum
	}
	s := e.Sum
	ended := l.has(explain.Step{AtNs: s.EndNs, Candidate: e.First, Event: trace.WorkEnded.String()})
	switch {
	case add(s.End) != s.EndNs || add(s.Start) != s.StartNs:
		return "a sum does not add up"
	case !ended || s.EndNs < e.ToNs:
		return "the work did not end when the sum says: " + s.Text
	case s.StartNs > e.FromNs:
		return "it started before the sum says: " + s.Text
	case !strings.Contains(s.Text, " > "):
		return "no comparison: " + s.Text
	}
	return ""
}

// firstLook: where it is said from when on the second counted the lease, the get before the one with which it took the
// lock found it valid still. Judged where clocks are true.
func (l *eventLog) firstLook(e *explain.Explanation) string {
	counts, takes := int64(-1), int64(-1)
	var lease time.Duration
	for _, s := range e.Steps {
		if before, after, found := strings.Cut(s.Text, " has read that, and counts "); found && before == e.Second {
			text, _, _ := strings.Cut(after, " ")
			lease, _ = time.ParseDuration(text)
			counts = s.AtNs
		}
		if s.Text == e.Second+" has found the lease run out, and takes the lock" {
			takes = s.AtNs
		}
	}
	if counts < 0 {
		return ""
	}
	// answered are the gets before the last write that was sent.
	var gets, answered []int64
	for i := range l.events {
		v := &l.events[i]
		if v.Kind == trace.ClockChanged {
			return ""
		}
		if l.id(v) != e.Second || v.At > takes {
			continue
		}
		if l.header.Candidates[v.Candidate].DriftPPM != 0 {
			return ""
		}
		switch {
		case v.Kind == trace.RunReturned && l.outlasts:
			return ""
		case v.Kind == trace.RunStarted:
			gets, answered = nil, nil
		case v.Kind == trace.RequestSent && v.Verb != trace.Get:
			gets, answered = nil, gets
		case v.Kind == trace.ResponseHandled && v.Verb == trace.Get && v.Status == 200:
			gets = append(gets, l.sentAt(v))
		}
	}
	expires := counts + int64(lease)
	if len(gets) == 0 {
		gets = answered
	}
	n := len(gets)
	switch {
	case n == 0 || gets[n-1] < expires:
		return "it took the lock before the lease had run out"
	case n > 1 && gets[n-2] >= expires && gets[n-2] > counts:
		return "it could have taken the lock a look before"
	}
	return ""
}

func (l *eventLog) sentAt(of *trace.Event) int64 {
	for i := range l.events {
		e := &l.events[i]
		if e.Kind == trace.RequestSent && e.Candidate == of.Candidate && e.Request == of.Request {
			return e.At
		}
	}
	return -1
}
