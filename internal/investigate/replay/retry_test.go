package replay

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/plan"
)

// TestRetries: a leader whose writes have no answer is the same process in the run. It tries again, its poll ends when its log says, and
// what it writes a second time changes nothing.
func TestRetries(t *testing.T) {
	for name, again := range map[string]float64{"at once": 4.034, "after a request timeout": 5.53} {
		s := told([]float64{0, 0.01, 2.02, 4.03, again, 6.035, 8.035, 10.035, 12.035}, []float64{30, 30.01, 32.02, 34.03})
		e := &evidence.Evidence{Sources: []evidence.Source{{Process: "a"}}}
		for i := range s.Writes {
			w := &s.Writes[i]
			w.Line, w.Record.Renew = 2*i+2, w.Received.Add(-time.Microsecond)
			own := evidence.Request{Place: w.Place, From: w.Record.Holder, Verb: "update", Status: http.StatusOK, Received: w.Received}
			if i > 4 && w.Record.Holder == "a" {
				refused := own
				refused.Line, refused.Status, refused.Received = 2*i+1, http.StatusConflict, w.Received.Add(-2*time.Millisecond)
				e.Requests = append(e.Requests, refused)
			}
			e.Requests = append(e.Requests, own)
		}
		s.Writes[4].Record = s.Writes[3].Record
		e.Sayings = []evidence.Saying{{At: second(14.03), Step: evidence.Lost, Text: "Failed to renew lease: context deadline exceeded"}}
		certainly(s, 30, 14.02)
		s.Pairs[0].Worked.Verdict = investigate.Impossible
		x, ends := run(t, e, s, &usual)
		assert.NotContains(t, kinds(x), plan.FaultRestart, name)
		assert.NotContains(t, kinds(x), plan.FaultCancel, name)
		assert.WithinRange(t, ends, second(14.02), second(14.05), name)
		assert.Empty(t, x.Differs, name)
		assert.Equal(t, len(s.Writes)-1, x.Writes, name)
		assert.Contains(t, x.Scenario.About, "Without those that repeat the one before, and change nothing: 1.", name)
	}
}

// TestReleasedAtDeadline: who gives up at its deadline and then releases the lock is not told to stop in the run, whether its last renewal
// was answered or not.
func TestReleasedAtDeadline(t *testing.T) {
	for _, at := range []float64{30.1, 28.1} {
		s := told([]float64{0, 0.01, 2.02, 4.03, 6.04, 8.05, 10.06, 12.07, 14.08, 16.09, 18.1, at + 0.3}, []float64{at + 1, at + 1.01, at + 3.02})
		s.Writes[11].Record = evidence.Record{}
		s.Terms[0].Last = 10
		s.Terms[0].Worked.End.Low = second(at)
		e := &evidence.Evidence{Sources: []evidence.Source{{Process: "a"}}}
		e.Sayings = []evidence.Saying{{At: second(at), Step: evidence.Lost, Text: "Failed to renew lease: context deadline exceeded"}}
		x, ends := run(t, e, s, &usual)
		assert.NotContains(t, kinds(x), plan.FaultCancel)
		assert.Empty(t, x.Differs)
		assert.WithinRange(t, ends, second(at), second(at+0.35), "client-go ends the work once it has released the lock")
	}
}
