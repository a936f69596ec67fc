package witness

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/investigate"
	"interregnum/plan"
)

// cut is a plan of two candidates, of which the first loses the lock by an outage, since its writes are refused or its answers lost, or since
// it stands still.
func cut(seed uint64) *plan.Plan {
	from := rand.New(rand.NewPCG(seed, 7))
	ms := func(least, most int) time.Duration {
		return time.Duration(least+from.IntN(most-least)) * time.Millisecond
	}
	leg := plan.Delay{Min: time.Millisecond, Max: ms(2, 60)}
	p := &plan.Plan{Seed: seed, Horizon: 3 * time.Minute, Network: plan.Network{Request: leg, Response: leg}}
	timeout := time.Duration(from.IntN(2)) * ms(1000, 5000)
	for _, id := range []string{"a", "b"} {
		p.Candidates = append(p.Candidates, plan.Candidate{
			ID: id, Profile: machine.ClientGo, Lock: plan.Lease, RequestTimeout: timeout, Clock: plan.Clock{Offset: ms(-5000, 5000)}, Rejoin: new(time.Second), StartAt: time.Duration(len(p.Candidates)) * time.Second,
			Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
		})
	}
	at := ms(10_000, 30_000)
	until := at + ms(8_000, 40_000)
	f := plan.Fault{Kind: plan.FaultPartition, At: at, Until: &until, On: []string{"a"}}
	if from.IntN(3) == 0 {
		f.Kind, f.Status = plan.FaultError, []int{429, 500}[from.IntN(2)]
	}
	switch seed % 8 {
	case 1: // writes alone
		f.Kind, f.Status, f.Verb = plan.FaultError, []int{403, 429, 500}[from.IntN(3)], machine.Update
		if from.IntN(2) == 0 {
			f.On = nil
		}
	case 5: // answers alone
		f.Kind, f.Status, f.Leg = plan.FaultLose, 0, plan.ResponseLeg
	case 3, 7:
		f.Kind, f.Status = plan.FaultPause, 0
	}
	p.Faults = []plan.Fault{f}
	return p
}

// losses returns the number of terms that the first candidate lost before the end of a run with such timings.
func losses(t *testing.T, p *plan.Plan, r *investigate.Remedy, less time.Duration) (n int) {
	q := *p
	q.Candidates = append([]plan.Candidate(nil), p.Candidates...)
	for i := range q.Candidates {
		c := &q.Candidates[i]
		c.RequestTimeout, c.RenewDeadline, c.LeaseDuration = r.RequestTimeout, r.RenewDeadline-less, r.LeaseDuration-less
	}
	run, err := Play(p.Seed, &q)
	require.NoError(t, err)
	for _, u := range run.Truth().Terms {
		if u.Candidate == 0 && u.Told.Before(run.Truth().End) {
			n++
		}
	}
	return n
}

// TestRemedies: with the timings that a story names the leader does not lose the lock. With less it does, mostly: the timings are enough, not the
// least.
func TestRemedies(t *testing.T) {
	found, lost, still := 0, 0, 0
	for seed := range uint64(300) {
		p := cut(seed)
		r, err := Play(seed, p)
		require.NoError(t, err)
		h := &Habits{Level: RequestResponse, Verbosity: 2, Structured: seed%2 == 0, Whole: true, Last: p.Horizon, Absent: []bool{seed%5 == 0, false}, Cut: make([]time.Duration, 2)}
		l := NewLogs(r, h)
		s, err := investigate.Tell(l.Evidence(), l.Lock(), &investigate.Options{RetryPeriod: time.Duration(seed%3/2) * 2 * time.Second})
		require.NoError(t, err)
		wrong, _ := Judge(l, s)
		assert.Empty(t, wrong)
		if len(s.Losses) == 0 || s.Losses[0].Remedy == nil {
			continue
		}
		found++
		if seed%4 == 3 {
			still++
		}
		remedy := s.Losses[0].Remedy
		assert.Zero(t, losses(t, p, remedy, 0), "seed %d: %+v", seed, remedy)
		if losses(t, p, remedy, 12*time.Second) > 0 {
			lost++
		}
	}
	t.Logf("%d losses have a remedy; with 12 s less %d are lost", found, lost)
	assert.Greater(t, found, 100)
	assert.Greater(t, lost, found/2)
	assert.Greater(t, still, 30, "remedies for a process that stood still")
}
