package replay

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/plan"
	"interregnum/scenarios"
)

var (
	begins = time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	usual  = investigate.Options{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}
)

func second(at float64) time.Time { return begins.Add(time.Duration(at * 1e9)) }

// told is a story of writes of a, and then of b, at these seconds. Each took the server 4 ms.
func told(a, b []float64) *investigate.Story {
	s := &investigate.Story{Lock: evidence.Lock{Resource: "leases", Namespace: "shop", Name: "manager"}}
	for i, at := range append(slices.Clone(a), b...) {
		w := investigate.Write{Received: second(at), Answered: second(at + 0.004), Follows: i > 0}
		w.Record = evidence.Record{Holder: "a", Duration: 15 * time.Second, Renew: w.Received}
		if i >= len(a) {
			w.Record.Holder = "b"
		}
		s.Writes = append(s.Writes, w)
	}
	s.Terms = []investigate.Term{{Holder: "a", First: 0, Last: len(a) - 1}}
	if len(b) > 0 {
		s.Terms = append(s.Terms, investigate.Term{Holder: "b", First: len(a), Last: len(s.Writes) - 1})
	}
	return s
}

// taken is a story in which a renews until 18 s, and b takes over at 38 s.
func taken() *investigate.Story {
	return told([]float64{0, 0.01, 2.02, 4.03, 6.04, 8.05, 10.06, 12.07, 14.08, 16.09, 18.1}, []float64{38, 38.01, 40.02, 42.03})
}

// run makes and runs the scenario of a story, and returns when a's work ends in it.
func run(t *testing.T, e *evidence.Evidence, s *investigate.Story, o *investigate.Options) (x *Replay, ends time.Time) {
	x, err := Make(e, s, o)
	require.NoError(t, err)
	r, err := scenarios.Run(x.Scenario, scenarios.Options{})
	require.NoError(t, err)
	assert.True(t, r.AsExpected)
	for i := range r.Terms {
		if r.Terms[i].Candidate != "a" {
			continue
		}
		for _, at := range []*int64{r.Terms[i].EndedNs, r.Terms[i].CancelledNs} {
			if at != nil {
				ends = x.Start.Add(time.Duration(*at))
			}
		}
	}
	return x, ends
}

// TestWorkEnds: the old leader's work ends in the run when the story says, also where nothing but b's takeover had to be timed.
func TestWorkEnds(t *testing.T) {
	for name, c := range map[string]struct {
		low, high float64
		cause     investigate.Cause
	}{
		"at its deadline":                 {30.1, 30.13, investigate.Unreachable},
		"a RetryPeriod before":            {28.1, 28.13, investigate.Unreachable},
		"told to stop":                    {20.1, 20.13, investigate.ShutDown},
		"the process ended":               {19, 25, investigate.Ended},
		"it stood still":                  {36, 37, investigate.StoodStill},
		"refused until its deadline":      {30.1, 30.13, investigate.Throttled},
		"it worked until the other began": {37.95, 37.99, investigate.StoodStill},
	} {
		s := taken()
		s.Terms[0].Worked.End = investigate.Instant{Low: second(c.low), High: second(c.high)}
		s.Losses = []investigate.Loss{{Term: 0, Cause: c.cause}}
		x, ends := run(t, &evidence.Evidence{}, s, &usual)
		assert.WithinRange(t, ends, second(c.low), second(c.high), name)
		assert.Empty(t, x.Differs, name)
		assert.Zero(t, x.Overlap, name)
	}
}

// TestWorkEndsUnknown: where the story does not say when the work ended, it ends at its deadline. A pause that times another's
// write does not make it longer.
func TestWorkEndsUnknown(t *testing.T) {
	_, ends := run(t, &evidence.Evidence{}, taken(), &usual)
	assert.WithinDuration(t, second(30.1), ends, 2*MaxError)
}

// TestDiffers: what cannot be had is said, with how much it is.
func TestDiffers(t *testing.T) {
	s := taken()
	s.Terms[0].Worked.End.High = second(17) // before its last write
	x, _ := run(t, &evidence.Evidence{}, s, &usual)
	require.Len(t, x.Differs, 1)
	assert.Regexp(t, `^a works for 1\.1\d*s longer in it than the logs say is possible$`, x.Differs[0])
	assert.Contains(t, x.Scenario.About, "The logs contradict it: a works for 1.1")
}

// TestGaveUpBefore: a RenewDeadline that nobody gives is one with which those who gave up did so when their logs say, whether
// their last renewal was answered or not.
func TestGaveUpBefore(t *testing.T) {
	for _, c := range []struct {
		low   float64
		wants time.Duration
	}{{25.09, 5 * time.Second}, {27.3, 9215 * time.Millisecond}, {28.09, 10 * time.Second}, {30.09, 10 * time.Second}} {
		s := taken()
		s.Terms[0].Worked.End = investigate.Instant{Low: second(c.low), High: second(c.low + 0.03)}
		e := &evidence.Evidence{Sources: []evidence.Source{{Process: "a"}}, Sayings: []evidence.Saying{{At: second(c.low), Step: evidence.Lost}}}
		x, ends := run(t, e, s, &investigate.Options{LeaseDuration: usual.LeaseDuration, RetryPeriod: usual.RetryPeriod})
		assert.WithinRange(t, ends, second(c.low), second(c.low+0.03))
		assert.Equal(t, c.wants, x.Scenario.Candidates[0].RenewDeadline)
		assert.NotContains(t, kinds(x), plan.FaultCancel)
	}
}

// kinds returns the kinds of the faults of the replay.
func kinds(x *Replay) (all []plan.FaultKind) {
	for i := range x.Scenario.Faults {
		all = append(all, x.Scenario.Faults[i].Kind)
	}
	return all
}

// TestStoodStillAlone: who stands still for longer than its lease lasts reads the record before it writes again.
func TestStoodStillAlone(t *testing.T) {
	s := told([]float64{0, 0.01, 2.02, 4.03, 22, 24.01, 26.02, 28.03, 30.04, 32.05, 34.06}, nil)
	x, _ := run(t, &evidence.Evidence{}, s, &investigate.Options{})
	assert.Equal(t, []plan.FaultKind{plan.FaultPause}, kinds(x))
}

// TestUnheard: the server's answer to the write that took the lock did not come: the next one takes it, and then there is no restart.
func TestUnheard(t *testing.T) {
	s := told([]float64{0, 0.01, 2.02, 4.03}, []float64{24, 29, 29.01, 31.02, 33.03})
	x, _ := run(t, &evidence.Evidence{}, s, &usual)
	assert.NotContains(t, kinds(x), plan.FaultRestart)
}

// TestReleasedAfter: who releases the lock a while after its work has ended is told to stop when that ended, and its requests
// take longer. If it stood still until then, it does so in the run.
func TestReleasedAfter(t *testing.T) {
	for _, at := range []float64{20, 25, 32} {
		s := told([]float64{0, 0.01, 2.02, 4.03, 6.04, 8.05, 10.06, 12.07, 14.08, 16.09, 18.1, at + 0.5}, []float64{at + 1, at + 1.01, at + 3.02})
		s.Writes[11].Record = evidence.Record{}
		s.Terms[0].Last = 10
		s.Terms[0].Worked.End = investigate.Instant{Low: second(at), High: second(at + 0.03)}
		x, ends := run(t, &evidence.Evidence{}, s, &usual)
		assert.WithinRange(t, ends, second(at), second(at+0.03))
		assert.Empty(t, x.Differs)
	}
}
