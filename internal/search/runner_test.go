package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/few"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// drawer draws scenarios of all sorts, each on a sheet that was used before and on a blank one.
type drawer struct {
	*rand.Rand
	first, second draw.Sheet
	library       []*scenarios.Scenario
}

// space returns a space with any profile, lock, number of elections and limits.
func (d *drawer) space() *draw.Space {
	some := func(most time.Duration) time.Duration { return time.Duration(d.IntN(2)) * most }
	l := plan.Locks()[d.IntN(len(plan.Locks()))]
	s := &draw.Space{
		Profile: machine.Profiles()[d.IntN(len(machine.Profiles()))], Candidates: d.IntN(6), Restless: d.IntN(2) == 0,
		Locking: draw.Locking{Lock: l, Elections: []int{0, 0, 2, 3, 4}[d.IntN(5)]},
		Limits: draw.Limits{
			MaxDriftPPM: 200_000 * d.Int64N(2), MaxPause: some(time.Minute), MaxDrain: some(20 * time.Second),
			Shared: d.IntN(2) == 0, Deleted: d.IntN(2) == 0,
		},
	}
	if !l.TakenBy(&s.Profile) {
		s.Profile = machine.ClientGo
	}
	if l.ByWallClock() {
		s.Now = []plan.Now{plan.CallerNow, plan.DatabaseNow}[d.IntN(2)]
		s.Precision = []time.Duration{0, time.Millisecond, time.Second}[d.IntN(3)]
		s.Limits.MaxClockOffset = some(10 * time.Second)
	}
	if !l.Expires() && d.IntN(3) == 0 {
		s.Lock, s.Locks = plan.Lease, []plan.Lock{plan.Lease, plan.ConfigMap, plan.EndpointsLeases}
	}
	return s
}

// next draws a scenario: one that ships, one drawn from a space, or a mutation of that.
func (d *drawer) next(t *testing.T) *scenarios.Scenario {
	if d.IntN(40) == 0 {
		return d.library[d.IntN(len(d.library))]
	}
	space, seed := d.space(), d.Uint64()
	choices := func() draw.Source { return rand.New(rand.NewPCG(seed, 0)) }
	sheet := &d.first
	sheet.Draw(space, choices())
	require.Equal(t, bare(space.Plan(choices())), bare(&sheet.Plan))
	if !space.Restless && d.IntN(3) == 0 { // else a pause may have no end
		sheet = &d.second
		sheet.Mutate(space, &d.first.Plan, choices())
		var blank draw.Sheet
		blank.Mutate(space, &d.first.Plan, choices())
		require.Equal(t, bare(&blank.Plan), bare(&sheet.Plan))
	}
	s := &scenarios.Scenario{Plan: sheet.Plan}
	s.Seed = seed
	return s
}

// standstill returns a scenario that makes no progress, and is given up with much still to come: a release in a network that
// takes no time, which conflicts each time it is tried, while a crowd waits for the lock.
func standstill() *scenarios.Scenario {
	candidate := func(id string, startAt time.Duration) plan.Candidate {
		return plan.Candidate{ID: id, Profile: machine.ClientGo, Lock: plan.Lease, Timings: defaultTimings(), ReleaseOnCancel: true, StartAt: startAt}
	}
	at, until := 5*time.Second, 6*time.Second
	candidates := []plan.Candidate{candidate("a", 40*time.Second), candidate("b", 0)}
	for i := range 30 {
		candidates = append(candidates, candidate(fmt.Sprint("c", i), time.Second))
	}
	return &scenarios.Scenario{Plan: plan.Plan{
		Horizon: time.Hour, Candidates: candidates,
		Faults: []plan.Fault{
			{Kind: plan.FaultError, At: at, Until: &until, On: []string{"b"}, Status: 409, Verb: machine.Update},
			{Kind: plan.FaultCancel, At: at, On: []string{"b"}},
			{Kind: plan.FaultClock, At: time.Minute, On: []string{"b"}, Jump: time.Second},
		},
	}}
}

// bare returns a plan without an empty slice of faults, which says the same as none.
func bare(p *plan.Plan) plan.Plan {
	c := *p
	if len(c.Faults) == 0 {
		c.Faults = nil
	}
	return c
}

// outcome is all that a runner can tell of a run.
type outcome struct {
	stats      sim.Stats
	err        string
	trace      string
	properties []scenarios.Property
	resource   check.Resource
	witnesses  []string
	margins    []int64
	vacancies  [][]int64
}

// outcomeOf runs a scenario in a runner, and once more for its trace.
func outcomeOf(r *runner, s *scenarios.Scenario) (o outcome) {
	var err error
	if o.stats, err = r.simulate(s); err != nil {
		o.err = err.Error()
		return o
	}
	o.properties = r.suite.AppendProperties(nil, int64(s.Horizon))
	o.resource, o.witnesses = r.suite.Resource(), r.coverage.Seen()
	for _, own := range r.elections.Observers {
		o.margins = append(o.margins, own.miss.shortest, own.vacancies.vacant)
		o.vacancies = append(o.vacancies, append([]int64{}, own.vacancies.lengths...))
	}
	var text strings.Builder
	file := trace.NewWriter(&text, s.Header())
	alone := check.NewCoverage(s.Header()) // which gets all events one by one
	r.world.NoHash = false
	hashed, err := r.world.Run(&s.Plan, file, struct{ trace.Selective }{alone})
	if err != nil {
		o.err = err.Error()
	}
	if !slices.Equal(alone.Seen(), o.witnesses) {
		o.err = fmt.Sprintf("alone, witnesses are %v", alone.Seen())
	}
	r.world.NoHash = true
	if o.stats.Events != hashed.Events || o.stats.TraceHash == hashed.TraceHash {
		o.err = "a run with a hash has other events than one without, or its hash is that of none"
	}
	o.stats = hashed
	_ = file.Flush() // a Builder takes everything
	o.trace = text.String()
	return o
}

// requireSame fails at the first line of the trace that differs, or else at what differs after the run.
func requireSame(t *testing.T, scenario int, want, got outcome) {
	if want.trace != got.trace {
		w, g := strings.Split(want.trace, "\n"), strings.Split(got.trace, "\n")
		for i := range min(len(w), len(g)) {
			require.Equal(t, w[i], g[i], "scenario %d, line %d", scenario, i+1)
		}
		require.Len(t, g, len(w), "scenario %d", scenario)
	}
	want.trace, got.trace = "", ""
	require.Equal(t, want, got, "scenario %d", scenario)
}

// TestRunnerForgets: what a run shows is the same in a runner that has run all sorts of scenarios, in a new one, and in
// scenarios.Run.
func TestRunnerForgets(t *testing.T) {
	library, err := scenarios.Library()
	require.NoError(t, err)
	d := &drawer{Rand: rand.New(rand.NewPCG(1, 2)), library: library}
	target := &Target{}
	used := target.newRunner()
	still := 0
	for i := range few.Of(2000) {
		s := d.next(t)
		if i%500 == 250 {
			s = standstill()
		}
		want := outcomeOf(target.newRunner(), s)
		requireSame(t, i, want, outcomeOf(used, s))
		if want.err != "" {
			still++
			continue
		}
		if i%10 == 0 {
			result, err := scenarios.Run(s, scenarios.Options{Brief: true})
			require.NoError(t, err)
			require.Equal(t, want.stats.TraceHash.String(), result.TraceHash)
			require.Equal(t, want.properties, result.Properties)
		}
	}
	assert.Equal(t, few.Of(2000)/500+few.Of(2000)%500/251, still, "runs that make no progress")
}

// target returns a target of any kind that Check accepts.
func (d *drawer) target() *Target {
	for {
		s := d.space()
		t := &Target{Profile: s.Profile, Locking: s.Locking, Limits: s.Limits}
		length := func() time.Duration { return time.Duration(d.Int64N(1 << (1 + d.IntN(62)))) }
		for _, limit := range []*time.Duration{&t.Limits.MaxRoundTrip, &t.Limits.MaxPause, &t.Limits.MaxDrain} {
			if d.IntN(2) == 0 {
				*limit = length()
			}
		}
		if t.Limits.MaxClockOffset > 0 {
			t.Limits.MaxClockOffset = length()
		}
		if d.IntN(2) == 0 {
			retry := time.Duration(1 + d.Int64N(1<<(1+d.IntN(50))))
			more := func() time.Duration { return retry + time.Duration(d.Int64N(4*int64(retry))) }
			t.Timings = machine.Timings{RetryPeriod: retry, RenewDeadline: retry + more()}
			t.Timings.LeaseDuration = t.Timings.RenewDeadline + more()
		}
		t.Limits.Clients, t.Limits.MaxDriftPPM = d.IntN(2) == 0, d.Int64N(1+d.Int64N(bound.MaxDriftPPM+1))
		if t.Check() == nil {
			return t
		}
	}
}

// TestDrawnAreValid: where drawsValid says so, all that is drawn can be run, and so can mutations of it.
func TestDrawnAreValid(t *testing.T) {
	d := &drawer{Rand: rand.New(rand.NewPCG(3, 4))}
	timings, faults := 0, map[plan.FaultKind]bool{}
	for range few.Of(16000) {
		target := d.target()
		if !target.drawsValid() {
			continue
		}
		if target.Timings != (machine.Timings{}) {
			timings++
		}
		parent := target.Scenario(d.Uint64())
		for _, s := range []*scenarios.Scenario{parent, mutantOf(target, parent, d.Uint64()), mutantOf(target, parent, d.Uint64())} {
			require.NoError(t, s.Plan.Validate(), "%+v", target)
			for _, f := range s.Faults {
				faults[f.Kind] = true
			}
		}
	}
	assert.Greater(t, timings, few.Of(1000))
	assert.Len(t, faults, 15, "of all kinds but frame, edit and rollout")
}

// TestBlocksOfOneRunner: what one runner stores in one block is what new ones store in new blocks.
func TestBlocksOfOneRunner(t *testing.T) {
	for name, target := range lockings() {
		used, b := target.newRunner(), &Block{}
		for block := range uint64(4) {
			used.runUntil(b, block, BlockRuns)
			require.Equal(t, resultOf(t, target.Run(block)), resultOf(t, b), "%s, block %d", name, block)
		}
	}
}

// TestNoMemoryPerRun: once a runner has run some blocks, another takes no memory, also where something is violated.
func TestNoMemoryPerRun(t *testing.T) {
	for name, target := range map[string]*Target{
		"lease":     {Profile: machine.Strict, Timings: defaultTimings()},
		"timings":   {Profile: machine.Strict, Limits: draw.Limits{MaxRoundTrip: 5 * time.Second, MaxDriftPPM: 1000}},
		"key":       {Profile: machine.Strict, Locking: draw.Locking{Lock: plan.KVTTL}},
		"row":       {Profile: machine.Strict, Locking: draw.Locking{Lock: plan.SQLTTL, Now: plan.DatabaseNow}},
		"elections": {Profile: machine.Strict, Locking: draw.Locking{Elections: 3}},
		"pair":      {Profile: machine.Strict, Locking: draw.Locking{Lock: plan.ConfigMapsLeases}},
		"frozen":    {Profile: machine.Strict, Timings: defaultTimings(), Limits: draw.Limits{MaxPause: time.Minute, MaxDriftPPM: 200_000}},
		"violated":  {Profile: machine.ClientGo, Timings: defaultTimings()},
		"clients":   {Profile: machine.Strict, Timings: defaultTimings(), Limits: draw.Limits{Clients: true}},
	} {
		r, b := target.newRunner(), &Block{}
		blocks := uint64(few.Else(2, 16))
		var failures int
		all := func() {
			for block := range blocks {
				r.runUntil(b, block, BlockRuns)
				failures += len(b.Failures)
			}
		}
		for range 8 { // a page has to see the longest of the plans that come to be on it
			all()
		}
		require.Equal(t, name == "violated", failures > 0, name)
		assert.Zero(t, testing.AllocsPerRun(4, all), name)
	}
}
