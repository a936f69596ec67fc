package forecast

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// slowest follows how long the last attempt with success took of each leader, and what that was where another one began to work.
type slowest struct {
	*play
	each     []lead
	overlaps []time.Duration
}

// lead is what is known of a candidate: when its attempt began, its request was sent and its last one ended, how long its last
// successful attempt took, and how many of its terms work.
type lead struct {
	began, sent, ended, took time.Duration
	busy                     int
}

func (s *slowest) Wants() trace.KindSet { return s.play.Wants() | trace.KindsOf(trace.RequestSent) }

func (s *slowest) Observe(e *trace.Event) {
	at, x := time.Duration(e.At), &s.each[e.Candidate]
	switch e.Kind {
	case trace.RequestSent:
		if f := s.s.Candidate.RequestTimeout; at != x.ended && (f == 0 || at != x.sent+f) {
			x.began = at
		}
		x.sent = at
	case trace.ResponseHandled:
		x.ended = at
		if e.Verb != trace.Get && e.Status < 400 {
			x.took = at - x.began
		}
	case trace.WorkStarted:
		for i := range s.each {
			if o := &s.each[i]; i != int(e.Candidate) && o.busy > 0 {
				s.overlaps = append(s.overlaps, o.took)
			}
		}
		x.busy++
	case trace.WorkEnded:
		x.busy--
	}
	s.play.Observe(e)
}

// TestOverlapsNeedSlowAttempts runs elections in which overlaps are frequent, for long, and looks at what the bound for overlaps is made
// of: the older leader's last success was in an attempt that took longer than what is left of the lease.
func TestOverlapsNeedSlowAttempts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(12, 12))
	var mostlyQuick []time.Duration
	for i := range 200 {
		mostlyQuick = append(mostlyQuick, 10*time.Millisecond)
		if i < 60 {
			mostlyQuick[i] = time.Duration(100*(i+1)) * time.Millisecond
		}
	}
	overlaps := 0
	for _, profile := range machine.Profiles() {
		for range 3 {
			retry := time.Duration(1+r.IntN(2)) * time.Second
			q := &Question{Replicas: 12, Restart: new(behaviour.Constant(3 * time.Second)), Candidate: plan.Candidate{Profile: profile, Lock: plan.Lease,
				Drain:   time.Duration(r.IntN(2)) * 500 * time.Millisecond,
				Timings: machine.Timings{RetryPeriod: retry, RenewDeadline: 3 * retry, LeaseDuration: 4*retry + 2*time.Second}},
				Behaviour: &behaviour.Behaviour{RoundTrip: behaviour.Samples(mostlyQuick),
					Errors: []behaviour.Error{{Status: 503, Probability: 0.5 * r.Float64()}}}}
			if profile.TimesOut() && r.IntN(2) == 0 {
				q.Candidate.RequestTimeout = 2 * retry
			}
			set, err := newSetting(q)
			require.NoError(t, err)
			if profile.Client != machine.OfClientGo {
				assert.Equal(t, slowAttempts{1, 1, 1, 1}, set.late, "nothing is claimed of other clients")
				continue
			}
			left := set.counted() - max(set.lasts, 4*retry) - q.Candidate.Drain
			s := &slowest{play: newPlay(set), each: make([]lead, q.Replicas)}
			w := &window{from: 100 * time.Hour, to: 100 * time.Hour, seed: r.Uint64()}
			s.w, s.plan, s.fresh, s.chosen = w, set.plan(w), rand.New(rand.NewPCG(1, r.Uint64())), rand.New(rand.NewPCG(2, 2))
			s.replicas, s.leader, s.weight = make([]replica, q.Replicas), -1, 1
			s.plan.Horizon = few.Else(4*time.Hour, 12*time.Hour)
			_, err = s.world.RunDirected(s.plan, s, s)
			require.NoError(t, err)
			least := time.Duration(math.MaxInt64)
			for _, took := range s.overlaps {
				least = min(least, took)
			}
			t.Logf("%-16s %d terms %d overlaps; %v are left, the least slow attempt took %v (%v)", profile.Name, s.early, len(s.overlaps), left, least, q.Candidate.Timings)
			assert.Greater(t, least, left)
			overlaps += len(s.overlaps)
		}
	}
	assert.Greater(t, overlaps, few.Else(15, 50))
}

// TestThreeRequests compares the chance that three requests take too long in all with drawn ones.
func TestThreeRequests(t *testing.T) {
	t.Parallel()
	q := &Question{Replicas: 2, Candidate: plan.Candidate{Profile: machine.ClientGo, Lock: plan.Lease, RequestTimeout: 3 * time.Second,
		Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}},
		Behaviour: &behaviour.Behaviour{RoundTrip: behaviour.Exponential(500 * time.Millisecond), Errors: []behaviour.Error{{Probability: 0.01}}}}
	set, err := newSetting(q)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 1))
	for _, limit := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
		const draws = 100_000
		longer := 0.0
		for range draws {
			sum := time.Duration(0)
			for range 3 {
				if r.Float64() < 0.01 {
					sum += 3 * time.Second
					continue
				}
				sum += min(3*time.Second, q.Behaviour.RoundTrip.At(r.Float64()))
			}
			if sum > limit {
				longer += 1.0 / draws
			}
		}
		got := set.three(limit)
		assert.Greater(t, got, longer*0.97)
		assert.Less(t, got, longer*1.25)
	}
	assert.Equal(t, 1.0, set.three(0))
}
