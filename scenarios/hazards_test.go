package scenarios

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/check"
)

// TestHazards holds the shipped files against what was seen on the unmodified library: how long the guarded work
// of two leaders ran at once.
func TestHazards(t *testing.T) {
	for name, want := range map[string]time.Duration{
		"h01-late-ack":                   3900 * time.Millisecond,
		"h02-retry-on-top":               950 * time.Millisecond,
		"h02-retry-on-top-short":         1500 * time.Millisecond,
		"h03-release-before-stop":        3800 * time.Millisecond,
		"h03-release-answer-lost":        15 * time.Second,
		"h04-release-wipes-successor":    10700 * time.Millisecond,
		"h05-whole-seconds":              1400 * time.Millisecond,
		"h05-whole-seconds-cut":          1300 * time.Millisecond,
		"h06-clock-rates":                4900 * time.Millisecond,
		"h08-work-outlives-context":      7600 * time.Millisecond,
		"h09-seen-not-obeyed":            10500 * time.Millisecond,
		"h10-frozen-process":             10 * time.Second,
		"h13-lock-deleted":               10500 * time.Millisecond,
		"h16-retry-in-disguise":          2 * time.Second,
		"h18-acquiring-without-deadline": 9880 * time.Millisecond,
		"h25-clock-set-back":             11800 * time.Millisecond,
	} {
		t.Run(name, func(t *testing.T) {
			r := runNamed(t, name)
			work := property(t, r, check.SingleWork)
			assert.Equal(t, check.Violated, work.Verdict)
			assert.InDelta(t, want.Seconds(), time.Duration(work.OverlapNs).Seconds(), 0.03)
			assert.Equal(t, check.Held, property(t, r, check.SingleRecord).Verdict, "the lock itself is sound")
		})
	}
}

// TestSameIdentityHasNoEnd: H7 is unbounded.
func TestSameIdentityHasNoEnd(t *testing.T) {
	r := runNamed(t, "h07-same-identity")
	work := property(t, r, check.SingleWork)
	require.Len(t, work.Violations, 1)
	assert.Equal(t, r.Stats.VirtualNs, work.Violations[0].ToNs)
}

// TestEveryStartLosesItsLease: with 1.9/1.2/0.3 s no term of H5 lasts, and nobody did anything wrong.
func TestEveryStartLosesItsLease(t *testing.T) {
	r := runNamed(t, "h05-whole-seconds")
	require.Greater(t, len(r.Terms), 5)
	for _, term := range r.Terms[:len(r.Terms)-2] {
		assert.NotNil(t, term.CancelledNs)
	}
}

// TestWipedSuccessorHadNoFault: of the two that work at once in H4, neither was touched by a fault.
func TestWipedSuccessorHadNoFault(t *testing.T) {
	r := runNamed(t, "h04-release-wipes-successor")
	longest := check.Violation{}
	for _, v := range property(t, r, check.SingleWork).Violations {
		if v.ToNs-v.FromNs > longest.ToNs-longest.FromNs {
			longest = v
		}
	}
	assert.Equal(t, []string{"b", "c"}, longest.Candidates)
}

func runNamed(t *testing.T, name string) *Result {
	s, err := Named(name)
	require.NoError(t, err)
	r, err := Run(s, Options{})
	require.NoError(t, err)
	return r
}

func property(t *testing.T, r *Result, name string) check.Property {
	for _, p := range r.Properties {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no property %s", name)
	return check.Property{}
}
