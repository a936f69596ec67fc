package stage

import (
	"bytes"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

var update = flag.Bool("update", false, "rewrite the scenario files")

// unbounded is a case that the bound says is unbounded for a reason, and a plan of so many rounds that shows it.
type unbounded struct {
	bound.Config
	e    bound.Environment
	why  bound.Endless
	plan func(c *bound.Config, e *bound.Environment, rounds int) *stage
}

// TestEndless: each round makes an overlap longer by at least RetryPeriod, within the environment.
func TestEndless(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	config := func(lock plan.Lock, lease, deadline, period time.Duration, release bool) bound.Config {
		return bound.Config{
			Timings: machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: period},
			Profile: machine.ClientGo, Lock: lock, ReleaseOnCancel: release,
		}
	}
	for name, row := range map[string]unbounded{
		"a release that goes on": {
			config(plan.Lease, 60*s, 15*s, 5*s, true), bound.Environment{MaxRoundTrip: ms, HiddenConflicts: true},
			bound.Conflicting, conflicting,
		},
		"a release that goes on, however short answers take": {
			config(plan.Lease, 3600*s, 10*s, 2*s, true), bound.Environment{MaxRoundTrip: time.Microsecond, HiddenConflicts: true},
			bound.Conflicting, conflicting,
		},
		"a half-read lock": {
			config(plan.ConfigMapsLeases, 15*s, 10*s, 2*s, false), bound.Environment{MaxRoundTrip: ms}, bound.HalfRead, halfRead,
		},
		"a half-read lock that is released": {
			config(plan.EndpointsLeases, 60*s, 40*s, 15*s, true), bound.Environment{MaxRoundTrip: ms}, bound.HalfRead, halfRead,
		},
		"a half-read lock after lost answers": {
			losing(config(plan.ConfigMapsLeases, 3471902445, 3471902443, 1639315405, false), 418778569), bound.Environment{},
			bound.HalfRead, func(c *bound.Config, e *bound.Environment, rounds int) *stage { return halfReadLate(t, c, e, rounds) },
		},
		"no lease": {
			config(plan.ConfigMap, 900*ms, 700*ms, 500*ms, false), bound.Environment{MaxRoundTrip: ms}, bound.TakingTurns, turns,
		},
		"no lease, and a release": {
			config(plan.Endpoints, 900*ms, 850*ms, 700*ms, true), bound.Environment{MaxRoundTrip: ms}, bound.TakingTurns, turns,
		},
		"two objects, and a lease below RetryPeriod": {
			config(plan.ConfigMapsLeases, 2900*ms, 2800*ms, 2100*ms, false), bound.Environment{MaxRoundTrip: ms}, bound.TakingTurns, turns,
		},
		"two objects, and a lease of RetryPeriod": {
			config(plan.EndpointsLeases, 3700*ms, 3650*ms, 3*s, false), bound.Environment{MaxRoundTrip: ms}, bound.TakingTurns, turns,
		},
		"a lease of RetryPeriod": {
			config(plan.Lease, 2500*ms, 2450*ms, 2*s, false), bound.Environment{MaxRoundTrip: ms}, bound.TakingTurns, turns,
		},
		"a lease below RetryPeriod": {
			config(plan.Lease, 1900*ms, 1800*ms, 1400*ms, false), bound.Environment{MaxRoundTrip: ms}, bound.TakingTurns, turns,
		},
	} {
		t.Run(name, func(t *testing.T) { row.shows(t) })
		if row.ReleaseOnCancel {
			row.Profile = machine.ClientGoNext
			t.Run("client-go-next, "+name, func(t *testing.T) { row.shows(t) })
		}
	}
}

// shows requires that the bound has no end for that reason, and that each round of the plan makes the overlap longer.
func (u *unbounded) shows(t *testing.T) {
	r, err := bound.Of(&u.Config, &u.e)
	require.NoError(t, err)
	require.True(t, r.Unbounded)
	require.Equal(t, u.why, r.Plan.Endless)
	before := time.Duration(0)
	for _, rounds := range []int{4, 8, 16, 64} {
		p := u.plan(&u.Config, &u.e, rounds)
		w := gatetest.Watched(t, p.s)
		require.Empty(t, w.Outside(p.s, &u.e))
		assert.GreaterOrEqual(t, w.Score(), before+time.Duration(rounds/2)*u.RetryPeriod, "%d rounds", rounds)
		before = w.Score()
		t.Logf("%d rounds: %v of %v, %d terms", rounds, before, r.Overlap, len(w.Terms))
	}
	assert.Greater(t, before, r.Overlap)
}

// losing is c with a request timeout.
func losing(c bound.Config, timeout time.Duration) bound.Config {
	c.RequestTimeout = timeout
	return c
}

// conflicting is a and b, who overlap. In each round a third leader is cancelled as their polls begin: its release is applied, and a
// takes the lock; the release is answered by a 409, goes on and is applied again, and b takes it; it goes on once more, and
// the next leader takes it.
func conflicting(c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := newStage(c, e)
	holder := &actor{stage: s, id: "c0"}
	s.candidate(holder.id, 0, 0, scenarios.Clock{})
	holder.acquire()
	holder.pass(holder.trip()) // its first renewal
	polled := holder.now + 10*s.leg
	for round := range rounds {
		s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: polled - s.leg, On: []string{holder.id}})
		holder.now = polled - s.leg
		holder.pass(holder.trip())
		blanks := holder.request(machine.Update, conflict, 0)
		if round == 0 {
			s.candidate("a", blanks, 0, scenarios.Clock{})
		}
		holder.slowOut(6 * s.leg)
		holder.pass(7 * s.leg)
		blanks = holder.request(machine.Update, conflict, 0)
		if round == 0 {
			s.candidate("b", blanks, 0, scenarios.Clock{})
		}
		holder.slowOut(6 * s.leg)
		holder.pass(8 * s.leg)
		holder = &actor{stage: s, id: "c" + string(rune('A'+round/26)) + string(rune('a'+round%26))}
		s.candidate(holder.id, polled+20*s.leg, 0, scenarios.Clock{})
		polled += 6*s.leg + c.RetryPeriod
		if round == 0 {
			polled += 2 * s.leg // a's first renewal
		}
	}
	s.s.Horizon = polled
	return s
}

// halfRead is the worst case of a lock on two objects, and how it goes on: whoever has lost the lock reads the first object in
// its next attempt, is refused the second, and takes the lock back in the attempt after.
func halfRead(c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := newStage(c, e)
	s.halfCreated(&bound.Plan{Kind: bound.HalfCreated})
	s.s.Faults = s.s.Faults[:1] // all but what cuts a off
	trip := 2 * s.leg
	refused := func(id string, v machine.Verb, from, to time.Duration) {
		f := errorOn(v, false)
		if v == machine.Get {
			f.Object = s.lock().Objects()[1].String()
		}
		s.fault(f, id, from, to)
	}
	// a leads from the moment on that b works so many requests later.
	leads := *s.s.Faults[0].Until - s.near - 6*s.leg + 4*trip
	refused("a", machine.Get, leads+trip, leads+trip+s.leg)
	begins := map[string]time.Duration{"a": leads + c.RetryPeriod, "b": leads + 2*trip}
	refused("b", machine.Update, begins["b"], begins["b"]+c.RetryPeriod/2)
	begins["b"] += c.RetryPeriod
	first := begins["b"]
	for i := range 2 * rounds {
		id := "b"
		if i%2 == 1 {
			id = "a"
			begins[id] += 3*trip + c.RetryPeriod // its poll after it has taken the lock back
		} else if begins[id] != first {
			begins[id] += 3*trip + c.RetryPeriod
		}
		refused(id, machine.Get, begins[id]+2*trip, begins[id]+2*trip+s.leg)
		begins[id] += c.RetryPeriod
	}
	s.s.Horizon = begins["a"]
	return s
}

// turns is two leaders each of whom looks twice, RetryPeriod apart, and takes the lock from the other. All that goes wrong is that
// answers to writes take their time.
func turns(c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := newStage(c, e)
	s.shorten(s.leg / 2)
	late := 50 * s.leg
	a, b := &actor{stage: s, id: "a"}, &actor{stage: s, id: "b"}
	updated := func(x *actor) time.Duration {
		x.pass((s.updates() - 1) * x.trip())
		return x.request(machine.Update, answered, late)
	}
	renew := func(x *actor) time.Duration {
		if c.Lease() == 0 {
			x.pass(x.trip()) // it reads first
		}
		applied := updated(x)
		x.wait(c.RetryPeriod)
		return applied
	}
	poll := func(x *actor) {
		if c.Lease() == c.RetryPeriod { // what it reads has run out as its poll's first tick comes
			var no scenarios.Delay
			s.fault(scenarios.Fault{Kind: plan.FaultDelay, Request: &no, Response: &no}, x.id, x.now, x.now)
		}
		x.pass(c.RetryPeriod)
	}
	s.candidate("a", 0, 0, scenarios.Clock{})
	a.acquire()
	a.pass((s.gets() - 1) * a.trip())
	b.now = renew(a)
	s.candidate("b", b.now, 0, scenarios.Clock{})
	b.pass(s.gets() * b.trip())
	b.wait(c.RetryPeriod)
	b.pass((s.gets() + s.updates()) * b.trip())
	renew(b)
	for range rounds {
		for _, x := range []*actor{a, b} {
			poll(x)
			x.pass(s.gets() * x.trip())
			updated(x)
			x.wait(c.RetryPeriod)
		}
	}
	s.s.Horizon = b.now
	return s
}

// TestEndlessFiles: the plans that internal/parity runs on the unmodified library are those that are made here.
func TestEndlessFiles(t *testing.T) {
	config := func(lease, deadline, period time.Duration, release bool) *bound.Config {
		return &bound.Config{
			Timings: machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: period},
			Profile: machine.ClientGo, Lock: plan.Lease, ReleaseOnCancel: release,
		}
	}
	gathering := newCrowd(config(15*time.Second, 10*time.Second, 2*time.Second, true),
		&bound.Environment{MaxRoundTrip: 1010 * time.Millisecond})
	gathering.rounds(t, 3)
	surviving := newSurvivors(config(9*time.Second, 4500*time.Millisecond, 500*time.Millisecond, true),
		&bound.Environment{MaxRoundTrip: 1200 * time.Millisecond})
	surviving.rounds(t, 3)
	limited := config(15*time.Second, 10*time.Second, 2*time.Second, true)
	limited.Client = &plan.Client{QPS: 5, Burst: 10, Retries: true}
	waits := newCrowd(limited, &bound.Environment{MaxRoundTrip: time.Second, OtherBurst: 20})
	waits.rounds(t, 3)
	losing := config(6900*time.Millisecond, 6850*time.Millisecond, 1300*time.Millisecond, false)
	losing.RequestTimeout = 5600 * time.Millisecond
	for name, s := range map[string]*stage{
		"gathering": gathering.stage, "surviving": surviving.stage, "gathering-by-waits": waits.stage,
		"slow-turns": slowTurns(t, config(15900*time.Millisecond, 15500*time.Millisecond, 2*time.Second, false),
			&bound.Environment{MaxRoundTrip: 5 * time.Second}, 8),
		"taking-back": takingBack(t, config(2900*time.Millisecond, 2850*time.Millisecond, 700*time.Millisecond, false),
			&bound.Environment{MaxRoundTrip: 300 * time.Millisecond}, 10),
		"losing-answers": takingBack(t, losing, &bound.Environment{MaxRoundTrip: 300 * time.Millisecond}, 10),
		"conflicting": conflicting(config(60*time.Second, 15*time.Second, 5*time.Second, true),
			&bound.Environment{MaxRoundTrip: time.Millisecond, HiddenConflicts: true}, 10),
		"taking-turns": turns(config(1900*time.Millisecond, 1800*time.Millisecond, 1400*time.Millisecond, false),
			&bound.Environment{MaxRoundTrip: time.Millisecond}, 10),
	} {
		s.s.Name = name
		s.s.Expect = map[string]scenarios.Expectation{
			"single-work": scenarios.ExpectViolated, "single-belief": scenarios.ExpectAny,
			"safety-window": scenarios.ExpectAny, "fenced-writes": scenarios.ExpectAny, "liveness": scenarios.ExpectAny,
		}
		s.s.About = "two leaders work at once for longer than the worst case that the gate shows, and more of the same makes it longer"
		var text bytes.Buffer
		require.NoError(t, s.s.WriteYAML(&text))
		path := "testdata/" + name + ".yaml"
		if *update {
			require.NoError(t, os.WriteFile(path, text.Bytes(), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), text.String(), "go test ./internal/gate/stage -run TestEndlessFiles -update writes it anew")
	}
}
