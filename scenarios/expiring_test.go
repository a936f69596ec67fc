package scenarios

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/plan"
)

// fine is how much less than the worst is seen, since a follower must look and its messages take time.
const fine = 20 * time.Millisecond

// expiringPair is a leader and a follower that looks all the time, 15/10/2 s, with messages that take 10 µs.
func expiringPair(lock plan.Lock, p machine.Profile) *Scenario {
	s := &Scenario{Name: "pair"}
	s.Horizon = time.Minute
	leg := Delay{Min: 10 * time.Microsecond, Max: 10 * time.Microsecond}
	s.Network = Network{Request: leg, Response: leg}
	for i, id := range []string{"a", "b"} {
		c := plan.DefaultCandidate()
		c.ID, c.Profile, c.Lock, c.Jitter = id, p, lock, new(0.0)
		c.StartAt = time.Duration(i) * 10 * time.Millisecond
		s.Candidates = append(s.Candidates, c)
	}
	s.Candidates[1].RetryPeriod = 5 * time.Millisecond
	return s
}

// cutOff has the leader reach nobody any more, right after a refresh at 20 s.
func (s *Scenario) cutOff() {
	s.Faults = append(s.Faults, Fault{
		Kind: plan.FaultPartition, At: 20*time.Second + 500*time.Millisecond, On: []string{"a"},
	})
}

func overlapOf(t *testing.T, s *Scenario) time.Duration {
	t.Helper()
	r, err := Run(s, Options{})
	require.NoError(t, err)
	assert.Equal(t, check.Held, property(t, r, check.SingleRecord).Verdict, "the lock itself is sound")
	return time.Duration(property(t, r, check.SingleWork).OverlapNs)
}

// TestOwnClockOverlap measures H12: what an offset between two callers' clocks costs, all else being well. Nothing below a
// margin, and above it all that exceeds it. With a leader that is cut off the margin is the safety window, leaseDuration −
// renewDeadline. Where nothing at all goes wrong it is leaseDuration − retryPeriod. Strict closes neither.
func TestOwnClockOverlap(t *testing.T) {
	for _, p := range []machine.Profile{machine.ClientGo, machine.Strict} {
		for _, c := range []struct {
			cut            bool
			margin, at     time.Duration
			offset, atMost time.Duration
		}{
			{cut: true, margin: 5 * time.Second, atMost: 8 * time.Second},
			{margin: 13 * time.Second, atMost: 2 * time.Second},
		} {
			for _, above := range []time.Duration{-c.margin, -100, 100, 500, 1000, 1500, 1900, 3000, 7000} {
				if above > -c.margin {
					above *= time.Millisecond
				}
				t.Run(fmt.Sprint(p.Name, " ", c.cut, " ", c.margin+above), func(t *testing.T) {
					if above > c.atMost {
						t.Skip("the leader is told before that")
					}
					s := expiringPair(plan.SQLTTL, p)
					s.Candidates[1].Clock.Offset = c.margin + above
					if c.cut {
						s.cutOff()
					}
					worst := max(above, 0)
					assert.InDelta(t, worst, overlapOf(t, s), float64(fine), "offset − margin")
					for i := range s.Candidates {
						s.Candidates[i].Now = plan.DatabaseNow
					}
					assert.Zero(t, overlapOf(t, s), "by the database's clock offsets mean nothing")
				})
			}
		}
	}
}

// TestWorstOfExpiringLocks holds what docs/locks.md says of the worst overlap against runs that show it, for each term
// of the sum; with strict all that is about answers is nothing.
func TestWorstOfExpiringLocks(t *testing.T) {
	answer := func(late time.Duration) func(s *Scenario) {
		return func(s *Scenario) {
			s.Faults = append(s.Faults, Fault{
				Kind: plan.FaultDelay, At: 19 * time.Second, Until: new(20*time.Second + 100*time.Millisecond), On: []string{"a"},
				Response: &Delay{Min: late, Max: late},
			})
			s.cutOff()
		}
	}
	releaseLost := func(s *Scenario) {
		s.Candidates[0].ReleaseOnCancel = true
		healed := 25 * time.Second
		s.Faults = append(s.Faults,
			Fault{Kind: plan.FaultPartition, At: 20500 * time.Millisecond, Until: &healed, On: []string{"a"}},
			Fault{Kind: plan.FaultLose, At: healed, On: []string{"a"}, Leg: plan.ResponseLeg},
			Fault{Kind: plan.FaultError, At: healed, On: []string{"a"}, Verb: machine.Refresh, Status: 500},
		)
	}
	for name, c := range map[string]struct {
		change           func(s *Scenario)
		clientGo, strict time.Duration
	}{
		"cut off":          {change: (*Scenario).cutOff},
		"answer 4.9s late": {change: answer(4900 * time.Millisecond)},
		"answer 6s late":   {change: answer(6 * time.Second), clientGo: time.Second},
		"answer 7.9s late": {change: answer(7900 * time.Millisecond), clientGo: 2900 * time.Millisecond},
		"release unheard":  {change: releaseLost, clientGo: 10 * time.Second},
		"release given up": {change: func(s *Scenario) {
			releaseLost(s)
			s.Candidates[0].RequestTimeout = 3 * time.Second
		}, clientGo: 3 * time.Second},
		"deleted": {change: func(s *Scenario) {
			s.Faults = []Fault{{Kind: plan.FaultDelete, At: 20005 * time.Millisecond}}
		}, clientGo: 2 * time.Second, strict: 2 * time.Second},
		"deleted and cut off": {change: func(s *Scenario) {
			s.Faults = []Fault{
				{Kind: plan.FaultPartition, At: 20004 * time.Millisecond, On: []string{"a"}},
				{Kind: plan.FaultDelete, At: 20005 * time.Millisecond},
			}
		}, clientGo: 10 * time.Second, strict: 10 * time.Second},
		"drains for 5s":     {change: func(s *Scenario) { s.Candidates[0].Drain = 5 * time.Second; s.cutOff() }},
		"drains for 6s":     {change: func(s *Scenario) { s.Candidates[0].Drain = 6 * time.Second; s.cutOff() }, clientGo: time.Second, strict: time.Second},
		"slow by a half":    {change: func(s *Scenario) { s.Candidates[0].Clock.DriftPPM = -500_000; s.cutOff() }, clientGo: 5 * time.Second, strict: 5 * time.Second},
		"service twice":     {change: func(s *Scenario) { s.Service.DriftPPM = 1_000_000; s.cutOff() }, clientGo: 2500 * time.Millisecond, strict: 2500 * time.Millisecond},
		"service set ahead": {change: func(s *Scenario) { s.Service.Offset = time.Hour; s.cutOff() }},
	} {
		for _, lock := range []plan.Lock{plan.KVTTL, plan.SQLTTL} {
			for _, p := range []machine.Profile{machine.ClientGo, machine.Strict} {
				t.Run(fmt.Sprint(name, " ", lock, " ", p.Name), func(t *testing.T) {
					s := expiringPair(lock, p)
					if lock == plan.SQLTTL {
						s.Candidates[0].Now, s.Candidates[1].Now = plan.DatabaseNow, plan.DatabaseNow
					}
					c.change(s)
					want := c.clientGo
					if p.Name == machine.Strict.Name {
						want = c.strict
					}
					assert.InDelta(t, want, overlapOf(t, s), float64(fine))
				})
			}
		}
	}
}

// TestTokenOfACallersClock: once somebody has deleted the row, a caller whose clock is behind counts from there. The
// resource then refuses the new leader, for good.
func TestTokenOfACallersClock(t *testing.T) {
	for now, refused := range map[plan.Now]bool{plan.CallerNow: true, plan.DatabaseNow: false} {
		s := expiringPair(plan.SQLTTL, machine.Strict)
		for i := range s.Candidates {
			s.Candidates[i].Now, s.Candidates[i].WriteEvery = now, time.Second
		}
		s.Candidates[1].Clock.Offset = -time.Hour
		s.Faults = []Fault{
			{Kind: plan.FaultCrash, At: 20 * time.Second, On: []string{"a"}},
			{Kind: plan.FaultDelete, At: 21 * time.Second},
		}
		r, err := Run(s, Options{})
		require.NoError(t, err)
		require.Len(t, r.Terms, 2)
		assert.Equal(t, refused, r.Resource.Refused > 30, now)
	}
}
