package rest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// TestAnsweredNotFound: a leader whose reads are answered 404 although the lock is there makes the lock anew. That is refused, and leaves
// its lock without an object, so that its next updates are not sent until a read has brought one.
func TestAnsweredNotFound(t *testing.T) {
	const s = time.Second
	for _, profile := range []machine.Profile{machine.ClientGo, machine.Strict} {
		t.Run(profile.Name, func(t *testing.T) {
			for length := s; length <= 12*s; length += 1700 * time.Millisecond {
				p := notFound(profile, length)
				library := runLibrary(t, p, map[string]int{})
				assert.Empty(t, difference(library, simulate(t, p)))
				assert.True(t, slices.ContainsFunc(library, func(m mark) bool { return m.what == unsent("update", noObject) }))
			}
		})
	}
}

// notFound returns a plan in which a leader's first update from 20 s on is refused, and its reads are answered 404 for that long.
func notFound(profile machine.Profile, length time.Duration) *plan.Plan {
	const ms = time.Millisecond
	leg := plan.Delay{Min: 5*ms + 1, Max: 5*ms + 1}
	p := &plan.Plan{Seed: 1, Horizon: 61300 * ms, Network: plan.Network{Request: leg, Response: leg}}
	for i, id := range []string{"a", "b"} {
		p.Candidates = append(p.Candidates, plan.Candidate{
			ID: id, Lock: plan.Lease, Profile: profile, StartAt: time.Duration(i) * 700 * ms, Jitter: new(0.3), Client: &plan.Client{Retries: true, HTTP1: true},
			Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10*time.Second + 1, RetryPeriod: 2 * time.Second}, Rejoin: new(time.Second),
		})
	}
	for verb, lasts := range map[machine.Verb]time.Duration{machine.Update: 2 * time.Second, machine.Get: length} {
		p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultError, At: 20 * time.Second, Until: new(20*time.Second + lasts + 1), On: []string{"a"},
			Verb: verb, Status: 404})
	}
	return p
}
