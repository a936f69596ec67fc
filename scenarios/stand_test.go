package scenarios

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/draw/drawtest"
	"interregnum/plan"
)

// TestAllStandRandom: candidates that run again after each Run, whose requests have a timeout and whose clients keep nothing back,
// stand for election all the time, whatever goes wrong. One that does not run again is found, unless its process has ended or was
// told to.
func TestAllStandRandom(t *testing.T) {
	verdicts := map[check.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := drawtest.Plan(t, standSpace(t))
		p.Seed = rapid.Uint64().Draw(t, "seed")
		for i := range p.Candidates {
			c := &p.Candidates[i]
			c.OnLoss = ""
			if c.Rejoin == nil {
				c.Rejoin = new(time.Second)
			}
			if c.RequestTimeout == 0 {
				c.RequestTimeout = 5 * time.Second
			}
			if c.Client != nil {
				c.Client.QPS, c.Client.Burst, c.Client.Other, c.Client.Retries = 0, 0, nil, false
			}
		}
		for i := range p.Faults {
			p.Faults[i].Limiter = 0
		}
		all := verdictOfAllStand(t, p)
		require.NotEqual(t, check.Violated, all.Verdict, "%+v", all.Violations)
		verdicts[all.Verdict]++

		for i := range p.Candidates {
			p.Candidates[i].Rejoin, p.Candidates[i].SameElector = nil, false
		}
		verdicts[verdictOfAllStand(t, p).Verdict]++
	})
	assert.Positive(t, verdicts[check.Held])
	assert.Positive(t, verdicts[check.Violated], "a process that does not run again is found")
}

// inTime tells whether the requests of the profile can have a timeout.
func inTime(p machine.Profile) bool { return p.TimesOut() }

// standSpace draws a space of plans with every profile whose requests can have a timeout, every kind of lock and fault.
func standSpace(t *rapid.T) *draw.Space {
	s := &draw.Space{
		Profile: rapid.SampledFrom(machine.Profiles()).Filter(inTime).Draw(t, "profile"), Restless: true,
		Limits: draw.Limits{
			MaxDriftPPM: 500_000, MaxPause: 10 * time.Second, MaxDrain: 20 * time.Second, MaxClockOffset: 10 * time.Second,
			Shared: true, Deleted: true, Rollouts: true, Clients: rapid.Bool().Draw(t, "clients"),
		},
	}
	taken := func(l plan.Lock) bool { return l.TakenBy(&s.Profile) }
	s.Lock = rapid.SampledFrom(plan.Locks()).Filter(taken).Draw(t, "lock")
	s.Elections = rapid.SampledFrom([]int{0, 0, 2}).Draw(t, "elections")
	return s
}

func verdictOfAllStand(t *rapid.T, p *plan.Plan) check.Property {
	s := &Scenario{Name: "random", Plan: *p, Expect: map[string]Expectation{check.AllStand: ExpectAny}}
	r, err := Run(s, Options{Brief: true})
	require.NoError(t, err)
	return r.Properties[len(r.Properties)-1]
}

// TestStand: which of the shipped processes stop standing for election after a loss, and when that becomes known.
func TestStand(t *testing.T) {
	bound := 10*time.Second + 4400*time.Millisecond + 2*time.Millisecond // RenewDeadline, a period, an answer
	for name, want := range map[string][]string{"stand-zombie": {"a", "b"}, "stand-hanging": {"a", "b"}, "stand-again": nil} {
		r := runNamed(t, name)
		var who []string
		for _, v := range property(t, r, check.AllStand).Violations {
			who = append(who, v.Candidates...)
			assert.Equal(t, r.Stats.VirtualNs, v.ToNs, "for good")
			lost := time.Duration(*r.Terms[len(who)-1].StoppedNs)
			assert.LessOrEqual(t, time.Duration(v.FromNs), lost+bound+2*time.Second, name) // twice its rejoin
		}
		assert.Equal(t, want, who, name)
	}
}

// TestStrictDoesNotHang: a request of the profile strict has RenewDeadline to be answered, also while it acquires.
func TestStrictDoesNotHang(t *testing.T) {
	s, err := Named("stand-hanging")
	require.NoError(t, err)
	for i := range s.Candidates {
		s.Candidates[i].Profile = machine.Strict
	}
	r, err := Run(s, Options{})
	require.NoError(t, err)
	assert.Equal(t, check.Held, property(t, r, check.AllStand).Verdict)
	assert.Equal(t, check.Held, property(t, r, check.Liveness).Verdict)
}
