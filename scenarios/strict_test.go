package scenarios

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
)

// TestStrictHolds runs every file that ships with the strict profile: nothing that guards overlaps but where a process
// was frozen, and there no longer than it was frozen.
func TestStrictHolds(t *testing.T) {
	all, err := Library()
	require.NoError(t, err)
	for _, s := range all {
		if s.Candidates[0].Coordinated {
			continue // strict elects for itself
		}
		t.Run(s.Name, func(t *testing.T) {
			violated := s.Expect[check.SingleWork] == ExpectViolated
			beyond := violated && s.Candidates[0].Lock.Expires() && s.Candidates[0].Profile.Name == machine.Strict.Name
			for i := range s.Candidates {
				s.Candidates[i].Profile = machine.Strict
			}
			r, err := Run(s, Options{})
			require.NoError(t, err)
			if s.Name == "h10-frozen-process" {
				// Nothing that runs in the process itself closes this one; the fencing token does.
				assert.Equal(t, check.Held, property(t, r, check.FencedWrites).Verdict)
				assert.Equal(t, r.Resource.Conflicting, r.Resource.Refused, "all that is late is refused")
				assert.Less(t, property(t, r, check.SingleWork).OverlapNs, int64(10*time.Millisecond),
					"it stops as soon as it wakes")
				return
			}
			if s.Name == "probe-comes-late" {
				// The process is frozen for good: nothing but its probe ends its work.
				assert.Equal(t, check.Violated, property(t, r, check.SingleWork).Verdict)
				return
			}
			if strings.HasPrefix(s.Name, "migrate-") && violated || beyond {
				// H11, and what a key or row that is gone or looks old too early does: nothing in the algorithm closes these,
				// and the token does.
				assert.Equal(t, check.Violated, property(t, r, check.SingleWork).Verdict)
				assert.Equal(t, check.Held, property(t, r, check.FencedWrites).Verdict)
				assert.Positive(t, r.Resource.Refused)
				assert.Equal(t, r.Resource.Conflicting, r.Resource.Refused, "all that is late is refused")
				return
			}
			for _, p := range r.Properties {
				if s.Expect[p.Name] == ExpectViolated && (s.Name == "stand-zombie" || p.Name == check.RolloutEnds) {
					assert.True(t, s.Name != "stand-zombie" || p.Name == check.AllStand)
					assert.Equal(t, check.Violated, p.Verdict, "no elector runs again by itself, or makes a pod ready")
					continue
				}
				assert.NotEqual(t, check.Violated, p.Verdict, "%s %+v", p.Name, p.Violations)
			}
			assert.NotEmpty(t, r.Terms)
		})
	}
}

// halfRead: on two objects a and b lead at once, as in migrate-half-written. When a wants to renew it reads b's record in the
// first object and is refused the second.
const halfRead = `
name: half-read
horizon: 40s
defaults: {profile: strict, lock: endpointsleases, requestTimeout: 1s, jitter: 0.5, writeEvery: 500ms}
candidates:
  - {id: a}
  - {id: b, startAt: 792ms}
faults:
  - {kind: lose, at: 0s, until: 14s, on: [a], object: lease}
  - {kind: lose, at: 17.5s, until: 19s, on: [a], object: lease}
  - {kind: delay, at: 18.5s, until: 19s, on: [a], request: 10ms} # so that b has renewed before
  - {kind: lose, at: 20s, until: 40s, on: [b]}
expect: {single-work: violated, single-belief: violated, safety-window: violated}
`

// TestStrictHalfRead: a does not write on the version that it has seen by reading half of the lock. It reads again, and
// stops there.
func TestStrictHalfRead(t *testing.T) {
	s, err := Read(strings.NewReader(halfRead), "half-read.yaml")
	require.NoError(t, err)
	r, err := Run(s, Options{})
	require.NoError(t, err)
	assert.Less(t, property(t, r, check.SingleWork).OverlapNs, int64(4*time.Second))
	require.Len(t, r.Terms, 2)
	assert.Equal(t, "a", r.Terms[0].Candidate)
	require.NotNil(t, r.Terms[0].StoppedNs)
	assert.Less(t, *r.Terms[0].StoppedNs, int64(21*time.Second))
}
