package replay

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/plan"
)

// certainly sets that a's work goes on from its beginning until that second, and that it certainly overlapped b's, which begins at from.
func certainly(s *investigate.Story, from, until float64) {
	a, b := &s.Terms[0], &s.Terms[1]
	a.Worked.Start.High, a.Worked.End = second(0.01), investigate.Instant{Low: second(until), High: second(until + 0.03)}
	b.Worked.Start.High = second(from)
	s.Pairs = []investigate.Pair{{Old: 0, New: 1}}
	s.Pairs[0].Worked.Verdict = investigate.Certain
}

// emptied is a story in which a renews until 4.03 s, somebody else empties the record at 4.5 s, and b takes over at 4.9 s. a certainly
// works until 12 s.
func emptied() *investigate.Story {
	s := told([]float64{0, 0.01, 2.02, 4.03, 4.5}, []float64{4.9, 4.91, 6.92, 8.93, 10.94, 12.95, 14.96})
	s.Writes[4].Record = evidence.Record{}
	s.Terms[0].Last = 3
	certainly(s, 4.91, 12)
	return s
}

// TestUndone: a write of another that empties the record is an edit in the scenario, and no shutdown of the holder.
func TestUndone(t *testing.T) {
	kubectl := emptied()
	kubectl.Writes[4].By = "kubectl/v1.37.0 (linux/amd64) kubernetes/3f2c8e1"
	x, ends := run(t, &evidence.Evidence{}, kubectl, &usual)
	assert.Contains(t, kinds(x), plan.FaultEdit)
	assert.NotContains(t, kinds(x), plan.FaultRestart)
	assert.WithinRange(t, ends, second(12), second(12.03))
	assert.Empty(t, x.Denied)
	assert.Empty(t, x.Differs)
	assert.InDelta(t, 7.1, x.Overlap.Seconds(), 0.1)

	for name, c := range map[string]struct {
		from string
		kind plan.FaultKind
	}{"another holder's client": {"10.0.0.2", plan.FaultEdit}, "its own": {"10.0.0.1", plan.FaultCancel}, "nobody's": {"10.0.0.3", plan.FaultCancel}} {
		s, e := emptied(), &evidence.Evidence{}
		for i := range s.Writes {
			w := &s.Writes[i]
			w.Place.Line = i + 1
			from := c.from
			switch w.Record.Holder {
			case "a":
				from = "10.0.0.1"
			case "b":
				from = "10.0.0.2"
			}
			e.Requests = append(e.Requests, evidence.Request{Place: w.Place, From: from, Verb: "update"})
		}
		x, _ := run(t, e, s, &usual)
		assert.Contains(t, kinds(x), c.kind, name)
		assert.Equal(t, c.kind == plan.FaultCancel, len(x.Denied) > 0, name)
	}
}

// TestDenied: the first thing that a scenario says of itself is which certain overlaps its run does not have.
func TestDenied(t *testing.T) {
	x, _ := run(t, &evidence.Evidence{}, emptied(), &usual)
	assert.Equal(t, []string{"that a and b worked at once"}, x.Denied)
	assert.Regexp(t, `^Its run denies what is certain by the logs: that a and b worked at once\. What is logged of shop/manager from `, x.Scenario.About)
	assert.Zero(t, x.Overlap)
}

// TestRegained: a holder that takes the lock back from somebody else's edit is no new process.
func TestRegained(t *testing.T) {
	s := told([]float64{0, 0.01, 2.02, 4.03, 4.5, 6.05, 8.06, 10.07}, nil)
	s.Writes[4].Record, s.Writes[4].By = evidence.Record{}, "kubectl/v1.37.0"
	s.Terms = []investigate.Term{{Holder: "a", First: 0, Last: 3}, {Holder: "a", First: 5, Last: 7}}
	x, _ := run(t, &evidence.Evidence{}, s, &usual)
	assert.Contains(t, kinds(x), plan.FaultEdit)
	assert.NotContains(t, kinds(x), plan.FaultRestart)
}

// TestInterrupted: that a leader begins again in the run, while it certainly worked on, is said.
func TestInterrupted(t *testing.T) {
	s := taken()
	certainly(s, 38.01, 30)
	s.Pairs = nil
	s.Writes[6].Received, s.Writes[6].Answered = second(9.4), second(9.404) // too early
	x, _ := run(t, &evidence.Evidence{}, s, &usual)
	require.NotEmpty(t, x.Differs)
	assert.Regexp(t, `^a certainly worked on, by the logs, when it stops in it, at 10\.\d+s, and begins again [\d.]+[µm]s later$`, x.Differs[0])
	x, _ = run(t, &evidence.Evidence{}, s, &investigate.Options{})
	assert.Empty(t, x.Differs, "with a RetryPeriod that suits all")
}

// TestRecorded: client-go cuts the lease in a record to whole seconds, so that none is used that is shorter. Of our elector one can be.
func TestRecorded(t *testing.T) {
	s := told([]float64{0, 0.01, 2.02, 4.03}, []float64{18.5, 18.51, 20.52, 22.53})
	x, _ := run(t, &evidence.Evidence{}, s, &investigate.Options{})
	assert.Less(t, x.Scenario.Candidates[0].LeaseDuration, 15*time.Second)
	e := &evidence.Evidence{Sources: []evidence.Source{{Process: "b"}}, Sayings: []evidence.Saying{{Step: evidence.Acquired, Text: "Successfully acquired lease"}}}
	_, err := Make(e, s, &investigate.Options{})
	assert.ErrorContains(t, err, "no scenario was found: ")
}
