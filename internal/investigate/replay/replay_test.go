package replay

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
	_ "interregnum/internal/few/garbage"
	"interregnum/internal/investigate"
	"interregnum/internal/investigate/witness"
	"interregnum/scenarios"
)

// TestTruth: of simulated runs of which all is logged most are replayed. Each write of a replay is as near to when it was
// really applied as the replay says, and within MaxError of when the server worked on it. Whoever certainly worked at once does
// so in the replay. Work ends in it when the story says.
func TestTruth(t *testing.T) {
	made, refused, certain, ended := 0, 0, 0, 0
	for seed := range uint64(1500) {
		if seed >= 40 && certain >= 3 {
			break // after these it looks for a few certain overlaps alone
		}
		r, err := witness.Simulate(seed)
		require.NoError(t, err)
		l := witness.NewLogs(r, witness.DrawHabits(r))
		s, err := investigate.Tell(l.Evidence(), l.Lock(), nil)
		if !l.Habits.Whole || err != nil || len(s.Writes) == 0 || s.Writes[0].Record.Duration <= time.Second {
			continue // a lease below a second is a second in the record
		}
		if seed >= 40 && s.Verdict() != investigate.Certain {
			continue
		}
		x, err := Make(l.Evidence(), s, &investigate.Options{})
		if err != nil {
			refused++
			continue
		}
		made++
		result, err := scenarios.Run(x.Scenario, scenarios.Options{})
		require.NoError(t, err)
		require.Len(t, result.Writes, x.Writes, "seed %d", seed)
		assert.True(t, result.AsExpected)
		if s.Verdict() == investigate.Certain && x.Left == 0 {
			certain++
			assert.Positive(t, overlapOf(result), "seed %d", seed)
		}
		assert.Empty(t, x.Differs, "seed %d", seed)
		repeated := x.Writes+x.Left < len(s.Writes)
		if x.Left == 0 && !repeated {
			ended += within(t, s, x, result)
		}
		for i := 0; x.Left == 0 && !repeated && i < len(result.Writes); i++ {
			w, at := &s.Writes[i], x.Start.Add(time.Duration(result.Writes[i].AtNs))
			really := l.Audit[w.Line-1]
			require.Equal(t, w.Received, l.Start().Add(really.Received).Truncate(time.Microsecond), "the audit log's line is that of the call")
			assert.LessOrEqual(t, at.Sub(l.Start().Add(really.Arrived)).Abs(), x.Error, "seed %d", seed)
			assert.LessOrEqual(t, max(w.Received.Sub(at), at.Sub(w.Answered)), MaxError, "seed %d", seed)
		}
	}
	t.Log(made, refused, certain, ended)
	assert.Greater(t, ended, 5)
	assert.Greater(t, made, 8)
	assert.Zero(t, refused)
	assert.GreaterOrEqual(t, certain, 3)
}

// within asserts that the work of each term of the story goes on in the run of x as long as is certain, and no longer than is
// possible. It returns how many such bounds there are.
func within(t *testing.T, s *investigate.Story, x *Replay, r *scenarios.Result) (bounds int) {
	for k := range s.Terms {
		term := &s.Terms[k]
		var until time.Time
		for i := range r.Terms {
			id := slices.IndexFunc(x.Scenario.Candidates, func(c scenarios.Candidate) bool { return c.ID == r.Terms[i].Candidate })
			if w := r.Terms[i]; x.Scenario.Candidates[id].Identity == term.Holder && w.StartedNs > r.Writes[term.First].AtNs &&
				(term.Last+1 == len(r.Writes) || w.StartedNs < r.Writes[term.Last+1].AtNs) && w.CancelledNs != nil {
				until = x.Start.Add(time.Duration(*w.CancelledNs))
			}
		}
		if until.IsZero() {
			continue
		}
		if high := term.Worked.End.High; !high.IsZero() {
			bounds++
			assert.False(t, until.After(high), "%v is after %v", until, high)
		}
		if low := term.Worked.End.Low; !low.IsZero() {
			bounds++
			assert.False(t, until.Before(low), "%v is before %v", until, low)
		}
	}
	return bounds
}

// leaders returns the story of the tutorial's logs.
func leaders(t *testing.T) (*investigate.Story, *investigate.Part) {
	r := read.New(read.Options{})
	for _, name := range []string{"audit.log", "manager-a.log", "manager-b.log"} {
		f, err := os.Open("../../../docs/tutorials/leaders/" + name)
		require.NoError(t, err)
		require.NoError(t, r.Read(read.File{Name: name, Reader: f}))
		require.NoError(t, f.Close())
	}
	p := investigate.Parts(r.Evidence())[0]
	s, err := investigate.Tell(p.Evidence, p.Lock, nil)
	require.NoError(t, err)
	return s, &p
}

// TestLeaders: the replay of the tutorial's logs shows for how long two worked at once, and it is small.
func TestLeaders(t *testing.T) {
	s, p := leaders(t)
	x, err := Make(p.Evidence, s, &investigate.Options{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second})
	require.NoError(t, err)
	assert.Empty(t, x.Assumed)
	assert.LessOrEqual(t, x.Error, MaxError)
	assert.LessOrEqual(t, len(x.Scenario.Faults), 10)
	result, err := scenarios.Run(x.Scenario, scenarios.Options{})
	require.NoError(t, err)
	assert.InDelta(t, 25.45, overlapOf(result).Seconds(), 0.2)
}

// TestStray: what contradicts the algorithm is not replayed, and neither is what has no record.
func TestStray(t *testing.T) {
	s, p := leaders(t)
	early := *s
	early.Writes = append([]investigate.Write(nil), s.Writes...)
	for i := range early.Writes {
		if early.Writes[i].Record.Holder != early.Writes[0].Record.Holder { // takes over long before the lease has expired
			by := 5 * time.Second
			early.Writes[i].Received, early.Writes[i].Answered = early.Writes[i].Received.Add(-by), early.Writes[i].Answered.Add(-by)
			break
		}
	}
	_, err := Make(p.Evidence, &early, &investigate.Options{})
	assert.ErrorContains(t, err, "no scenario was found: ")
	_, err = Make(p.Evidence, &investigate.Story{}, &investigate.Options{})
	assert.ErrorContains(t, err, "no write is logged with its record")
	apart := *s
	apart.Several = true
	_, err = Make(p.Evidence, &apart, &investigate.Options{})
	assert.ErrorContains(t, err, "by several clocks")
}

// TestWindow: of a long story the writes around the first certain change are replayed.
func TestWindow(t *testing.T) {
	s := &investigate.Story{Writes: make([]investigate.Write, 500)}
	for i := range s.Writes {
		s.Writes[i].Record.Holder = "a"
	}
	s.Terms = []investigate.Term{{First: 0}, {First: 200}, {First: 400}}
	s.Pairs = []investigate.Pair{{Old: 0, New: 1}, {Old: 1, New: 2}}
	first, last := window(s)
	assert.Equal(t, []int{370, 429}, []int{first, last})
	s.Pairs[0].Worked.Verdict = investigate.Certain
	first, last = window(s)
	assert.Equal(t, []int{170, 229}, []int{first, last})
}

// TestWithinASecond: candidates compare records in whole seconds, so that of two renewals in one second the second renews
// nothing. Who takes over less than a lease after the last write is replayed, too.
func TestWithinASecond(t *testing.T) {
	s := &investigate.Story{Lock: evidence.Lock{Resource: "leases", Namespace: "shop", Name: "manager"}}
	start := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	for i, at := range []int{390, 395, 900, 4640, 4650} {
		w := investigate.Write{Received: start.Add(time.Duration(at) * time.Millisecond), Follows: i > 0}
		w.Answered = w.Received.Add(4 * time.Millisecond)
		w.Record = evidence.Record{Holder: "a", Duration: 4 * time.Second, Renew: w.Received}
		if i > 2 {
			w.Record.Holder = "b"
		}
		s.Writes = append(s.Writes, w)
	}
	s.Terms = []investigate.Term{{Holder: "a", First: 0, Last: 2}, {Holder: "b", First: 3, Last: 4}}
	o := &investigate.Options{LeaseDuration: 4 * time.Second, RenewDeadline: 3 * time.Second, RetryPeriod: 500 * time.Millisecond}
	x, err := Make(&evidence.Evidence{}, s, o)
	require.NoError(t, err)
	assert.Equal(t, 5, x.Writes)
	for i := 3; i < 5; i++ { // before the lease has run out in whole seconds, too
		s.Writes[i].Received, s.Writes[i].Answered = s.Writes[i].Received.Add(-time.Second), s.Writes[i].Answered.Add(-time.Second)
	}
	_, err = Make(&evidence.Evidence{}, s, o)
	assert.ErrorContains(t, err, "no scenario was found: ")
}

// TestSlowly: the server worked on one write for so long that the middle of it is after the next one. Both are replayed in their order.
func TestSlowly(t *testing.T) {
	s, p := leaders(t)
	slow := *s
	slow.Writes = append([]investigate.Write(nil), s.Writes...)
	slow.Writes[2].Answered = slow.Writes[3].Answered.Add(2 * time.Second)
	at := applied(slow.Writes)
	for i := 1; i < len(at); i++ {
		assert.True(t, at[i].After(at[i-1]))
	}
	x, err := Make(p.Evidence, &slow, &investigate.Options{})
	require.NoError(t, err)
	assert.Equal(t, len(s.Writes), x.Writes)
}
