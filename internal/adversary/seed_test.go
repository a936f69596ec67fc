package adversary

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/stage"
	"interregnum/plan"
	"interregnum/scenarios"
)

// worstCases are cases whose worst cases come about in different ways.
var worstCases = map[string]Case{
	"renewed":           plain(timings(15, 10, 2), 0, 5*time.Second),
	"acquiring":         plain(timings(15, 10, 2), 15*time.Second, time.Millisecond),
	"retried":           plain(timings(4, 3, 0.5), 0, 200*time.Millisecond),
	"ticked":            plain(timings(15, 12, 2), 0, 900*time.Millisecond),
	"in a limiter":      plain(timings(9, 6, 1.5), 300*time.Millisecond, 2*time.Second),
	"waits in a second": plain(timings(5, 3, 1), 85206315, 306837997).in(func(e *bound.Environment) { e.MaxPause = 2336811 * time.Microsecond }),
	"wiped, waits":      plain(timings(15.328, 5.715944, 0.926685), 345640504, 4859762782).releasing(),
	"wiped":             plain(timings(15, 10, 2), 0, 100*time.Millisecond).releasing(),
	"wiped, waits on a slow clock": plain(timings(32.225, 10, 2.567981665), 5*time.Second, 10940410884).releasing().
		in(func(e *bound.Environment) { e.Drain, e.MaxDriftPPM = 100*time.Millisecond, 7569 }),
	"released":      plain(timings(60, 15, 5), 0, time.Millisecond).releasing(),
	"reruns":        plain(timings(15, 12, 2), 0, 100*time.Millisecond).in(func(e *bound.Environment) { e.Reruns = true }),
	"drift, frozen": plain(timings(15, 10, 2), 0, 4*time.Second).in(func(e *bound.Environment) { e.MaxDriftPPM, e.MaxPause = 1000, 3*time.Second }),
	"drains":        plain(timings(15, 10, 2), 0, 4*time.Second).in(func(e *bound.Environment) { e.Drain = 2 * time.Second }),
	"strict": plain(timings(15, 14, 2), 0, time.Second).with(func(c *bound.Config) { c.Profile = machine.Strict }).
		in(func(e *bound.Environment) { e.MaxPause = 3 * time.Second }),
	"key": plain(timings(15, 14, 2), 0, 3*time.Second).with(func(c *bound.Config) { c.Lock = plan.KVTTL }),
	"row": plain(timings(15, 14, 2), 0, 3*time.Second).with(func(c *bound.Config) {
		c.Lock, c.Now, c.Precision = plan.SQLTTL, plan.CallerNow, time.Second
	}).in(func(e *bound.Environment) { e.MaxClockOffset = 3 * time.Second }),
	"two objects": plain(timings(15, 10, 2), 0, time.Second).with(func(c *bound.Config) {
		c.Lock, c.Profile = plan.EndpointsLeases, machine.Strict
	}),
}

func (c Case) with(change func(*bound.Config)) Case {
	change(&c.Config)
	return c
}

// TestWitness: a plan of the worst case shows the overlap that its scenario shows.
func TestWitness(t *testing.T) {
	for name, c := range worstCases {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, bound.Refused(&c.Config))
			r, err := bound.Of(&c.Config, &c.Env)
			require.NoError(t, err)
			s := stage.Witness(&c.Config, &c.Env, r)
			want, err := Replayed(s)
			require.NoError(t, err)
			g, err := witness(&c, &c.Env)
			require.NoError(t, err)
			for i := range g.Parts {
				for _, s := range g.Parts[i].Segments {
					assert.Equal(t, c.allow(s.Fate, s.Verbs).Hold, s.Fate.Hold, "%c waits in the limiter for longer than may be", 'a'+i)
				}
			}
			o := Simulated{}.run(&c, g)
			require.NoError(t, o.Err)
			// Of a scenario one pair may take over from another.
			assert.InDelta(t, want, o.overlap(g.Horizon), float64(100*time.Microsecond))
			assert.InDelta(t, r.Playable().Overlap, want, float64(time.Millisecond))
			if f := (&found{g: g, o: o}); c.onLibrary() {
				assert.InDelta(t, want, onLibrary(t, &c, f).score, float64(100*time.Microsecond))
			}
		})
	}
}

// TestTooLarge: a bound that is too large is not reached, where that which ships is: what an adversary that only looks for more
// would never tell.
func TestTooLarge(t *testing.T) {
	for name, c := range worstCases {
		t.Run(name, func(t *testing.T) {
			claim, err := Shipped(&c)
			require.NoError(t, err)
			require.True(t, claim.Exact)
			from, err := seeds(&c)
			require.NoError(t, err)
			best := climbFrom(&c, Simulated{}, 1, 300, bound.MaxDuration, from)
			assert.True(t, isReached(claim.Most, best.score), "%v of %v", best.score, claim.Most)
			assert.LessOrEqual(t, best.score, claim.most(best.g))
			assert.False(t, isReached(claim.Most+100*time.Millisecond, best.score))
		})
	}
}

// TestRecorded: a plan of the adversary that is written as a scenario file, and recorded from that, shows the same.
func TestRecorded(t *testing.T) {
	recorded := 0
	for seed := range uint64(40) {
		c := Kind{}.Draw(seed)
		f := climb(c, Simulated{}, seed, 60, bound.MaxDuration)
		file, err := Scenario(c, f.g, "any")
		if err != nil {
			continue // a file cannot say it
		}
		g, err := Recorded(&file.Plan)
		require.NoError(t, err)
		for i := range f.g.Service.Rates {
			f.g.Service.Rates[i].Step = Step{} // the service's clock goes by time alone
		}
		require.Equal(t, f.g.Service, g.Service)
		assert.InDelta(t, f.score, Simulated{}.run(c, g).overlap(g.Horizon), float64(time.Microsecond), "seed %d: %v", seed, c)
		recorded++
	}
	assert.Greater(t, recorded, 15)
}

// TestNotRecorded: what a plan of the adversary cannot say is an error.
func TestNotRecorded(t *testing.T) {
	half, zero := 0.5, 0.0
	p := func(f plan.Fault) *plan.Plan {
		c := scenarios.Candidate{ID: "a", Profile: machine.ClientGo, Lock: plan.Lease, Timings: timings(15, 10, 2), Jitter: &zero}
		return &plan.Plan{Seed: 1, Horizon: time.Minute, Candidates: []scenarios.Candidate{c}, Faults: []plan.Fault{f}}
	}
	for _, f := range []plan.Fault{
		{Kind: plan.FaultCrash, On: []string{"a"}}, {Kind: plan.FaultLose, Probability: &half},
		{Kind: plan.FaultClock, On: []string{"a"}, Jump: time.Second},
		{Kind: plan.FaultCancel, On: []string{plan.RoleLeader}},
		{Kind: plan.FaultPartition, On: []string{plan.RoleFollower}},
	} {
		_, err := Recorded(p(f))
		assert.Error(t, err)
	}
	drawn := p(plan.Fault{Kind: plan.FaultPartition})
	drawn.Candidates[0].Jitter = nil
	_, err := Recorded(drawn)
	assert.Error(t, err)
}
