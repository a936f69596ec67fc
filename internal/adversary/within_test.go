package adversary

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
	"interregnum/internal/gate/stage"
)

// tiny is by how much a witness may exceed an environment: where round trips take no time its own take 40 ns, and what has to wait for
// them is frozen for as little.
const tiny = 80 * time.Nanosecond

// TestWithin: all that happens in a worst case is within the words of the claim, request by request.
func TestWithin(t *testing.T) {
	for seed := *first; seed < *first+uint64(max(400, *configs)); seed++ {
		for _, kind := range []Kind{{Library: true}, {}} {
			c := kind.Draw(seed)
			r, err := bound.Of(&c.Config, &c.Env)
			require.NoError(t, err)
			s := stage.Witness(&c.Config, &c.Env, r)
			g, err := Recorded(&s.Plan)
			require.NoError(t, err)
			for i := range g.Parts {
				if wrong := g.Parts[i].outside(c); wrong != "" {
					assert.Failf(t, "outside the environment", "seed %d: %v: %s %s", seed, c, name(i), wrong)
				}
			}
		}
	}
}

// outside tells what of a candidate's part is not within a case's environment, "" where all is.
func (p *Part) outside(c *Case) string {
	for _, s := range p.Segments {
		f, may := s.Fate, c.allow(s.Fate, s.Verbs)
		longest := time.Duration(0) // where its clock is fast: what a plan may, where it is slow, is less
		if c.mostHold() > 0 {
			longest = c.Env.MaxRoundTrip - bound.True(c.Config.RequestTimeout, c.Env.MaxDriftPPM)
		}
		switch {
		case f.Hold > longest+tiny:
			return "waits in the limiter for too long"
		case f.Out.Lost:
		case f.Hold+f.Out.Delay > c.Env.MaxRoundTrip+tiny:
			return "sends a request that arrives too late"
		case !f.Back.Lost && f.Hold+f.Out.Delay+f.Back.Delay > c.Env.MaxRoundTrip+tiny:
			return "gets an answer too late"
		case f.Status != may.Status:
			return "gets a wrong conflict"
		}
	}
	frozen := time.Duration(0)
	for _, f := range p.Freezes {
		frozen += f.Length
	}
	if frozen > c.Env.MaxPause+tiny {
		return "is frozen for too long"
	}
	for _, r := range p.Rates {
		if max(r.PPM, -r.PPM) > c.Env.MaxDriftPPM {
			return "has a clock that is too fast or too slow"
		}
	}
	if len(p.Reruns) > 0 && !c.Env.Reruns {
		return "runs again"
	}
	return ""
}
