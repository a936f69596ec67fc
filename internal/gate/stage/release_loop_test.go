package stage

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/bound"
	"interregnum/internal/few"
)

// playRelease plays attempts but the last one, and after the poll in which no more succeed a release, of which the last attempt has the calls:
// a read, and a write that is refused since another has taken the lock meanwhile. It returns how long after the leader's last success that
// can be: so long after it the release reads again, and writes. It returns 0 if there is no such release.
func playRelease(c *bound.Config, e *bound.Environment, all []loopAttempt) time.Duration {
	l := loopOf(c, e, all[:len(all)-1], 1)
	if l.ends == 0 {
		return 0
	}
	l.now = l.ends
	l.ends += c.RenewDeadline
	began := l.now
	answer, last := e.MaxRoundTrip, all[len(all)-1]
	if c.RequestTimeout > 0 {
		answer = min(answer, c.RequestTimeout)
	}
	last.calls[0].ends, last.calls[1].ends = callSucceeds, callSucceeds
	if _, ok := l.call(&last.calls[0], began); !ok {
		return 0
	}
	left, ok := l.call(&last.calls[1], began)
	if !ok {
		return 0
	}
	l.now = left + answer
	for range 2 { // it reads again, and writes
		if _, ok := l.call(&callFate{ends: callSucceeds}, began); !ok || l.now >= l.ends {
			return 0
		}
	}
	return left + answer - l.renewed
}

// climbRelease returns the latest release that is found, as playRelease returns it.
func climbRelease(c *bound.Config, e *bound.Environment, seed uint64, starts, steps int) (best time.Duration, found []loopAttempt) {
	r := loopMutator{rand.New(rand.NewPCG(seed, 4)), c, e}
	for range starts {
		all := append(r.course(), r.attempt())
		score := playRelease(c, e, all)
		for range steps / starts {
			next := r.mutated(all)
			if got := playRelease(c, e, next); len(next) > 1 && got >= score {
				all, score = next, got
			}
		}
		if score > best {
			best, found = score, slices.Clone(all)
		}
	}
	return best, found
}

// TestReleaseLoopsClimbed: where the bound says that no release outlives a lease, nothing that becomes of a candidate's calls, and no other
// traffic, has its release read the record as late as that. RenewDeadline is as long as it may be for that, to ten milliseconds.
func TestReleaseLoopsClimbed(t *testing.T) {
	tried, close := 0, 0
	for seed := *exactFirst; seed < *exactFirst+few.Of(100); seed++ {
		a := drawLoop.Example(seed)
		a.c.ReleaseOnCancel = true
		whole := rapid.SampledFrom([]bool{true, false}).Example(seed)
		outlives := func(deadline time.Duration) bool {
			c := *a.c
			c.RenewDeadline = deadline
			r, err := bound.Of(&c, a.e)
			if err != nil {
				return true
			}
			most, known := r.AtMost()
			return !known || most > a.e.MaxRoundTrip+c.RetryPeriod+2*deadline+time.Millisecond
		}
		if _, err := bound.Of(a.c, a.e); err != nil {
			require.ErrorIs(t, err, bound.ErrNoWait)
			continue
		}
		a.c.LeaseDuration = (a.c.RenewDeadline + a.c.RetryPeriod + a.e.MaxRoundTrip).Truncate(time.Second)
		for outlives(a.c.RenewDeadline) && a.c.LeaseDuration < time.Hour {
			a.c.LeaseDuration += time.Second
		}
		for !whole && !outlives(a.c.RenewDeadline+10*time.Millisecond) && a.c.RenewDeadline+a.c.RetryPeriod < a.c.LeaseDuration {
			a.c.RenewDeadline += 10 * time.Millisecond
		}
		latest, all := climbRelease(a.c, a.e, uint64(seed), 10, 20_000)
		tried++
		require.LessOrEqual(t, latest, a.c.LeaseDuration+time.Microsecond, "-exact.first %d: %+v in %+v with %+v: %+v", seed, *a.c, *a.e, *a.c.Client, all)
		missing := (a.c.LeaseDuration - latest).Seconds() * a.c.Client.QPS
		if missing < 1.1+0.01*a.c.Client.QPS {
			close++
		}
	}
	t.Logf("%d climbed, %d as late as all but a token", tried, close)
	assert.Greater(t, close, tried/50)
}
